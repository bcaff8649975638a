"""A learning rate that is typed while a run trains."""

from PySide6.QtCore import QObject, QSignalBlocker, QTimer

from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.text import number
from gui.training.session import Session
from gui.widgets.banner import Banner

# Not at every letter: a person who types 0.05 instead of 0.1 passes 0.
DELAY_MILLISECONDS = 400


class TypedRate(QObject):
    """Lets the rate replace the schedule of the run, says so, and offers to return to the schedule."""

    def __init__(self, settings: SettingsPanel, session: Session, banner: Banner) -> None:
        super().__init__(session)
        self._settings = settings
        self._session = session
        self._banner = banner
        field = settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        self._field = field
        self._delay = QTimer(self, interval=DELAY_MILLISECONDS, singleShot=True)
        self._delay.timeout.connect(self._apply)
        field.edit.textChanged.connect(self._wait)
        field.edit.editingFinished.connect(self._apply_now)
        session.ended.connect(self._delay.stop)

    def _wait(self) -> None:
        if self._session.active:
            self._delay.start()

    def _apply_now(self) -> None:
        if self._delay.isActive():
            self._apply()

    def _apply(self) -> None:
        self._delay.stop()
        plan = self._settings.plan
        settings = self._session.settings
        if plan is None or settings is None:
            return
        rate = plan.settings.learning_rate
        self._session.set_learning_rate(rate)
        text = self.tr("The learning rate is {rate} from now on. This is recorded with the run.")
        if settings.schedule != "constant":
            text = self.tr(
                "The learning rate is {rate} from now on, and the schedule ({schedule}) is off. This is recorded with "
                "the run."
            )
        self._banner.show_text(text.format(rate=number(rate), schedule=settings.schedule))
        self._banner.offer(self.tr("Return to the schedule"), self._return_to_schedule)

    def _return_to_schedule(self) -> None:
        settings = self._session.settings
        if settings is None or not self._session.active:
            return
        self._session.set_learning_rate(None)
        with QSignalBlocker(self._field.edit):
            self._field.show_value(settings.learning_rate)
        self._banner.show_text(self.tr("The learning rate follows the schedule of the run again."), "good")
