"""A reader tells what a network makes of a drawing, always of the newest one.

While a network trains on all cores, handing a drawing to another thread and its reading back costs more than
reading with a small network: two threads must be woken, and each waits for a core. So a small network reads in
the window's thread, once for all events that wait there. A large one would hold up the pen, and so would a
first reading, which loads a compiler: these go to a thread with room for one task, where a newer task replaces
one that waits.
"""

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from core.data import drawing
from core.errors import InputError
from core.inference.compatibility import check_reads_drawings

QUICK = 3_000_000
"""Multiply-adds of a network that reads a drawing in about a millisecond."""

if TYPE_CHECKING:
    from core.inference.model_file import Model
    from core.inference.predictor import Predictor


@dataclass(frozen=True, slots=True)
class Reading:
    """`seen`: uint8 (28, 28), what the network is given, or None where there is too little ink.

    `probabilities`: float32 (classes,), or None where nothing was read; `refusal`: why the model cannot read;
    `blank`: there was no drawing to read.
    """

    seen: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    classes: tuple[str, ...] = ()
    input_error: InputError | None = None
    blank: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """`ink`: uint8 (height, width) or None for nothing yet; `raw`: shrink the sheet as it is."""

    model: "Model | None" = None
    ink: np.ndarray | None = None
    raw: bool = False


class Reader(QObject):
    """`shutdown` ends its thread, and so do its destruction and Python's end."""

    read = Signal(Reading)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._eye = _Eye()
        self._next = Task()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read_here)
        self._bell = _Bell()
        self._bell.rang.connect(self._answer, Qt.ConnectionType.QueuedConnection)
        self._mailbox = _Mailbox()
        self._thread: threading.Thread | None = None
        self._ended = False

    def ask(self, task: Task) -> None:
        """Read this next; `read` follows unless a newer task comes first."""
        if self._ended:
            return
        self._next = task
        if self._eye.is_quick_with(task.model):
            self._soon.start()
        else:
            self._send()

    def shutdown(self) -> None:
        """End the thread and wait for it; later tasks are not read."""
        self._ended = True
        self._soon.stop()
        self._mailbox.close()
        if self._thread is not None:
            self._thread.join()

    def _read_here(self) -> None:
        if not self._eye.free.acquire(blocking=False):
            self._send()
            return
        try:
            self._mailbox.empty()  # what is in it is older
            reading = self._eye.read(self._next)
        finally:
            self._eye.free.release()
        self.read.emit(reading)

    def _send(self) -> None:
        self._soon.stop()
        if self._thread is None:
            # The thread knows these three but not this object, which it would keep alive.
            self._thread = threading.Thread(
                target=_work, args=(self._mailbox, self._bell, self._eye), name="reader", daemon=True
            )
            self._thread.start()
            end = weakref.finalize(self, _end, self._mailbox, self._thread)
            self.destroyed.connect(lambda: end())
        self._mailbox.put(self._next)

    def _answer(self) -> None:
        reading = self._mailbox.take_answer()
        if reading is not None and not self._ended:
            self.read.emit(reading)


class _Bell(QObject):
    """Rung by the reader's thread, heard in the window's."""

    rang = Signal()


class _Mailbox:
    """Room for one task and one answer, each replaced by a newer one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._task: Task | None = None
        self._answer: Reading | None = None
        self._closed = False

    def put(self, task: Task) -> None:
        with self._changed:
            self._task = task
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    def take_task(self) -> Task | None:
        """Waits for a task; None when the mailbox was closed."""
        with self._changed:
            while self._task is None and not self._closed:
                self._changed.wait()
            task, self._task = self._task, None
            return None if self._closed else task

    def put_answer(self, reading: Reading) -> None:
        with self._changed:
            self._answer = reading

    def empty(self) -> None:
        with self._changed:
            self._task = self._answer = None

    def take_answer(self) -> Reading | None:
        with self._changed:
            answer, self._answer = self._answer, None
            return answer


def _work(mailbox: _Mailbox, bell: _Bell, eye: "_Eye") -> None:
    while (task := mailbox.take_task()) is not None:
        with eye.free:
            mailbox.put_answer(eye.read(task))
        bell.rang.emit()


def _end(mailbox: _Mailbox, thread: threading.Thread) -> None:
    mailbox.close()
    thread.join()


class _Eye:
    """Used by one thread at a time, the one that holds `free`.

    Keeps its classifier from model to model: while a network trains, only the parameters change.
    """

    def __init__(self) -> None:
        self.free = threading.Lock()
        self._model: Model | None = None
        self._predictor: Predictor | None = None

    def is_quick_with(self, model: "Model | None") -> bool:
        """Whether `model` is a small network, and one like the last, so that nothing need be made for it."""
        if model is None or self._model is None or not model.computes_like(self._model):
            return model is None
        layers = zip(model.network.layers, model.network.shapes, strict=False)
        return sum(layer.multiply_adds(shape) for layer, shape in layers) <= QUICK

    def read(self, task: Task) -> Reading:
        try:
            return self._read(task)
        except InputError as input_error:
            return Reading(input_error=input_error)
        except Exception as error:  # a reader that died would leave the canvas silent for good
            self._model = self._predictor = None
            why = InputError("The drawing cannot be read with this network: {error}", error=error)
            return Reading(input_error=why)

    def _read(self, task: Task) -> Reading:
        seen = None if task.ink is None else drawing.normalise(task.ink)
        if task.raw and task.ink is not None and seen is not None:
            seen = drawing.raw(task.ink)
        if task.model is None:
            return Reading(seen, blank=task.ink is None)
        predictor = self._predictor_of(task.model)
        if seen is None:
            return Reading(classes=task.model.classes, blank=task.ink is None)
        probabilities = predictor.predict(seen[None])[0]
        if not np.isfinite(probabilities).all():
            raise InputError(
                "The network's numbers are no longer finite, so it reads nothing: lower the learning rate."
            )
        return Reading(seen, probabilities, task.model.classes)

    def _predictor_of(self, model: "Model") -> "Predictor":
        if self._predictor is not None and model is self._model:
            return self._predictor
        check_reads_drawings(model)
        if self._predictor is None:
            # Loads a compiler: here, and not while the window starts.
            from core.inference.predictor import Predictor

            self._predictor = Predictor(model)
        else:
            self._predictor.use(model)
        if self._model is None or not model.computes_like(self._model):
            self._predictor.predict(np.zeros((1, drawing.SIDE, drawing.SIDE), np.uint8))
        self._model = model
        return self._predictor
