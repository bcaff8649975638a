"""A plot of one quantity over epochs while a network trains, with curves of other runs for comparison."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isclose

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSimpleTextItem

from gui.text import number
from gui.widgets.plots.curve import Curve
from gui.widgets.plots.end_labels import EndLabel, Line, LineLayer
from gui.widgets.plots.live_axes import ENDS, AxisRange, LiveAxes, Points
from gui.widgets.plots.other_curves import OtherCurve, OtherCurves
from gui.widgets.plots.plot import Plot, light_series_color, series_color
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import SMALL, blend, theme

# An axis with its grid takes half the time of a redraw, so it is cached until its range changes.
CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache

NAMES = ("train", "test", "validation")
LOW = 120  # pixels: a lower plot leaves out what the other plot of the pair shows
_AXIS_TITLE_GAP = 14  # pixels at a text size of 100 %, between the last number and the title of an axis
MAX_MARKS = 20  # more of them would merge into a line


class LivePlot(Plot):
    """`curves` are drawn by `draw`: "train", "test" and "validation".

    The range follows the curves while `follows`. pyqtgraph's own automatic range is off: it changes the axes at every
    redraw, and two plots with a linked axis keep each other redrawing.
    """

    zoomed = Signal()  # by the user
    fitted = Signal()

    def __init__(self, title: str, name: str, *, percent: bool = False) -> None:
        super().__init__(name, title, left_width=44)
        self.title = title
        self._has_title = True
        self.curves = {name: Curve() for name in NAMES}
        self.live_axes = LiveAxes(percent, 100.0 if percent else None)
        self.others = OtherCurves()
        self._is_upper = False
        self._is_low = False
        self._follows = True
        self.name = ""  # of the run, beside other curves; empty: the curves are named training and test
        self.series: int | None = None  # the color of the run; None: the first
        plot = self.plotItem
        plot.disableAutoRange()
        plot.vb.sigRangeChangedManually.connect(lambda axes: self.zoomed.emit())
        self.show_horizontal_grid()
        plot.setLabel("bottom", self.tr("epoch"))
        plot.getAxis("bottom").showLabel(False)  # it stands at the right end instead
        self._axis_title = QGraphicsSimpleTextItem(self.tr("epoch"), plot.getAxis("bottom"))
        plot.vb.sigResized.connect(lambda *_: self._place_axis_title())
        for axis in self.axes():
            axis.setCacheMode(CACHED)
        # The last number is beyond the end of its axis by half of its size.
        for side in ("bottom", "left"):
            plot.getAxis(side).setStyle(hideOverlappingLabels=False)
        plot.setLimits(xMin=0)
        self._add_items()
        self._ticks = (0, 0)
        self._show_title()
        self.clear_curves()
        self._show(self.live_axes.range)
        self.recolor()

    def _add_items(self) -> None:
        """Create the curves, the first one behind the others, and the names at their ends."""
        tr = self.tr
        self._lines = {
            "raw": Line(tr("training, not smoothed"), most_marks=1),  # a line needs two points
            "train": Line(tr("training"), spreads=False),  # its extremes would be stairs
            "test": Line(tr("test"), MAX_MARKS), "validation": Line(tr("validation"), MAX_MARKS),
            "best": Line(tr("best epoch"), most_marks=1),
        }  # fmt: skip
        self._pointer = pg.InfiniteLine(angle=90, movable=False)
        self._pointer.hide()
        self.plotItem.addItem(self._pointer, ignoreBounds=True)
        self._rate_marks: list[pg.InfiniteLine] = []
        self._rates: list[tuple[float, float]] = []  # (x, learning rate) of the marks
        self._best: float | None = None
        self._cut_text = pg.TextItem(anchor=(0, 0))
        self._hint = pg.TextItem(tr("Press Train: the curve appears here."), anchor=(0.5, 0.5))
        self.plotItem.addItem(self._hint, ignoreBounds=True)
        self.plotItem.vb.sigRangeChanged.connect(lambda *_: self._center_hint())
        self._center_hint()
        self._cut_text.hide()
        self.plotItem.addItem(self._cut_text, ignoreBounds=True)
        self.labels = LineLayer(self)

    def set_hint(self, text: str) -> None:
        """What an empty plot says."""
        self._hint.setText(text)

    def _center_hint(self) -> None:
        """Between two lines of the grid, whatever the range of the run before was."""
        (left, right), (low, high) = self.plotItem.vb.viewRange()
        self._hint.setPos((left + right) / 2, low + 0.63 * (high - low))

    def drawn(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        return [(line.name, line.x, line.y) for line in self.labels.lines if len(line.x)]

    @property
    def follows(self) -> bool:
        """Whether the range follows the curves; not after the user has zoomed."""
        return self._follows

    @follows.setter
    def follows(self, on: bool) -> None:
        self._follows = on
        self.show_way_back(not on)

    # -- data -----------------------------------------------------------------------------------------------

    @property
    def highest(self) -> float:
        """The highest value that a person may draw: the best possible score, or a loss above that of guessing."""
        return self.live_axes.ceiling or 2.5

    def add(self, name: str, x: float, y: float | None) -> None:
        """Add a point to a curve; y of an accuracy is from 0 to 1."""
        if y is not None:
            self.curves[name].add_point(x, 100 * y if self.live_axes.percent else y)

    def mark_rate(self, x: float, learning_rate: float) -> None:
        """Mark that training continued with this learning rate at x."""
        line = pg.InfiniteLine(
            x, angle=90, movable=False, label=self.tr("rate {rate}").format(rate=number(learning_rate, 3)),
            labelOpts={"position": 0.9, "anchors": [(1, 0.5), (1, 0.5)]},
        )  # fmt: skip
        self._rate_marks.append(line)
        self._rates.append((x, learning_rate))
        self.plotItem.addItem(line, ignoreBounds=True)
        self._recolor_mark(line)

    def mark_best(self, epoch: float, text: str) -> None:
        """Mark this epoch as the best one, when the curves are drawn next. text: by what; shown at the pointer."""
        self._best = epoch
        self._lines["best"].name = text

    def start_run(self, planned: float = 0.0, guess: float = 0.0) -> None:
        """Begin new curves. planned: epochs, 0: not known; guess: the loss of guessing, 0: not known."""
        self.clear_curves()
        axes = self.live_axes
        axes.planned = planned
        axes.guess = guess
        axes.has_ended = False
        axes.until = None
        self.follows = True
        self.draw(0)
        self._show(axes.first_range())

    def forget(self) -> None:
        """Remove all curves, also those of other runs."""
        self.live_axes.planned = 0.0
        self.live_axes.until = None
        self.others.show_kept(())
        self.show_others(())
        self.clear_curves()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        curves = self.curves
        compared = self.others.compared
        kept = self.others.kept
        axes = replace(self.live_axes)
        rates = self._rates
        best = self._best
        name = self.name
        series = self.series
        follows = self.follows
        view = self.viewRange()

        def put_back() -> None:
            self.clear_curves()
            self.curves = curves
            self.live_axes.show_again(axes)
            self.name = name
            self.series = series
            self._best = best
            for x, learning_rate in rates:
                self.mark_rate(x, learning_rate)
            self.others.show_others(compared)
            self.others.show_kept(kept)
            self._show_others()
            self.recolor()
            self._show(self.live_axes.first_range())
            self.follows = follows
            if not follows:
                self.setRange(xRange=view[0], yRange=view[1], padding=0)

        return put_back

    def run_curve(self, name: str, series: int) -> OtherCurve:
        """The test curve of the present run as one beside those of the next; that of training where it has no line."""
        curve = self.curves["test"]
        x, y = curve.x, curve.y
        if len(curve) < 2:
            x, y = self.curves["train"].x, self.curves["train"].smooth
        return OtherCurve(name, tuple(zip(x.tolist(), y.tolist(), strict=True)), series)

    def name_run(self, name: str, series: int | None) -> None:
        """Name the run at its curve; `series`: its color, None: the first."""
        if (name, series) != (self.name, self.series):
            self.name, self.series = name, series
            self.recolor()

    def show_others(self, others: Sequence[OtherCurve], epochs: float = 0, highest: float = 0) -> None:
        """Show these curves, and no others, beside those of the run.

        `epochs`: how far the axis reaches at least. `highest`: where the other axis ends; 0: where the curves end.
        """
        axes = self.live_axes
        axes.highest = highest
        reach = max([epochs, *(point[0] for other in others for point in other.points)])
        if reach:
            axes.planned = max(axes.planned, reach) if len(self.curves["train"]) else reach
        self.others.show_others(others)
        self._show_others()
        if reach and self.follows and not any(map(len, self.curves.values())):
            first = axes.first_range()
            self._show(AxisRange(reach * ENDS, first.low, first.high))

    def show_kept(self, kept: Sequence[OtherCurve]) -> None:
        """Show these runs where `show_others` shows none."""
        self.others.show_kept(kept)
        self._show_others()

    def _show_others(self) -> None:
        self._hint.setVisible(not (self.live_axes.planned or self.others.shown))
        self.others.recolor(self.colors)
        self.others.draw(self.live_axes)
        self._show_labels()

    def clear_curves(self) -> None:
        self.curves = {name: Curve() for name in NAMES}
        for line in self._rate_marks:
            self.plotItem.removeItem(line)
        self._rate_marks, self._rates = [], []
        self._best = None

    def values_at(self, x: float) -> str:
        """The values of the curves at x, in words."""
        curves = [
            (self._lines[name].name, curve.x, curve.smooth if name == "train" else curve.y)
            for name, curve in self.curves.items()
        ]
        curves += self.others.named_points()
        unit = " %" if self.live_axes.percent else ""
        texts = []
        for name, xs, ys in curves:
            if len(xs) and xs[0] <= x <= xs[-1]:
                texts.append(f"{name} {number(float(np.interp(x, xs, ys)))}{unit}")
        return f"{self.title.removesuffix(', %')}: {', '.join(texts)}" if texts else ""

    # -- drawing --------------------------------------------------------------------------------------------

    def draw(self, until: float, unfinished: tuple[float, float] | None = None) -> None:
        """Draw the curves. `until`: epochs trained so far. `unfinished`: a point after the end of the raw curve."""
        axes = self.live_axes
        train = self.curves["train"]
        x, y = train.x, train.y
        if unfinished is not None:
            value = 100 * unfinished[1] if self.live_axes.percent else unfinished[1]
            x = np.append(x, unfinished[0])
            y = np.append(y, value)
        self._lines["raw"].set_points(*axes.placed(*axes.past(x, y)))
        shown = [(x, y)]
        for name, curve in self.curves.items():
            y = curve.smooth if name == "train" else curve.y
            self._lines[name].set_points(*axes.placed(*axes.past(curve.x, y)))
            # Not the mean: behind perfect scores it comes within 1e-8 of them, which would be the end of the axis.
            shown.append((curve.x, curve.y))
        others = self.others.draw(axes)
        longest = max((float(x[-1]) for x, _ in others if len(x)), default=0.0)
        if self.follows and (until or longest):
            self._follow(until, longest, shown + others)
        self._draw_best()
        self._hint.setVisible(not (until or axes.planned or self.others.shown))
        self._show_labels()

    def _draw_best(self) -> None:
        """Draw the mark of the best epoch, on the curve that decided where it is shown here."""
        curve = self.curves["validation"] if len(self.curves["validation"]) else self.curves["test"]
        chosen = curve.x == self._best
        points = self.live_axes.past(curve.x[chosen], curve.y[chosen])
        self._lines["best"].set_points(*self.live_axes.placed(*points))

    def _show_labels(self) -> None:
        """Show the curves, and at the end of each that has points its name and its last value."""
        self.labels.lines = [*self._lines.values(), *self.others.lines]
        curves = [(self._label(name), self._lines[name]) for name in NAMES]
        curves += [(line.name, line) for line in self.others.lines]
        training = self._lines["train"]  # its last value changes all the time
        self.labels.show_lines(
            [
                EndLabel(
                    name,
                    line.pen,
                    float(line.x[-1]),
                    float(line.y[-1]),
                    "" if line is training else self.live_axes.value_text(float(line.y[-1])),
                )
                for name, line in curves
                if name and len(line.x)
            ]
        )

    def _label(self, name: str) -> str:
        """What stands at the end of a curve of the run; empty for nothing."""
        if self.name and name == "test":
            return self.name
        if self.name and self.series is not None and name == "train":
            return ""  # it has the color of its run, which is named at the other curve
        return self._lines[name].name

    def _follow(self, until: float, longest: float, shown: list[Points]) -> None:
        """Change the range so that it contains all curves up to `until`."""
        following = self.live_axes.follow(until, longest, shown)
        cut = self.live_axes.cut
        self._cut_text.setVisible(cut is not None)
        if cut is not None:
            self._cut_text.setText(self.tr("▲ up to {value}").format(value=number(cut, 3)))
        if following is not None:
            self._cut_text.setPos(self.live_axes.left, following.high)
            self._show(following)

    def set_logarithmic(self, on: bool) -> None:
        """Show the loss, or the error instead of a score, on a logarithmic axis."""
        self.live_axes.logarithmic = on
        self.plotItem.setLogMode(y=on)
        self._show_title()
        self._show(self.live_axes.first_range())
        self._show_others()

    def set_quantity(self, title: str, ceiling: float) -> None:
        """Show another score from now on. `ceiling`: its best possible value, 100 for percentages."""
        if title != self.title:
            self.title = title
            self.live_axes.percent = ceiling == 100
            self.live_axes.ceiling = ceiling
            self.setAccessibleName(title)
            self._show_title()
            self._show(self.live_axes.first_range())

    def _show_title(self) -> None:
        error = (
            self.tr("error, %") if self.live_axes.percent else self.tr("1 − {score}").format(score=self.title)
        )
        is_error = self.live_axes.logarithmic and self.live_axes.ceiling is not None
        if is_error:
            self.set_value_title(error)
        else:
            self.set_value_title(self.title if self._has_title else "")

    def show_title(self, shown: bool) -> None:
        """Show the title above the axis, or leave it to a switch; that of an error is always shown."""
        if shown != self._has_title:
            self._has_title = shown
            self._show_title()

    def _show(self, axis_range: AxisRange) -> None:
        shown_x, shown_y = self.viewRange()
        wanted = [[self.live_axes.left, axis_range.reach], [axis_range.low, axis_range.high]]
        self.live_axes.range = axis_range
        self._set_ticks()
        # For four numbers much faster than np.allclose.
        pairs = zip(shown_x + shown_y, wanted[0] + wanted[1], strict=True)
        if not all(isclose(a, b, rel_tol=1e-5, abs_tol=1e-8) for a, b in pairs):
            self.setRange(xRange=wanted[0], yRange=wanted[1], padding=0)

    def _set_ticks(self) -> None:
        """Ticks at whole epochs as soon as there is more than one of them, and at 100 %."""
        ticks = self.live_axes.ticks(is_low=self._is_low)
        if ticks != self._ticks:
            self._ticks = ticks
            for axis, spacing in zip(("bottom", "left"), ticks, strict=True):
                levels = [(spacing, 0)] if spacing else None
                self.plotItem.getAxis(axis).setTickSpacing(levels=levels)

    # -- pointer --------------------------------------------------------------------------------------------

    def show_pointer(self, x: float) -> None:
        """Draw a vertical line at x; none for a negative x or NaN."""
        self._pointer.setVisible(x >= 0)
        if x >= 0:
            self._pointer.setPos(x)

    # -- appearance -----------------------------------------------------------------------------------------

    def recolor(self) -> None:
        self._recolor_lines()
        self._pointer.setPen(pg.mkPen(self.colors.muted, width=1))
        self._cut_text.setFont(theme().font(SMALL))
        self._hint.setFont(theme().font())
        for text in (self._cut_text, self._hint):
            text.setColor(self.colors.muted)
        self.others.recolor(self.colors)
        self.labels.update()
        super().recolor()
        for axis in self.axes():
            # Without its line: the grid and the numbers are enough. The title takes the color of the pen.
            axis.setPen(pg.mkPen(self.colors.muted, style=Qt.PenStyle.NoPen))
        self._axis_title.setBrush(QColor(self.colors.muted))
        self._axis_title.setFont(theme().font(SMALL))
        self._place_axis_title()
        for line in self._rate_marks:
            self._recolor_mark(line)
        self._show_labels()

    def _recolor_lines(self) -> None:
        """One hue for the run: training thin and light, test thick. Opaque and not smoothed is fastest to draw."""
        series = self.series or 0
        color = series_color(self.colors, series)
        light = light_series_color(self.colors, series)
        faint = blend(QColor(light), QColor(self.colors.base), 0.25)
        lines = self._lines
        lines["raw"].pen = pg.mkPen(None) if self.name else pg.mkPen(faint, width=theme().line(1))
        lines["train"].pen = pg.mkPen(light, width=theme().line(1))
        lines["test"].pen = pg.mkPen(color, width=theme().line(3))
        lines["validation"].pen = pg.mkPen(color, width=theme().line(2), style=Qt.PenStyle.DotLine)
        lines["best"].pen = pg.mkPen(None)
        size = 2 * theme().line() + 2
        lines["raw"].set_marks("o", size, light, light)
        lines["test"].set_marks("o", size + 1, color, color)
        lines["validation"].set_marks("t", size, color, color)
        lines["best"].set_marks("d", theme().px(14), self.colors.base, color, edge_width=theme().line(2))

    def _recolor_mark(self, line: pg.InfiniteLine) -> None:
        line.setPen(pg.mkPen(self.colors.muted, width=1, style=Qt.PenStyle.DashDotLine))
        line.label.setColor(self.colors.muted)

    def set_upper(self, is_upper: bool) -> None:
        """Whether this is the upper one of two plots with the same axis of epochs, of which the lower has the title."""
        self._is_upper = is_upper
        self._show_epochs()

    def _place_axis_title(self) -> None:
        """Right of the number of the last epoch, which is beyond the end of the axis by half of its width."""
        self._axis_title.setPos(self.plotItem.getAxis("bottom").width() + theme().px(_AXIS_TITLE_GAP), 2)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave out the epochs in a low upper plot."""
        super().resizeEvent(event)
        low = self.height() < LOW
        # pyqtgraph calls this without an event while the plot is created.
        if event and low != self._is_low:
            self._is_low = low
            self._set_ticks()
            self._show_epochs()

    def _show_epochs(self) -> None:
        axis = self.plotItem.getAxis("bottom")
        shows_values = not (self._is_upper and self._is_low)
        axis.setStyle(showValues=shows_values)
        self._axis_title.setVisible(shows_values and not self._is_upper)
        axis.setHeight(None)

    def paint(self, painter: QPainter, top: int) -> None:
        """Draw the plot as it is shown, its upper edge at `top`."""
        for axis in self.axes():  # a cached axis would be drawn as pixels
            axis.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        area = self.viewport().rect()
        self.render(painter, QRectF(area).translated(0, top), area)
        for axis in self.axes():
            axis.setCacheMode(CACHED)

    def fit(self) -> None:
        self.fitted.emit()
