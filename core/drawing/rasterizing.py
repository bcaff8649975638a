"""Compiled loops: paint ink into an array, find erased places, bring ink to the size and place of MNIST's digits."""

import numpy as np

from core.drawing.ink import INK_SIDE, MIDDLE, SIDE, THRESHOLD
from kernels.compiled import compiled

_THRESHOLD = int(THRESHOLD * 255)


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
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    inner, outer = max(radius - 0.5, 0.0) ** 2, (radius + 0.5) ** 2
    for row in range(top, bottom):
        py = row + 0.5 - y0
        for column in range(left, right):
            px = column + 0.5 - x0
            along = 0.0
            if length > 0.0:
                along = min(max((px * dx + py * dy) / length, 0.0), 1.0)
            ex, ey = px - along * dx, py - along * dy
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
            x, y = places[i, 0] - path[j, 0], places[i, 1] - path[j, 1]
            if x * x + y * y < distance * distance:
                near[i] = True
                break


@compiled
def normalize_ink(ink, image) -> None:  # noqa: ANN001 - compiled
    """Crop, scale and center uint8 `ink` into uint8 (28, 28) `image`, as core.drawing.ink.normalize does."""
    top, bottom, left, right = ink.shape[0], -1, ink.shape[1], -1
    for row in range(ink.shape[0]):
        for column in range(ink.shape[1]):
            if ink[row, column] > _THRESHOLD:
                top, bottom = min(top, row), max(bottom, row)
                left, right = min(left, column), max(right, column)
    if bottom < 0:
        return
    height, width = bottom + 1 - top, right + 1 - left
    scale = INK_SIDE / max(height, width)
    rows, columns = max(1, round(height * scale)), max(1, round(width * scale))
    narrow = np.zeros((height, columns))
    for row in range(height):
        for column in range(columns):
            low, high = column * (width / columns), (column + 1) * (width / columns)
            total = 0.0
            for pixel in range(int(low), min(int(high) + 1, width)):
                total += (
                    max(min(high, pixel + 1.0) - max(low, float(pixel)), 0.0) * ink[top + row, left + pixel]
                )
            narrow[row, column] = total
    small = np.zeros((rows, columns))
    total, moment_y, moment_x, peak = 0.0, 0.0, 0.0, 0.0
    for row in range(rows):
        low, high = row * (height / rows), (row + 1) * (height / rows)
        for pixel in range(int(low), min(int(high) + 1, height)):
            overlap = max(min(high, pixel + 1.0) - max(low, float(pixel)), 0.0)
            for column in range(columns):
                small[row, column] += overlap * narrow[pixel, column]
        for column in range(columns):
            value = small[row, column]
            total += value
            moment_y += value * row
            moment_x += value * column
            peak = max(peak, value)
    y = min(max(MIDDLE - round(moment_y / total), 0), SIDE - rows)
    x = min(max(MIDDLE - round(moment_x / total), 0), SIDE - columns)
    for row in range(rows):
        for column in range(columns):
            image[y + row, x + column] = round(small[row, column] * 255.0 / peak)
