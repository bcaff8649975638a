"""The system is asked to prefer the window's thread."""

import os
import sys
import threading

import pytest

from gui.background import task_runner as thread_priority


@pytest.mark.skipif(
    sys.platform != "linux", reason="other systems have no niceness for each thread"
)
def test_linux_lowers_the_calling_thread_alone():
    seen = []

    def work():
        thread_priority.lower_priority()
        seen.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, 0)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [min(before + thread_priority.NICENESS, 19)]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before
