"""The chart of a benchmark's table, and its numbers for people."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from math import ceil, floor, log10
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QColor

from core.bench.output import MEASURED, Points, figure_of
from core.bench.rows import Row, Table
from core.html.chart import PUBLISHED, Figure
from gui.text import about, common_unit, count, duration, fixed, in_unit, number
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.plots.series import series_color, series_indices, series_mark
from gui.widgets.theme import SMALL, theme
from kernels.registry import device_names

# Pixels: height of a chart, of its lower axis with the title, of a bar or lane with a name, of a legend line.
_HEIGHT, _AXIS, _LANE, _LEGEND_LINE = 210, 50, 20, 24
_LEGEND_COLUMNS = 2


class BenchmarkChart(Plot):
    """`series`: the points shown, by the name of their series."""

    def __init__(self) -> None:
        super().__init__("benchChart", "")
        self.show_horizontal_grid()
        self.legend: Any = self.plotItem.addLegend(offset=(-8, -8), labelTextSize="9pt")
        self.setAccessibleName(self.tr("Chart of the measurements"))
        self.setMinimumHeight(_HEIGHT)
        self._figure: Figure | None = None
        self._bar_range: tuple[float, float, float, float] | None = None
        self.series: dict[str, Points] = {}

    def show_rows(self, table: Table, rows: Sequence[Row], quantity: str = "") -> None:
        """Draw `rows` of this table. quantity: the column to draw; empty for the chart's own."""
        self._figure = figure_of(table, rows, quantity)
        self.recolor()

    def recolor(self) -> None:
        super().recolor()
        plot = self.plotItem
        plot.clear()
        self.legend.clear()
        self.legend.setColumnCount(1)
        # The background of an empty legend would hide a part of the chart.
        self.legend.setBrush(pg.mkBrush(None))
        self.setMinimumHeight(_HEIGHT)
        self.series = {}
        self._bar_range = None
        figure = self._figure
        for axis in self.axes():
            axis.setTicks(None)
            axis.timed = False
            axis.setLabel("")
        plot.getAxis("left").setWidth(None)
        if figure is None:
            return
        if figure.lines:
            self._draw_lines(figure)
        elif figure.is_timeline:
            self._draw_timeline(figure)
        else:
            self._draw_bars(figure)
        self._recolor_legend()
        self.fit()

    def _recolor_legend(self) -> None:
        self.legend.setLabelTextColor(self.colors.text)
        self.legend.setLabelTextSize(f"{round(theme().font(SMALL).pointSizeF())}pt")
        for sample, label in self.legend.items:
            label.setText(label.text, color=self.colors.text)
            sample.update()

    # -- lines --------------------------------------------------------------------------------------------

    def _draw_lines(self, figure: Figure) -> None:
        x_log = figure.x.logarithmic
        y_log = figure.y.logarithmic
        self.plotItem.setLogMode(x=x_log, y=y_log)
        self.plotItem.setLabel("bottom", figure.x.title)
        self._set_quantity_axis("left", figure.y.title)
        if x_log:
            ticks = [(log10(x), about(round(x)) if x >= 1 else number(x, 3)) for x, _ in figure.x.ticks]
            self.plotItem.getAxis("bottom").setTicks([ticks])
        measured = [line.name for line in figure.lines if not line.published]
        indices = series_indices(measured)
        for line in figure.lines:
            series = line.series or 0
            index = indices[series] if series < len(measured) else 0
            color = series_color(self.colors, index)
            title = line.name
            if title == MEASURED:
                title = self.tr("measured here")
            elif line.published and (title == PUBLISHED or len(measured) == 1):
                color = self.colors.muted
                title = self.tr("published")
            elif line.published:
                title = self.tr("{name}, published").format(name=measured[series])
            self.series[title] = list(zip(line.x, line.y, strict=True))
            # Measured lines are solid with filled marks, published ones dashed with hollow marks.
            published = line.published
            style = Qt.PenStyle.DashLine if published else Qt.PenStyle.SolidLine
            self.plot(
                line.x,
                line.y,
                name=title,
                pen=pg.mkPen(color, width=1 if published else 2, style=style),
                symbol=series_mark(index),
                symbolSize=11 if published else 8,
                symbolBrush=None if published else pg.mkBrush(color),
                symbolPen=pg.mkPen(color if published else self.colors.base, width=2 if published else 1),
            )
        points = [point for each in self.series.values() for point in each]
        self._place_legend([(log10(x) if x_log else x, log10(y) if y_log else y) for x, y in points])

    def _place_legend(self, points: Points) -> None:
        """Put the legend into the corner with the fewest points."""
        middle, half = ((min(values) + max(values)) / 2 for values in zip(*points, strict=True))
        corners = [(x > middle, y > half) for x, y in points]
        right, top = min(((True, True), (False, True), (True, False), (False, False)), key=corners.count)
        corner = (float(right), float(not top))
        self.legend.anchor(corner, corner, offset=(-8 if right else 8, 8 if top else -8))
        background = QColor(self.colors.base)
        background.setAlpha(210)
        self.legend.setBrush(pg.mkBrush(background))

    # -- bars ---------------------------------------------------------------------------------------------

    def _draw_bars(self, figure: Figure) -> None:
        """Horizontal bars from top to bottom; dots on a logarithmic axis, where a bar's length has no meaning."""
        names = list(figure.lanes)
        heading = figure.x.title
        logarithmic = figure.x.logarithmic
        position = log10 if logarithmic else float
        measured = [(bar.lane, bar.end) for bar in figure.bars if not bar.published]
        published = [(bar.lane, bar.end) for bar in figure.bars if bar.published]
        ends = [position(bar.end) for bar in figure.bars]
        start = floor(min(ends)) - 0.2 if logarithmic else min(0.0, *ends)
        self._set_up_lanes(names, logarithmic)
        # Colors distinguish devices; other names are beside the bars.
        devices = set(names) & set(device_names())
        indices = series_indices(names) if devices else [0] * len(names)
        self._set_quantity_axis("bottom", heading)
        for row, value in measured:
            self.series[names[row]] = [(row, value)]
            color = series_color(self.colors, indices[row])
            end = position(value)
            if logarithmic:
                self._add_marks([end], [-row], "o", color, color)
            else:
                self._add_bar(start, end, -row, color)
            short = about(round(value)) if value >= 1000 else number(value, 3)  # shorter than in the table
            shown = duration(value) if is_time(heading) else describe_ratio(heading, value) or short
            text = pg.TextItem(f"{'  ' * logarithmic}{shown}", self.colors.text)
            text.setAnchor((0, 0.5))
            text.setPos(end, -row)
            self.addItem(text)
        if published:
            title = self.tr("published")
            self.series[title] = list(published)
            x = [position(value) for _, value in published]
            self._add_marks(x, [-row for row, _ in published], "d", self.colors.base, self.colors.text, title)
            corners = [(start, 0.5), (start, 0.5)]
            self._place_legend([(position(value), -row) for row, value in measured] + corners)
        # Room for the numbers beside the bars.
        right = max(ends) + 0.14 * max(max(ends) - start, 1e-9)
        self._bar_range = (start, right, -len(names) + 0.4, 0.6)

    def _add_marks(
        self, x: list[float], y: list[int], mark: str, fill: str, edge: str, name: str = ""
    ) -> None:
        style = {"symbol": mark, "size": 13, "brush": pg.mkBrush(fill), "pen": pg.mkPen(edge, width=2)}
        self.addItem(pg.ScatterPlotItem(x, y, name=name or None, **style))

    def _set_quantity_axis(self, side: str, heading: str) -> None:
        self.plotItem.setLabel(side, time_heading(heading))
        self.set_right_margin(1)
        self.plotItem.getAxis(side).timed = is_time(heading)

    # -- timeline -----------------------------------------------------------------------------------------

    def _draw_timeline(self, figure: Figure) -> None:
        names = figure.legend
        lanes = list(figure.lanes)
        heading = figure.x.title
        self._set_up_lanes(lanes, False)
        self.plotItem.setLabel("bottom", heading.partition(",")[2].strip() or heading)
        for shown in figure.bars:
            name = names[shown.series]
            start = shown.start
            end = shown.end
            bar = self._add_bar(start, end, -shown.lane, series_color(self.colors, shown.series))
            bar.setToolTip(f"{name}: {number(end - start, 3)}")
            if name not in self.series:
                self.legend.addItem(bar, name)
            self.series.setdefault(name, []).append((start, end))
        starts, ends = zip(*(span for spans in self.series.values() for span in spans), strict=True)
        self.legend.setColumnCount(_LEGEND_COLUMNS)
        self.legend.anchor((1, 0), (1, 0), offset=(-8, 8))
        # The legend is above the lanes.
        above = _LEGEND_LINE * ceil(len(names) / _LEGEND_COLUMNS) + 16
        self.setMinimumHeight(max(_HEIGHT, _AXIS + above + 2 * _LANE * len(lanes)))
        legend = above / (self.minimumHeight() - _AXIS)
        top = 0.6 + len(lanes) * legend / (1 - legend)
        self._bar_range = (min(starts), max(ends), 0.4 - len(lanes), top)

    # -- bars and timeline --------------------------------------------------------------------------------

    def _set_up_lanes(self, names: list[str], logarithmic: bool) -> None:
        self.plotItem.setLogMode(x=logarithmic, y=False)
        self.setMinimumHeight(max(_HEIGHT, _AXIS + _LANE * len(names)))
        axis = self.plotItem.getAxis("left")
        axis.setTicks([[(-row, name) for row, name in enumerate(names)]])
        # pyqtgraph would find the width only after the axis was drawn once.
        axis.setWidth(max(map(self.fontMetrics().horizontalAdvance, names)) + 8)

    def _add_bar(self, start: float, end: float, y: float, color: str) -> pg.BarGraphItem:
        bar = pg.BarGraphItem(x0=[start], x1=[end], y=[y], height=0.62, brush=color, pen=pg.mkPen(None))
        self.addItem(bar)
        return bar

    def fit(self) -> None:
        if self._bar_range:
            left, right, bottom, top = self._bar_range
            self.plotItem.setRange(xRange=(left, right), yRange=(bottom, top), padding=0)
        else:
            self.plotItem.enableAutoRange()


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
    """The cells of a column: times have one unit, other numbers the same decimals in the whole column."""
    ratios = [value for value in values if isinstance(value, float) and value > 0]
    is_ratio = bool(_RATIO.search(heading))
    shown: tuple[type, ...] = (float,)
    write: Callable[[Any], str] = _format_cell
    if is_time(heading):
        shown = (int, float)
        write = partial(in_unit, unit=common_unit([value for value in values if isinstance(value, shown)]))
    elif ratios and is_ratio and max(ratios) < 1 and min(ratios) < _SMALL_RATIO:
        write = _as_fraction
    elif ratios and max(ratios) >= 1e6:
        # All numbers have the prefix of the least of them.
        prefixes = (("G", 1e9), ("M", 1e6))
        write = partial(in_unit, unit=next((each for each in prefixes if min(ratios) >= each[1]), ("", 1.0)))
    elif len(ratios) >= (1 if is_ratio else 2) and max(ratios) < 1000:
        # The largest value has this many digits, and the smallest at least two.
        digits = 3 if is_ratio else 4
        needed = max(digits - 1 - floor(log10(max(ratios))), 1 - floor(log10(min(ratios))))
        write = partial(fixed, decimals=min(max(needed, 0), _MOST_DECIMALS))
    return [(write if isinstance(value, shown) else _format_cell)(value).rstrip() for value in values]


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
