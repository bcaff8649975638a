"""Groups pieces into lines of text, and strokes into digits: dynamic programming over the pieces,
as in over-segmentation methods.

A segmentation's score is the weighted mean over its groups of the logarithm of the probability that
the group is one whole digit. A group counts by its ink, so that segmentations into few and into
many groups compare, and each group counts a little more, so that small scraps count as well.
"""

from bisect import bisect_right
from collections.abc import Sequence, Set
from math import log

import numpy as np

from core.inference.engine import FEW, Engine
from core.inference.model_file import bundled_model
from core.reading.pieces import Box, Group, Piece, parts_between_turns, stroke_images, union

SINGLE_DIGIT_MODEL = "whole-digit"
PART = "part"
WHOLE = "digit"
"""The classes of the model."""

_KNOWN = 2000  # groups whose probabilities are kept: a stroke that grows keeps most of its parts


class SingleDigitClassifier:
    """The probability that an image shows one whole digit: neither a part of one, nor several.

    It uses a small network that `tools/models/whole_digit.py` trains. One thread uses it.
    """

    def __init__(self, engine: Engine | None = None) -> None:
        if engine is None:
            engine = Engine(bundled_model(SINGLE_DIGIT_MODEL), threads=1)
        self._engine = engine
        self._known: dict[frozenset[bytes], float] = {}

    def probabilities(self, groups: Sequence[Group]) -> np.ndarray:
        """float64 (n,): for each group of strokes; 0 for a dot."""
        # The order of the pieces does not change the image.
        keys = [frozenset([piece.digest for piece in group]) for group in groups]
        if len(self._known) > _KNOWN:
            self._known = {key: self._known[key] for key in keys if key in self._known}
        new = {
            key: group for key, group in zip(keys, groups, strict=True) if key not in self._known
        }
        left = list(new.items())
        for first in range(0, len(left), FEW):  # more at once would load a compiler
            some = dict(left[first : first + FEW])
            images = stroke_images(list(some.values()))
            values = self._engine.predict(images)[:, 1]
            values[~images.any(axis=(1, 2))] = 0.0
            self._known.update(zip(some, values.tolist(), strict=True))
        return np.array([self._known[key] for key in keys])

    def close(self) -> None:
        self._engine.close()


_TALL = 0.5
"""A piece of at least this fraction of the tallest piece's height begins a line; others belong to
the nearest one.
"""

_APART = 0.15
_GAP = 0.1  # of the line's height: none of 624 digits in several strokes has a wider one
_LOW = 0.3


def lines_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line of text, from top to bottom."""
    if not pieces:
        return []
    tallest = max(piece.box.height for piece in pieces)
    lines: list[list[Piece]] = []
    small = []
    for piece in sorted(pieces, key=lambda piece: -piece.box.height):
        if piece.box.height < _TALL * tallest:
            small.append(piece)
            continue
        line = next((line for line in lines if any(_beside(piece, other) for other in line)), None)
        if line is None:
            lines.append([piece])
        else:
            line.append(piece)
    for piece in small:
        min(lines, key=lambda line: min(_distance(piece, other) for other in line)).append(piece)
    return sorted(lines, key=lambda line: sum(piece.box.middle[1] for piece in line) / len(line))


def stroke_lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The strokes of each line of text, from top to bottom, in the order in which they were
    written.

    Strokes are one line unless there is empty space between the lines. A single stroke above
    another one is one digit whose middle was erased.
    """
    lines = lines_of(pieces)
    if not are_apart(lines) or max(map(len, lines)) < 2:
        return [list(pieces)]
    order = {id(piece): number for number, piece in enumerate(pieces)}
    return [sorted(line, key=lambda piece: order[id(piece)]) for line in lines]


def are_apart(lines: list[list[Piece]]) -> bool:
    """Whether there are several lines, with empty space between them: the parts of a digit are
    closer together.
    """
    if len(lines) < 2:
        return False
    tallest = max(piece.box.height for line in lines for piece in line)
    bottoms = [max(piece.box.bottom for piece in line) for line in lines]
    tops = [min(piece.box.top for piece in line) for line in lines]
    return any(
        top - bottom > _APART * tallest for bottom, top in zip(bottoms, tops[1:], strict=False)
    )


def between_gaps(line: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of a line between wide gaps, from left to right, each in their order: no digit has
    a gap as wide.
    """
    height = max(piece.box.height for piece in line)
    starts: list[float] = []
    right = -np.inf
    for piece in sorted(line, key=lambda piece: piece.box.left):
        if piece.box.left - right >= _GAP * height:
            starts.append(piece.box.left)
        right = max(right, piece.box.right)
    parts: list[list[Piece]] = [[] for _ in starts]
    for piece in line:
        parts[bisect_right(starts, piece.box.left) - 1].append(piece)
    return parts


def parted(line: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces between wide gaps; nothing is parted where a part would be too low for a digit."""
    height = max(piece.box.height for piece in line)
    parts = between_gaps(line)
    is_low = [union(tuple(part)).height < _LOW * height for part in parts]
    return [list(line)] if any(is_low) else parts


def _beside(one: Piece, other: Piece) -> bool:
    """Whether the vertical extents overlap by more than half of the smaller one."""
    overlap = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return overlap > 0.5 * min(one.box.height, other.box.height)


def _distance(one: Piece, other: Piece) -> float:
    """The distance between two boxes; vertical distance counts twice."""
    across = max(one.box.left - other.box.right, other.box.left - one.box.right, 0)
    down = max(one.box.top - other.box.bottom, other.box.top - one.box.bottom, 0)
    return across + 2 * down


MAX_JOINED = 5
"""Pieces of one digit, at most."""

MAX_PARTS_JOINED = 12
"""Parts of cut pieces of one digit, at most."""

_DOUBTFUL = 0.5  # probability below which a digit is cut
_LEAST = 0.2  # probability of each digit that is cut out
_LINK = 0.3  # probability of a part of a stroke to be a link between digits
_FLOOR = 1e-4
_OVERLAP = 0.7  # of the smaller box's width and height that two digits of a number do not share
_SCRAP = 1.0  # of the mean ink of a piece, added to the ink of each group


def segment(pieces: Sequence[Piece], detector: SingleDigitClassifier) -> list[Group]:
    """The likeliest digits, from left to right.

    The pieces are taken in the order in which they were written, and from left to right, and the
    likelier segmentation is kept. Where a digit is doubtful, its largest piece is cut, and the
    parts are grouped again.
    """
    groups, _ = _best_order(pieces, detector, MAX_JOINED)
    refined = [part for group in groups for part in _refined(group, detector)]
    return _joined(sorted(refined, key=lambda group: union(group).middle[0]))


def _joined(groups: list[Group]) -> list[Group]:
    """`groups` with those joined that cannot be two digits of a number, which stand in a row.

    These lie one above the other, as a 1 of which the eraser removed the middle; or one lies in the
    box of the other, as the eyes of a face.
    """
    joined: list[Group] = []
    for group in groups:
        for other in [other for other in joined if _are_one(union(other), union(group))]:
            joined.remove(other)
            group = other + group
        joined.append(group)
    return joined


def _are_one(first: Box, second: Box) -> bool:
    across = min(first.right, second.right) - max(first.left, second.left)
    down = min(first.bottom, second.bottom) - max(first.top, second.top)
    width = min(first.width, second.width)
    height = min(first.height, second.height)
    is_above = across > -0.25 * height and down < 0.2 * height
    return is_above or (across >= _OVERLAP * width and down >= _OVERLAP * height)


def _refined(group: Group, detector: SingleDigitClassifier) -> list[Group]:
    """`group`, or the digits that its largest piece and the others are cut into, if these are
    likelier.
    """
    score = _logarithms(detector.probabilities([group]))[0]
    if score > log(_DOUBTFUL):
        return [group]
    largest = max(group, key=lambda piece: piece.amount)
    parts = parts_between_turns(largest)
    if not parts:
        return [group]
    others = [piece for piece in group if piece is not largest]
    links = {id(part) for part in parts}
    cut, cut_score = _best_order([*others, *parts], detector, MAX_PARTS_JOINED, links)
    is_clear = min(detector.probabilities(cut)) >= _LEAST
    return cut if is_clear and cut_score > score else [group]


def _best_order(
    pieces: Sequence[Piece],
    detector: SingleDigitClassifier,
    joined: int,
    links: Set[int] = frozenset(),
) -> tuple[list[Group], float]:
    by_place = sorted(range(len(pieces)), key=lambda number: pieces[number].box.middle[0])
    orders = [pieces]
    if by_place != list(range(len(pieces))):
        orders.append([pieces[number] for number in by_place])
    spans = _spans(len(pieces), joined)
    groups = [tuple(order[i:j]) for order in orders for i, j in spans]
    # All at once: a pass of the network for many images takes less time than many passes.
    logarithms = _logarithms(detector.probabilities(groups))
    results = []
    for number, order in enumerate(orders):
        own = slice(number * len(spans), (number + 1) * len(spans))
        whole = list(zip(spans, groups[own], logarithms[own], strict=True))
        results.append(_group(order, whole, links))
    return max(results, key=lambda result: result[1])


def _spans(count: int, joined: int) -> list[tuple[int, int]]:
    """The first and the last index + 1 of all groups of at most `joined` consecutive pieces."""
    return [(i, j) for j in range(1, count + 1) for i in range(max(0, j - joined), j)]


def _group(
    pieces: Sequence[Piece],
    spans: Sequence[tuple[tuple[int, int], Group, float]],
    links: Set[int],
) -> tuple[list[Group], float]:
    """The best segmentation in this order, and its score per unit of ink.

    `spans`: the ends of each group, its pieces, the logarithm of its probability. A piece between
    two digits whose `id` is in `links` may belong to none, with the probability _LINK.
    """
    count = len(pieces)
    total = sum(piece.amount for piece in pieces)
    scrap = _SCRAP * total / count
    best = [0.0] + [-np.inf] * count
    back: list[tuple[int, Group]] = [(0, ())] * (count + 1)
    for (i, j), group, logarithm in spans:
        weight = scrap + sum([piece.amount for piece in group])
        is_between = len(group) == 1 and i > 0 and j < count
        if is_between and id(group[0]) in links and logarithm < log(_LINK):
            group = ()
            logarithm = log(_LINK)
        score = best[i] + logarithm * weight
        if score > best[j]:
            best[j] = score
            back[j] = (i, group)
    chosen: list[Group] = []
    end = count
    while end:
        end, group = back[end]
        chosen = [group, *chosen] if group else chosen
    return chosen, best[count] / total


def _logarithms(probabilities: np.ndarray) -> list[float]:
    return np.log(np.maximum(probabilities, _FLOOR)).tolist()
