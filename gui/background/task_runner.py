"""Runs generators in a background thread; their records, and what went wrong, are delivered in the
window's thread.

The thread appends records to a deque, which a timer in the window's thread empties. All runners are
known here, so that `end_background_work` ends what they do.
"""

import atexit
import ctypes
import os
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer, Signal
from shiboken6 import isValid

from core.errors import InputError, limited
from core.files.log import logger
from core.progress import Cancelled
from gui.text import sentence
from kernels.errors import DeviceError
from kernels.registry import DeviceUnavailable

# Measured on two busy processors: 99 % of drawings are classified within 10 to 13 ms, without this
# within 12 to 18 ms. Niceness 10 is no faster, and gives training a tenth of a processor that
# another program also uses.
NICENESS = 5  # more than the window's thread has

_TIMER_MILLISECONDS = 1

# The plots are redrawn at a tick. While a network trains, most of the window's work is to hand on
# what is new at each tick, and it takes that time from the training.
TICK_MILLISECONDS = 105


@dataclass(frozen=True, slots=True)
class Failure:
    """`text`: one sentence. `details`: text to copy. `device_error`: the run could continue on
    another device.

    `tone`: of the banner.
    """

    text: str
    details: str = ""
    device_error: bool = False
    tone: str = "bad"


def failure_of(error: BaseException) -> Failure:
    """The text of an InputError; for other exceptions a message with the traceback as details."""
    if isinstance(error, InputError):
        return Failure(sentence(error))
    details = "".join(traceback.format_exception(error))
    if isinstance(error, MemoryError):
        text = QCoreApplication.translate(
            "Failure",
            "There is not enough memory for this: use a smaller network or a smaller batch.",
        )
        return Failure(text, details)

    # Expected on many machines: without a traceback in the log.
    if isinstance(error, DeviceUnavailable):
        return Failure(str(error), details)
    logger.error("%s", details)
    if isinstance(error, DeviceError):
        return Failure(str(error), details, device_error=True)
    template = QCoreApplication.translate(
        "Failure",
        "An error occurred in the program: {what}. Nothing else was lost; copy the details to "
        "report it.",
    )
    return Failure(template.format(what=limited(str(error)) or type(error).__name__), details)


class TaskControl:
    """Passed to a task, which reports its progress and checks for a cancellation through it."""

    def __init__(self) -> None:
        self.cancelled = threading.Event()
        self.reported = (0, 0)

    def progress(self, done: int, total: int) -> None:
        """Report the progress. Raises Cancelled after a cancellation."""
        self.check()
        self.reported = (done, total)

    def check(self) -> None:
        """Raises Cancelled after a cancellation."""
        if self.cancelled.is_set():
            raise Cancelled


# Called in the background thread, where the generator is also advanced and closed.
Task = Callable[[TaskControl], Generator[Any]]


def single_record(compute: Callable[[TaskControl], Any]) -> Task:
    """A task that yields what `compute` returns."""

    def task(control: TaskControl) -> Generator[Any]:
        yield compute(control)

    return task


def call_each(records: list[Callable[[], None]]) -> None:
    """The slot for records that are calls."""
    for call in records:
        call()


class TaskRunner(QObject):
    """Runs one task at a time. All signals are emitted in the window's thread.

    `on_records`, `on_ended`: slots of these signals. `low_priority`: the task gives way to the
    window's thread.
    """

    records = Signal(list)  # what the task has yielded since the last time, at most once per tick
    ticked = Signal()  # regularly while a task runs, after `records`
    ended = Signal(object)  # the task's Failure, or None: completed or cancelled

    def __init__(
        self,
        parent: QObject | None = None,
        on_records: Any = None,
        on_ended: Any = None,
        *,
        low_priority: bool = False,
    ) -> None:
        super().__init__(parent)
        if on_records is not None:
            self.records.connect(on_records)
        if on_ended is not None:
            self.ended.connect(on_ended)
        self._low_priority = low_priority
        self.is_shut_down = False
        self._thread: _TaskThread | None = None
        self._discard = False
        self._next: Task | None = None
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(self._tick)
        _runners.add(self)

    @property
    def busy(self) -> bool:
        return self._thread is not None

    @property
    def cancelling(self) -> bool:
        return self._thread is not None and self._thread.control.cancelled.is_set()

    @property
    def progress(self) -> tuple[int, int]:
        """(done, total) as the running task last reported it; (0, 0) if it has not."""
        return self._thread.control.reported if self._thread else (0, 0)

    def start(self, task: Task, stop: Callable[[], None] | None = None) -> None:
        """Run `task`. Ignored while another task is running, and after the end of the window.

        `stop`: called at the end of the window in place of a cancellation, for a task that then
        saves something and ends.
        """
        if self._thread or self.is_shut_down:
            return
        self._discard = False
        self._thread = _TaskThread(task, self._low_priority, stop)
        self._thread.finished.connect(self._on_finished)
        self._timer.start()
        priority = QThread.Priority
        self._thread.start(priority.LowPriority if self._low_priority else priority.InheritPriority)

    def start_latest(self, task: Task) -> None:
        """Run `task` as soon as the running one has ended. It replaces a task that is still
        waiting.
        """
        if self._thread:
            self._next = task
        else:
            self.start(task)

    def cancel(self, *, discard: bool = False) -> None:
        """End the running task after its present record, and drop the waiting one.

        `discard`: emit nothing more of the running task, `ended` included.
        """
        self._next = None
        self._discard = self._discard or discard
        if self._thread:
            self._thread.control.cancelled.set()

    def shut_down(self) -> None:
        """Emit nothing more and start nothing more; the thread of the running task is left to
        `end_background_work`.
        """
        self.is_shut_down = True
        self._timer.stop()
        self._next = None
        if self._thread:
            # The window may be deleted before the thread ends.
            self._thread.finished.disconnect(self._on_finished)
            self._thread = None

    def _tick(self) -> None:
        if self._discard or not self._thread:
            return
        self._deliver(self._thread)
        self.ticked.emit()

    def _deliver(self, thread: "_TaskThread") -> None:
        records: list[Any] = []
        # The thread goes on appending: each step of a deque is safe, going through it is not.
        while thread.records:
            records.append(thread.records.popleft())
        if records:
            self.records.emit(records)

    def _on_finished(self) -> None:
        thread = self._thread
        if not thread:
            return
        # Qt emits `finished` before the thread has ended, and aborts where it is destroyed by then.
        thread.wait()
        self._timer.stop()
        _running.discard(thread)
        if not self._discard:
            self._deliver(thread)
        # A slot of `records` may have closed the window.
        if self._thread is not thread:
            return
        self._thread = None
        if not self._discard:
            self.ended.emit(thread.failure)
        if self._next and not self._thread:
            task = self._next
            self._next = None
            self.start(task)


class _TaskThread(QThread):
    def __init__(self, task: Task, low_priority: bool, stop: Callable[[], None] | None) -> None:
        super().__init__()
        self._task = task
        self._low_priority = low_priority
        self._stop = stop
        self.control = TaskControl()
        self.records: deque[Any] = deque()
        self.failure: Failure | None = None
        _running.add(self)

    def end(self) -> None:
        if self._stop:
            self._stop()
        else:
            self.control.cancelled.set()

    def run(self) -> None:
        if self._low_priority:
            lower_priority()
        try:
            # Closed in the thread in which it has run.
            with fine_timer(), closing(self._task(self.control)) as records:
                for record in records:
                    self.records.append(record)
                    self.control.check()
        except Cancelled:
            pass
        except Exception as error:
            self.failure = failure_of(error)


_runners: WeakSet[TaskRunner] = WeakSet()
# Qt aborts the process if a QThread is destroyed while it runs, so that each is kept until it has
# ended.
_running: set[_TaskThread] = set()


def end_background_work() -> None:
    """End all tasks, wait for their threads, and let no runner start another one: the window has
    been closed.
    """
    # A WeakSet may change while it is gone through.
    for runner in list(_runners):
        # Qt may have deleted it with its parent, while Python still has its object.
        if isValid(runner):
            runner.shut_down()
    for thread in _running:
        thread.end()
    for thread in list(_running):
        thread.wait()
        _running.discard(thread)


@atexit.register
def _end_threads() -> None:
    for thread in _running:
        thread.end()
    for thread in _running:
        # Not for ever: the program has to end.
        thread.wait(2000)


def lower_priority() -> None:
    """Lower the niceness of the calling thread on Linux, where the priority of a QThread has no
    effect. A refusal by the system is ignored.
    """
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            niceness = os.getpriority(os.PRIO_PROCESS, thread) + NICENESS
            os.setpriority(os.PRIO_PROCESS, thread, niceness)


@contextmanager
def fine_timer() -> Iterator[None]:
    """On Windows, let threads be woken within 1 ms instead of 15.6 ms while the block runs.

    A thread that waits for the interpreter's lock is woken by the system's timer there.
    """
    if sys.platform != "win32":
        yield
        return
    ctypes.windll.winmm.timeBeginPeriod(_TIMER_MILLISECONDS)
    try:
        yield
    finally:
        ctypes.windll.winmm.timeEndPeriod(_TIMER_MILLISECONDS)
