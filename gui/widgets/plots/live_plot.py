"""A plot of one quantity over epochs while a network trains, with curves of other runs for
comparison.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isclose

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem

from gui.text import number
from gui.widgets.plots.end_labels import EndLabel, LineLayer
from gui.widgets.plots.live_axes import ENDS, AxisRange, LiveAxes, Points
from gui.widgets.plots.other_curves import OtherCurve, OtherCurves
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.plot_items import CutMark, EpochAxis, Hint, Pointer, RateMarks
from gui.widgets.plots.run_lines import RunLines
from gui.widgets.theme import SMALL, Colors, theme

# An axis with its grid takes half the time of a redraw, so it is cached until its range changes.
CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache

LOW = 120  # pixels: a lower plot has fewer numbers at its axis


class ShownRange:
    """Gives `plot` the range and the ticks that `axes` say.

    pyqtgraph's own automatic range is off: it changes the axes at every redraw, and two plots with
    a linked axis keep each other redrawing.
    """

    def __init__(self, plot: Plot, axes: LiveAxes) -> None:
        self._plot = plot
        self._axes = axes
        self._ticks = (0, 0)
        self._mark = CutMark(plot.plotItem)
        self.cut_text = pg.TextItem(anchor=(0, 0))
        self.cut_text.hide()
        plot.plotItem.disableAutoRange()
        plot.plotItem.addItem(self.cut_text, ignoreBounds=True)

    def show(self, axis_range: AxisRange, *, is_low: bool) -> None:
        """Show this range. is_low: the plot has little height."""
        shown_x, shown_y = self._plot.viewRange()
        wanted = [[0.0, axis_range.reach], [axis_range.low, axis_range.high]]
        self._axes.range = axis_range
        self._mark.show(axis_range.low > 0)
        self.set_ticks(is_low=is_low)
        # For four numbers much faster than np.allclose.
        pairs = zip(shown_x + shown_y, wanted[0] + wanted[1], strict=True)
        if not all(isclose(a, b, rel_tol=1e-5, abs_tol=1e-8) for a, b in pairs):
            self._plot.setRange(xRange=wanted[0], yRange=wanted[1], padding=0)

    def follow(
        self, until: float, longest: float, shown: Sequence[Points], *, is_low: bool
    ) -> None:
        """Show a range that contains all curves up to `until`."""
        following = self._axes.follow(until, longest, list(shown))
        cut = self._axes.cut
        self.cut_text.setVisible(cut is not None)
        if cut is not None:
            text = QCoreApplication.translate("LivePlot", "▲ up to {value}")
            self.cut_text.setText(text.format(value=number(cut, 3)))
        if following is not None:
            self.cut_text.setPos(0.0, following.high)
            self.show(following, is_low=is_low)

    def set_ticks(self, *, is_low: bool) -> None:
        """Ticks at whole epochs as soon as there is more than one of them, and at 100 %."""
        ticks = self._axes.ticks(is_low=is_low)
        if ticks != self._ticks:
            self._ticks = ticks
            for axis, spacing in zip(("bottom", "left"), ticks, strict=True):
                levels = [(spacing, 0)] if spacing else None
                self._plot.plotItem.getAxis(axis).setTickSpacing(levels=levels)

    def recolor(self, colors: Colors) -> None:
        self.cut_text.setFont(theme().font(SMALL))
        self.cut_text.setColor(colors.muted)
        self._mark.recolor(colors)


class LivePlot(Plot):
    """The curves of `run` and of `others`, drawn by `draw`. The range follows them while
    `follows`.
    """

    zoomed = Signal()  # by the user
    fitted = Signal()

    def __init__(self, title: str, name: str, *, percent: bool = False) -> None:
        super().__init__(name, title, left_width=44)
        self.title = title
        self._has_title = True
        self.run = RunLines()
        self.live_axes = LiveAxes(percent, 100.0 if percent else None)
        self.others = OtherCurves()
        self._follows = True
        plot = self.plotItem
        plot.vb.sigRangeChangedManually.connect(self._on_zoomed)
        self.show_horizontal_grid()
        self.epoch_axis = EpochAxis(plot)
        for axis in self.axes():
            axis.setCacheMode(CACHED)
        # The last number is beyond the end of its axis by half of its size.
        for side in ("bottom", "left"):
            plot.getAxis(side).setStyle(hideOverlappingLabels=False)
        plot.setLimits(xMin=0)
        self.pointer = Pointer()
        plot.addItem(self.pointer, ignoreBounds=True)
        self.rates = RateMarks(plot)
        self.hint = Hint(plot.vb, self.tr("Press Train: the curve appears here."))
        plot.addItem(self.hint, ignoreBounds=True)
        self.shown_range = ShownRange(self, self.live_axes)
        self.labels = LineLayer(self)
        self._show_title()
        self._show(self.live_axes.range)
        self.recolor()

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

    # -- data --------------------------------------------------------------------------------------

    def add(self, name: str, x: float, y: float | None) -> None:
        """Add a point to a curve of the run; y of an accuracy is from 0 to 1."""
        if y is not None:
            self.run.curves[name].add_point(x, 100 * y if self.live_axes.percent else y)

    def start_run(self, planned: float = 0.0, guess: float = 0.0) -> None:
        """Begin new curves. planned: epochs, 0: not known; guess: the loss of guessing, 0: not
        known.
        """
        self.clear_curves()
        axes = self.live_axes
        axes.planned = planned
        axes.first = 0
        axes.guess = guess
        axes.has_ended = False
        axes.until = None
        self.follows = True
        self.draw(0)
        self._show(axes.first_range())

    def forget(self) -> None:
        """Remove all curves, also those of other runs."""
        self.live_axes.planned = 0.0
        self.live_axes.first = 0
        self.live_axes.until = None
        self.others.show_kept(())
        self.show_others(())
        self.clear_curves()

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        curves = self.run.curves
        best = self.run.best
        name = self.run.name
        series = self.run.series
        compared = self.others.compared
        kept = self.others.kept
        axes = replace(self.live_axes)
        rates = self.rates.rates
        follows = self.follows
        view = self.viewRange()

        def put_back() -> None:
            self.clear_curves()
            self.run.curves = curves
            self.live_axes.show_again(axes)
            self.run.name = name
            self.run.series = series
            self.run.best = best
            for x, learning_rate in rates:
                self.rates.mark(x, learning_rate)
            self.others.show_others(compared)
            self.others.show_kept(kept)
            self._show_others()
            self.recolor()
            self._show(self.live_axes.first_range())
            self.follows = follows
            if not follows:
                self.setRange(xRange=view[0], yRange=view[1], padding=0)

        return put_back

    def name_run(self, name: str, series: int | None) -> None:
        """Name the run at its curve; `series`: its color, None: the first."""
        if (name, series) != (self.run.name, self.run.series):
            self.run.name = name
            self.run.series = series
            self.recolor()

    def show_others(
        self, others: Sequence[OtherCurve], epochs: float = 0, highest: float = 0
    ) -> None:
        """Show these curves, and no others, beside those of the run.

        `epochs`: how far the axis reaches at least. `highest`: where the other axis ends; 0: where
        the curves end.
        """
        axes = self.live_axes
        axes.highest = highest
        reach = max([epochs, *(point[0] for other in others for point in other.points)])
        if reach:
            axes.planned = max(axes.planned, reach) if len(self.run.curves["train"]) else reach
        self.others.show_others(others)
        self._show_others()
        if reach and self.follows and self.run.is_empty:
            first = axes.first_range()
            self._show(AxisRange(reach * ENDS, first.low, first.high))

    def show_kept(self, kept: Sequence[OtherCurve]) -> None:
        """Show these runs where `show_others` shows none."""
        self.others.show_kept(kept)
        self._show_others()

    def _show_others(self) -> None:
        self.hint.setVisible(not (self.live_axes.planned or self.others.shown))
        self.others.recolor(self.colors)
        self.others.draw(self.live_axes)
        self._show_labels()

    def clear_curves(self) -> None:
        self.run.clear()
        self.rates.clear()

    def values_at(self, x: float) -> str:
        """The values of the curves at x, in words."""
        unit = " %" if self.live_axes.percent else ""
        texts = []
        for name, xs, ys in [*self.run.named_points(), *self.others.named_points()]:
            if len(xs) and xs[0] <= x <= xs[-1]:
                texts.append(f"{name} {number(float(np.interp(x, xs, ys)))}{unit}")
        return f"{self.title.removesuffix(', %')}: {', '.join(texts)}" if texts else ""

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, until: float, unfinished: tuple[float, float] | None = None) -> None:
        """Draw the curves. `until`: epochs trained so far. `unfinished`: a point after the end of
        the raw curve.
        """
        axes = self.live_axes
        if unfinished is not None and axes.percent:
            unfinished = unfinished[0], 100 * unfinished[1]
        shown = self.run.draw(axes, unfinished)
        others = self.others.draw(axes)
        longest = max((float(x[-1]) for x, _ in others if len(x)), default=0.0)
        if self.follows and (until or longest):
            self.shown_range.follow(until, longest, shown + others, is_low=self.epoch_axis.is_low)
        self.hint.setVisible(not (until or axes.planned or self.others.shown))
        self._show_labels()

    def _show_labels(self) -> None:
        """Show the curves, and at the end of each that has points its name and its last value."""
        self.labels.lines = [*self.run.lines.values(), *self.others.lines]
        curves = self.run.labeled() + [(line.name, line) for line in self.others.lines]
        training = self.run.lines[
            "train"
        ]  # its last value changes all the time; its color is too light for text
        self.labels.show_lines(
            [
                EndLabel(
                    name,
                    self.run.lines["test"].pen if line is training else line.pen,
                    float(line.x[-1]),
                    float(line.y[-1]),
                    "" if line is training else self.live_axes.value_text(float(line.y[-1])),
                )
                for name, line in curves
                if name and len(line.x)
            ]
        )

    def set_quantity(self, title: str, ceiling: float | None) -> None:
        """Show another quantity from now on. `ceiling`: its best possible value, 100 for
        percentages; None for a loss.
        """
        if title != self.title:
            self.title = title
            self.live_axes.percent = ceiling == 100
            self.live_axes.ceiling = ceiling
            self.setAccessibleName(title)
            self._show_title()
            self._show(self.live_axes.first_range())

    def _show_title(self) -> None:
        self.set_value_title(self.title if self._has_title else "")

    def show_title(self, shown: bool) -> None:
        """Show the title above the axis, or leave it to a switch."""
        if shown != self._has_title:
            self._has_title = shown
            self._show_title()

    def _show(self, axis_range: AxisRange) -> None:
        self.shown_range.show(axis_range, is_low=self.epoch_axis.is_low)

    # -- appearance --------------------------------------------------------------------------------

    def recolor(self) -> None:
        self.run.recolor(self.colors)
        self.pointer.setPen(pg.mkPen(self.colors.muted, width=1))
        self.shown_range.recolor(self.colors)
        self.hint.setFont(theme().font())
        self.hint.setColor(self.colors.muted)
        self.others.recolor(self.colors)
        self.labels.update()
        super().recolor()
        for axis in self.axes():
            # Without its line: the grid and the numbers are enough. The title takes the color of
            # the pen.
            axis.setPen(pg.mkPen(self.colors.muted, style=Qt.PenStyle.NoPen))
        self.epoch_axis.recolor(self.colors)
        self.rates.recolor(self.colors)
        self._show_labels()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Show fewer numbers in a low plot."""
        super().resizeEvent(event)
        low = self.height() < LOW
        # pyqtgraph calls this without an event while the plot is created.
        if event and low != self.epoch_axis.is_low:
            self.epoch_axis.is_low = low
            self.shown_range.set_ticks(is_low=low)

    def paint(self, painter: QPainter, top: int) -> None:
        """Draw the plot as it is shown, its upper edge at `top`."""
        for axis in self.axes():  # a cached axis would be drawn as pixels
            axis.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        area = self.viewport().rect()
        self.render(painter, QRectF(area).translated(0, top), area)
        for axis in self.axes():
            axis.setCacheMode(CACHED)

    def _on_zoomed(self) -> None:
        self.follows = False
        self.zoomed.emit()

    def fit(self) -> None:
        self.follows = True
        self.fitted.emit()
