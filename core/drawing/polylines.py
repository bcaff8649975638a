"""Polylines: drawings as points that a pen joins, in the arrays that are rendered; needs no compiler."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_CURVE_STEPS = 4


@dataclass(frozen=True, slots=True)
class Polylines:
    """n drawings as polylines, x to the right, y down, in any unit. p: points of all drawings."""

    points: np.ndarray  # float64 (p, 2)
    joined: np.ndarray  # bool (p,), whether the pen draws from this point to the next
    offsets: np.ndarray  # int64 (n + 1,), the drawing i has the points offsets[i] to offsets[i + 1] - 1

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def extents(self) -> np.ndarray:
        """The longest side of the box around the points of each drawing, float64 (n,)."""
        low, high = self.boxes()
        return (high - low).max(axis=1)

    def boxes(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest x and y of each drawing, float64 (n, 2). Each has at least one point."""
        starts = self.offsets[:-1]
        return np.minimum.reduceat(self.points, starts), np.maximum.reduceat(self.points, starts)


def join(drawings: Sequence[Sequence[np.ndarray]]) -> Polylines:
    """The polylines of `drawings`; each is a sequence of strokes, float (k, 2) with k > 0, and has at least one."""
    strokes = [np.asarray(stroke, float) for drawing in drawings for stroke in drawing]
    points = np.concatenate(strokes) if strokes else np.empty((0, 2))
    joined = np.ones(len(points), bool)
    joined[np.cumsum([len(stroke) for stroke in strokes], dtype=np.int64) - 1] = False
    counts = [sum(len(stroke) for stroke in drawing) for drawing in drawings]
    return Polylines(points, joined, np.concatenate(([0], np.cumsum(counts, dtype=np.int64))))


def smooth(stroke: np.ndarray) -> np.ndarray:
    """The points of the curve that the canvas paints through `stroke`, float (k, 2).

    Quadratic Bezier curves join the middles between neighboring points; the points are their control points.
    """
    points = np.asarray(stroke, float)
    if len(points) < 3:
        return points
    middles = (points[:-1] + points[1:]) / 2
    t = (np.arange(1, _CURVE_STEPS + 1) / _CURVE_STEPS)[:, None]
    start, control, end = middles[:-1, None], points[1:-1, None], middles[1:, None]
    curves = (1 - t) * (1 - t) * start + 2 * t * (1 - t) * control + t * t * end
    return np.concatenate((points[:1], middles[:1], curves.reshape(-1, 2), points[-1:]))
