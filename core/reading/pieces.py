"""Pieces of a drawing or picture that are joined to digits: strokes of a pen, or connected
components of ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple, Protocol

import numpy as np

from core.drawing.ink import SIDE, depths, normalize
from core.drawing.page import components
from core.drawing.rendering import render
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

    `content`: the curve of a stroke, float (k, 2); or the ink in the box, float32 (height, width),
    0 where the box holds ink of other pieces. `digest`: the same for pieces with the same box and
    content.
    """

    box: Box
    amount: float
    content: np.ndarray
    digest: bytes


Group = tuple[Piece, ...]


def _piece(box: Box, amount: float, content: np.ndarray) -> Piece:
    digest = blake2b(np.array(box).tobytes() + content.tobytes(), digest_size=16).digest()
    return Piece(box, amount, content, digest)


class Source(Protocol):
    """How pieces of one kind become images for a network, and how they are cut.

    `has_links`: parts of a piece may be mere links between digits.
    """

    has_links: bool

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        """The image of each group, uint8 (n, 28, 28), prepared as for classification; zeros for a
        dot.
        """

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """Ways to cut a piece into smaller ones, which may belong to different digits, from left to
        right.
        """


def union(group: Group) -> Box:
    """The smallest box around the boxes of a group."""
    boxes = np.array([piece.box for piece in group])
    return Box(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())


_LEVEL = 0.3  # of ink that belongs to a component
_SPECK = 0.004  # least area of a component, as a fraction of the largest one's
_MAX_PIECES = 80
_TURNS = (0.05, 0.2, 0.6)  # costs of a diagonal step of the paths that cut; of a pixel of ink: 1
# Of a pixel's cost is saved where it is twice as far from the edge as the mean of the ink.
_DEEP = 0.9
# at most, for each height of a piece's width, and in all
_CUTS = 6
_MAX_CUTS = 30
_FLAT = 8  # height in pixels below which nothing is cut


def ink_pieces(ink: np.ndarray) -> list[Piece]:
    """The components of `ink`, float32 (height, width) in 0..1, with the faint pixels at their
    edges.

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
        pieces.append(
            _ink_piece(np.where((labels == number) | (labels == 0), ink[part], 0), box[0], box[1])
        )
    return pieces


def reduced(ink: np.ndarray, factor: int) -> np.ndarray:
    """The means of blocks of `factor` x `factor` pixels, float32."""
    if factor == 1:
        return ink
    height, width = ink.shape
    padded = np.pad(ink, ((0, -height % factor), (0, -width % factor)))
    rows = padded.reshape(-1, factor, padded.shape[1]).sum(axis=1)
    return rows.reshape(len(rows), -1, factor).sum(axis=2) / np.float32(factor * factor)


def _ink_piece(ink: np.ndarray, left: float, top: float) -> Piece:
    return _piece(Box(left, top, left + ink.shape[1], top + ink.shape[0]), float(ink.sum()), ink)


class Ink:
    """A `Source` of pieces of ink, prepared like a picture."""

    has_links = False

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        images = np.zeros((len(groups), SIDE, SIDE), np.uint8)
        for number, group in enumerate(groups):
            image = normalize(joined(group), usual_thickness=True)
            if image is not None:
                images[number] = image
        return images

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """Along paths that cross the least ink, stiff ones and others that go around corners.

        Ink far from its edge costs little: where two digits touch, a path goes along the middle of
        both strokes.
        """
        if len(piece.content) < _FLAT:
            return []
        depth = depths(piece.content > _LEVEL)
        costs = piece.content * (1 - _DEEP * np.clip(depth / depth[depth > 0].mean() - 1, 0, 1))
        return [parts for turn in _TURNS if len(parts := _cut(piece, costs, turn)) > 1]


def joined(group: Group) -> np.ndarray:
    """The ink of a group in the box around it, float32 (height, width)."""
    left, top, right, bottom = map(int, union(group))
    ink = np.zeros((bottom - top, right - left), np.float32)
    for piece in group:
        row = int(piece.box.top) - top
        column = int(piece.box.left) - left
        height, width = piece.content.shape
        part = ink[row : row + height, column : column + width]
        np.maximum(part, piece.content, out=part)
    return ink


def _cut(piece: Piece, costs: np.ndarray, turn: float) -> list[Piece]:
    """The parts of a piece between paths from top to bottom that cost little: `costs` of its
    pixels, and of a turn.
    """
    ink = piece.content
    height, width = ink.shape
    downward, upward = (
        _paths(rows, turn) for rows in (costs[: height // 2 + 1], costs[: height // 2 - 1 : -1])
    )
    crossed = downward[0][-1] + upward[0][-1] - costs[height // 2]
    count = min(2 + round(_CUTS * width / height), _MAX_CUTS)
    places = np.array(_least(crossed, max(3, round(0.1 * height)), count), np.int64)
    bounds = np.empty((height, len(places)), np.int64)
    for backs, rows in (downward, range(height // 2, -1, -1)), (upward, range(height // 2, height)):
        columns = places
        for back, row in zip(backs[1][::-1], rows, strict=True):
            bounds[row] = columns
            columns = back[columns]
    sides = (np.arange(width)[:, None] > bounds[:, None]).sum(axis=2)
    parts = []
    for side in range(len(places) + 1):
        part = np.where(sides == side, ink, 0)
        used = np.flatnonzero((part > _LEVEL).any(axis=0))
        if len(used):
            inked = np.flatnonzero((part > _LEVEL).any(axis=1))
            part = part[inked[0] : inked[-1] + 1, used[0] : used[-1] + 1]
            parts.append(_ink_piece(part, piece.box.left + used[0], piece.box.top + inked[0]))
    return parts


def _paths(pixels: np.ndarray, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """The least cost of a path from the first row to each pixel, and the column before; float, int
    (height, width).

    A path goes down, straight or to a neighboring column. A pixel costs its value, a diagonal step
    `turn`.
    """
    height, width = pixels.shape
    costs = np.empty((height, width))
    backs = np.empty((height, width), np.int64)
    columns = np.arange(width)
    costs[0] = pixels[0]
    backs[0] = columns
    for row in range(1, height):
        padded = np.pad(costs[row - 1], 1, constant_values=np.inf)
        options = np.stack((padded[1:-1], padded[:-2] + turn, padded[2:] + turn))
        step = options.argmin(axis=0)
        costs[row] = pixels[row] + options.min(axis=0)
        backs[row] = columns + np.array((0, -1, 1))[step]
    return costs, backs


def _least(crossed: np.ndarray, distance: int, count: int) -> list[int]:
    """The places of at most `count` least values, at least `distance` apart and from the ends,
    ascending.
    """
    chosen: list[int] = []
    for cut in (np.argsort(crossed[distance:-distance], kind="stable") + distance).tolist():
        if all(abs(cut - other) >= distance for other in chosen):
            chosen.append(cut)
            if len(chosen) == count:
                break
    return sorted(chosen)


_STEP = 0.12  # least length between two cuts, as a fraction of the stroke's height
_MAX_PARTS = 24
# Along which a curve turns back at its turning points.
_AXES = np.array(((1, 0), (0, 1), (1, 1), (1, -1)))


def stroke_pieces(curves: Sequence[np.ndarray]) -> list[Piece]:
    """A piece for each curve, float (k, 2), as `core.drawing.strokes.visible` returns them."""
    return [_stroke_piece(curve) for curve in curves]


def _stroke_piece(curve: np.ndarray) -> Piece:
    box = Box(*curve.min(axis=0).tolist(), *curve.max(axis=0).tolist())
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    return _piece(box, max(length, 1e-3), curve)


class Strokes:
    """A `Source` of curves, rendered with a pen of the usual width."""

    has_links = True

    def images(self, groups: Sequence[Group]) -> np.ndarray:
        if not groups:
            return np.zeros((0, SIDE, SIDE), np.uint8)
        return render(join([[piece.content for piece in group] for group in groups]))

    def cuts(self, piece: Piece) -> list[list[Piece]]:
        """One way: at the turning points of the curve, where it changes from up to down or from
        left to right.
        """
        curve = piece.content
        along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))))
        step = _STEP * max(piece.box.height, 0.3 * piece.box.width)
        cut_points = [0]
        for point in np.unique(np.concatenate([_turns(curve @ axis, step / 4) for axis in _AXES])):
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
    # Comparing Python's numbers takes a quarter of the time of comparing NumPy's.
    numbers = values.tolist()
    for index, value in enumerate(numbers):
        if value > numbers[high]:
            high = index
        if value < numbers[low]:
            low = index
        if rising is not False and value < numbers[high] - least:
            turns.append(high)
            rising = False
            low = index
        elif rising is not True and value > numbers[low] + least:
            turns.append(low)
            rising = True
            high = index
    return np.array(turns, np.int64)
