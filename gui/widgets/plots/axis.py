"""The axes of a plot: their ticks and numbers, also on a logarithmic scale."""

from math import ceil, floor, log10
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from gui.text import SUPERSCRIPT, duration, in_unit, localized, number, unit_of
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import SMALL, Colors, theme

# An axis of losses reaches to so many times what this percentage of the values stays below: a few
# do not rule it.
MOST, MOST_TIMES = 90, 1.5
_PIXELS_PER_TICK = {"left": 28, "bottom": 44}
_MOST_LINES = 6  # of a grid
_MOST_STEPS = 4  # between the lines of an axis of percentages
_HALF_NUMBER = 9  # pixels at a text size of 100 %: half the height of a number


class LogAxis(pg.AxisItem):
    """Replaces pyqtgraph's logarithmic ticks, which are all multiples of powers of ten (8·10¹,
    9·10¹).

    The axis of values has few ticks, and its title stands above it. timed: whether the values are
    seconds, written with their unit.
    """

    timed = False

    def resizeEvent(self, event: object = None) -> None:
        """Place the title; pyqtgraph turns that of the axis of values by 90 degrees, and centers
        it.
        """
        if self.orientation == "left":
            height = self.label.boundingRect().height()
            self.label.setRotation(0)
            self.label.setPos(0, -height - 2)
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
            return [(round_step(low, high, self._most_ticks(size)), 0)]
        return super().tickSpacing(low, high, size)

    def _most_ticks(self, size: float) -> float:
        most = max(size / _PIXELS_PER_TICK[self.orientation], 2)
        return min(most, _MOST_LINES - 1) if self.orientation == "left" else most

    def logTickValues(
        self, low: float, high: float, size: float, ticks: object
    ) -> list[tuple[float, list[float]]]:
        return [(1.0, log_ticks(low, high, self._most_ticks(size)))]

    def logTickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [duration(10**value) for value in values] if self.timed else format_ticks(values)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        if not self.timed or self.logMode or not len(values):
            return [localized(text) for text in super().tickStrings(values, scale, spacing)]
        unit = unit_of(max(values, key=abs))
        return [in_unit(value, unit) for value in values]


def recolor_axis(axis: Any, colors: Colors) -> None:
    """Give an axis of pyqtgraph the colors and the font sizes of the theme."""
    axis.setPen(colors.border)
    axis.setTickPen(colors.grid)
    axis.setTextPen(colors.muted)
    axis.setTickFont(theme().font(SMALL))
    axis.label.setDefaultTextColor(QColor(colors.muted))
    is_upright = axis.orientation == "left"
    axis.label.setFont(theme().font(SMALL, bold=is_upright))


def log_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Decimal logarithms of round numbers between 10^low and 10^high, about `maximum` of them at
    most.
    """
    decades = max(high - low, 1e-9)
    choices: tuple[tuple[int, ...], ...] = ((1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
    factors = next((choice for choice in choices if decades * len(choice) <= maximum), choices[-1])
    stride = max(1, ceil(decades / maximum))
    powers = [power for power in range(floor(low), ceil(high) + 1) if power % stride == 0]
    ticks = [power + log10(factor) for power in powers for factor in factors]
    ticks = [tick for tick in ticks if low <= tick <= high]
    if len(ticks) > 1:
        return ticks
    # Less than a decade has few round numbers: the multiples of a round step.
    return [log10(tick) for tick in round_ticks(10**low, 10**high, maximum) if tick > 0]


def round_ticks(low: float, high: float, maximum: float) -> list[float]:
    """Multiples of a round step between `low` and the larger `high`, about `maximum` of them at
    most.
    """
    step = round_step(low, high, maximum)
    return [k * step for k in range(ceil(low / step), floor(high / step) + 1)]


def round_step(low: float, high: float, maximum: float) -> float:
    """The least of 1, 2, 5, 10, ... of which at most `maximum` steps lie between `low` and the
    larger `high`.
    """
    power = 10.0 ** floor(log10((high - low) / maximum))
    return next(
        power * factor for factor in (1, 2, 5, 10) if power * factor * maximum >= high - low
    )


def format_ticks(values: list[float]) -> list[str]:
    """Format 10^value for each value, all alike: 500; 5 k beside 10 k; 5·10² beside very small or
    large numbers.
    """
    powers = [floor(value + 1e-9) for value in values]
    factors = [round(10 ** (value - power)) for value, power in zip(values, powers, strict=True)]
    ticks = list(zip(values, factors, powers, strict=True))
    if any(abs(10 ** (value - power) - factor) > 0.01 for value, factor, power in ticks):
        return [number(10**value, 3) for value in values]
    if any(power <= -4 or power >= 12 for power in powers):
        return [
            f"{f'{k}·' if k != 1 else ''}10{str(power).translate(SUPERSCRIPT)}"
            for _, k, power in ticks
        ]
    words = []
    for _, factor, power in ticks:
        unit = power // 3 if power >= 3 and max(powers) >= 4 else 0
        words.append(f"{number(factor * 10.0 ** (power - 3 * unit), 3)} {' kMG'[unit]}".strip())
    return words


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
