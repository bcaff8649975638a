"""Pieces of a drawing or picture that are joined to digits: strokes of a pen, or connected components of ink."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from core.drawing.ink import SIDE, normalize
from core.drawing.page import components
from core.drawing.strokes import join


class Box(NamedTuple):
    """A rectangle in pixels of the canvas or picture."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Piece:
    """A stroke, a component, or a part of one. `amount`: of ink, in the unit of the other pieces.

    `content`: the curve of a stroke, float (k, 2); or the ink in the box, float32 (height, width), 0 where the box
    holds ink of other pieces.
    """

    box: Box
    amount: float
    content: np.ndarray


Group = tuple[Piece, ...]


class Source(Protocol):
    """How pieces of one kind become images for a network, and how they are cut."""

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        """The image of each group, uint8 (n, 28, 28), prepared as for classification; zeros for a dot."""

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """Ways to cut a piece into smaller ones, which may belong to different digits, from left to right."""


def union(group: Group) -> Box:
    """The smallest box around the boxes of a group."""
    boxes = np.array([piece.box for piece in group])
    return Box(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())


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
        pieces.append(_ink_piece(np.where((labels == number) | (labels == 0), ink[part], 0), box[0], box[1]))
    return pieces


def _ink_piece(ink: np.ndarray, left: float, top: float) -> Piece:
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
            parts.append(_ink_piece(part, piece.box.left + used[0], piece.box.top + rows[0]))
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


_STEP = 0.12  # least length between two cuts, as a fraction of the stroke's height
_MAX_PARTS = 16


def stroke_pieces(curves: Sequence[np.ndarray]) -> list[Piece]:
    """A piece for each curve, float (k, 2), as `core.drawing.strokes.visible` returns them."""
    return [_stroke_piece(curve) for curve in curves]


def _stroke_piece(curve: np.ndarray) -> Piece:
    box = Box(*curve.min(axis=0).tolist(), *curve.max(axis=0).tolist())
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    return Piece(box, max(length, 1e-3), curve)


class Strokes:
    """A `Source` of curves, rendered with a pen of the usual width."""

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        if not groups:
            return np.zeros((0, SIDE, SIDE), np.uint8)
        # Imported here, because it imports a compiler.
        from core.drawing.rendering import render

        return render(join([[piece.content for piece in group] for group in groups]))

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """One way: at the turning points of the curve, where it changes from up to down or from left to right."""
        curve = piece.content
        along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))))
        step = _STEP * max(piece.box.height, 0.3 * piece.box.width)
        cut_points = [0]
        for point in np.unique(np.concatenate([_turns(curve[:, axis], step / 4) for axis in (0, 1)])):
            if along[point] - along[cut_points[-1]] >= step and along[-1] - along[point] >= step:
                cut_points.append(int(point))
        if not 1 < len(cut_points) <= _MAX_PARTS:
            return []
        ends = [*cut_points[1:], len(curve) - 1]
        return [[_stroke_piece(curve[a : b + 1]) for a, b in zip(cut_points, ends, strict=True)]]


def _turns(values: np.ndarray, least: float) -> np.ndarray:
    """The indices where `values` change direction by more than `least`."""
    turns = []
    low = high = 0
    rising: bool | None = None
    for index, value in enumerate(values):
        if value > values[high]:
            high = index
        if value < values[low]:
            low = index
        if rising is not False and value < values[high] - least:
            turns.append(high)
            rising, low = False, index
        elif rising is not True and value > values[low] + least:
            turns.append(low)
            rising, high = True, index
    return np.array(turns, np.int64)
