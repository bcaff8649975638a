"""Connected components of ink as pieces of digits."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.drawing.components import components
from core.drawing.ink import SIDE, normalize
from core.reading.pieces import Box, Group, Piece, union

_LEVEL = 0.3  # of ink that belongs to a component
_SPECK = 0.004  # least area of a component, as a fraction of the largest one's
_MAX_PIECES = 80
_SLANTS = (-0.5, -0.25, 0.0, 0.25, 0.5)  # of the lines that cut, as tangents to the vertical
_MAX_CUTS = 7


def ink_pieces(ink: np.ndarray) -> list[Piece]:
    """The components of `ink`, float32 (height, width) in 0..1, with the faint pixels at their edges.

    Empty for so many components that they are no digits.
    """
    regions = components(ink > _LEVEL)
    if not len(regions):
        return []
    numbers = np.flatnonzero(regions.areas >= _SPECK * regions.areas.max()) + 1
    if len(numbers) > _MAX_PIECES:
        return []
    height, width = ink.shape
    pieces = []
    for number in numbers.tolist():
        left, top, right, bottom = regions.boxes[number - 1].tolist()
        box = (max(left - 1, 0), max(top - 1, 0), min(right + 1, width), min(bottom + 1, height))
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        labels = regions.labels[part]
        pieces.append(_piece(np.where((labels == number) | (labels == 0), ink[part], 0), box[0], box[1]))
    return pieces


def _piece(ink: np.ndarray, left: float, top: float) -> Piece:
    return Piece(Box(left, top, left + ink.shape[1], top + ink.shape[0]), float(ink.sum()), ink)


class Ink:
    """A `Source` of pieces of ink, prepared like a picture."""

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        images = np.zeros((len(groups), SIDE, SIDE), np.uint8)
        for number, group in enumerate(groups):
            image = normalize(joined(group), usual_thickness=True)
            if image is not None:
                images[number] = image
        return images

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """By straight lines of several slants, where they cross the least ink."""
        return [parts for slant in _SLANTS if len(parts := _cut(piece, slant)) > 1]


def joined(group: Group) -> np.ndarray:
    """The ink of a group in the box around it, float32 (height, width)."""
    left, top, right, bottom = map(int, union(group))
    ink = np.zeros((bottom - top, right - left), np.float32)
    for piece in group:
        row, column = int(piece.box.top) - top, int(piece.box.left) - left
        height, width = piece.content.shape
        part = ink[row : row + height, column : column + width]
        np.maximum(part, piece.content, out=part)
    return ink


def _cut(piece: Piece, slant: float) -> list[Piece]:
    """The parts of a piece between parallel lines of this slant."""
    ink = piece.content
    height, width = ink.shape
    shift = np.rint((np.arange(height) - height / 2) * slant).astype(np.int64)
    columns = np.arange(width)[None] + shift[:, None]
    low = int(columns.min())
    crossed = np.bincount((columns - low).ravel(), ink.ravel(), int(columns.max()) - low + 1)
    places = _least(crossed, max(3, round(0.1 * height)))
    bounds = [-1, *(cut + low for cut in places), int(columns.max())]
    parts = []
    for start, end in pairwise(bounds):
        part = np.where((columns > start) & (columns <= end), ink, 0)
        used = np.flatnonzero((part > _LEVEL).any(axis=0))
        if len(used):
            rows = np.flatnonzero((part > _LEVEL).any(axis=1))
            part = part[rows[0] : rows[-1] + 1, used[0] : used[-1] + 1]
            parts.append(_piece(part, piece.box.left + used[0], piece.box.top + rows[0]))
    return parts


def _least(crossed: np.ndarray, distance: int) -> list[int]:
    """At most _MAX_CUTS local minima of `crossed` inside the ink, at least `distance` apart, ascending."""
    inked = np.flatnonzero(crossed > _LEVEL)
    first, last = int(inked[0]) + distance, int(inked[-1]) - distance
    chosen: list[int] = []
    for cut in (np.argsort(crossed[first:last], kind="stable") + first).tolist():
        if all(abs(cut - other) >= distance for other in chosen):
            chosen.append(cut)
            if len(chosen) == _MAX_CUTS:
                break
    return sorted(chosen)
