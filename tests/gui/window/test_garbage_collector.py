import gc
import threading

import pytest

from gui.window import application
from tests.limits import LONG


class Part:
    """In a cycle with itself, like a widget whose slot holds it."""

    ended_in: list[threading.Thread]

    def __init__(self, ended_in):
        self.myself, self.ended_in = self, ended_in

    def __del__(self):
        self.ended_in.append(threading.current_thread())


@pytest.fixture(autouse=True)
def nothing_exempt(quiet_qt):
    gc.unfreeze()


def busy():
    """Allocates as much as would have all generations collected."""
    kept = [[] for _ in range(50_000)]
    for _ in range(20):
        kept = [[item] for item in kept]


def test_widgets_are_destroyed_in_the_windows_thread_only(qtbot):
    ended_in = []
    gc.collect()
    with application.collect_in_this_thread() as exempt_present_objects:
        exempt_present_objects()
        Part(ended_in)
        other = threading.Thread(target=busy)
        other.start()
        other.join()
        assert not ended_in
        allocated = []

        def is_collected():
            allocated.append([[] for _ in range(2000)])  # so that a collection is due
            return bool(ended_in)

        qtbot.waitUntil(is_collected, timeout=LONG)
    assert ended_in == [threading.main_thread()]
    assert gc.isenabled()


def test_objects_of_the_start_are_left_out_of_collections(qtbot):
    ended_in = []
    with application.collect_in_this_thread() as exempt_present_objects:
        Part(ended_in)
        exempt_present_objects()
        Part([])
        assert gc.get_objects()  # what was made since is examined
        gc.collect()
        assert not ended_in
    gc.collect()
    assert ended_in
