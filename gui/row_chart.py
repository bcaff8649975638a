"""The chart of a bench's table: lines over a number, bars over names, the published figures beside ours."""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from core.bench.rows import Chart, Row, Table
from gui.measured_plot import MeasuredPlot
from gui.plotting import pg
from gui.series import series_colour, series_mark
from gui.theme import Colours

Points = list[tuple[float, float]]


class RowChart(MeasuredPlot):
    """Drawn anew for each row: a bench has some dozens of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("benchChart", "", parent)
        self.setAccessibleName(self.tr("Chart of the measurements"))
        self._table: Table | None = None
        self._rows: Sequence[Row] = ()
        self.series: dict[str, Points] = {}

    def show_rows(self, table: Table, rows: Sequence[Row]) -> None:
        """`rows` of this table; without a chart, or before there is a number, an empty frame."""
        self._table, self._rows = table, rows
        self._draw()

    def colour(self, colours: Colours) -> None:
        super().colour(colours)
        self._draw()

    def _draw(self) -> None:
        self.plotItem.clear()
        self.legend.clear()
        self.series = {}
        chart = self._table.chart if self._table else None
        if self._table is None or chart is None:
            return
        rows = [row for row in self._rows if _is_number(row.values.get(chart.y))]
        self.plotItem.setLabel("left", self._table.heading(chart.y))
        named = bool(rows) and isinstance(rows[0].values[chart.x], str)
        if named:
            self._draw_bars(chart, rows)
        else:
            self.plotItem.getAxis("bottom").setTicks(None)
            self.plotItem.setLogMode(x=chart.x_log, y=chart.y_log)
            self.plotItem.setLabel("bottom", self._table.heading(chart.x))
            self._draw_lines(chart, rows)
        self.colour_legend()
        self.fit()

    def _draw_lines(self, chart: Chart, rows: Sequence[Row]) -> None:
        theirs: dict[str, Points] = {}
        for row in rows:
            name = ", ".join(self._part(key, row) for key in chart.series) or self.tr("measured here")
            x = float(row.values[chart.x])
            self.series.setdefault(name, []).append((x, float(row.values[chart.y])))
            figure = row.values.get(chart.published) if chart.published else None
            if _is_number(figure):
                theirs.setdefault(name if len(chart.series) and not self._same(chart) else "", []).append(
                    (x, float(figure))
                )
        for number, (name, points) in enumerate(self.series.items()):
            shade = series_colour(self.colours, number)
            self.plot(
                *zip(*sorted(points), strict=True), name=name, pen=pg.mkPen(shade, width=2),
                symbol=series_mark(number), symbolSize=8, symbolBrush=pg.mkBrush(shade),
                symbolPen=pg.mkPen(self.colours.base),
            )  # fmt: skip
        for name, points in theirs.items():
            place = list(self.series).index(name) if name else -1
            shade = series_colour(self.colours, place) if name else self.colours.muted
            title = self.tr("{name}, published").format(name=name) if name else self.tr("published")
            points = sorted(set(points))
            self.series[title] = points
            self.plot(
                *zip(*points, strict=True), name=title,
                pen=pg.mkPen(shade, width=1.5, style=Qt.PenStyle.DashLine),
                symbol=series_mark(max(place, 0)), symbolSize=11, symbolBrush=None,
                symbolPen=pg.mkPen(shade, width=1.5),
            )  # fmt: skip

    def _same(self, chart: Chart) -> bool:
        """Whether the published figures belong to no series of ours: each is the same for all devices."""
        return chart.series == ("device",)

    def _part(self, key: str, row: Row) -> str:
        value = str(row.values[key])
        assert self._table
        heading = self._table.heading(key)
        return value if heading == "device" else f"{value} {heading}"

    def _draw_bars(self, chart: Chart, rows: Sequence[Row]) -> None:
        self.plotItem.setLogMode(x=False, y=chart.y_log)
        self.plotItem.setLabel("bottom", "")
        figures = [float(row.values[chart.y]) for row in rows]
        published = [row.values.get(chart.published) if chart.published else None for row in rows]
        heights = [_height(figure, chart.y_log) for figure in figures]
        base = float(floor(min(heights))) if chart.y_log else 0.0
        self.plotItem.getAxis("bottom").setTicks([
            [(place, _folded(str(row.values[chart.x]))) for place, row in enumerate(rows)]
        ])  # fmt: skip
        for place, (row, height) in enumerate(zip(rows, heights, strict=True)):
            shade = series_colour(self.colours, place)
            self.series[str(row.values[chart.x])] = [(place, figures[place])]
            self.addItem(
                pg.BarGraphItem(
                    x=[place], y0=[base], height=[max(height - base, 0.02)], width=0.6,
                    brush=pg.mkBrush(shade), pen=pg.mkPen(None),
                )
            )  # fmt: skip
            text = pg.TextItem(f"{figures[place]:,.4g}", color=self.colours.text, anchor=(0.5, 1))
            text.setPos(place, height)
            self.addItem(text)
        marked = [(p, _height(float(f), chart.y_log)) for p, f in enumerate(published) if _is_number(f)]
        if marked:
            marks = pg.ScatterPlotItem(
                *zip(*marked, strict=True), symbol="d", size=13, brush=None,
                pen=pg.mkPen(self.colours.text, width=2), name=self.tr("published"),
            )  # fmt: skip
            self.addItem(marks)
        # Room for the numbers above the bars.
        top = max([*heights, *(height for _, height in marked)])
        self._range = (base, top + 0.15 * max(top - base, 0.1))

    def fit(self) -> None:
        super().fit()
        chart = self._table.chart if self._table else None
        if chart and self.series and getattr(self, "_range", None) and self._is_bars(chart):
            self.plotItem.setYRange(*self._range, padding=0)

    def _is_bars(self, chart: Chart) -> bool:
        return bool(self._rows) and isinstance(self._rows[0].values[chart.x], str)


def _height(value: float, logarithmic: bool) -> float:
    return log10(value) if logarithmic and value > 0 else value


def _folded(name: str) -> str:
    """A long name on two lines, so that its neighbour has room."""
    return name.replace(", ", ",\n")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
