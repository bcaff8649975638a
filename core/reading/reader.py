"""Reads what is drawn on the canvas or shown in a picture: a digit, a number of several digits, or
no digit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np

from core.data.class_names import DIGITS, Classes
from core.data.published import fills_frame
from core.drawing.ink import SIDE, fill_frame, normalize, raw
from core.drawing.rendering import paint_strokes, render_strokes
from core.drawing.strokes import PenStroke, visible
from core.errors import InputError
from core.inference.engine import Engine, finite
from core.inference.model_file import Model, bundled_model, check_reads_drawings, is_bundled
from core.reading.line_reader import LineDigit, LineReader, SeenLine
from core.reading.pieces import Box, ink_pieces, lines_of, reduced, stroke_lines, stroke_piece

SURE = 0.95
LIKELY = 0.7
"""From this probability of the best class on, the answer is "sure", "likely"; with a lower one it
is "not sure".
"""

NO_IDEA = 1 / 3
"""With a lower probability of the best class, the network has no idea."""

ALIKE = 0.1
"""Nor where the probabilities of all classes differ by less than this."""

Sureness = Literal["sure", "likely", "not sure", "no idea", "no digit"]

MAX_PIECES = 60

REJECTED = "?"
"""Stands in the text of a number for what is no digit."""

_HEIGHT = 90
"""Pictures with higher ink are shrunk, in pixels: the images for the networks have 28 rows."""

_WIDE_STROKE = 0.5
_LONG_STROKE = 3.5
"""A single stroke may be a number if its width and its length are at least so many times its
height: so are 98 % of the pairs written in one stroke, and 3.6 % of the digits.
"""

NON_DIGIT_MODEL = "digit-or-not"
"""The file of the network that tells digits from other drawings, among the models that come with
the program.
"""

NON_DIGIT_CLASSES = ("no digit", "digit")

THRESHOLD = 0.5
"""Least probability of a digit; tools/models/non_digit_detector.py sets the network's last bias so
that it is right.
"""

THRESHOLD_IN_NUMBER = 0.1
"""The same for a digit of a number: with THRESHOLD one of a hundred numbers would have a digit that
is rejected.
"""

THRESHOLD_OF_OTHER = 0.95
"""The same for what the network of the line takes for something else."""


@dataclass(frozen=True, slots=True)
class Reading:
    """`image`: uint8 (28, 28), the network's input, or None where there is too little ink.

    `probabilities`: float32 (classes,), or None where nothing was classified. `error`: why the
    model cannot classify. `blank`: nothing is drawn. `rejected`: the drawing is no digit. `number`:
    the digits, where several are drawn; the other values are then those of the least certain digit.
    `model`: what has read it, and `outputs`: those of all its layers for the image.
    """

    image: np.ndarray | None = None
    probabilities: np.ndarray | None = None
    classes: Classes = ()
    error: InputError | None = None
    blank: bool = False
    rejected: bool = False
    number: "Number | None" = None
    model: Model | None = None
    outputs: tuple[np.ndarray, ...] = ()


def sureness_of(probabilities: np.ndarray, *, rejected: bool = False) -> Sureness:
    """How sure an answer is. `probabilities`: (classes,).

    >>> sureness_of(np.array([0.01, 0.98, 0.01]))
    'sure'
    >>> sureness_of(np.array([0.05, 0.9, 0.05]))
    'likely'
    >>> sureness_of(np.full(10, 0.1))
    'no idea'
    """
    if rejected:
        return "no digit"
    best = float(probabilities.max())
    if best < NO_IDEA or best - float(probabilities.min()) < ALIKE:
        return "no idea"
    return sureness(best)


def sureness(probability: float) -> Sureness:
    """How sure an answer with this probability is, which is the best one: sure, likely or not
    sure.
    """
    if probability >= SURE:
        return "sure"
    return "likely" if probability >= LIKELY else "not sure"


def prepare(ink: np.ndarray, classes: Classes) -> np.ndarray | None:
    """`ink` for a model of these classes, as uint8 (28, 28). None if nothing is drawn.

    `ink`: (height, width), float 0..1 or uint8. Digits are normalized with the usual thickness of
    strokes, clothes fill the frame, as in the images that the models learned from.
    """
    return (
        fill_frame(ink)
        if fills_frame(classes)
        else normalize(ink, usual_thickness=classes == DIGITS)
    )


class DrawingReader:
    """Reads drawings and pictures with a model. One thread uses it at a time. `line`: the model for
    lines of digits, None for the bundled one.
    """

    def __init__(self, line: Model | None = None) -> None:
        self._line = line
        self._model: Model | None = None
        self._engine: Engine | None = None
        self._non_digits: NonDigitDetector | None = None
        self._rejects = self._fills_frame = self._is_helped = False
        self._numbers: NumberReader | None = None

    @property
    def can_read_numbers(self) -> bool:
        """Whether what finds the digits of a number is loaded."""
        return self._numbers is not None

    def is_ready_for(self, model: Model) -> bool:
        """Whether `model` differs in its parameters alone from the last one."""
        return self._model is not None and (
            model is self._model or model.computes_like(self._model)
        )

    def forget(self) -> None:
        """Load everything anew at the next reading."""
        self._model = self._engine = None

    def use(self, model: Model) -> Engine:
        """Read with `model` from now on. Raises InputError where it does not read pictures of
        28x28.
        """
        if self._engine is not None and model is self._model:
            return self._engine
        check_reads_drawings(model)
        if self._engine is None:
            self._engine = Engine(model)
        else:
            self._engine.use(model)
        self._rejects = can_reject(model)
        self._fills_frame = fills_frame(model.classes)
        self._is_helped = model.path is not None and is_bundled(model.path)
        if self._rejects:
            self._detector()
        self._model = model
        return self._engine

    def read(
        self,
        model: Model | None,
        ink: np.ndarray | None,
        strokes: Sequence[PenStroke] | None = None,
        *,
        is_raw: bool = False,
    ) -> Reading:
        """What `model` reads; only the image without a model.

        `ink`: (height, width), uint8 or float 0..1; None for an empty canvas. `strokes`: those of
        the ink; None for a picture. `is_raw`: scale the canvas without centering the digit. Raises
        InputError where the model cannot read.
        """
        engine = None if model is None else self.use(model)
        image = None
        if ink is not None:
            image = self._image(ink, strokes, DIGITS if model is None else model.classes)
            if is_raw and image is not None:
                image = raw(ink)
        if model is None or engine is None or ink is None:
            return Reading(image, classes=model.classes if model else (), blank=ink is None)
        number = None
        if may_be_number(model, strokes, is_raw=is_raw) and (image is not None or strokes is None):
            number = self._number(ink, strokes, engine)
            if number is not None:
                image = number.least_certain.image
        if image is None:
            return Reading(classes=model.classes)
        outputs = engine.outputs(image[None])
        probabilities = finite(engine.probabilities(outputs[-1]))[0]
        rejects = self._rejects and number is None
        return Reading(
            image,
            probabilities,
            model.classes,
            rejected=rejects and bool(self._detector().rejected(image[None])[0]),
            number=number,
            model=model,
            outputs=tuple(output[0] for output in outputs),
        )

    def _detector(self) -> "NonDigitDetector":
        """What tells digits from other drawings, loaded when it is first used."""
        if self._non_digits is None:
            self._non_digits = NonDigitDetector()
        return self._non_digits

    def close(self) -> None:
        """Free the devices and their threads."""
        for part in (self._engine, self._non_digits, self._numbers):
            if part is not None:
                part.close()

    def _image(
        self, ink: np.ndarray, strokes: Sequence[PenStroke] | None, classes: Classes
    ) -> np.ndarray | None:
        """The image of the drawing for a model of these classes, uint8 (28, 28); None for too
        little ink.
        """
        if self._fills_frame and strokes and not any(stroke.erases for stroke in strokes):
            ink = paint_strokes(strokes, ink.shape)
        if strokes is None or self._fills_frame:
            return prepare(ink, classes)
        return render_strokes(strokes, min(ink.shape))

    def _number(
        self, ink: np.ndarray, strokes: Sequence[PenStroke] | None, engine: Engine
    ) -> "Number | None":
        """The digits of the drawing where it has several."""
        if self._numbers is None:
            self._numbers = NumberReader(self._detector(), self._line)
        how = {"rejects": self._rejects, "is_helped": self._is_helped}
        if strokes is not None:
            return self._numbers.read_strokes(strokes, min(ink.shape), engine, **how)
        values = ink.astype(np.float32) / 255 if ink.dtype == np.uint8 else ink
        return self._numbers.read_ink(values, engine, **how)


def may_be_number(
    model: Model, strokes: Sequence[PenStroke] | None, *, is_raw: bool = False
) -> bool:
    """Whether several digits may be drawn, for a model that reads digits. Most single strokes are
    one digit.
    """
    if is_raw or model.classes != DIGITS:
        return False
    if strokes is None or len(strokes) > 1:
        return True
    return any(_is_wide_and_long(stroke.points) for stroke in strokes)


def _is_wide_and_long(points: np.ndarray) -> bool:
    width, height = np.ptp(points, axis=0)
    length = np.hypot(*np.diff(points, axis=0).T).sum()
    return bool(width > 0 and width >= _WIDE_STROKE * height and length >= _LONG_STROKE * height)


class NonDigitDetector:
    """Says which images show no digit, by a small network that tells digits from other drawings.
    One thread uses it.

    A threshold on the classifier's own outputs cannot do it: such a network was never shown
    anything but digits, and is as certain of a letter as of a digit (Nguyen, Yosinski, Clune 2015,
    arXiv:1412.1897). `tools/models/non_digit_detector.py` trains the network.
    """

    def __init__(self) -> None:
        self._engine = Engine(bundled_model(NON_DIGIT_MODEL), threads=1)

    def rejected(self, images: np.ndarray, threshold: float = THRESHOLD) -> np.ndarray:
        """bool (n,): whether each of `images`, uint8 (n, 28, 28) or (n, 28, 28, 1), shows no
        digit.
        """
        return self.probabilities(images) < threshold

    def probabilities(self, images: np.ndarray) -> np.ndarray:
        """float32 (n,): of each of the images to show a digit."""
        return self._engine.predict(images)[:, 1]

    def close(self) -> None:
        self._engine.close()


def can_reject(model: Model) -> bool:
    """Whether the images that `model` reads are digits, which the network of the program knows."""
    return (
        model.rejects and model.classes == DIGITS and model.network.input_shape == (SIDE, SIDE, 1)
    )


# -- numbers of several digits ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReadDigit:
    """`box`: of its ink, in pixels of the canvas or picture. `image`: uint8 (28, 28), the network's
    input.

    `probabilities`: float32 (classes,). `rejected`: it is no digit.
    """

    box: Box
    image: np.ndarray
    probabilities: np.ndarray
    rejected: bool = False

    @property
    def best(self) -> int:
        """The index of the most probable class."""
        return int(self.probabilities.argmax())

    @property
    def confidence(self) -> float:
        return float(self.probabilities.max())


@dataclass(frozen=True, slots=True)
class Number:
    """The digits of each line, from left to right; at least two in all. `seen`: how each line was
    read.
    """

    lines: tuple[tuple[ReadDigit, ...], ...]
    seen: tuple[SeenLine, ...] = ()

    @property
    def digits(self) -> tuple[ReadDigit, ...]:
        return tuple(digit for line in self.lines for digit in line)

    def texts(self, classes: Sequence[str]) -> list[str]:
        """The text of each line, with REJECTED for what is no digit."""
        return [
            "".join(REJECTED if digit.rejected else classes[digit.best] for digit in line)
            for line in self.lines
        ]

    @property
    def least_certain(self) -> ReadDigit:
        return min(self.digits, key=lambda digit: digit.confidence)

    @property
    def confidence(self) -> float:
        """The probability that all digits are right, if their errors are independent."""
        return float(np.prod([digit.confidence for digit in self.digits]))

    @property
    def rejected(self) -> bool:
        """Whether some part of it is no digit."""
        return any(digit.rejected for digit in self.digits)


class NumberReader:
    """Finds the digits of drawings and pictures, line by line. One thread uses it.

    `non_digits` tells which parts are no digits; the caller closes it. `line`: the model for lines,
    None for the bundled one. `engine`, in its methods, reads the digits; `rejects`: some may be no
    digits; `is_helped`: the network of the line has a say in digits that `engine` can read as well.
    """

    def __init__(self, non_digits: NonDigitDetector, line: Model | None = None) -> None:
        self._non_digits = non_digits
        self._line = LineReader(non_digits.probabilities, line)

    def read_strokes(
        self,
        strokes: Sequence[PenStroke],
        side: float,
        engine: Engine,
        *,
        rejects: bool = False,
        is_helped: bool = False,
    ) -> Number | None:
        """The digits in strokes on a canvas of this height; None where they are not several."""
        pieces = [stroke_piece(curve) for curve in visible(strokes, side)]
        if not 0 < len(pieces) <= MAX_PIECES:
            return None
        reach = max((stroke.width / 2 for stroke in strokes if not stroke.erases), default=0.0)
        lines = [self._line.read_strokes(line, engine) for line in stroke_lines(pieces)]
        detector = self._non_digits if rejects else None
        return _number(lines, engine, detector, reach=reach, is_helped=is_helped)

    def read_ink(
        self, ink: np.ndarray, engine: Engine, *, rejects: bool = False, is_helped: bool = False
    ) -> Number | None:
        """The digits in `ink`, float32 (height, width) in 0..1; None where they are not several."""
        rows = np.flatnonzero((ink > 0).any(axis=1))
        factor = max(1, int(np.ptp(rows)) // _HEIGHT) if len(rows) else 1
        pieces = ink_pieces(reduced(ink, factor))
        tallest = max((piece.box.height for piece in pieces), default=_HEIGHT)
        if factor > 1 and tallest < _HEIGHT / 2:  # several lines
            factor = max(1, int(factor * tallest) // _HEIGHT)
            pieces = ink_pieces(reduced(ink, factor))
        lines = [self._line.read_ink(line, engine) for line in lines_of(pieces)]
        detector = self._non_digits if rejects else None
        return _number(lines, engine, detector, scale=1 / factor, is_helped=is_helped)

    def close(self) -> None:
        self._line.close()


def _number(
    lines: Sequence[SeenLine],
    engine: Engine,
    non_digits: NonDigitDetector | None,
    *,
    reach: float = 0.0,
    scale: float = 1.0,
    is_helped: bool,
) -> Number | None:
    """The number in lines that have been read as such; None where it is not several digits."""
    found = [digit for line in lines for digit in line.digits]
    if len(found) < 2:
        return None
    images = np.stack([digit.image for digit in found])
    rejected = [digit.is_other for digit in found]
    if non_digits is not None:
        rejected = list(map(_is_rejected, found, non_digits.probabilities(images).tolist()))
    digits = []
    for digit, own, is_rejected in zip(found, engine.predict(images), rejected, strict=True):
        values = own
        if not digit.is_alone and not is_rejected:
            values = digit.probabilities  # its image has been cut
        elif is_helped and not is_rejected:
            # The geometric mean: two networks with other mistakes.
            values = np.sqrt(own * digit.probabilities)
            values /= values.sum()
        box = _widened(Box(*(side / scale for side in digit.box)), reach)
        digits.append(ReadDigit(box, digit.image, values, is_rejected))
    rest = iter(digits)
    seen = tuple(line for line in lines if line.digits)
    return Number(tuple(tuple(islice(rest, len(line.digits))) for line in seen), seen)


def _is_rejected(digit: LineDigit, probability: float) -> bool:
    """Whether it is no digit. `probability`: of its image to show one."""
    if not digit.is_alone:
        return digit.is_other
    return probability < (THRESHOLD_OF_OTHER if digit.is_other else THRESHOLD_IN_NUMBER)


def _widened(box: Box, reach: float) -> Box:
    """The box around the ink of a pen that reaches so far from its middle."""
    return Box(box.left - reach, box.top - reach, box.right + reach, box.bottom + reach)
