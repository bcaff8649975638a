"""Renders strokes as 28x28 images like those of MNIST, with a pen width in proportion to the digit.

The canvas, the pen strokes in files and the built-in digits are all rendered here. Only operations that IEEE 754
rounds correctly are used, and places are rounded to 1/256 pixel, so that strokes give the same image on every machine.
"""

import numpy as np

from core.drawing.ink import INK_SIDE, SIDE
from core.drawing.polylines import Polylines
from core.drawing.rasterizing import normalize_ink, paint_segment
from kernels.compiled import compiled

PEN = 2.3
"""The usual width of the pen in pixels of the 28x28 image, as of MNIST's strokes."""

FACTOR = 2
"""Side of the squares of pixels that are painted for one pixel of the image."""

BOX = FACTOR * INK_SIDE
MIN_ASPECT, MAX_WIDENING = 0.35, 2.0
"""A digit that is narrower than this share of its height is widened to it, but at most so many times.

Few sevens are narrower. With a greater share a 1 with a flag becomes as wide as a 7, and is read as one.
"""

_MARGIN = 3
CANVAS = BOX + 2 * _MARGIN


def render(
    lines: Polylines, width: "np.ndarray | float" = PEN, pressure: "np.ndarray | float" = 1.0
) -> np.ndarray:
    """The images of `lines`, uint8 (n, 28, 28): the longest side of the ink is 20, its center of mass at 14.

    Narrow digits are widened (see MIN_ASPECT), because the pen would fill their loops.

    `width`: of the pen in pixels of the image, a number or float (n,). `pressure` multiplies it, a number or float
    (p,).
    """
    images = np.zeros((len(lines), SIDE, SIDE), np.uint8)
    if len(lines):
        counts = np.diff(lines.offsets)
        radius = np.broadcast_to(np.asarray(width, float) * (FACTOR / 2), (len(lines),))
        points = _fit(lines, radius, counts)
        radii = np.rint(np.repeat(radius, counts) * pressure * 256) / 256
        _draw(points[:, 0].copy(), points[:, 1].copy(), radii, lines.joined, lines.offsets, images)
    return images


def _fit(lines: Polylines, radius: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The points, scaled so that the longest side of the ink is BOX, in the middle of the canvas."""
    low, high = lines.boxes()
    width, height = (high - low).T
    scale = (BOX - 2 * radius) / np.maximum(np.maximum(width, height), 1e-9)
    held = np.maximum(width, np.minimum(MAX_WIDENING * width, MIN_ASPECT * height))
    widening = held / np.maximum(width, 1e-9)
    scales = np.stack((scale * np.where(width > 0, widening, 1.0), scale), axis=1)
    middle = (low + high) / 2
    points = (lines.points - np.repeat(middle, counts, axis=0)) * np.repeat(scales, counts, axis=0)
    return np.rint((points + CANVAS / 2) * 256) / 256


@compiled
def _draw(x, y, radii, joined, offsets, images):  # noqa: ANN001, ANN202 - compiled; see render
    ink = np.zeros((CANVAS, CANVAS), np.uint8)
    for i in range(images.shape[0]):
        ink[:] = 0
        for p in range(offsets[i], offsets[i + 1]):
            if joined[p]:
                paint_segment(ink, x[p], y[p], x[p + 1], y[p + 1], radii[p])
            elif p == offsets[i] or not joined[p - 1]:  # a stroke of one point
                paint_segment(ink, x[p], y[p], x[p], y[p], radii[p])
        normalize_ink(ink, images[i])
