"""The axes of a plot: their ticks and numbers."""

from math import ceil, floor, log10
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF

from gui.text import localized
from gui.widgets.theme import SMALL, Colors, theme

# An axis of losses reaches to so many times what this percentage of the values stays below: a few
# do not rule it.
MOST, MOST_TIMES = 90, 1.5
_PIXELS_PER_TICK = 28
_MOST_LINES = 6  # of a grid
_MOST_STEPS = 4  # between the lines of an axis of percentages
_HALF_NUMBER = 9  # pixels at a text size of 100 %: half the height of a number


class PlotAxis(pg.AxisItem):
    """The axis of values has few ticks, and its title stands above it."""

    def resizeEvent(self, event: object = None) -> None:
        """Place the title; pyqtgraph turns that of the axis of values by 90 degrees, and centers
        it.
        """
        if self.orientation == "left":
            height = self.label.boundingRect().height()
            self.label.setRotation(0)
            self.label.setPos(0, -height - 2)
            # pyqtgraph keeps the axis as a picture until then.
            self.picture = None
        else:
            super().resizeEvent(event)

    def boundingRect(self) -> QRectF:
        """With room for half of the first and the last number, which pyqtgraph leaves out without
        it.
        """
        rect = super().boundingRect()
        half = theme().px(_HALF_NUMBER) if self.orientation == "left" else 0
        return rect.adjusted(0, -half, 0, half)

    def tickSpacing(self, low: float, high: float, size: float) -> list[tuple[float, float]]:
        if self.orientation == "left" and self._tickSpacing is None and high > low:
            most = min(max(size / _PIXELS_PER_TICK, 2), _MOST_LINES - 1)
            return [(round_step(low, high, most), 0)]
        return super().tickSpacing(low, high, size)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [localized(text) for text in super().tickStrings(values, scale, spacing)]


def recolor_axis(axis: Any, colors: Colors) -> None:
    """Give an axis of pyqtgraph the colors and the font sizes of the theme."""
    axis.setPen(colors.border)
    axis.setTickPen(colors.grid)
    axis.setTextPen(colors.muted)
    axis.setTickFont(theme().font(SMALL))
    axis.label.setDefaultTextColor(colors.muted)
    is_upright = axis.orientation == "left"
    axis.label.setFont(theme().font(SMALL, bold=is_upright))


def round_step(low: float, high: float, maximum: float) -> float:
    """The least of 1, 2, 5, 10, ... of which at most `maximum` steps lie between `low` and the
    larger `high`.
    """
    power = 10.0 ** floor(log10((high - low) / maximum))
    return next(
        power * factor for factor in (1, 2, 5, 10) if power * factor * maximum >= high - low
    )


def percent_axis(lowest: float) -> tuple[int, int]:
    """Where an axis of percentages up to 100 begins, and the distance of its ticks: the first tick
    under `lowest`.
    """
    for step in (2, 4, 5, 10, 20):
        first = (ceil(lowest / step) - 1) * step
        if first > 0 and 100 - first <= _MOST_STEPS * step:
            return first, step
    return 0, 25


def epoch_step(epochs: float) -> int:
    """The distance of the ticks of an axis of so many epochs."""
    return next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if epochs <= 12 * s), 1000)
