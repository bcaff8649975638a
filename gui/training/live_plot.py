"""A plot of one quantity over epochs while a network trains, with the run before for comparison."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isclose

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsItem

from core.training.records import StepsDone
from gui.text import number
from gui.widgets.plots.curve import AxisRange, Curve
from gui.widgets.plots.plot import Plot, series_color, set_marks
from gui.widgets.plots.pyqtgraph_loader import pg

BINS_PER_EPOCH = 100
# At the start, where curves change fast, a bin has at most this fraction of the images trained on so far.
START_FRACTION = 0.05

Point = tuple[float, float, float]
"""The end of a bin in epochs, and the mean loss and score of its images."""


class StepBins:
    """Bins of equal numbers of images, rounded up to whole steps."""

    def __init__(self) -> None:
        self._images = self._loss = self._correct = self._end = 0.0

    def add(self, record: StepsDone) -> list[Point]:
        """The bins that the steps of `record` complete."""
        points = []
        total = float(record.images)
        position = (record.epoch - 1) * total + record.position - float(record.step_metrics[:, 0].sum())
        for images, loss, correct in record.step_metrics.tolist():
            start = position - self._images
            position += images
            self._images += images
            self._loss += loss
            self._correct += correct
            self._end = position / total
            if self._images >= min(total / BINS_PER_EPOCH, START_FRACTION * start):
                points += self.unfinished()
                self._images = self._loss = self._correct = 0.0
        return points

    def unfinished(self) -> list[Point]:
        """The bin that is not complete yet, if it has any steps."""
        images = self._images
        return [(self._end, self._loss / images, self._correct / images)] if images else []


# An axis with its grid takes half the time of a redraw, so it is cached until its range changes.
CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache

PERCENT = AxisRange(1, -5, 108)  # with space for the marks at 0 and 100, and for their labels
LOW_PERCENT = 60  # the axis of accuracies is complete if there are any below this
SHOWN_LAST = 5  # epochs, where only the last ones are shown
NAMES = ("train", "test", "validation")
SMOOTH = ("train", "train before")
MARKS = {"test": "o", "validation": "t"}
LOW = 120  # pixels: a lower plot leaves out what the other plot of the pair shows
LEGEND_HEIGHT = 20
MAX_MARKS = 20  # more of them would merge into a line
NO_CURVES = {"train before": Curve(), "test before": Curve()}
# Drawing takes a time in proportion to the points: one for a pixel, instead of ten.
SAMPLES_PER_PIXEL = 0.5  # of which pyqtgraph draws the least and the greatest value


@dataclass(frozen=True, slots=True)
class OtherCurve:
    """A curve beside those of the run, with its name at its end. `points`: (epoch, value as the axis shows it)."""

    name: str
    points: tuple[tuple[float, float], ...]
    series: int
    dashed: bool = False


class LivePlot(Plot):
    """`curves` are drawn by `draw`: "train", "test" and "validation".

    The range follows the curves while `follows`. pyqtgraph's own automatic range is off: it changes the axes at every
    redraw, and two plots with a linked axis keep each other redrawing.
    """

    zoomed = Signal()  # by the user
    fitted = Signal()

    def __init__(self, title: str, name: str, *, percent: bool = False) -> None:
        super().__init__(name, title, left_width=58)
        self.title = title
        self.curves = {name: Curve() for name in NAMES}
        self._before = NO_CURVES
        self._percent, self._ceiling = percent, 100.0 if percent else None
        self._is_lower, self._is_low = percent, False
        self.follows, self.logarithmic, self.last_only, self._is_point = True, False, False, False
        plot = self.plotItem
        plot.disableAutoRange()
        plot.vb.sigRangeChangedManually.connect(lambda axes: self.zoomed.emit())
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
        self.show_horizontal_grid()
        if percent:
            # Both plots have the same axis of epochs, so only the lower one has its title.
            plot.setLabel("bottom", self.tr("epoch"))
        for axis in self.axes():
            axis.setCacheMode(CACHED)
        plot.setLimits(xMin=0)
        self._add_items()
        self._range = self._first_range()
        self._left = 0.0
        self._ticks = (0, 0)
        self._others: list[tuple[OtherCurve, pg.PlotDataItem, pg.TextItem]] = []
        self._drawn: dict[pg.PlotDataItem, tuple[Curve, int, float, bool, float | None]] = {}
        self._show_title()
        self.clear_curves()
        self._show(self._range)
        self.recolor()

    def _add_items(self) -> None:
        """Create the curves, the first one behind the others, and the legend above the plot."""
        self.legend = pg.LegendItem(labelTextSize="9pt", colCount=5, verSpacing=-6, horSpacing=16)
        self.legend.layout.setContentsMargins(0, 0, 0, 0)
        layout = self.plotItem.layout
        layout.removeItem(self.plotItem.titleLabel)
        self.plotItem.titleLabel.hide()
        layout.addItem(self.legend, 0, 1, Qt.AlignmentFlag.AlignLeft)
        layout.setRowFixedHeight(0, LEGEND_HEIGHT)
        tr = self.tr
        labels = {
            "train before": tr("run before"), "test before": tr("its test"), "raw": tr("training, not smoothed"),
            "train": tr("training"), "test": tr("test"), "validation": tr("validation"),
        }  # fmt: skip
        self._items = {name: self._curve(label) for name, label in labels.items()}
        for item in self._items.values():
            item.opts["autoDownsampleFactor"] = SAMPLES_PER_PIXEL
        for name in SMOOTH:  # its extremes would be stairs
            self._items[name].setDownsampling(auto=True, method="subsample")
        self._pointer = pg.InfiniteLine(angle=90, movable=False)
        self._pointer.hide()
        self.plotItem.addItem(self._pointer, ignoreBounds=True)
        self._rate_marks: list[pg.InfiniteLine] = []
        self._best: float | None = None
        self._best_mark = self._curve(self.tr("best epoch"))
        self._best_text = pg.TextItem(self.tr("best"))
        self._best_text.hide()
        self.plotItem.addItem(self._best_text, ignoreBounds=True)

    def _curve(self, name: str) -> pg.PlotDataItem:
        return self.plot(skipFiniteCheck=True, name=name)

    # -- data -----------------------------------------------------------------------------------------------

    def add(self, name: str, x: float, y: float | None) -> None:
        """Add a point to a curve; y of an accuracy is from 0 to 1."""
        if y is not None:
            self.curves[name].add_point(x, 100 * y if self._percent else y)

    def mark_rate(self, x: float, learning_rate: float) -> None:
        """Mark that training continued with this learning rate at x."""
        line = pg.InfiniteLine(
            x, angle=90, movable=False, label=self.tr("rate {rate}").format(rate=number(learning_rate, 3)),
            labelOpts={"position": 0.9, "anchors": [(1, 0.5), (1, 0.5)]},
        )  # fmt: skip
        self._rate_marks.append(line)
        self.plotItem.addItem(line, ignoreBounds=True)
        self._recolor_mark(line)

    def mark_best(self, epoch: float) -> None:
        """Mark this epoch as the best one, when the curves are drawn next."""
        self._best = epoch

    def start_run(self) -> None:
        """Begin new curves; the present ones become those of the run before."""
        if any(len(curve) > 1 for curve in self.curves.values()):
            self._before = {f"{name} before": self.curves[name] for name in ("train", "test")}
        self.clear_curves()
        self.follows = True
        self.draw(0)
        self._show(self._first_range())

    def forget(self) -> None:
        """Remove all curves: the next run is not comparable."""
        self._before = NO_CURVES
        self.show_others(())
        self.clear_curves()

    def show_others(self, others: Sequence[OtherCurve], epochs: float = 0) -> None:
        """Show these curves, and no others, beside those of the run; `epochs`: how far the axis reaches at least."""
        looks = [(other.name, other.series, other.dashed) for other in others]
        if looks == [(other.name, other.series, other.dashed) for other, _, _ in self._others]:
            # Only their points differ, as while a curve is drawn by hand: new items would be much slower.
            items = [(item, text) for _, item, text in self._others]
            self._others = [(other, *pair) for other, pair in zip(others, items, strict=True)]
        else:
            for _, item, text in self._others:
                self.plotItem.removeItem(item)
                self.plotItem.removeItem(text)
                self._drawn.pop(item, None)
            self._others = []
            for other in others:
                item, text = self._curve(other.name), pg.TextItem(other.name, anchor=(1, 1))
                self.plotItem.addItem(text, ignoreBounds=True)
                self._others.append((other, item, text))
            self.recolor()
        reach = max([epochs, *(point[0] for other in others for point in other.points)])
        self._draw_others()
        if reach and self.follows:
            first = self._first_range()
            self._show(AxisRange(max(reach * 1.05, self._range.reach), first.low, first.high))

    def _draw_others(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Draw the other curves; returns their points."""
        shown = []
        for other, item, text in self._others:
            x, y = np.array(other.points, dtype=float).reshape(-1, 2).T
            item.setData(*self._scaled(x, y))
            text.setVisible(bool(len(x)))
            if len(x):
                at = self._scaled(x, y)
                if len(at[0]):
                    text.setPos(
                        float(at[0][-1]), float(np.log10(at[1][-1]) if self.logarithmic else at[1][-1])
                    )
            shown.append((x, y))
        return shown

    def clear_curves(self) -> None:
        self.curves = {name: Curve() for name in NAMES}
        for line in self._rate_marks:
            self.plotItem.removeItem(line)
        self._rate_marks = []
        self._best = None

    def values_at(self, x: float) -> str:
        """The values of the curves at x, in words."""
        texts = []
        for name, curve in self.curves.items():
            y = curve.smooth if name == "train" else curve.y
            if len(curve) and curve.x[0] <= x <= curve.x[-1]:
                value = float(np.interp(x, curve.x, y))
                texts.append(f"{self._items[name].name()} {number(value)}{' %' if self._percent else ''}")
        return f"{self.title.removesuffix(', %')}: {', '.join(texts)}" if texts else ""

    # -- drawing --------------------------------------------------------------------------------------------

    def draw(self, until: float, unfinished: tuple[float, float] | None = None) -> None:
        """Draw the curves. `until`: epochs trained so far. `unfinished`: a point after the end of the raw curve."""
        train = self.curves["train"]
        x, y = train.x, train.y
        if unfinished is not None:
            value = 100 * unfinished[1] if self._percent else unfinished[1]
            x, y = np.append(x, unfinished[0]), np.append(y, value)
        if (len(x) == 1) != self._is_point:
            # A line needs two points; after a single step there is only one.
            self._is_point = not self._is_point
            self._items["raw"].setSymbol("o" if self._is_point else None)
        self._set_data(self._items["raw"], train, x, y)
        shown = [(x, y)]
        for name, curve in (self._before | self.curves).items():
            if name in MARKS:
                self._items[name].setSymbol(MARKS[name] if len(curve) <= MAX_MARKS else None)
            self._set_data(self._items[name], curve, curve.x, curve.smooth if name in SMOOTH else curve.y)
            # Not the mean: behind perfect scores it comes within 1e-8 of them, which would be the end of the axis.
            shown.append((curve.x, curve.y))
        self._draw_best()
        self._show_legend()
        others = self._draw_others() if self._others else []
        until = max([until, *(float(x[-1]) for x, _ in others if len(x))])
        if self.follows and until:
            self._follow(until, shown + others)

    def _set_data(self, item: pg.PlotDataItem, curve: Curve, x: np.ndarray, y: np.ndarray) -> None:
        """Give `item` points of `curve`, unless it has them already: pyqtgraph examines and redraws all of them."""
        state = curve, len(x), float(x[-1]) if len(x) else 0.0, self.logarithmic, self._ceiling
        if self._drawn.get(item) != state:
            self._drawn[item] = state
            item.setData(*self._scaled(x, y))

    def _draw_best(self) -> None:
        """Draw the mark of the best epoch, on the curve that decided where it is shown here."""
        curve = self.curves["validation"] if len(self.curves["validation"]) else self.curves["test"]
        chosen = curve.x == self._best
        x, y = self._scaled(curve.x[chosen], curve.y[chosen])
        if not len(x) or not np.array_equal(self._best_mark.getOriginalDataset(), (x, y)):
            self._best_mark.setData(x, y)
        self._best_text.setVisible(bool(len(x)))
        if len(x):
            # The best loss or error is a low point and the best score a high one: the text is on the free side.
            is_high = self._ceiling is not None and not self.logarithmic
            self._best_text.setAnchor((0.5, -0.2 if is_high else 1.2))
            self._best_text.setPos(float(x[0]), float(np.log10(y[0]) if self.logarithmic else y[0]))

    def _follow(self, until: float, shown: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """Change the range so that it contains all curves up to `until`."""
        self._left = max(0.0, ceil(until) - SHOWN_LAST) if self.last_only else 0.0
        reach = self._range.following(until, 0, 0).reach
        values = np.concatenate([y[(x >= self._left) & (x <= reach)] for x, y in shown])
        if self.logarithmic:
            values = self._errors(values)
            values = np.log10(values[values > 0])
        if len(values):
            low, high = float(values.min()), float(values.max())
            following = self._range.following(until, low, high, None if self.logarithmic else self._ceiling)
            if self._percent and not self.logarithmic and low < LOW_PERCENT:
                following = AxisRange(reach, PERCENT.low, PERCENT.high)
            self._show(following)

    def _scaled(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points as they are drawn. A logarithmic axis has no place for an error of 0."""
        if not self.logarithmic:
            return x, y
        errors = self._errors(y)
        return x[errors > 0], errors[errors > 0]

    def _errors(self, y: np.ndarray) -> np.ndarray:
        """The values on a logarithmic axis: for a score its distance from the best possible value."""
        return y if self._ceiling is None else self._ceiling - y

    def set_logarithmic(self, on: bool) -> None:
        """Show the loss, or the error instead of a score, on a logarithmic axis."""
        self.logarithmic = on
        self.plotItem.setLogMode(y=on)
        self._show_title()
        self._show(self._first_range())

    def set_quantity(self, title: str, ceiling: float) -> None:
        """Show another score from now on. `ceiling`: its best possible value, 100 for percentages."""
        if title != self.title:
            self.title, self._percent, self._ceiling = title, ceiling == 100, ceiling
            self.setAccessibleName(title)
            self._show_title()
            self._show(self._first_range())

    def _show_title(self) -> None:
        error = self.tr("error, %") if self._percent else self.tr("1 − {score}").format(score=self.title)
        is_error = self.logarithmic and self._ceiling is not None
        self.plotItem.setLabel("left", error if is_error else self.title)

    def _show_legend(self) -> None:
        """Name the curves that have points; the training and test curves also before they have any."""
        # R² is known of the test data only.
        always = ("train", "test") if self._percent or self._ceiling is None else ("test",)
        curves = self.curves | self._before
        entries = [self._items[name] for name in curves if len(curves[name]) or name in always]
        if [label.text for _, label in self.legend.items] != [item.name() for item in entries]:
            self.legend.clear()
            for item in entries:
                self.legend.addItem(item, item.name())
            self.recolor_legend()

    def _first_range(self) -> AxisRange:
        if self.logarithmic:
            return AxisRange(1, -2, 2 if self._percent else 0.5)
        if self._percent:
            return PERCENT
        return AxisRange(1, -0.05, 2.5) if self._ceiling is None else AxisRange(1, -0.02, 1.02)

    def _show(self, axis_range: AxisRange) -> None:
        shown_x, shown_y = self.viewRange()
        wanted = [[self._left, axis_range.reach], [axis_range.low, axis_range.high]]
        self._range = axis_range
        self._set_ticks()
        # For four numbers much faster than np.allclose.
        pairs = zip(shown_x + shown_y, wanted[0] + wanted[1], strict=True)
        if not all(isclose(a, b, rel_tol=1e-5, abs_tol=1e-8) for a, b in pairs):
            self.setRange(xRange=wanted[0], yRange=wanted[1], padding=0)

    def _set_ticks(self) -> None:
        """Ticks at whole epochs as soon as there is more than one of them, and at 100 %."""
        epochs = self._range.reach - self._left
        step = next((s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500) if epochs <= 12 * s), 1000)
        complete = self._percent and not self.logarithmic and self._range.high - self._range.low > LOW_PERCENT
        ticks = (step if epochs > 1.5 else 0, (50 if self._is_low else 25) if complete else 0)
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
        """Thick lines are opaque and not smoothed, which is fastest to draw."""
        colors, solid, dashed = self.colors, Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine
        for name, color, width, style in (
            ("train before", colors.previous, 1.5, solid), ("test before", colors.previous, 1.5, dashed),
            ("raw", colors.train_raw, 1, solid), ("train", colors.train, 2, solid), ("test", colors.test, 2, dashed),
            ("validation", colors.series[2], 2, Qt.PenStyle.DotLine),
        ):  # fmt: skip
            self._items[name].setPen(pg.mkPen(color, width=width, style=style))
        set_marks(self._items["test"], MARKS["test"], 5, colors.test, colors.test)
        set_marks(self._items["validation"], MARKS["validation"], 6, colors.series[2], colors.series[2])
        set_marks(self._items["raw"], "o" if self._is_point else None, 6, colors.train, colors.train)
        self._pointer.setPen(pg.mkPen(colors.muted, width=1))
        self._best_mark.setPen(None)
        set_marks(
            self._best_mark, "d", 11, "#00000000", colors.text
        )  # the point and the curve are seen through it
        self._best_text.setColor(colors.text)
        for other, item, text in self._others:
            color, style = (
                series_color(colors, other.series),
                dashed if other.dashed else Qt.PenStyle.SolidLine,
            )
            item.setPen(pg.mkPen(color, width=3, style=style))
            text.setColor(colors.text)
        super().recolor()
        for line in self._rate_marks:
            self._recolor_mark(line)

    def _recolor_mark(self, line: pg.InfiniteLine) -> None:
        line.setPen(pg.mkPen(self.colors.muted, width=1, style=Qt.PenStyle.DashDotLine))
        line.label.setColor(self.colors.muted)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave out the epochs in a low upper plot, and the legend and the axis title in a low lower one."""
        super().resizeEvent(event)
        low = self.height() < LOW
        # pyqtgraph calls this without an event while the plot is created.
        if not event or low == self._is_low:
            return
        self._is_low = low
        self._set_ticks()
        axis = self.plotItem.getAxis("bottom")
        if self._is_lower:
            axis.showLabel(not low)
            height = 0 if low else LEGEND_HEIGHT
            self.legend.setVisible(not low)
            self.legend.setMinimumHeight(0)
            self.legend.setMaximumHeight(height)
            self.plotItem.layout.setRowFixedHeight(0, height)
        else:
            axis.setStyle(showValues=not low)
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
