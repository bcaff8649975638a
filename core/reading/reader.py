"""Reads numbers of several digits from strokes and from the ink of pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from core.drawing.strokes import PenStroke, visible
from core.inference.predictor import Predictor
from core.reading.ink_pieces import Ink, ink_pieces
from core.reading.lines import are_apart, lines_of, stroke_lines
from core.reading.pieces import Box, Group, Piece, Source, union
from core.reading.rejection import THRESHOLD_IN_NUMBER, NonDigitDetector
from core.reading.segmentation import MAX_JOINED, segment
from core.reading.stroke_pieces import Strokes, stroke_pieces
from core.reading.whole_digit import SingleDigitClassifier

ONE = 0.5
"""A drawing that is a whole digit with at least this probability is read as one digit."""

DIGITS = 0.3
"""Several digits are read where the geometric mean of their probabilities to be whole digits is at least this."""

MAX_PIECES = 60

REFUSED = "?"
"""Stands in the text of a number for what is no digit."""

_WIDE = 1.0
"""A component is cut if its width is at least this fraction of its height."""


@dataclass(frozen=True, slots=True)
class ReadDigit:
    """`box`: of its ink, in pixels of the canvas or picture. `image`: uint8 (28, 28), the network's input.

    `probabilities`: float32 (classes,). `refused`: it is no digit.
    """

    box: Box
    image: np.ndarray
    probabilities: np.ndarray
    refused: bool = False

    @property
    def best(self) -> int:
        """The index of the most probable class."""
        return int(self.probabilities.argmax())

    @property
    def confidence(self) -> float:
        return float(self.probabilities.max())


@dataclass(frozen=True, slots=True)
class Number:
    """The digits of each line, from left to right; at least two in all."""

    lines: tuple[tuple[ReadDigit, ...], ...]

    @property
    def digits(self) -> tuple[ReadDigit, ...]:
        return tuple(digit for line in self.lines for digit in line)

    def texts(self, classes: Sequence[str]) -> list[str]:
        """The text of each line, with REFUSED for what is no digit."""
        return [
            "".join(REFUSED if digit.refused else classes[digit.best] for digit in line)
            for line in self.lines
        ]

    @property
    def confidence(self) -> float:
        """The probability that all digits are right, if their errors are independent."""
        return float(np.prod([digit.confidence for digit in self.digits]))

    @property
    def refused(self) -> bool:
        """Whether some part of it is no digit."""
        return any(digit.refused for digit in self.digits)


class NumberReader:
    """Finds the digits with a `SingleDigitClassifier`. One thread uses it.

    `predictor` reads the digits, `refusal` tells which of them are no digits; None: all are digits.
    """

    def __init__(self, detector: SingleDigitClassifier | None = None) -> None:
        self._detector = detector or SingleDigitClassifier()

    def read_strokes(
        self,
        strokes: Sequence[PenStroke],
        side: float,
        predictor: Predictor,
        refusal: NonDigitDetector | None = None,
    ) -> Number | None:
        """The digits in strokes on a canvas of this height; None where they are not several."""
        curves = visible(strokes, side)
        reach = max((stroke.width / 2 for stroke in strokes if not stroke.erases), default=0.0)
        return self._read(stroke_lines(stroke_pieces(curves)), Strokes(), predictor, refusal, reach)

    def read_ink(
        self, ink: np.ndarray, predictor: Predictor, refusal: NonDigitDetector | None = None
    ) -> Number | None:
        """The digits in `ink`, float32 (height, width) in 0..1; None where they are not several."""
        pieces = ink_pieces(ink)
        if len(pieces) == 1 and pieces[0].box.width < _WIDE * pieces[0].box.height:
            return None
        return self._read(lines_of(pieces), Ink(), predictor, refusal)

    def close(self) -> None:
        self._detector.close()

    def _read(
        self, lines: list[list[Piece]], source: Source, predictor: Predictor, refusal: NonDigitDetector | None,
        reach: float = 0.0,
    ) -> Number | None:  # fmt: skip
        pieces = [piece for line in lines for piece in line]
        if not 0 < len(pieces) <= MAX_PIECES:
            return None
        may_be_one = len(pieces) <= MAX_JOINED and not are_apart(lines)
        if may_be_one and self._probability(tuple(pieces), source) >= ONE:
            return None
        groups = [segment(line, source, self._detector) for line in lines]
        digit_groups = [group for line in groups for group in line]
        if len(digit_groups) < 2:
            return None
        whole = self._detector.probabilities(source, digit_groups)
        if float(np.exp(np.log(np.maximum(whole, 1e-4)).mean())) < DIGITS:
            return None
        images = source.images(digit_groups)
        refused = [False] * len(digit_groups)
        if refusal is not None:
            refused = refusal.refused(images, THRESHOLD_IN_NUMBER).tolist()
        digits = iter(
            ReadDigit(_widened(union(group), reach), *values)
            for group, *values in zip(digit_groups, images, predictor.predict(images), refused, strict=True)
        )
        return Number(tuple(tuple(islice(digits, len(line))) for line in groups))

    def _probability(self, group: Group, source: Source) -> float:
        return float(self._detector.probabilities(source, [group])[0])


def _widened(box: Box, reach: float) -> Box:
    """The box around the ink of a pen that reaches so far from its middle."""
    return Box(box.left - reach, box.top - reach, box.right + reach, box.bottom + reach)
