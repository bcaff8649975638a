"""Strokes of a pen and of an eraser on a square canvas, and their image for a network."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.drawing.polylines import join, smooth

MIN_EXTENT = 1 / 16
"""Strokes within a box of less than this fraction of the canvas are a dot, not a digit."""

_HALF_PEN = 0.065  # half the pen's width over the longest side of the strokes: 2.3 / 2 over 20 - 2.3 pixels
_ERASER_STEP = 1 / 140  # distance of the places where erasing is tested, as a fraction of the canvas


@dataclass(frozen=True, slots=True)
class PenStroke:
    """`points`: float (k, 2) with k > 0, x to the right, y down, in pixels of the canvas. `width`: of pen or eraser."""

    points: np.ndarray
    width: float
    erases: bool = False


def render_strokes(strokes: Sequence[PenStroke], side: float) -> np.ndarray | None:
    """The image of a drawing, uint8 (28, 28); None where there is no ink, or only a dot. `side`: of the canvas.

    The pen's width in the image is always the usual one: small and large digits, drawn with any pen, look the same.
    """
    drawn = visible(strokes, side)
    if not drawn:
        return None
    lines = join([drawn])
    if lines.extents()[0] < side * MIN_EXTENT:
        return None
    # Imported here, because it imports a compiler.
    from core.drawing.rendering import render

    return render(lines)[0]


def visible(strokes: Sequence[PenStroke], side: float) -> list[np.ndarray]:
    """The curves of the pen, float (k, 2), without what was erased after it was drawn."""
    curves: list[np.ndarray] = []
    for stroke in strokes:
        curve = smooth(stroke.points)
        if stroke.erases and curves:
            # The ends that the eraser leaves are drawn round, with half the pen's width.
            trim = _HALF_PEN * float(np.ptp(np.concatenate(curves), axis=0).max())
            curves = [part for old in curves for part in _erase(old, curve, stroke.width, trim, side)]
        elif not stroke.erases:
            curves.append(curve)
    return curves


def _erase(curve: np.ndarray, path: np.ndarray, width: float, trim: float, side: float) -> list[np.ndarray]:
    """The parts of `curve` whose distance to `path` is more than half of `width`, each end `trim` shorter."""
    # Imported here, because it imports a compiler.
    from core.drawing.rasterizing import mark_near

    step = side * _ERASER_STEP
    reach = width / 2 + step
    if (curve.max(axis=0) < path.min(axis=0) - reach).any() or (
        curve.min(axis=0) > path.max(axis=0) + reach
    ).any():
        return [curve]
    places, eraser = _refine(curve, step), _refine(path, step)
    erased = np.zeros(len(places), bool)
    mark_near(places, eraser, width / 2, erased)
    if not erased.any():
        return [curve]
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))))
    covered = erased.copy()
    for cut in np.flatnonzero(np.diff(covered)):
        erased |= np.abs(along - along[cut + (not covered[cut])]) < trim
    cuts = np.flatnonzero(np.diff(erased)) + 1
    parts, kept = np.split(places, cuts), np.split(~erased, cuts)
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
