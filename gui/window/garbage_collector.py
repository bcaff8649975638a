"""Garbage is collected in the window's thread alone.

Python collects in whichever thread allocates when it is time. A part of the window that is caught in a cycle would be
destroyed there, be it the thread that trains, and Qt does not survive that.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

INTERVAL_MILLISECONDS = 1000


@contextmanager
def collected_here() -> Iterator[None]:
    """While this lasts, what is due is collected now and then by a timer of the calling thread."""
    timer = QTimer(interval=INTERVAL_MILLISECONDS)
    timer.timeout.connect(_collect)
    gc.disable()
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        gc.enable()


def _collect() -> None:
    """The oldest generation that is due by Python's own thresholds."""
    due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if due[0]:
        gc.collect(0 if not due[1] else 1 if not due[2] else 2)
