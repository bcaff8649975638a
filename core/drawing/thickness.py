"""Brings the strokes of a picture to the usual thickness, that of MNIST's digits in proportion to their size."""

import numpy as np

USUAL = 2.3 / 20
"""Thickness of strokes divided by the longest side of the ink; see `core.drawing.rendering.PEN`."""

THINNEST, THICKEST = 0.6 * USUAL, 1.6 * USUAL
"""Strokes between these are left as they are."""

SIDE = 120
"""Longest side of the ink, in pixels, at which it is measured and changed."""

_INK = 0.4  # level from which a pixel belongs to a stroke


def with_usual_thickness(ink: np.ndarray) -> np.ndarray | None:
    """`ink`, float32 (height, width) in 0..1 and cropped, with strokes of about the usual thickness.

    Strokes that are far too thin are widened by a maximum filter, strokes that are far too thick are narrowed by a
    minimum filter. None where the strokes are neither, or would vanish. The longest side of `ink` should be SIDE.
    """
    ink = ink / max(float(ink.max()), 1e-6)
    width, side = thickness(ink), max(ink.shape)
    if not width or THINNEST <= width / side <= THICKEST:
        return None
    # Removing d pixels from both edges of the strokes removes them from both edges of the picture as well:
    # width - 2 d = USUAL (side - 2 d).
    change = (width - USUAL * side) / (2 * (1 - USUAL))
    steps = round(abs(change))
    ink = _erode(np.pad(ink, 1), steps) if change > 0 else 1 - _erode(1 - np.pad(ink, steps + 1), steps)
    return ink if float(ink.max()) > _INK else None


def thickness(ink: np.ndarray) -> float:
    """The mean thickness of the strokes in pixels; 0 without ink.

    The distance from the edge, averaged over a stroke of thickness w, is w / 4.
    """
    left = np.pad(ink > _INK, 1)
    area = total = int(left.sum())
    if not area:
        return 0.0
    for step in range(max(ink.shape)):
        left = _erode(left, 1, step)
        remaining = int(left.sum())
        if not remaining:
            break
        total += remaining
    # A pixel that the k-th erosion removes has a distance of k - 1/2.
    return 4 * (total / area - 0.5)


def _erode(values: np.ndarray, steps: int, first: int = 0) -> np.ndarray:
    """The minimum of `values` over octagons of radius `steps`: squares and crosses of 3x3 by turns, from `first` on."""
    for step in range(first, first + steps):
        inner = values.copy()
        inner[1:] = np.minimum(inner[1:], values[:-1])
        inner[:-1] = np.minimum(inner[:-1], values[1:])
        across = inner if step % 2 else values
        result = inner.copy()
        result[:, 1:] = np.minimum(result[:, 1:], across[:, :-1])
        result[:, :-1] = np.minimum(result[:, :-1], across[:, 1:])
        values = result
    return values
