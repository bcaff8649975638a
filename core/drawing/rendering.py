"""Compiled loops: strokes to 28x28 images like those of MNIST, and ink to their size and place.

The canvas, the pen strokes in files and the built-in digits are all rendered here. Only operations that IEEE 754
rounds correctly are used, and places are rounded to 1/256 pixel, so that strokes give the same image on every machine.
"""

import numpy as np

from core.drawing.ink import INK_SIDE, MIDDLE, SIDE, THRESHOLD
from core.drawing.strokes import Polylines
from kernels.compiled import compiled

PEN = 2.3
"""The usual width of the pen in pixels of the 28x28 image, as of MNIST's strokes."""

FACTOR = 2
"""Side of the squares of pixels that are painted for one pixel of the image."""

BOX = FACTOR * INK_SIDE
MIN_ASPECT = 0.35
MAX_WIDENING = 2.0
"""A digit that is narrower than this share of its height is widened to it, but at most so many times.

Few sevens are narrower. With a greater share a 1 with a flag becomes as wide as a 7, and is read as one.
"""

_MARGIN = 3
CANVAS = BOX + 2 * _MARGIN
_THRESHOLD = int(THRESHOLD * 255)


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
def paint_segment(ink, x0, y0, x1, y1, radius) -> None:  # noqa: ANN001 - compiled
    """Draw a line with round ends into uint8 (height, width) `ink`, keeping the darker of old and new.

    A pixel's ink falls from 255 to 0 over one pixel at the edge.
    """
    reach = radius + 1.0
    top = max(int(min(y0, y1) - reach), 0)
    bottom = min(int(max(y0, y1) + reach) + 1, ink.shape[0])
    left = max(int(min(x0, x1) - reach), 0)
    right = min(int(max(x0, x1) + reach) + 1, ink.shape[1])
    dx = x1 - x0
    dy = y1 - y0
    length = dx * dx + dy * dy
    inner = max(radius - 0.5, 0.0) ** 2
    outer = (radius + 0.5) ** 2
    for row in range(top, bottom):
        py = row + 0.5 - y0
        for column in range(left, right):
            # Neighboring segments overlap: most pixels have all their ink already.
            if ink[row, column] == 255:
                continue
            px = column + 0.5 - x0
            projection = px * dx + py * dy
            along = 0.0
            if projection >= length > 0.0:
                along = 1.0
            elif projection > 0.0:
                along = projection / length
            ex = px - along * dx
            ey = py - along * dy
            square = ex * ex + ey * ey
            if square < outer:
                level = 255 if square <= inner else int(255.0 * (radius + 0.5 - np.sqrt(square)))
                if level > ink[row, column]:
                    ink[row, column] = level


@compiled
def mark_near(places, path, distance, near) -> None:  # noqa: ANN001 - compiled
    """Set `near`, bool (n,), where a point of `places`, (n, 2), is nearer than `distance` to one of `path`, (m, 2)."""
    for i in range(places.shape[0]):
        for j in range(path.shape[0]):
            x = places[i, 0] - path[j, 0]
            y = places[i, 1] - path[j, 1]
            if x * x + y * y < distance * distance:
                near[i] = True
                break


@compiled
def shrunk(box, scale):  # noqa: ANN001, ANN201 - compiled
    """`box`, float64 (height, width), with both sides multiplied by `scale`: float64, sums over areas.

    Each pass sums along the first axis of the transposed values: along the rows first, then along the columns.
    """
    sums = box
    for _ in range(2):
        lines = np.ascontiguousarray(sums.T)
        size = len(lines)
        count = max(1, round(size * scale))
        sums = np.zeros((count, lines.shape[1]))
        for cell in range(count):
            low = cell * (size / count)
            high = (cell + 1) * (size / count)
            for line in range(int(low), min(int(high) + 1, size)):
                share = max(min(high, line + 1.0) - max(low, float(line)), 0.0)
                for place in range(lines.shape[1]):
                    sums[cell, place] += share * lines[line, place]
    return sums


@compiled
def centered(small):  # noqa: ANN001, ANN201 - compiled
    """uint8 (28, 28), peak 255: `small`, of at most 28x28, with its center of mass at MIDDLE, rounded.

    All of it stays inside.
    """
    rows, columns = small.shape
    peak = 0.0
    total = 0.0
    moment_y = 0.0
    moment_x = 0.0
    for row in range(rows):
        for column in range(columns):
            peak = max(peak, small[row, column])
            total += small[row, column]
            moment_y += small[row, column] * row
            moment_x += small[row, column] * column
    top = min(max(MIDDLE - round(moment_y / total), 0), SIDE - rows)
    left = min(max(MIDDLE - round(moment_x / total), 0), SIDE - columns)
    image = np.zeros((SIDE, SIDE), np.uint8)
    # One by one: where a part of an array is assigned, Numba compiles the message of an error, which takes seconds.
    for row in range(rows):
        for column in range(columns):
            image[top + row, left + column] = int(np.rint(small[row, column] * 255.0 / peak))
    return image


@compiled
def normalize_ink(ink, image) -> None:  # noqa: ANN001 - compiled
    """Crop, scale and center uint8 `ink` into uint8 (28, 28) `image`, which stays as it is without ink."""
    top = ink.shape[0]
    bottom = -1
    left = ink.shape[1]
    right = -1
    for row in range(ink.shape[0]):
        for column in range(ink.shape[1]):
            if ink[row, column] > _THRESHOLD:
                top = min(top, row)
                bottom = max(bottom, row)
                left = min(left, column)
                right = max(right, column)
    if bottom >= 0:
        box = ink[top : bottom + 1, left : right + 1].astype(np.float64)
        digit = centered(shrunk(box, INK_SIDE / max(box.shape)))
        for row in range(SIDE):
            for column in range(SIDE):
                image[row, column] = digit[row, column]


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
