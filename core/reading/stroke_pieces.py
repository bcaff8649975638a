"""Strokes of a pen as pieces of digits."""

from collections.abc import Sequence

import numpy as np

from core.drawing.ink import SIDE
from core.drawing.strokes import join
from core.reading.pieces import Box, Group, Piece

_STEP = 0.12  # least length between two cuts, as a fraction of the stroke's height
_MAX_PARTS = 16


def stroke_pieces(curves: Sequence[np.ndarray]) -> list[Piece]:
    """A piece for each curve, float (k, 2), as `core.drawing.strokes.visible` returns them."""
    return [_piece(curve) for curve in curves]


def _piece(curve: np.ndarray) -> Piece:
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
        return [[_piece(curve[a : b + 1]) for a, b in zip(cut_points, ends, strict=True)]]


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
