"""Applies a learning rate that is typed during a run."""

from PySide6.QtCore import QObject, QSignalBlocker, QTimer

from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.text import number
from gui.training.session import Session
from gui.widgets.banner import Banner

# Not at every letter: a person who types 0.05 instead of 0.1 passes 0.
DELAY_MILLISECONDS = 400


class RateControl(QObject):
    """The new rate replaces the schedule. The banner says so, and offers to return to the schedule."""

    def __init__(self, settings: SettingsPanel, session: Session, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._settings, self._session, self._banner = settings, session, banner
        field = settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        self._field = field
        self._delay = QTimer(self, interval=DELAY_MILLISECONDS, singleShot=True)
        self._delay.timeout.connect(self._apply)
        field.edit.textChanged.connect(self._on_typed)
        field.edit.editingFinished.connect(self._on_entered)
        session.ended.connect(self._delay.stop)

    def _on_typed(self) -> None:
        if self._session.active:
            self._delay.start()

    def _on_entered(self) -> None:
        if self._delay.isActive():
            self._delay.stop()
            self._apply()

    def _apply(self) -> None:
        rate, run = self._settings.learning_rate(), self._session.settings
        if rate is None or run is None:
            return
        self._session.set_learning_rate(rate)
        text = self.tr("The learning rate is {rate} from now on. This is recorded with the run.")
        schedule = run.schedule
        if schedule != "constant":
            text = self.tr(
                "The learning rate is {rate} from now on, and the schedule ({schedule}) is off. This is recorded with "
                "the run."
            )
        self._banner.show_text(text.format(rate=number(rate), schedule=schedule))
        self._banner.offer(self.tr("Return to the schedule"), self._return_to_schedule)

    def _return_to_schedule(self) -> None:
        run = self._session.settings
        if run is None or not self._session.active:
            return
        self._session.set_learning_rate(None)
        with QSignalBlocker(self._field.edit):
            self._field.show_value(run.learning_rate)
        self._banner.show_text(self.tr("The learning rate follows the schedule of the run again."), "good")
