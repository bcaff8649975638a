"""Pieces of a drawing or picture, of which digits consist: strokes of a pen, or connected
components of ink; and the lines of text in which they stand.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
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
    """A stroke, a component, or a part of one.

    `content`: the curve of a stroke, float (k, 2); or the ink in the box, float32 (height, width),
    0 where the box holds ink of other pieces.
    """

    box: Box
    content: np.ndarray


Group = tuple[Piece, ...]


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
        # A pixel wider: the faint edge is below the level of the component.
        box = (max(left - 1, 0), max(top - 1, 0), min(right + 1, width), min(bottom + 1, height))
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        labels = regions.labels[part]
        pieces.append(
            # The box may hold ink of others, which must not be read twice.
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
    return Piece(Box(left, top, left + ink.shape[1], top + ink.shape[0]), ink)


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
        # The faint edges of two pieces may overlap: a sum would be too dark.
        np.maximum(part, piece.content, out=part)
    return ink


def stroke_piece(curve: np.ndarray) -> Piece:
    """The piece of a curve, float (k, 2), as `core.drawing.strokes.visible` returns them."""
    box = Box(*curve.min(axis=0).tolist(), *curve.max(axis=0).tolist())
    return Piece(box, curve)


def stroke_images(groups: Sequence[Group]) -> np.ndarray:
    """The image of each group of strokes, uint8 (n, 28, 28), rendered with a pen of the usual
    width; zeros for a dot.
    """
    if not groups:
        return np.zeros((0, SIDE, SIDE), np.uint8)
    return render(join([[piece.content for piece in group] for group in groups]))


_TALL = 0.5
"""A piece of at least this fraction of the tallest piece's height begins a line; others belong to
the nearest one.
"""

_APART = 0.15
_GAP = 0.1  # of the line's height: none of 624 digits in several strokes has a wider one


def lines_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces of each line of text, from top to bottom."""
    if not pieces:
        return []
    tallest = max(piece.box.height for piece in pieces)
    lines: list[list[Piece]] = []
    small = []
    # The tallest first: small ones are then given to the nearest line.
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
    if not _are_apart(lines) or max(map(len, lines)) < 2:
        return [list(pieces)]
    # By identity: pieces hold arrays, and so have no hash.
    order = {id(piece): number for number, piece in enumerate(pieces)}
    return [sorted(line, key=lambda piece: order[id(piece)]) for line in lines]


def _are_apart(lines: list[list[Piece]]) -> bool:
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
        # A piece may lie above another one that reaches further to the right.
        right = max(right, piece.box.right)
    parts: list[list[Piece]] = [[] for _ in starts]
    for piece in line:
        parts[bisect_right(starts, piece.box.left) - 1].append(piece)
    return parts


def _beside(one: Piece, other: Piece) -> bool:
    """Whether the vertical extents overlap by more than half of the smaller one."""
    overlap = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return overlap > 0.5 * min(one.box.height, other.box.height)


def _distance(one: Piece, other: Piece) -> float:
    """The distance between two boxes; vertical distance counts twice."""
    across = max(one.box.left - other.box.right, other.box.left - one.box.right, 0)
    down = max(one.box.top - other.box.bottom, other.box.top - one.box.bottom, 0)
    return across + 2 * down
