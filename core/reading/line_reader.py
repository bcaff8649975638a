"""Reads a line of digits with a network over the columns of its image, which says which digits
stand in the line, and where.

Pictures and numbers in one stroke are read in this way. A digit that shares no component with
another one is read once more by the model of single digits; of the others the network of the line
says which digit they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from core.data.class_names import DIGITS
from core.drawing.line import ROWS, LineImage, line_of_ink, line_of_strokes
from core.inference.engine import Engine
from core.inference.model_file import Model, bundled_model
from core.reading.decoding import Symbol, aligned, likeliest_texts
from core.reading.pieces import (
    LEVEL,
    Box,
    Group,
    Piece,
    ink_images,
    ink_piece,
    joined,
    stroke_images,
    stroke_piece,
    union,
)
from core.reading.segmentation import between_gaps

LINE_MODEL = "number-line"
"""The file of the network, among the models that come with the program."""

LINE_CLASSES = (*DIGITS, "other")
"""The classes of the network; after them comes the answer that nothing is to be written."""

OTHER = len(DIGITS)
"""The class of the network for a letter, a sign or a scribble."""

_LOW = 0.3
"""A component that stands alone, and is lower than this share of the line, is nothing."""

_OWN = 0.75
"""A component belongs to a digit if so much of it stands in its columns."""

_RIVALS = 3
_RIVAL = 0.05
"""So many texts are compared, of at least this share of the likeliest one's probability."""

_LEAST = 0.01
_CUT = 0.3
_CUT_OTHER = 0.03
"""The least plausibility of a symbol, and those of a digit and of another one whose ink had to be
cut.
"""

_DOUBTFUL = 0.4
"""In a line without a gap, digits whose ink had to be cut are none where their text has a lower
probability: scribbles look like many digits.
"""

_STEP = 16
"""Images of lines are as wide as a multiple of this, so that few networks are prepared."""


@dataclass(frozen=True, slots=True)
class LineDigit:
    """`box`: of its ink. `image`: uint8 (28, 28), for the model of single digits. `probabilities`:
    float32 (10,), of the line's network. `is_alone`: no other digit has a part of its ink.
    `symbol`: what the network has found; OTHER for a letter, a sign or a scribble. `is_doubtful`:
    too doubtful to be a digit.
    """

    box: Box
    image: np.ndarray
    probabilities: np.ndarray
    is_alone: bool
    symbol: Symbol
    is_doubtful: bool

    @property
    def is_other(self) -> bool:
        return self.is_doubtful or self.symbol.label == OTHER


@dataclass(frozen=True, slots=True)
class SeenLine:
    """How a line was read. `pixels`: uint8 (24, width), its image; `answers`: float32 (columns,
    classes + 1), see `LineReader.columns`; `digits`: what stands in it, from left to right.
    """

    pixels: np.ndarray
    answers: np.ndarray
    digits: tuple[LineDigit, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A symbol with its pieces, or parts of these."""

    symbol: Symbol
    pieces: tuple[Piece, ...]
    is_alone: bool


_Cut = tuple[float, Piece | None]
"""The amount of a piece between two bounds, and this part of it."""


class LineReader:
    """Reads lines. One thread uses it.

    `engine`, in its methods, reads single digits; `are_digits` gives the probability of each of
    images, uint8 (n, 28, 28), to show a digit. `model`: None for the bundled one.
    """

    def __init__(
        self, are_digits: Callable[[np.ndarray], np.ndarray], model: Model | None = None
    ) -> None:
        self._model = model
        self._are_digits = are_digits
        self._engines: dict[int, Engine] = {}  # for each width of an image

    def read_ink(self, line: Sequence[Piece], engine: Engine) -> SeenLine:
        """What stands in a line of components.

        No digit reaches across a wide gap, and what stands between two of them is one at least.
        """
        height = union(tuple(line)).height
        groups = [g for g in between_gaps(line) if union(tuple(g)).height >= _LOW * height]
        pieces = tuple(piece for group in groups for piece in group)
        if not pieces:
            return SeenLine(np.zeros((0, 0)), np.zeros((0, 0)))
        image = line_of_ink(joined(pieces))
        image = replace(image, left=union(pieces).left)
        answers = self.columns(image)
        boxes = [union(tuple(group)) for group in groups]
        ends = [image.column((one.right + other.left) / 2) / 2 for one, other in pairwise(boxes)]
        bounds = [0, *(round(end) for end in ends), len(answers)]
        digits: list[LineDigit] = []
        for group, (start, end) in zip(groups, pairwise(bounds), strict=True):
            digits += self._digits(
                group, ink_images, _cut_ink, engine, image, answers[start:end], start
            )
        return SeenLine(image.pixels, answers, tuple(digits))

    def read_stroke(self, curve: np.ndarray, engine: Engine) -> SeenLine:
        """What is written in one stroke, float (k, 2)."""
        image = line_of_strokes([curve])
        group = [stroke_piece(curve)]
        answers = self.columns(image)
        digits = self._digits(group, stroke_images, _cut_stroke, engine, image, answers, 0)
        return SeenLine(image.pixels, answers, tuple(digits))

    def columns(self, image: LineImage) -> np.ndarray:
        """float32 (columns, classes + 1): the answers of the network for each column of 2 pixels;
        the last one is that nothing is to be written.
        """
        width = image.pixels.shape[1]
        padded = width + -width % _STEP
        engine = self._engines.get(padded)
        if engine is None:
            model = self._model = self._model or bundled_model(LINE_MODEL)
            # The parameters are the same for every width.
            network = replace(model.network, input_shape=(ROWS, padded, 1))
            engine = self._engines[padded] = Engine(replace(model, network=network), threads=1)
        pixels = np.zeros((1, ROWS, padded, 1), np.uint8)
        pixels[0, :, :width, 0] = image.pixels
        sums = engine.outputs(pixels)[-1]
        answers: np.ndarray = engine.probabilities(sums)[0, 0, : width // 2]
        return answers

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()

    def _digits(
        self,
        group: Sequence[Piece],
        to_images: Callable[[Sequence[Group]], np.ndarray],
        cut: Callable[[Piece, Sequence[float]], list[_Cut]],
        engine: Engine,
        image: LineImage,
        answers: np.ndarray,
        start: int,
    ) -> list[LineDigit]:
        """The symbols between two gaps: of the likeliest texts the one whose digits look most like
        digits. `answers`: of the columns from `start` on.
        """
        texts = likeliest_texts(answers)
        is_whole_line = len(answers) == image.pixels.shape[1] // 2
        rivals: list[tuple[float, list[_Part]]] = []
        for text, probability in texts[:_RIVALS]:
            symbols = [
                replace(symbol, start=symbol.start + start, end=symbol.end + start)
                for symbol in aligned(answers, text or (OTHER,))
            ]
            parts = _parts_of(symbols, group, cut, image)
            if len(parts) == len(symbols) and probability >= _RIVAL * texts[0][1]:
                rivals.append((probability, parts))
        best: list[LineDigit] = []
        best_score = -1.0
        for probability, parts in rivals:
            images = to_images([part.pieces for part in parts])
            score = probability
            if len(rivals) > 1:
                score *= self._plausibility(parts, images, engine)
            if score > best_score:
                best = [
                    _digit(part, image, is_doubtful=is_whole_line and probability < _DOUBTFUL)
                    for part, image in zip(parts, images, strict=True)
                ]
                best_score = score
        return best

    def _plausibility(self, parts: Sequence[_Part], images: np.ndarray, engine: Engine) -> float:
        """The probability of the parts to show what the line's network reads."""
        digits = self._are_digits(images)
        answers = engine.predict(images)
        result = 1.0
        for number, part in enumerate(parts):
            label = part.symbol.label
            if not part.is_alone:
                probability = _CUT_OTHER if label == OTHER else _CUT
            elif label == OTHER:
                probability = 1 - float(digits[number])
            else:
                probability = float(digits[number] * answers[number, label])
            result *= max(probability, _LEAST)
        return result


def _digit(part: _Part, image: np.ndarray, *, is_doubtful: bool) -> LineDigit:
    probabilities = part.symbol.probabilities[:OTHER]
    return LineDigit(
        union(part.pieces),
        image,
        (probabilities / probabilities.sum()).astype(np.float32),
        part.is_alone,
        part.symbol,
        is_doubtful and not part.is_alone,
    )


def _parts_of(
    symbols: list[Symbol],
    pieces: Sequence[Piece],
    cut: Callable[[Piece, Sequence[float]], list[_Cut]],
    image: LineImage,
) -> list[_Part]:
    """The pieces of each symbol that has some; those that several symbols have a part of are
    cut.
    """
    bounds = [
        image.place(_least_ink(image.pixels, first.end * 2 - 1, second.start * 2 + 1))
        for first, second in pairwise(symbols)
    ]
    cuts = [cut(piece, bounds) for piece in pieces]
    amounts = np.array([[amount for amount, _ in parts] for parts in cuts])
    owners = amounts.argmax(axis=1)
    is_whole = amounts.max(axis=1) >= _OWN * amounts.sum(axis=1)
    every = np.arange(len(symbols))
    for number in every[~np.isin(every, owners[is_whole])]:
        is_whole[amounts[:, number].argmax()] = False
    owned: list[list[Piece]] = [[] for _ in symbols]
    is_alone = np.ones(len(symbols), bool)
    for piece, parts, owner, whole in zip(pieces, cuts, owners, is_whole, strict=True):
        if whole or len(symbols) == 1:
            owned[owner].append(piece)
            continue
        for number, (_, part) in enumerate(parts):
            if part is not None:
                owned[number].append(part)
                is_alone[number] = False
    return [
        _Part(symbol, tuple(own), bool(alone))
        for symbol, own, alone in zip(symbols, owned, is_alone, strict=True)
        if own
    ]


def _cut_stroke(piece: Piece, bounds: Sequence[float]) -> list[_Cut]:
    """The lengths and the parts of a curve between neighboring bounds."""
    curve = piece.content
    lengths = np.hypot(*np.diff(curve, axis=0).T)
    owners = np.searchsorted(bounds, (curve[1:, 0] + curve[:-1, 0]) / 2)
    amounts = np.bincount(owners, lengths, len(bounds) + 1)
    parts: list[_Cut] = []
    for owner, amount in enumerate(amounts.tolist()):
        own = np.flatnonzero(owners == owner)
        part = stroke_piece(curve[own[0] : own[-1] + 2]) if len(own) else None
        parts.append((amount, part))
    return parts


def _cut_ink(piece: Piece, bounds: Sequence[float]) -> list[_Cut]:
    """The ink and the parts of a component between neighboring bounds."""
    left = int(piece.box.left)
    width = piece.content.shape[1]
    inner = np.clip(np.rint(np.array(bounds) - left).astype(np.int64), 0, width)
    parts: list[_Cut] = []
    for start, end in pairwise([0, *inner.tolist(), width]):
        ink = piece.content[:, start:end]
        rows = np.flatnonzero((ink > LEVEL).any(axis=1))
        part = None
        if len(rows):
            inked = ink[rows[0] : rows[-1] + 1]
            part = ink_piece(inked, left + start, int(piece.box.top) + int(rows[0]))
        parts.append((float(ink.sum()), part))
    return parts


def _least_ink(pixels: np.ndarray, start: int, end: int) -> float:
    """The middle of the columns from `start` to `end` with the least ink."""
    ink = pixels[:, start : max(end, start + 1)].sum(axis=0, dtype=np.int64)
    least = np.flatnonzero(ink <= ink.min() + 40)
    return start + float(least.mean()) + 0.5
