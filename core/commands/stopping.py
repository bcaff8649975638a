"""Stops training after a signal, in such a way that the model and a checkpoint can still be written."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

from core.training.records import TrainingControl

# Ctrl-C, the end of a session by the system, the closing of a terminal (not on Windows), Ctrl-Break (on Windows).
END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)


class StopSignals:
    """Context manager: the first signal requests a stop, a second Ctrl-C raises KeyboardInterrupt."""

    def __init__(self, control: TrainingControl) -> None:
        self.requested = False
        self._control = control
        self._handlers: dict[int, Any] = {}

    def request(self) -> None:
        """Request a stop: training ends after the next record."""
        self.requested = True
        self._control.stop = True

    def __enter__(self) -> "StopSignals":
        # Python allows signal handlers in the main thread alone; tests may train in another.
        if threading.current_thread() is threading.main_thread():
            for number in END_SIGNALS:
                # `nohup` ignores SIGHUP, and the program keeps that.
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    self._handlers[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.request()
