"""The chart of a benchmark's table, and its numbers for people."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import floor, log10
from typing import Any

from PySide6.QtCore import QCoreApplication, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from core.html.chart import ChartColors, Figure, chart_svg
from gui.text import about, common_unit, count, fixed, in_unit, number
from gui.widgets.basics import named
from gui.widgets.theme import theme

# Pixels of a chart of lines at a text size of 100 %, and how much larger a chart's letters are than
# in a file.
_HEIGHT = 210
_ZOOM = 1.2


class BenchmarkChart(QWidget):
    """The chart that is also exported, in the colors of the window."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "benchChart", self.tr("Chart of the measurements"))
        self.figure: Figure | None = None
        self._drawn = QSvgRenderer()
        theme().changed.connect(self._draw)

    def show_figure(self, figure: Figure | None) -> None:
        self.figure = figure
        self._draw()

    def _draw(self) -> None:
        """Draw the chart as wide as the widget, which becomes as high as the chart."""
        if self.figure is None:
            return
        zoom = theme().px(100) / 100 * _ZOOM
        colors = theme().colors
        svg = chart_svg(
            self.figure,
            size=(max(round(self.width() / zoom), 300), _HEIGHT),
            colors=ChartColors(colors.text, colors.grid, colors.base, colors.series),
        )
        self._drawn.load(svg)
        self.setFixedHeight(round(self._drawn.defaultSize().height() * zoom))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._draw()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._drawn.render(painter, QRectF(self.rect()))


_SECONDS = re.compile(r"\bseconds\b")
_RATIO = re.compile(r"times as fast|speed-up|\bover\b")
_SMALL_RATIO = 0.1
_MOST_DECIMALS = 6


def is_time(heading: str) -> bool:
    return bool(_SECONDS.search(heading))


def time_heading(heading: str) -> str:
    """The heading without the unit of time, which the cells contain."""
    return _SECONDS.sub(QCoreApplication.translate("Figures", "time"), heading, count=1)


def format_cells(heading: str, values: Sequence[Any]) -> list[str]:
    """The cells of a column: times have one unit, other numbers the same decimals in the whole
    column.
    """
    ratios = [value for value in values if isinstance(value, float) and value > 0]
    is_ratio = bool(_RATIO.search(heading))
    shown: tuple[type, ...] = (float,)
    write: Callable[[Any], str] = _format_cell
    if is_time(heading):
        shown = (int, float)
        write = partial(
            in_unit, unit=common_unit([value for value in values if isinstance(value, shown)])
        )
    elif ratios and is_ratio and max(ratios) < 1 and min(ratios) < _SMALL_RATIO:
        write = _as_fraction
    elif ratios and max(ratios) >= 1e6:
        # All numbers have the prefix of the least of them.
        prefixes = (("G", 1e9), ("M", 1e6))
        write = partial(
            in_unit, unit=next((each for each in prefixes if min(ratios) >= each[1]), ("", 1.0))
        )
    elif len(ratios) >= (1 if is_ratio else 2) and max(ratios) < 1000:
        # The largest value has this many digits, and the smallest at least two.
        digits = 3 if is_ratio else 4
        needed = max(digits - 1 - floor(log10(max(ratios))), 1 - floor(log10(min(ratios))))
        write = partial(fixed, decimals=min(max(needed, 0), _MOST_DECIMALS))
    return [
        (write if isinstance(value, shown) else _format_cell)(value).rstrip() for value in values
    ]


def _as_fraction(value: float) -> str:
    return f"1/{_rounded(1 / value)}" if value > 0 else _format_cell(value)


def _format_cell(value: Any) -> str:
    """`1,234`, `51.8 M`."""
    if value is None or isinstance(value, str | bool):
        return "–" if value is None else str(value)
    if isinstance(value, int):
        return count(value)
    if abs(value) >= 1e6:
        return about(round(value))
    if abs(value) >= 1000:
        return count(value)
    digits = 4 if abs(value) >= 0.01 else 3
    return number(value, digits)


def describe_ratio(heading: str, value: Any) -> str:
    """`19 times slower` for a small ratio, else an empty text."""
    if not (isinstance(value, float) and 0 < value < _SMALL_RATIO and _RATIO.search(heading)):
        return ""
    return QCoreApplication.translate("Figures", "{n} times slower", None, round(1 / value)).format(
        n=_rounded(1 / value)
    )


def _rounded(value: float) -> str:
    return number(value, 2) if value < 99.5 else count(value)
