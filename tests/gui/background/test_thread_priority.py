"""Each system is asked in its own way to prefer the window's thread."""

import ctypes
import os
import sys
import threading

import pytest

from gui.background import task_runner as thread_priority


class Calls:
    """Stands for a library: notes the names and arguments of the functions that are called."""

    def __init__(self):
        self.made = []

    def __getattr__(self, name):
        def function(*arguments):
            self.made.append(
                (name, *(getattr(argument, "value", argument) for argument in arguments))
            )
            return 7

        self.__dict__[name] = function
        return function


@pytest.fixture
def windows(monkeypatch):
    monkeypatch.setattr("sys.platform", "win32")
    libraries = Calls()
    libraries.winmm = Calls()
    monkeypatch.setattr(ctypes, "windll", libraries, raising=False)
    return libraries


def test_windows_gets_a_fine_timer_while_a_task_runs(windows):
    with thread_priority.fine_timer():
        assert windows.winmm.made == [("timeBeginPeriod", 1)]
    assert windows.winmm.made[-1] == ("timeEndPeriod", 1)


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
