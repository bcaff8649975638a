"""Changes the learning rate of the run under way when another one is typed."""

from PySide6.QtCore import QObject, QTimer

from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.training.session import Session

_TYPING_MILLISECONDS = 400


class RateControl(QObject):
    """Waits for a pause in typing, because on the way from 0.1 to 0.05 the field holds 0."""

    def __init__(self, settings: SettingsPanel, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._settings, self._session = settings, session
        self._timer = QTimer(self, interval=_TYPING_MILLISECONDS, singleShot=True)
        self._timer.timeout.connect(self._set_rate)
        field = settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        field.edit.textChanged.connect(self._on_typed)
        field.edit.editingFinished.connect(self._on_entered)

    def stop(self) -> None:
        """Forget what was typed last, because the run has ended."""
        self._timer.stop()

    def _on_typed(self) -> None:
        if self._session.active:
            self._timer.start()

    def _on_entered(self) -> None:
        if self._timer.isActive():
            self._timer.stop()
            self._set_rate()

    def _set_rate(self) -> None:
        rate = self._settings.learning_rate()
        if rate is not None:
            self._session.set_learning_rate(rate)
