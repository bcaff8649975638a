"""A worker is a thread for one task that would keep the window waiting: loading, fetching, probing."""

from collections.abc import Callable
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from core.progress import Cancelled, Progress, unless_cancelled
from gui.background.failure import Failure, failure_of

Task = Callable[[Progress, Event], Any]


class Worker(QThread):
    """Calls `task(progress, cancelled)`; `done` comes on the window's thread with a result, Failure or None.

    None means that it was cancelled. `progress` holds (done, total) for whoever cares to look.
    """

    done = Signal(object)

    def __init__(self, task: Task, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._task = task
        self._cancelled = Event()
        self.progress = (0, 0)
        self._outcome: Any = None
        self.finished.connect(self._hand_over)

    def cancel(self) -> None:
        self._cancelled.set()

    def close(self) -> None:
        """Cancel, wait for the end, and say nothing more."""
        self.finished.disconnect(self._hand_over)
        self.cancel()
        self.wait()

    def run(self) -> None:
        try:
            self._outcome = self._task(unless_cancelled(self._cancelled, self._report), self._cancelled)
        except Cancelled:
            self._outcome = None
        except Exception as error:
            self._outcome = failure_of(error)

    def _report(self, done: int, total: int) -> None:
        self.progress = (done, total)

    def _hand_over(self) -> None:
        self.wait()
        outcome = (
            None if self._cancelled.is_set() and not isinstance(self._outcome, Failure) else self._outcome
        )
        self.done.emit(outcome)
        self.deleteLater()
