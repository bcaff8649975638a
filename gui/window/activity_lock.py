"""Training, measuring and studies exclude each other: each would slow the others down."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow


class ActivityLock(QObject):
    """Tells each part what the others are doing."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.session.state_changed.connect(self._update)
        window.measuring.busy_changed.connect(self._on_measuring)
        window.studies.busy_changed.connect(self._on_study)

    def refuses_run(self) -> bool:
        """Whether no run can start now. The banner then says why, and offers to stop what is going on."""
        window = self._window
        if window.measuring.busy:
            window.banner.show_text(self.tr("A device is being measured; training would falsify the times."))
            window.banner.offer(self.tr("Stop measuring"), window.measuring.stop)
            return True
        if window.studies.busy:
            window.banner.show_text(self.tr("A study is being trained: stop it first, or wait for its end."))
            window.banner.offer(self.tr("Stop the study"), window.studies.stop)
            return True
        return False

    def _on_measuring(self, busy: bool) -> None:
        self._window.warm_up.cancel()
        if not busy:
            self._window.banner.withdraw(self._window.measuring.stop)
        self._update()

    def _on_study(self, busy: bool) -> None:
        self._window.warm_up.cancel()
        if not busy:
            self._window.banner.withdraw(self._window.studies.stop)
        self._update()

    def _update(self) -> None:
        window = self._window
        training, measuring = window.session.active, window.measuring.busy
        window.measuring.set_training(training or window.studies.busy)
        reason = self.tr("A run is in progress: stop it first; one thing is trained at a time.")
        if measuring and not training:
            reason = self.tr(
                "A device is being measured: stop it first, because a study would falsify the times."
            )
        window.studies.disable(reason if training or measuring else "")
