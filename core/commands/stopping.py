"""Stopping by Ctrl-C: training goes on until it has given a last checkpoint, so that nothing is lost."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from core.training.records import TrainingControl


class Stopping:
    """While its block runs, the first Ctrl-C asks for a stop; a second one interrupts at once."""

    def __init__(self, control: TrainingControl) -> None:
        self.asked = False
        self._steering = control
        self._before: Any = None

    def ask(self) -> None:
        """From the next record on there is a checkpoint in each."""
        self.asked = True
        self._steering.checkpoint_seconds = 0

    def __enter__(self) -> "Stopping":
        # Python lets only the main thread handle signals; tests may train in another.
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.ask()
