"""The data of a drawing, without Qt: a background image and strokes, as points in a square."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.drawing.strokes import PenStroke

WIDE = 1120  # width of the wide canvas in pixels
SIDE = 560  # side of the square image in pixels, independent of the widget's size
REFERENCE = 280  # pen widths are given in pixels of a square of this side
PEN_WIDTHS = (8, 20, 40)  # minimum, default, maximum; 20 is 2 pixels of 28, as strokes in MNIST


class Dot(NamedTuple):
    """A position of the pen and its width there, in pixels of the image."""

    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """The dots from pressing the pen to lifting it."""

    dots: tuple[Dot, ...]
    erases: bool = False

    def points(self) -> PenStroke:
        """The stroke as an array."""
        dots = np.array(self.dots)
        return PenStroke(dots[:, :2], float(dots[:, 2].mean()), self.erases)


@dataclass(frozen=True, slots=True)
class Drawing:
    """`background`: SIDE rows of `width` bytes, 0 paper to 255 ink, or None. The strokes are painted on it in order.

    `width`: SIDE, or WIDE for numbers of several digits.
    """

    background: bytes | None = None
    strokes: tuple[Stroke, ...] = ()
    width: int = SIDE

    @property
    def is_empty(self) -> bool:
        return self.background is None and not self.strokes


def with_width(drawing: Drawing, width: int) -> Drawing:
    """The strokes of `drawing` on a canvas of another width: centered, and half as large where it is narrower.

    A picture below the strokes has to be fitted by the caller.
    """
    factor = 0.5 if width < drawing.width else 1.0
    right, down = (width - factor * drawing.width) / 2, (1 - factor) * SIDE / 2

    def moved(stroke: Stroke) -> Stroke:
        dots = (Dot(x * factor + right, y * factor + down, w * factor) for x, y, w in stroke.dots)
        return Stroke(tuple(dots), stroke.erases)

    return Drawing(None, tuple(map(moved, drawing.strokes)), width)


class Curve(NamedTuple):
    """A quadratic Bezier curve of constant width."""

    start: tuple[float, float]
    control: tuple[float, float]
    end: tuple[float, float]
    width: float


def settled_curve(dots: list[Dot] | tuple[Dot, ...], index: int) -> Curve:
    """The curve from the middle before dot `index` to the middle between it and dot `index + 1`.

    Its control point is dot `index`, so that neighboring curves have the same tangent where they meet. Later dots
    do not change it.
    """
    dot, after = dots[index], dots[index + 1]
    start = (dot.x, dot.y) if index == 0 else _middle(dots[index - 1], dot)
    return Curve(start, (dot.x, dot.y), _middle(dot, after), (dot.width + after.width) / 2)


def tail(dots: list[Dot] | tuple[Dot, ...]) -> Curve:
    """The straight segment from the last settled curve to the last dot; the next dot replaces it."""
    last = dots[-1]
    start = (last.x, last.y) if len(dots) == 1 else _middle(dots[-2], last)
    return Curve(start, start, (last.x, last.y), last.width)


def _middle(a: Dot, b: Dot) -> tuple[float, float]:
    return (a.x + b.x) / 2, (a.y + b.y) / 2
