"""Handles the signals that end the program, in such a way that the model and a checkpoint can still
be written.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from core.training.records import TrainingControl

# Ctrl-C, the end of a session by the system, the closing of a terminal (not on Windows), Ctrl-Break
# (on Windows).
END_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
)


@contextmanager
def handle_end_signals(handler: Callable[[int, FrameType | None], object]) -> Iterator[set[int]]:
    """Within the context, `handler` is called at END_SIGNALS; yields those for which this is so."""
    earlier: dict[int, Any] = {}
    try:
        # Python allows signal handlers in the main thread alone; tests may train in another.
        if threading.current_thread() is threading.main_thread():
            for number in END_SIGNALS:
                # `nohup` ignores SIGHUP, and the program keeps that.
                if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
                    earlier[number] = signal.signal(number, handler)
        yield set(earlier)
    finally:
        for number, previous in earlier.items():
            signal.signal(number, previous)


@contextmanager
def stop_at_signal(control: TrainingControl) -> Iterator[None]:
    """The first signal requests a stop of training after the next record, a second Ctrl-C raises
    KeyboardInterrupt.
    """

    def request(number: int, frame: FrameType | None) -> None:
        if control.stop and number == signal.SIGINT:
            raise KeyboardInterrupt
        control.stop = True

    with handle_end_signals(request):
        yield
