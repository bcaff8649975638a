"""Strokes of a pen and of an eraser as points, and their image for a network. Importing it loads no
compiler.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_CURVE_STEPS = 4


@dataclass(frozen=True, slots=True)
class Polylines:
    """n drawings as polylines, x to the right, y down, in any unit. p: points of all drawings."""

    points: np.ndarray  # float64 (p, 2)
    joined: np.ndarray  # bool (p,), whether the pen draws from this point to the next
    # Int64 (n + 1,), the drawing i has the points offsets[i] to offsets[i + 1] - 1.
    offsets: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def extents(self) -> np.ndarray:
        """The longest side of the box around the points of each drawing, float64 (n,)."""
        low, high = self.boxes()
        return (high - low).max(axis=1)

    def boxes(self) -> tuple[np.ndarray, np.ndarray]:
        """The least and the greatest x and y of each drawing, float64 (n, 2). Each has at least one
        point.
        """
        starts = self.offsets[:-1]
        return np.minimum.reduceat(self.points, starts), np.maximum.reduceat(self.points, starts)


def join(drawings: Sequence[Sequence[np.ndarray]]) -> Polylines:
    """The polylines of `drawings`; each is a sequence of strokes, float (k, 2) with k > 0, and has
    at least one.
    """
    strokes = [np.asarray(stroke, float) for drawing in drawings for stroke in drawing]
    points = np.concatenate(strokes) if strokes else np.empty((0, 2))
    joined = np.ones(len(points), bool)
    joined[np.cumsum([len(stroke) for stroke in strokes], dtype=np.int64) - 1] = False
    counts = [sum(len(stroke) for stroke in drawing) for drawing in drawings]
    return Polylines(points, joined, np.concatenate(([0], np.cumsum(counts, dtype=np.int64))))


def smooth(stroke: np.ndarray) -> np.ndarray:
    """The points of the curve that the canvas paints through `stroke`, float (k, 2).

    Quadratic Bezier curves join the middles between neighboring points; the points are their
    control points.
    """
    points = np.asarray(stroke, float)
    if len(points) < 3:
        return points
    middles = (points[:-1] + points[1:]) / 2
    t = (np.arange(1, _CURVE_STEPS + 1) / _CURVE_STEPS)[:, None]
    start = middles[:-1, None]
    control = points[1:-1, None]
    end = middles[1:, None]
    curves = (1 - t) * (1 - t) * start + 2 * t * (1 - t) * control + t * t * end
    return np.concatenate((points[:1], middles[:1], curves.reshape(-1, 2), points[-1:]))


MIN_EXTENT = 1 / 16
"""Strokes within a box of less than this fraction of the canvas are a dot, not a digit."""

# Half the pen's width over the longest side of the strokes: 2.3 / 2 over 20 - 2.3 pixels.
_HALF_PEN = 0.065
# Distance of the places where erasing is tested, as a fraction of the canvas.
_ERASER_STEP = 1 / 140


@dataclass(frozen=True, slots=True)
class PenStroke:
    """`points`: float (k, 2) with k > 0, x to the right, y down, in pixels of the canvas. `width`:
    of pen or eraser.
    """

    points: np.ndarray
    width: float
    erases: bool = False


def visible(strokes: Sequence[PenStroke], side: float) -> list[np.ndarray]:
    """The curves of the pen, float (k, 2), without what was erased after it was drawn."""
    curves: list[np.ndarray] = []
    for stroke in strokes:
        curve = smooth(stroke.points)
        if stroke.erases and curves:
            # The ends that the eraser leaves are drawn round, with half the pen's width.
            trim = _HALF_PEN * float(np.ptp(np.concatenate(curves), axis=0).max())
            curves = [
                part for old in curves for part in _erase(old, curve, stroke.width, trim, side)
            ]
        elif not stroke.erases:
            curves.append(curve)
    return curves


def _erase(
    curve: np.ndarray, path: np.ndarray, width: float, trim: float, side: float
) -> list[np.ndarray]:
    """The parts of `curve` whose distance to `path` is more than half of `width`, each end `trim`
    shorter.
    """
    step = side * _ERASER_STEP
    reach = width / 2 + step
    if (curve.max(axis=0) < path.min(axis=0) - reach).any() or (
        curve.min(axis=0) > path.max(axis=0) + reach
    ).any():
        return [curve]
    places = _refine(curve, step)
    eraser = _refine(path, step)
    x, y = (places[:, None, axis] - eraser[:, axis] for axis in (0, 1))
    erased = (x * x + y * y < width * width / 4).any(axis=1)
    if not erased.any():
        return [curve]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))))
    # The loop adds to `erased`, but looks for the ends of what the eraser itself covers.
    covered = erased.copy()
    for cut in np.flatnonzero(np.diff(covered)):
        last_covered = cut if covered[cut] else cut + 1
        erased |= np.abs(along - along[last_covered]) < trim
    cuts = np.flatnonzero(np.diff(erased)) + 1
    parts = np.split(places, cuts)
    kept = np.split(~erased, cuts)
    return [part for part, keep in zip(parts, kept, strict=True) if keep[0]]


def _refine(points: np.ndarray, step: float) -> np.ndarray:
    """Points on the polyline with distances of at most `step`; all of `points` are among them."""
    if len(points) == 1:
        return points
    counts = np.maximum(1, np.ceil(np.hypot(*np.diff(points, axis=0).T) / step)).astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    along = (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)) / counts[rows]
    inner = points[rows] + (points[rows + 1] - points[rows]) * along[:, None]
    return np.concatenate((inner, points[-1:]))
