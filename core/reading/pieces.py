"""Pieces of a drawing or picture that are joined to digits: strokes of a pen, or connected
components of ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from core.drawing.ink import SIDE, normalize
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


def union(group: Group) -> Box:
    """The smallest box around the boxes of a group."""
    boxes = np.array([piece.box for piece in group])
    return Box(*boxes[:, :2].min(axis=0).tolist(), *boxes[:, 2:].max(axis=0).tolist())


LEVEL = 0.3
"""Of ink that belongs to a component."""

_SPECK = 0.004  # least area of a component, as a fraction of the largest one's
_MAX_PIECES = 80


def ink_pieces(ink: np.ndarray) -> list[Piece]:
    """The components of `ink`, float32 (height, width) in 0..1, with the faint pixels at their
    edges.

    Empty for so many components that they are no digits.
    """
    regions = components(ink > LEVEL)
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
            ink_piece(np.where((labels == number) | (labels == 0), ink[part], 0), box[0], box[1])
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


def ink_piece(ink: np.ndarray, left: float, top: float) -> Piece:
    """The piece of `ink`, float32 (height, width), whose first pixel is at (left, top)."""
    return _piece(Box(left, top, left + ink.shape[1], top + ink.shape[0]), float(ink.sum()), ink)


def ink_images(groups: Sequence[Group]) -> np.ndarray:
    """The image of each group of pieces of ink, uint8 (n, 28, 28), prepared like a picture; zeros
    for a dot.
    """
    images = np.zeros((len(groups), SIDE, SIDE), np.uint8)
    for number, group in enumerate(groups):
        image = normalize(joined(group), usual_thickness=True)
        if image is not None:
            images[number] = image
    return images


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


_STEP = 0.12  # least length between two cuts, as a fraction of the stroke's height
_MAX_PARTS = 24
# Along which a curve turns back at its turning points.
_AXES = np.array(((1, 0), (0, 1), (1, 1), (1, -1)))


def stroke_piece(curve: np.ndarray) -> Piece:
    """The piece of a curve, float (k, 2), as `core.drawing.strokes.visible` returns them."""
    box = Box(*curve.min(axis=0).tolist(), *curve.max(axis=0).tolist())
    length = float(np.hypot(*np.diff(curve, axis=0).T).sum())
    return _piece(box, max(length, 1e-3), curve)


def stroke_images(groups: Sequence[Group]) -> np.ndarray:
    """The image of each group of strokes, uint8 (n, 28, 28), rendered with a pen of the usual
    width; zeros for a dot.
    """
    if not groups:
        return np.zeros((0, SIDE, SIDE), np.uint8)
    return render(join([[piece.content for piece in group] for group in groups]))


def parts_between_turns(piece: Piece) -> list[Piece]:
    """The parts of a stroke between its turning points, where it changes from up to down or from
    left to right; none where there are too many, or no turning point.
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
    ends = pairwise([*cut_points, len(curve) - 1])
    return [stroke_piece(curve[start : end + 1]) for start, end in ends]


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
