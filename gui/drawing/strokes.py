"""A drawing is a background of ink and the strokes made on it, as points in a square image.

Nothing here knows Qt: a widget turns pointer events into dots, an image paints the curves.
"""

from dataclasses import dataclass
from typing import NamedTuple

SIDE = 560  # pixels of the square image that holds the ink, whatever the size of the widget
REFERENCE = 280  # people think of a pen's width on a square of this side
PEN_WIDTHS = (8, 20, 40)  # least, usual, most: 20 gives the 2 pixels of a stroke in MNIST's 28x28 images


class Dot(NamedTuple):
    """A place where the pen was, and how wide it was there, in pixels of the image."""

    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """What the pen does from touching the paper to leaving it."""

    dots: tuple[Dot, ...]
    erases: bool = False


@dataclass(frozen=True, slots=True)
class Drawing:
    """`background`: SIDE rows of SIDE bytes, 0 paper to 255 ink, or None; the strokes lie on it in order."""

    background: bytes | None = None
    strokes: tuple[Stroke, ...] = ()

    @property
    def is_empty(self) -> bool:
        return self.background is None and not self.strokes

    def with_stroke(self, stroke: Stroke) -> "Drawing":
        return Drawing(self.background, (*self.strokes, stroke))


class Curve(NamedTuple):
    """A quadratic Bezier curve of one width."""

    start: tuple[float, float]
    control: tuple[float, float]
    end: tuple[float, float]
    width: float


def settled_curve(dots: list[Dot] | tuple[Dot, ...], index: int) -> Curve:
    """The part of a stroke that dot `index + 1` settles: it runs to the middle between the two dots.

    Each curve ends in the middle of two neighbouring dots with the dot before as its control, so that
    neighbours meet with one tangent. No later dot changes it.
    """
    dot, after = dots[index], dots[index + 1]
    start = (dot.x, dot.y) if index == 0 else _middle(dots[index - 1], dot)
    return Curve(start, (dot.x, dot.y), _middle(dot, after), (dot.width + after.width) / 2)


def tail(dots: list[Dot] | tuple[Dot, ...]) -> Curve:
    """The straight rest from what is settled to the last dot, which the next dot replaces."""
    last = dots[-1]
    start = (last.x, last.y) if len(dots) == 1 else _middle(dots[-2], last)
    return Curve(start, start, (last.x, last.y), last.width)


def _middle(a: Dot, b: Dot) -> tuple[float, float]:
    return (a.x + b.x) / 2, (a.y + b.y) / 2


class Square(NamedTuple):
    """The centred square of a widget's smaller side: where ink goes, in the widget's coordinates."""

    left: float
    top: float
    side: float

    @classmethod
    def inside(cls, width: float, height: float) -> "Square":
        side = max(1.0, min(width, height))
        return cls((width - side) / 2, (height - side) / 2, side)

    @property
    def scale(self) -> float:
        """Widget pixels for one pixel of the image."""
        return self.side / SIDE

    def contains(self, x: float, y: float) -> bool:
        return self.left <= x < self.left + self.side and self.top <= y < self.top + self.side

    def to_image(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) / self.scale, (y - self.top) / self.scale

    def to_widget(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.scale, self.top + y * self.scale
