"""Restricts Python's cyclic garbage collector to the thread of the window.

Python runs the collector in whichever thread allocates. If that is a training thread, it may destroy a widget that is
part of a reference cycle; destroying a widget outside of the window's thread crashes Qt.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTimer

INTERVAL_MILLISECONDS = 1000


@contextmanager
def collect_in_this_thread() -> Iterator[None]:
    """Within the context, a timer of the calling thread runs the collector when it is due."""
    timer = QTimer(interval=INTERVAL_MILLISECONDS)
    timer.timeout.connect(_collect)
    gc.disable()
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        gc.unfreeze()
        gc.enable()


def exempt_present_objects() -> None:
    """Leave all objects that exist now out of collections, at the first call.

    Call it when the compiler is loaded: most objects are those of modules, and examining them would hold the window up
    for 0.2 s at each full collection.
    """
    if not gc.get_freeze_count():
        gc.freeze()


def _collect() -> None:
    """Collect the oldest generation whose threshold is exceeded, all objects only after `exempt_present_objects`."""
    due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if due[0]:
        oldest = 2 if gc.get_freeze_count() else 1
        gc.collect(0 if not due[1] else 1 if not due[2] else oldest)
