"""The image of a line of digits, for the network that reads numbers: the ink is 20 pixels high in
24 rows, and as wide as it is.

Strokes are painted and pictures are shrunk by area, so that a seed, a drawing or a picture gives
the same image on every machine.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.drawing.ink import shrunk
from core.drawing.rendering import FACTOR, paint

ROWS = 24
INK_ROWS = 20
MARGIN = 4
"""Empty columns at both sides."""

PEN = 2.6
"""Width of the pen in pixels of the image."""

_LONGEST = 12
"""A line that is more than so many times as wide as high is lower than INK_ROWS."""


@dataclass(frozen=True, slots=True)
class LineImage:
    """`pixels`: uint8 (24, even width). A pixel has 1 / `scale` of the unit of the drawing, and the
    ink begins in column MARGIN at `left`.
    """

    pixels: np.ndarray
    scale: float
    left: float

    def place(self, column: float) -> float:
        """The x in the drawing of a column of the image."""
        return self.left + (column - MARGIN) / self.scale

    def column(self, place: float) -> float:
        """The column of the image at an x in the drawing."""
        return (place - self.left) * self.scale + MARGIN


def line_of_strokes(
    strokes: Sequence[np.ndarray],
    pen: float = PEN,
    painter: Callable[..., None] = paint,
) -> LineImage:
    """The image of `strokes`, float (k, 2) each with k > 0, x to the right, y down, in any unit.

    `painter`: as `core.drawing.rendering.paint`.
    """
    points = np.concatenate(strokes)
    low = points.min(axis=0)
    width, height = (points.max(axis=0) - low).tolist()
    # A single point has no size.
    scale = (INK_ROWS - pen) / max(height, width / _LONGEST, 1e-9)
    starts, ends = _segments(strokes)
    offset = np.array((MARGIN + pen / 2, (ROWS - height * scale) / 2))
    columns = 2 * MARGIN + int(np.ceil(width * scale + pen))
    columns += columns % 2
    ink = np.zeros((FACTOR * ROWS, FACTOR * columns), np.uint8)
    starts, ends = (
        # Rounded to 1/256 pixel, so that the image is the same on every machine.
        np.rint(((part - low) * scale + offset) * FACTOR * 256) / 256
        for part in (starts, ends)
    )
    painter(ink, starts, ends, np.full(len(starts), FACTOR * pen / 2))
    pixels = ink.reshape(ROWS, FACTOR, columns, FACTOR).mean(axis=(1, 3)).astype(np.uint8)
    return LineImage(pixels, scale, float(low[0]) - pen / 2 / scale)


def _segments(strokes: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The ends of all lines of the strokes, float (s, 2); a stroke of one point is a line."""
    starts = [stroke[:-1] if len(stroke) > 1 else stroke for stroke in strokes]
    ends = [stroke[1:] if len(stroke) > 1 else stroke for stroke in strokes]
    return np.concatenate(starts), np.concatenate(ends)


def line_of_ink(ink: np.ndarray) -> LineImage:
    """The image of `ink`, float (height, width) in 0..1, cropped to the ink, which has some."""
    height, width = ink.shape
    scale = INK_ROWS / max(height, width / _LONGEST)
    small = shrunk(ink.astype(np.float64), scale)
    small *= 255.0 / small.max()
    rows, columns = small.shape
    pixels = np.zeros((ROWS, columns + 2 * MARGIN + columns % 2), np.uint8)
    top = (ROWS - rows) // 2
    pixels[top : top + rows, MARGIN : MARGIN + columns] = np.rint(small)
    return LineImage(pixels, scale, 0.0)
