"""Classifies the drawing with a model. Only the newest request counts.

A small network classifies in the window's thread, once for all events that are waiting there: while a network
trains on all cores, passing a drawing to another thread and back takes longer than such a classification, because
both threads have to be woken and to wait for a core. A large network would block the pen, and so would the first
classification, which imports a compiler: these run in a background thread.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from core.data.class_names import CLOTHES, DIGITS
from core.drawing import ink as drawing
from core.drawing.strokes import PenStroke, render_strokes
from core.errors import InputError
from core.inference.compatibility import check_reads_drawings
from core.reading.preparation import prepare
from gui.background.task_runner import TaskControl, TaskRunner

if TYPE_CHECKING:
    from core.inference.model_file import Model
    from core.inference.predictor import Predictor
    from core.reading.reader import Number, NumberReader
    from core.reading.rejection import NonDigitDetector

# A single stroke is one digit. More strokes than this are grouped to numbers in a background thread.
FEW_STROKES = 3
# Multiply-adds up to which a network classifies a drawing in about a millisecond.
SMALL_NETWORK = 5_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """`ink`: uint8 (height, width), or None for an empty canvas. `raw`: scale the canvas without centring the digit.

    `strokes`: those of the ink; None where it is that of a picture.
    """

    model: "Model | None" = None
    ink: np.ndarray | None = None
    raw: bool = False
    strokes: tuple[PenStroke, ...] | None = None


@dataclass(frozen=True, slots=True)
class Recognition:
    """`image`: uint8 (28, 28), the network's input, or None where there is too little ink.

    `probabilities`: float32 (classes,), or None where nothing was classified. `error`: why the model cannot
    classify. `blank`: the canvas was empty. `refused`: the drawing is no digit. `number`: the digits, where several
    are drawn; the other values are then those of the least certain digit.
    """

    image: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    classes: tuple[str, ...] = ()
    error: InputError | None = None
    blank: bool = False
    refused: bool = False
    number: "Number | None" = None


class Recognizer(QObject):
    recognized = Signal(Recognition)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._request = Request()
        self._model: Model | None = None
        # Used by one thread at a time: by the window's thread only while the runner is not busy.
        self._predictor: Predictor | None = None
        self._refusal: NonDigitDetector | None = None
        self._number_reader: NumberReader | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._recognize_here)
        self._runner = TaskRunner(self)
        self._runner.records.connect(lambda records: self.recognized.emit(records[-1]))

    def submit(self, request: Request) -> None:
        """Classify this next; `recognized` follows unless a newer request replaces it."""
        if self._runner.is_shut_down:
            return
        self._request = request
        if self._runner.busy or not self._is_quick(request):
            self._soon.stop()
            self._runner.start_latest(lambda control: self._recognize_in_background(request, control))
        else:
            self._soon.start()

    def _recognize_here(self) -> None:
        self.recognized.emit(self._recognize(self._request))

    def _recognize_in_background(self, request: Request, control: TaskControl) -> Generator[Recognition]:
        yield self._recognize(request)

    def _is_quick(self, request: Request) -> bool:
        """Whether the model is small, differs from the last one in its parameters alone, and has little to read."""
        model = request.model
        if _may_be_number(request) and (
            self._number_reader is None or request.strokes is None or len(request.strokes) > FEW_STROKES
        ):
            return False
        if self._model is None or model is None or not model.computes_like(self._model):
            return False
        return sum(model.network.multiply_adds) <= SMALL_NETWORK

    def _recognize(self, request: Request) -> Recognition:
        try:
            return self._classify(request)
        except InputError as error:
            return Recognition(error=error)
        except Exception as error:  # without an answer the canvas would keep showing the previous one
            self._model = self._predictor = None
            reason = InputError("The drawing cannot be read with this network: {error}", error=error)
            return Recognition(error=reason)

    def _classify(self, request: Request) -> Recognition:
        image = None if request.ink is None else _network_input(request)
        if request.raw and request.ink is not None and image is not None:
            image = drawing.raw(request.ink)
        blank = request.ink is None
        if request.model is None:
            return Recognition(image, blank=blank)
        predictor = self._predictor_for(request.model)
        if image is None:
            return Recognition(classes=request.model.classes, blank=blank)
        number = self._read_number(request, predictor)
        if number is not None:
            least = min(number.digits, key=lambda digit: digit.confidence)
            return Recognition(least.image, least.probabilities, request.model.classes, number=number)
        probabilities = predictor.predict(image[None])[0]
        refused = self._is_refused(image, request.model)
        return Recognition(image, probabilities, request.model.classes, refused=refused)

    def _is_refused(self, image: np.ndarray, model: "Model") -> bool:
        """Whether the drawing is no digit, where `model` reads digits."""
        refusal = self._refusal_for(model)
        return refusal is not None and bool(refusal.refused(image[None])[0])

    def _refusal_for(self, model: "Model") -> "NonDigitDetector | None":
        """What tells which drawings are no digits; None where `model` reads something else."""
        from core.reading.rejection import NonDigitDetector, can_refuse

        if not can_refuse(model):
            return None
        if self._refusal is None:
            self._refusal = NonDigitDetector()
        return self._refusal

    def _read_number(self, request: Request, predictor: "Predictor") -> "Number | None":
        """The digits of the drawing where it has several."""
        if not _may_be_number(request) or request.ink is None or request.model is None:
            return None
        if self._number_reader is None:
            # Imports a compiler, as above.
            from core.reading.reader import NumberReader

            self._number_reader = NumberReader()
        refusal = self._refusal_for(request.model)
        if request.strokes is not None:
            return self._number_reader.read_strokes(
                request.strokes, min(request.ink.shape), predictor, refusal
            )
        return self._number_reader.read_ink(request.ink.astype(np.float32) / 255, predictor, refusal)

    def _predictor_for(self, model: "Model") -> "Predictor":
        """The predictor with this model. It is reused while only the parameters change, as during training."""
        if self._predictor is not None and model is self._model:
            return self._predictor
        check_reads_drawings(model)
        if self._predictor is None:
            # Imports a compiler, which would delay the start of the window.
            from core.inference.predictor import Predictor

            self._predictor = Predictor(model)
        else:
            self._predictor.use(model)
        if self._model is None or not model.computes_like(self._model):
            self._predictor.predict(np.zeros((1, drawing.SIDE, drawing.SIDE), np.uint8))
            # Compile what a drawing needs, with an eraser and a refusal, before there is one.
            pen = PenStroke(np.eye(2), 1.0)
            render_strokes((pen,), 1.0)
            render_strokes((pen, PenStroke(np.eye(2), 0.1, erases=True)), 1.0)
            self._is_refused(np.zeros((drawing.SIDE, drawing.SIDE), np.uint8), model)
        self._model = model
        return self._predictor


def _may_be_number(request: Request) -> bool:
    """Whether several digits may be drawn, for a model that reads digits."""
    if request.model is None or request.ink is None or request.raw or request.model.classes != DIGITS:
        return False
    return request.strokes is None or len(request.strokes) > 1


def _network_input(request: Request) -> np.ndarray | None:
    """The image of the drawing for the model, uint8 (28, 28); None for too little ink."""
    assert request.ink is not None
    classes = DIGITS if request.model is None else request.model.classes
    if request.strokes is None or classes == CLOTHES:
        return prepare(request.ink, classes)
    return render_strokes(request.strokes, min(request.ink.shape))
