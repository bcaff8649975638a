"""Compiled loops that render many digits, such as those of the built-in data set, as
`core.drawing.rendering` does.
"""

import numpy as np

from core.drawing.ink import INK_SIDE, SIDE, THRESHOLD, centered, shrunk
from kernels.compiled import compiled

_THRESHOLD = int(THRESHOLD * 255)

_shrunk = compiled(shrunk)
_centered = compiled(centered)


@compiled
def paint_segment(ink, x0, y0, x1, y1, radius) -> None:  # noqa: ANN001 - compiled
    """As `core.drawing.rendering.paint` draws one line."""
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
def _normalize(ink, image) -> None:  # noqa: ANN001 - compiled
    """Crop, scale and center uint8 `ink` into uint8 (28, 28) `image`, which stays as it is without
    ink.
    """
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
        digit = _centered(_shrunk(box, INK_SIDE / max(box.shape)))
        for row in range(SIDE):
            for column in range(SIDE):
                image[row, column] = digit[row, column]


@compiled
def draw(x, y, radii, joined, offsets, ink, images) -> None:  # noqa: ANN001 - compiled
    """Write uint8 (n, 28, 28) `images`. `ink`: the canvas. The rest is as in `render`."""
    for i in range(images.shape[0]):
        ink[:] = 0
        for p in range(offsets[i], offsets[i + 1]):
            if joined[p]:
                paint_segment(ink, x[p], y[p], x[p + 1], y[p + 1], radii[p])
            elif p == offsets[i] or not joined[p - 1]:  # a stroke of one point
                paint_segment(ink, x[p], y[p], x[p], y[p], radii[p])
        _normalize(ink, images[i])
