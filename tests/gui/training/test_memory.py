"""Nothing that grows with the length of a run holds arrays."""

import gc

import numpy as np

from core.training.records import KeptParameters
from gui.training.session import State
from tests.gui.person import ended, part, train_for_long, wait_for_ticks
from tests.limits import LONG


def references_to_arrays():
    """How many references to arrays all objects have, but for the parameters that are kept within a
    limit.
    """
    gc.collect()
    objects = gc.get_objects()
    kept = {
        id(array)
        for each in objects
        if isinstance(each, KeptParameters)
        for _, array in each.epochs
    }
    return sum(
        isinstance(value, np.ndarray) and id(value) not in kept
        for each in objects
        for value in gc.get_referents(each)
    )


def test_epochs_leave_no_arrays_behind_in_any_tab(window, qtbot):
    train_for_long(window, qtbot)
    epochs = window.training.epochs.records

    def references_after(count):
        for index in reversed(range(window.tabs.count())):
            window.tabs.setCurrentIndex(index)
            wait_for_ticks(window, qtbot, 3)
        qtbot.waitUntil(lambda: len(epochs) >= count, timeout=LONG)
        part(window, "pauseButton").click()
        qtbot.waitUntil(lambda: window.session.state is State.PAUSED, timeout=LONG)
        references = references_to_arrays()
        part(window, "pauseButton").click()
        return references, len(epochs)

    (first, few), (second, many) = references_after(10), references_after(len(epochs) + 60)
    assert second - first < (many - few) / 2
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
