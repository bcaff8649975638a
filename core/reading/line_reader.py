"""Reads a line of digits with a network over the columns of its image, which says which digits
stand in the line, and where.

A digit that shares no stroke or component with another one is read once more by the model of single
digits; of the others the network of the line says which digit they are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from math import prod
from typing import TypeVar

import numpy as np

from core.data.class_names import DIGITS
from core.drawing.line import ROWS, LineImage, line_of_ink, line_of_strokes
from core.inference.engine import FEW, Engine
from core.inference.model_file import Model, bundled_model
from core.reading.decoding import Symbol, aligned, likeliest_texts
from core.reading.pieces import (
    LEVEL,
    Box,
    Group,
    Piece,
    between_gaps,
    ink_images,
    ink_piece,
    joined,
    stroke_images,
    stroke_piece,
    union,
)

LINE_MODEL = "number-line"
"""The file of the network, among the models that come with the program."""

LINE_CLASSES = (*DIGITS, "other")
"""The classes of the network; after them comes the answer that nothing is to be written."""

OTHER = len(DIGITS)
"""The class of the network for a letter, a sign or a scribble."""

_LOW = 0.3
"""What stands alone, and is lower than this share of the line, is no digit."""

_OWN = 0.75
"""A piece belongs to a digit if so much of it stands in its columns."""

_MAX_ORDERED = 10
_ORDERS = 3
"""So many ways are compared to give strokes to digits in the order of writing, of so many strokes
at most.
"""

_RIVALS = 3
_RIVAL = 0.05
"""So many texts are compared, of at least this share of the likeliest one's probability."""

_LEAST = 0.01
_CUT = 0.3
_CUT_OTHER = 0.03
"""The least plausibility of a symbol, and those of a digit and of another one whose ink had to be
cut.
"""

_DOUBTFUL = 0.2
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

    @property
    def key(self) -> tuple[int, ...]:
        """The same for parts of the same pieces."""
        return tuple(map(id, self.pieces))


_Cut = tuple[float, Piece | None]
"""The amount of a piece between two bounds, and this part of it."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Of pieces. `to_images`: images of groups for the model of single digits; `cut`: a piece into
    those between neighboring bounds. `are_strokes`: in the order of writing.
    """

    to_images: Callable[[Sequence[Group]], np.ndarray]
    cut: Callable[[Piece, Sequence[float]], list[_Cut]]
    are_strokes: bool


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
        """What stands in a line of components."""
        height = union(tuple(line)).height
        groups = [g for g in between_gaps(line) if union(tuple(g)).height >= _LOW * height]
        pieces = tuple(piece for group in groups for piece in group)
        if not pieces:
            return SeenLine(np.zeros((0, 0)), np.zeros((0, 0)))
        # The image begins at the ink, the pieces stand in the picture.
        image = replace(line_of_ink(joined(pieces)), left=union(pieces).left)
        return self._read(image, groups, _INK, engine)

    def read_strokes(self, line: Sequence[Piece], engine: Engine) -> SeenLine:
        """What is written in a line of strokes, which are in the order of writing."""
        groups = between_gaps(line)
        height = union(tuple(line)).height
        if any(union(tuple(group)).height < _LOW * height for group in groups):
            groups = [list(line)]  # a point belongs to a digit
        image = line_of_strokes([piece.content for piece in line])
        return self._read(image, groups, _STROKES, engine)

    def _read(
        self, image: LineImage, groups: Sequence[Sequence[Piece]], kind: _Kind, engine: Engine
    ) -> SeenLine:
        """No digit reaches across a wide gap, and what stands between two of them is one at
        least.
        """
        answers = self.columns(image)
        boxes = [union(tuple(group)) for group in groups]
        # Halved: an answer of the network is of two columns of pixels.
        ends = [image.column((one.right + other.left) / 2) / 2 for one, other in pairwise(boxes)]
        bounds = [0, *(round(end) for end in ends), len(answers)]
        digits: list[LineDigit] = []
        for group, (start, end) in zip(groups, pairwise(bounds), strict=True):
            digits += self._digits(group, kind, engine, image, answers[start:end], start)
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
        kind: _Kind,
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
            if probability < _RIVAL * texts[0][1]:
                break
            symbols = [
                replace(symbol, start=symbol.start + start, end=symbol.end + start)
                # Ink that the network reads as nothing is something all the same.
                for symbol in aligned(answers, text or (OTHER,))
            ]
            rivals += [(probability, parts) for parts in _ways(symbols, group, kind, image)]
        if not rivals:
            return []
        # Rivals have many groups of pieces in common.
        groups = {part.key: part.pieces for _, parts in rivals for part in parts}
        found = _few_at_once(kind.to_images, list(groups.values()))
        images = dict(zip(groups, found, strict=True))
        best = rivals[0]
        # A single one needs no comparison, and the models are not asked.
        if len(rivals) > 1:
            digits = dict(zip(groups, _few_at_once(self._are_digits, found), strict=True))
            own = dict(zip(groups, _few_at_once(engine.predict, found), strict=True))

            def score(rival: tuple[float, list[_Part]]) -> float:
                probability, parts = rival
                return probability * prod(
                    _plausibility(part, digits[part.key], own[part.key]) for part in parts
                )

            best = max(rivals, key=score)
        probability, parts = best
        is_doubtful = is_whole_line and probability < _DOUBTFUL
        return [_digit(part, images[part.key], is_doubtful=is_doubtful) for part in parts]


_Items = TypeVar("_Items", np.ndarray, Sequence[Group])


def _few_at_once(function: Callable[[_Items], np.ndarray], values: _Items) -> np.ndarray:
    """The values of a function of many, of so few at once that none loads a compiler."""
    firsts = range(0, len(values), FEW)
    return np.concatenate([function(values[first : first + FEW]) for first in firsts])


def _plausibility(part: _Part, digit: float, answers: np.ndarray) -> float:
    """The probability of a part to show what the line's network reads. `digit`: that it is one;
    `answers`: of the model of single digits.
    """
    label = part.symbol.label
    if not part.is_alone:
        probability = _CUT_OTHER if label == OTHER else _CUT
    elif label == OTHER:
        probability = 1 - float(digit)
    else:
        probability = float(digit * answers[label])
    # Not 0: one bad symbol must not decide the product of all.
    return max(probability, _LEAST)


def _digit(part: _Part, image: np.ndarray, *, is_doubtful: bool) -> LineDigit:
    probabilities = part.symbol.probabilities[:OTHER]
    return LineDigit(
        union(part.pieces),
        image,
        (probabilities / probabilities.sum()).astype(np.float32),
        part.is_alone,
        part.symbol,
        # A digit whose ink was not cut looks like one by itself.
        is_doubtful and not part.is_alone,
    )


def _ways(
    symbols: list[Symbol], pieces: Sequence[Piece], kind: _Kind, image: LineImage
) -> Iterator[list[_Part]]:
    """Ways to give each symbol its pieces: those that stand in its columns, and strokes that were
    written one after the other. Pieces that several symbols have a part of are cut.
    """
    bounds = [
        image.place(_least_ink(image.pixels, first.end * 2 - 1, second.start * 2 + 1))
        for first, second in pairwise(symbols)
    ]
    cuts = [kind.cut(piece, bounds) for piece in pieces]
    amounts = np.array([[amount for amount, _ in parts] for parts in cuts])
    owners = amounts.argmax(axis=1)
    is_whole = amounts.max(axis=1) >= _OWN * amounts.sum(axis=1)
    every = np.arange(len(symbols))
    if kind.are_strokes and np.isin(every, owners).all():
        is_whole[:] = True  # a stroke is seldom of two digits
    for number in every[~np.isin(every, owners[is_whole])]:
        is_whole[amounts[:, number].argmax()] = False
    ways = [(owners, is_whole)]
    # The number of ways grows very fast with the strokes.
    if kind.are_strokes and len(symbols) <= len(pieces) <= _MAX_ORDERED:
        whole = np.ones(len(pieces), bool)
        ways += [(way, whole) for way in _in_order(amounts) if (way != owners).any()]
    for way, whole in ways:
        parts = _owned(symbols, pieces, cuts, way, whole)
        # A symbol without ink cannot be in the drawing.
        if len(parts) == len(symbols):
            yield parts


def _in_order(amounts: np.ndarray) -> list[np.ndarray]:
    """The symbol of each piece, int (pieces,), in the likeliest ways in which no symbol is before
    that of the piece before. `amounts`: float (pieces, symbols), of each piece in the columns of
    each symbol.
    """
    count, symbols = amounts.shape
    every = np.arange(count)
    ways = [
        np.searchsorted(starts, every, side="right")
        for starts in combinations(range(1, count), symbols - 1)
    ]
    ways.sort(key=lambda owners: -float(amounts[every, owners].sum()))
    return ways[:_ORDERS]


def _owned(
    symbols: list[Symbol],
    pieces: Sequence[Piece],
    cuts: Sequence[list[_Cut]],
    owners: np.ndarray,
    is_whole: np.ndarray,
) -> list[_Part]:
    """The symbols that have some piece with it, or with the parts of those that are not whole."""
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
    if len(curve) == 1:
        # A point has no segment that could be given to a digit.
        curve = np.repeat(curve, 2, axis=0)
    lengths = np.hypot(*np.diff(curve, axis=0).T) + 1e-3  # a point counts as well
    owners = np.searchsorted(bounds, (curve[1:, 0] + curve[:-1, 0]) / 2)
    amounts = np.bincount(owners, lengths, len(bounds) + 1)
    parts: list[_Cut] = []
    for owner, amount in enumerate(amounts.tolist()):
        own = np.flatnonzero(owners == owner)
        # One more point than segments, and one as the end of the slice.
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


_STROKES = _Kind(stroke_images, _cut_stroke, are_strokes=True)
_INK = _Kind(ink_images, _cut_ink, are_strokes=False)


def _least_ink(pixels: np.ndarray, start: int, end: int) -> float:
    """The middle of the columns from `start` to `end` with the least ink."""
    ink = pixels[:, start : max(end, start + 1)].sum(axis=0, dtype=np.int64)
    # Columns that are nearly as empty count, so that the cut is in their middle.
    least = np.flatnonzero(ink <= ink.min() + 40)
    return start + float(least.mean()) + 0.5
