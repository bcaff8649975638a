"""Classifies the drawing with a model. Only the newest request counts.

A small network classifies in the window's thread, once for all events that are waiting there: while
a network trains on all cores, passing a drawing to another thread and back takes longer than such a
classification, because both threads have to be woken and to wait for a core. A large network would
block the pen, and so would long strokes and the first classification, which imports a compiler:
these run in a background thread.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.drawing.strokes import PenStroke
from core.errors import InputError
from core.reading.reader import DrawingReader, Reading, may_be_number
from gui.background.task_runner import TaskRunner, single_record
from gui.widgets.basics import delayed

if TYPE_CHECKING:
    from core.inference.model_file import Model

# A single stroke is one digit. More strokes than this are grouped to numbers in a background
# thread.
FEW_STROKES = 3
# Each point is painted anew with each image that is read; so many take about ten milliseconds.
FEW_POINTS = 300
# Multiply-adds up to which a network classifies a drawing in about a millisecond.
SMALL_NETWORK = 5_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """What `DrawingReader.read` gets."""

    model: "Model | None" = None
    ink: np.ndarray | None = None
    raw: bool = False
    strokes: tuple[PenStroke, ...] | None = None


class Recognizer(QObject):
    recognized = Signal(Reading)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request = Request()
        # Used by one thread at a time: by the window's thread only while the runner is not busy.
        self._reader = DrawingReader()
        self._soon = delayed(self, lambda: self.recognized.emit(self._recognize(self._request)))
        self._runner = TaskRunner(self, lambda records: self.recognized.emit(records[-1]))

    def submit(self, request: Request) -> None:
        """Classify this next; `recognized` follows unless a newer request replaces it."""

        if self._runner.is_shut_down:
            return
        self._request = request
        if self._runner.busy or not self._is_quick(request):
            # Else the request before would be read after this one.
            self._soon.stop()
            self._runner.start_latest(single_record(lambda control: self._recognize(request)))
        else:
            self._soon.start()

    def _is_quick(self, request: Request) -> bool:
        """Whether the model is small, differs from the last one in its parameters alone, and has
        little to read.
        """
        model = request.model
        strokes = request.strokes
        if model is None or not self._reader.is_ready_for(model):
            return False
        if strokes is not None and sum(len(stroke.points) for stroke in strokes) > FEW_POINTS:
            return False
        if request.ink is not None and may_be_number(model, strokes, is_raw=request.raw):
            few = strokes is not None and len(strokes) <= FEW_STROKES
            if not few or not self._reader.can_read_numbers:
                return False
        return sum(model.network.multiply_adds) <= SMALL_NETWORK

    def _recognize(self, request: Request) -> Reading:
        try:
            return self._reader.read(
                request.model, request.ink, request.strokes, is_raw=request.raw
            )
        except InputError as error:
            return Reading(error=error)
        except (
            Exception
        ) as error:  # without an answer the canvas would keep showing the previous one
            self._reader.forget()
            reason = InputError(
                "The drawing cannot be read with this network: {error}", error=error
            )
            return Reading(error=reason)
