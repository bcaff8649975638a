"""The chart of a bench's table: lines over a number, bars over names, the published figures beside ours."""

from collections.abc import Sequence
from math import ceil, floor, log10

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from core.bench.rows import Chart, Row, Table
from core.bench.series import (
    Points,
    has_text_axis,
    is_logarithmic,
    is_number,
    published_bars,
    series_name,
    series_of,
)
from gui.devices.benchmark_format import figure, is_small_ratio, is_time, titled
from gui.text import about, number
from gui.widgets.colours import Colours
from gui.widgets.plot import Plot
from gui.widgets.pyqtgraph_loader import pg
from gui.widgets.series_style import series_colour, series_indices, series_mark
from kernels.registry import device_names

# Of the axis: two numbers nearer than this would run into each other.
_TICK_GAP = 0.09

# Pixels: of a chart, of its lower axis with its title, of a lane with a name.
_HEIGHT, _AXIS, _LANE = 210, 50, 20
_LEGEND_COLUMNS = 2


class RowChart(Plot):
    """Drawn anew for each row: a bench has some dozens of them. `series`: the points in it, by their names."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("benchChart", "", parent=parent)
        self.show_horizontal_grid()
        self.add_legend()
        self.setAccessibleName(self.tr("Chart of the measurements"))
        self.setMinimumHeight(_HEIGHT)
        self._table: Table | None = None
        self._rows: Sequence[Row] = ()
        self._quantity = ""
        self.series: dict[str, Points] = {}

    def show_rows(self, table: Table, rows: Sequence[Row], quantity: str = "") -> None:
        """`rows` of this table; `quantity`: the column drawn, the chart's own if empty."""
        self._table, self._rows = table, rows
        self._quantity = quantity or (table.chart.y if table.chart else "")
        self._draw()

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self._draw()

    def _draw(self) -> None:
        plot = self.plotItem
        plot.clear()
        self.legend.clear()
        self.legend.setColumnCount(1)
        self.setMinimumHeight(_HEIGHT)
        self.series = {}
        table, chart = self._table, self._table.chart if self._table else None
        if table is None or chart is None:
            return
        rows = [row for row in self._rows if chart.end or is_number(row.values.get(self._quantity))]
        for side in ("left", "bottom"):
            plot.getAxis(side).setTicks(None)
            plot.getAxis(side).timed = False
            plot.setLabel(side, "")
        plot.getAxis("left").setWidth(None)
        if not rows:
            return
        if chart.end:
            self._draw_spans(table, chart, rows)
        elif has_text_axis(chart, rows):
            self._draw_bars(table, chart, rows)
        else:
            self._draw_lines(table, chart, rows)
        self.apply_theme_to_legend()
        self.fit()

    # -- lines --------------------------------------------------------------------------------------------

    def _draw_lines(self, table: Table, chart: Chart, rows: Sequence[Row]) -> None:
        ours, theirs = series_of(table, rows, self._quantity)
        points = [point for found in (*ours.values(), *theirs.values()) for point in found]
        x_log = chart.x_log and min(x for x, _ in points) > 0
        y_log = is_logarithmic(chart, self._quantity, [y for _, y in points])
        self.plotItem.setLogMode(x=x_log, y=y_log)
        self.plotItem.setLabel("bottom", table.heading(chart.x))
        self._name_axis("left", table)
        if x_log:
            self.plotItem.getAxis("bottom").setTicks([_ticks(sorted({x for x, _ in points}))])
        numbers = dict(zip(ours, series_indices(list(ours)), strict=True))
        for name, found in ours.items():
            place = numbers[name]
            shade = series_colour(self.colours, place)
            self._line(name or self.tr("measured here"), found, shade, place, Qt.PenStyle.SolidLine)
        for name, found in theirs.items():
            alone = not name or len(ours) == 1
            shade = self.colours.muted if alone else series_colour(self.colours, numbers[name])
            title = self.tr("published") if alone else self.tr("{name}, published").format(name=name)
            self._line(title, found, shade, numbers.get(name, 0), Qt.PenStyle.DashLine)
        self._place_legend([
            (log10(x) if x_log else x, log10(y) if y_log else y) for x, y in points
        ])  # fmt: skip

    def _line(self, name: str, points: Points, shade: str, place: int, style: Qt.PenStyle) -> None:
        """A solid line with filled marks is ours, a dashed one with hollow marks published."""
        ours = style == Qt.PenStyle.SolidLine
        self.series[name] = points
        self.plot(
            *zip(*points, strict=True), name=name, pen=pg.mkPen(shade, width=2 if ours else 1, style=style),
            symbol=series_mark(place), symbolSize=8 if ours else 11,
            symbolBrush=pg.mkBrush(shade) if ours else None,
            symbolPen=pg.mkPen(self.colours.base if ours else shade, width=1 if ours else 2),
        )  # fmt: skip

    def _place_legend(self, points: Points) -> None:
        """In the corner with the fewest points."""
        middle = [(min(values) + max(values)) / 2 for values in zip(*points, strict=True)]
        corners = {
            (right, top): sum((x > middle[0]) == right and (y > middle[1]) == top for x, y in points)
            for top in (True, False)
            for right in (True, False)
        }
        right, top = min(corners, key=lambda corner: corners[corner])
        corner = (float(right), float(not top))
        self.legend.anchor(corner, corner, offset=(-8 if right else 8, 8 if top else -8))
        ground = QColor(self.colours.base)
        ground.setAlpha(210)
        self.legend.setBrush(pg.mkBrush(ground))

    # -- bars ---------------------------------------------------------------------------------------------

    def _draw_bars(self, table: Table, chart: Chart, rows: Sequence[Row]) -> None:
        """Lying bars, the first on top: names have room beside them."""
        names = [str(row.values[chart.x]) for row in rows]
        figures = [float(row.values[self._quantity]) for row in rows]
        theirs = published_bars(chart, rows, self._quantity)
        values = [*figures, *theirs.values()]
        logarithmic = is_logarithmic(chart, self._quantity, values)
        length = log10 if logarithmic else float
        base = float(floor(min(map(length, values)) - 0.01)) if logarithmic else min(0.0, *values)
        self._lay_lanes(names, logarithmic)
        # Where the names are no devices, colours would say nothing that the names do not.
        numbers = series_indices(names) if set(names) & set(device_names()) else [0] * len(names)
        shades = [series_colour(self.colours, number) for number in numbers]
        self._name_axis("bottom", table)
        for place, (name, value) in enumerate(zip(names, figures, strict=True)):
            self.series[name] = [(place, value)]
            self._bar(base, length(value), -place, shades[place])
            text = pg.TextItem(self._written(table, value), self.colours.text)
            text.setAnchor((0, 0.5))
            text.setPos(length(value), -place)
            self.addItem(text)
        if theirs:
            title = self.tr("published")
            self.series[title] = list(theirs.items())
            marks = pg.ScatterPlotItem(
                [length(value) for value in theirs.values()], [-place for place in theirs], symbol="d", size=13,
                brush=pg.mkBrush(self.colours.base), pen=pg.mkPen(self.colours.text, width=2), name=title,
            )  # fmt: skip
            self.addItem(marks)
            self._place_legend([(length(f), -p) for p, f in enumerate(figures)] + [(base, 0.5), (base, 0.5)])
        most = max(map(length, values))
        # Room for the numbers beside the bars.
        self._range = (base, most + 0.14 * max(most - base, 1e-9), -len(rows) + 0.4, 0.6)

    def _name_axis(self, side: str, table: Table) -> None:
        heading = table.heading(self._quantity)
        self.plotItem.setLabel(side, titled(heading))
        self.plotItem.getAxis(side).timed = is_time(heading)

    def _written(self, table: Table, value: float) -> str:
        """Beside a bar: shorter than in the table."""
        heading = table.heading(self._quantity)
        if is_time(heading) or is_small_ratio(heading, value):
            return figure(heading, value)
        return about(round(value)) if value >= 1000 else number(value, 3)

    def _draw_spans(self, table: Table, chart: Chart, rows: Sequence[Row]) -> None:
        """A timeline: a lane for each value of y, a bar for each row, coloured by its series."""
        assert chart.end
        lanes = list(dict.fromkeys(str(row.values[chart.y]) for row in rows))
        names = list(dict.fromkeys(series_name(table, row) for row in rows))
        self._lay_lanes([f"{table.heading(chart.y)} {lane}" for lane in lanes], False)
        self.plotItem.setLabel(
            "bottom", table.heading(chart.x).partition(",")[2].strip() or table.heading(chart.x)
        )
        for row in rows:
            name = series_name(table, row)
            begin, end = float(row.values[chart.x]), float(row.values[chart.end])
            first = name not in self.series
            self.series.setdefault(name, []).append((begin, end))
            bar = self._bar(
                begin,
                end,
                -lanes.index(str(row.values[chart.y])),
                series_colour(self.colours, names.index(name)),
            )
            bar.setToolTip(f"{name}: {number(end - begin, 3)}")
            if first:
                self.legend.addItem(bar, name)
        begins, ends = zip(*(span for spans in self.series.values() for span in spans), strict=True)
        self.legend.setColumnCount(_LEGEND_COLUMNS)
        self.legend.anchor((1, 0), (1, 0), offset=(-8, 8))
        # Room above the lanes for the legend.
        lines = ceil(len(names) / _LEGEND_COLUMNS)
        above = 24 * lines + 16
        self.setMinimumHeight(max(_HEIGHT, _AXIS + above + 2 * _LANE * len(lanes)))
        legend = above / (self.minimumHeight() - _AXIS)
        self._range = (min(begins), max(ends), 0.4 - len(lanes), 0.6 + len(lanes) * legend / (1 - legend))

    def _lay_lanes(self, names: list[str], logarithmic: bool) -> None:
        self.plotItem.setLogMode(x=logarithmic, y=False)
        self.setMinimumHeight(max(_HEIGHT, _AXIS + _LANE * len(names)))
        self.plotItem.getAxis("left").setTicks([[(-place, name) for place, name in enumerate(names)]])

    def _bar(self, begin: float, end: float, height: float, shade: str) -> pg.BarGraphItem:
        bar = pg.BarGraphItem(
            x0=[begin], x1=[end], y=[height], height=0.62, brush=pg.mkBrush(shade), pen=pg.mkPen(None)
        )
        self.addItem(bar)
        return bar

    def fit(self) -> None:
        chart = self._table.chart if self._table else None
        if chart and self.series and (chart.end or has_text_axis(chart, self._rows)):
            low, high, bottom, top = self._range
            self.plotItem.setRange(xRange=(low, high), yRange=(bottom, top), padding=0)
        else:
            self.plotItem.enableAutoRange()


def _ticks(values: list[float]) -> list[tuple[float, str]]:
    """Ticks of a logarithmic axis at the values measured, as far as they have room."""
    wide = (log10(values[-1]) - log10(values[0])) or 1.0
    found: list[tuple[float, str]] = []
    for value in values:
        place = log10(value)
        if not found or place - found[-1][0] > _TICK_GAP * wide:
            found.append((place, about(round(value)) if value >= 1 else number(value, 3)))
    return found
