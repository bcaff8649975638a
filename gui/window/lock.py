"""Training, measuring and studies exclude each other, because each would slow the others down."""

from functools import partial

from PySide6.QtCore import QObject

from gui.devices.tab import DevicesTab
from gui.studies.training import StudyTraining
from gui.training.session import Session
from gui.widgets.banner import Banner


class ActivityLock(QObject):
    """Disables the other two while one is going on, and all three while a lab lets nothing be
    started.
    """

    def __init__(
        self,
        session: Session,
        measuring: DevicesTab,
        studies: StudyTraining,
        banner: Banner,
    ) -> None:
        super().__init__(session)
        self._session = session
        self._measuring = measuring
        self._studies = studies
        self._banner = banner
        # Why a lab lets nothing but its own runs be started; empty: anything may be.
        self._closed = ""
        session.state_changed.connect(self._update)
        for part in (measuring, studies):
            part.busy_changed.connect(partial(self._on_busy, part))

    @property
    def is_busy(self) -> bool:
        """Whether a run is in progress, a device is being measured, or a study trained."""
        return self._session.active or self._measuring.busy or self._studies.busy

    def close(self, reason: str) -> None:
        """Start nothing but the runs of a lab, for this reason; an empty one ends that."""
        self._closed = reason
        self._update()

    def refuses_own_run(self) -> bool:
        """Whether no run but one of a lab can start now; the banner then says why."""
        if self._closed:
            self._banner.show_text(self._closed)
        return bool(self._closed) or self.refuses_run()

    def refuses_run(self) -> bool:
        """Whether no run can start now. The banner then says why, and offers to stop what is going
        on.
        """
        if self._measuring.busy:
            self._banner.show_text(
                self.tr("A device is being measured; training would falsify the times.")
            )
            self._banner.offer(self.tr("Stop measuring"), self._measuring.stop)
        elif self._studies.busy:
            self._studies.say_busy()
        return self._measuring.busy or self._studies.busy

    def _on_busy(self, part: DevicesTab | StudyTraining, busy: bool) -> None:
        if not busy:
            # What the banner offered to stop has ended.
            self._banner.withdraw(part.stop)
        self._update()

    def _update(self) -> None:
        training = self._session.active
        measuring = self._measuring.busy
        self._measuring.set_training(training or self._studies.busy)
        reason = self.tr("A run is in progress: stop it first; one thing is trained at a time.")
        if measuring and not training:
            reason = self.tr(
                "A device is being measured: stop it first, because a training would falsify the "
                "times."
            )
        self._studies.disable(reason if training or measuring else self._closed)
        self._measuring.disable(self._closed)
