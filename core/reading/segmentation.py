"""Groups pieces into digits: dynamic programming over the pieces in their order, as in over-segmentation methods.

A segmentation's score is the weighted mean over its groups of the logarithm of the probability that the group is one
whole digit. A group counts by its ink, so that segmentations into few and into many groups compare, and each group
counts a little more, so that small scraps count as well.
"""

from collections.abc import Sequence
from math import log

import numpy as np

from core.reading.pieces import Box, Group, Piece, Source, union
from core.reading.whole_digit import SingleDigitClassifier

MAX_JOINED = 5
"""Pieces of one digit, at most."""

_MAX_PARTS_JOINED = 9  # parts of cut pieces
_DOUBTFUL = 0.5  # probability below which a digit is cut
_FLOOR = 1e-4
_SCRAP = 1.0  # of the mean ink of a piece, added to the ink of each group


def segment(pieces: Sequence[Piece], source: Source, detector: SingleDigitClassifier) -> list[Group]:
    """The likeliest digits, from left to right.

    The pieces are taken in the order in which they were written, and from left to right, and the likelier segmentation
    is kept. Where a digit is doubtful, its largest piece is cut, and the parts are grouped again.
    """
    groups, _ = _best_order(pieces, source, detector, MAX_JOINED)
    refined = [part for group in groups for part in _refined(group, source, detector)]
    return _join_stacked(sorted(refined, key=lambda group: union(group).middle[0]))


def _join_stacked(groups: list[Group]) -> list[Group]:
    """`groups` with those that lie one above the other joined: the digits of a number stand in a row.

    So a 1 of which the eraser removed the middle is one digit.
    """
    joined = groups[:1]
    for group in groups[1:]:
        if _is_stacked(union(joined[-1]), union(group)):
            joined[-1] += group
        else:
            joined.append(group)
    return joined


def _is_stacked(first: Box, second: Box) -> bool:
    across = min(first.right, second.right) - max(first.left, second.left)
    down = min(first.bottom, second.bottom) - max(first.top, second.top)
    height = min(first.height, second.height)
    return across > -0.25 * height and down < 0.2 * height


def _refined(group: Group, source: Source, detector: SingleDigitClassifier) -> list[Group]:
    """`group`, or the digits that its largest piece and the others are cut into, if these are likelier."""
    best, score = [group], _logarithms(detector.probabilities(source, [group]))[0]
    if score > log(_DOUBTFUL):
        return best
    largest = max(group, key=lambda piece: piece.amount)
    others = [piece for piece in group if piece is not largest]
    for parts in source.cuts(largest):
        reordered, reordered_score = _best_order([*others, *parts], source, detector, _MAX_PARTS_JOINED)
        clear = min(detector.probabilities(source, reordered)) >= _DOUBTFUL
        if clear and reordered_score > score:
            best, score = reordered, reordered_score
    return best


def _best_order(
    pieces: Sequence[Piece], source: Source, detector: SingleDigitClassifier, joined: int
) -> tuple[list[Group], float]:
    by_place = sorted(range(len(pieces)), key=lambda number: pieces[number].box.middle[0])
    results = [_group(pieces, source, detector, joined)]
    if by_place != list(range(len(pieces))):
        results.append(_group([pieces[number] for number in by_place], source, detector, joined))
    return max(results, key=lambda result: result[1])


def _group(
    pieces: Sequence[Piece], source: Source, detector: SingleDigitClassifier, joined: int
) -> tuple[list[Group], float]:
    """The best segmentation in this order, of groups of at most `joined` pieces, and its score per unit of ink."""
    count = len(pieces)
    spans = [(i, j) for j in range(1, count + 1) for i in range(max(0, j - joined), j)]
    groups = [tuple(pieces[i:j]) for i, j in spans]
    logarithms = _logarithms(detector.probabilities(source, groups))
    total = sum(piece.amount for piece in pieces)
    scrap = _SCRAP * total / count
    best = [0.0] + [-np.inf] * count
    back = [0] * (count + 1)
    for (i, j), group, logarithm in zip(spans, groups, logarithms, strict=True):
        score = best[i] + logarithm * (scrap + sum(piece.amount for piece in group))
        if score > best[j]:
            best[j], back[j] = score, i
    chosen: list[Group] = []
    end = count
    while end:
        chosen.insert(0, tuple(pieces[back[end] : end]))
        end = back[end]
    return chosen, best[count] / total


def _logarithms(probabilities: np.ndarray) -> list[float]:
    return np.log(np.maximum(probabilities, _FLOOR)).tolist()
