from threading import Event

import pytest
import shiboken6

from core.errors import InputError
from gui.background import task_runner
from gui.background.task_runner import TaskRunner, end_background_work
from tests.limits import LONG, SECONDS


@pytest.fixture
def runner():
    runner = TaskRunner()
    runner.delivered, runner.ends = [], []
    runner.records.connect(runner.delivered.extend)
    runner.ended.connect(runner.ends.append)
    return runner


def test_records_arrive_in_order_before_the_end(qtbot, runner):
    seen_at_end = []
    runner.ended.connect(lambda failure: seen_at_end.extend(runner.delivered))
    runner.start(lambda control: (number for number in range(100)))
    qtbot.waitUntil(lambda: runner.ends == [None], timeout=LONG)
    assert seen_at_end == list(range(100))
    assert not runner.busy


def test_an_error_is_reported_after_the_records_before_it(qtbot, runner):
    def task(control):
        yield 1
        raise InputError("Too many: {n}.", n=3)

    runner.start(task)
    qtbot.waitUntil(lambda: bool(runner.ends), timeout=LONG)
    assert runner.delivered == [1]
    assert runner.ends[0].text == "Too many: 3."


def test_cancelling_ends_the_task_and_closes_its_generator(qtbot, runner):
    started, closed = Event(), Event()

    def task(control):
        try:
            while True:
                control.progress(1, 2)
                started.set()
                yield 0
        finally:
            closed.set()

    runner.start(task)
    started.wait(SECONDS)
    assert runner.progress == (1, 2)
    runner.cancel()
    qtbot.waitUntil(lambda: runner.ends == [None], timeout=LONG)
    assert closed.is_set()


def test_of_the_waiting_tasks_only_the_latest_runs(qtbot, runner):
    released = Event()

    def blocking(control):
        released.wait(SECONDS)
        yield "first"

    runner.start_latest(blocking)
    for number in range(5):
        runner.start_latest(lambda control, number=number: iter_one(number))
    released.set()
    qtbot.waitUntil(lambda: len(runner.ends) == 2, timeout=LONG)
    assert runner.delivered == ["first", 4]


def test_nothing_of_a_discarded_task_is_delivered(qtbot, runner):
    released = Event()

    def blocking(control):
        yield "old"
        released.wait(SECONDS)
        yield "old"

    runner.start(blocking)
    runner.cancel(discard=True)
    runner.start_latest(lambda control: iter_one("new"))
    released.set()
    qtbot.waitUntil(lambda: runner.ends == [None], timeout=LONG)
    assert runner.delivered == ["new"]


def test_the_end_of_the_window_cancels_all_tasks_and_waits_for_them(qtbot, runner):
    started, closed = Event(), Event()

    def endless(control):
        try:
            started.set()
            while True:
                yield 0
        finally:
            closed.set()

    runner.start(endless)
    started.wait(SECONDS)
    runner.start_latest(endless)
    end_background_work()
    assert closed.is_set()
    assert not runner.busy
    assert not task_runner._running
    runner.start(endless)
    qtbot.wait(0)
    assert not runner.busy
    assert runner.ends == []


def test_a_task_that_saves_something_is_stopped_in_place_of_cancelled(qtbot):
    stopping, saved = Event(), Event()

    def task(control):
        yield 1
        stopping.wait(SECONDS)
        control.check()
        saved.set()

    runner = TaskRunner()
    runner.start(task, stopping.set)
    end_background_work()
    assert saved.is_set()


def test_the_thread_of_a_destroyed_runner_is_ended_too(qtbot):
    def endless(control):
        while True:
            yield 0

    runner = TaskRunner()
    runner.start(endless)
    shiboken6.delete(runner)
    assert task_runner._running
    end_background_work()
    assert not task_runner._running


def iter_one(value):
    yield value
