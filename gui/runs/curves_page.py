"""The curves of runs in one plot: of repetitions their mean, with a band from the lowest to the
highest.
"""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.runs import comparison as compare
from core.studies.conclusion import Group
from gui.runs.verdict import series_of
from gui.text import number, percent
from gui.widgets.make import FlowLayout, check, column, combo, label, labeled, slider
from gui.widgets.plots.axis import MOST, MOST_TIMES, epoch_step, percent_axis, round_ticks
from gui.widgets.plots.end_labels import EndLabel, EndLabels
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.plot_items import CutMark
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.plots.series import line_styles, series_color
from gui.widgets.tab import PageChooser
from gui.widgets.theme import theme
from gui.words import with_words

_AXIS_HEIGHT = 50  # pixels
_SMOOTHING_STEPS = 95  # hundredths of the weight of the past
_BAND_ALPHA = 50
MOST_MARKS = 12  # epochs that have a mark each
MOST_LINES = 6  # of the grid
_QUICK = ("test_score", "test_loss")  # what the buttons above the plot choose


def mean_curve(group: Group, quantity: str, axis: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """float64 x (n,), mean y (n,), and y of all its runs (runs, n), as far as all of them have
    come.
    """
    curves = [compare.curve(run.epochs, quantity, axis) for run in group.runs if run.epochs]
    curves = [(x, y) for x, y in curves if len(x)]
    shortest = min((len(x) for x, _ in curves), default=0)
    if not shortest:
        return np.empty(0), np.empty(0), np.empty((0, 0))
    xs = np.array([x[:shortest] for x, _ in curves])
    ys = np.array([y[:shortest] for _, y in curves])
    return xs.mean(axis=0), ys.mean(axis=0), ys


class CurvesPage(QWidget):
    """Shows one quantity of several groups of runs over epochs, steps or seconds."""

    def __init__(self) -> None:
        super().__init__()
        self._groups: Sequence[Group] = ()
        self._items: list[Any] = []
        self._bands: list[Any] = []
        self._make_options()
        self.quick = PageChooser("runsQuickQuantity", self.tr("Quantity of the curves"))
        self.quick.add_page(
            self.tr("Accuracy"), self.tr("The share of the test images that is read right.")
        )
        self.quick.add_page(
            self.tr("Loss"), self.tr("How wrong the answers to the test images are.")
        )
        self.quick.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.quick.tabBarClicked.connect(lambda index: self.quantity_box.choose(_QUICK[index]))
        self.plot = Plot("runsPlot", self.tr("Curves of the selected runs"))
        self.plot.labels = EndLabels(self.plot)
        self.plot.show_horizontal_grid()
        self.cut_mark = CutMark(self.plot.plotItem)
        self.plot.plotItem.getAxis("bottom").setStyle(hideOverlappingLabels=False)
        self.plot.setMinimumHeight(110)
        self.nothing = label("", "runsCurvesNothing", "muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts = self.options, (self.plot, 1), (self.nothing, 1)
        column(*parts, owner=self, spacing=2).setContentsMargins(0, 4, 0, 0)
        theme().changed.connect(self.draw)

    def _make_options(self) -> None:
        """What experts want; hidden at first."""
        quantity_tip = self.tr("The quantity of the curves; the accuracy of values is R².")
        self.quantity_box = combo(
            "runsQuantityBox",
            self.tr("Quantity"),
            quantity_tip,
            [
                ("train_loss", self.tr("training loss")),
                ("validation_loss", self.tr("validation loss")),
                ("test_loss", self.tr("test loss")),
                ("train_score", self.tr("training accuracy")),
                ("test_score", self.tr("test accuracy")),
            ],
        )
        self.quantity_box.choose("test_score")
        axis_tip = self.tr("What the curves are drawn over; seconds are those of training.")
        self.axis_box = combo(
            "runsAxisBox",
            self.tr("Axis"),
            axis_tip,
            [
                ("epoch", self.tr("by epoch")),
                ("step", self.tr("by step")),
                ("seconds", self.tr("by second")),
            ],
        )
        for box in (self.quantity_box, self.axis_box):
            box.setMinimumWidth(120)
            box.currentIndexChanged.connect(self.draw)
        title = self.tr("Smoothing")
        self.smoothing = slider(
            "runsSmoothing",
            title,
            self.tr("Smooth the curves: the weight of the epochs before."),
            0,
            _SMOOTHING_STEPS,
            self.draw,
        )
        self.smoothing.setMaximumWidth(110)
        tip = self.tr("A logarithmic axis; for accuracies of the distance from the best value, 1.")
        self.log_check = check(
            self.tr("Lo&garithmic"), "runsLogarithmic", with_words(tip, tip), self.draw
        )
        smoothing = labeled(self.tr("Smoot&hing"), self.smoothing)
        self.options = QWidget()
        self.options.setLayout(
            FlowLayout(self.quantity_box, self.axis_box, self.log_check, smoothing)
        )
        self.options.hide()

    def show_groups(self, groups: Sequence[Group]) -> None:
        self._groups = groups
        self.draw()

    @property
    def axis(self) -> str:
        return str(self.axis_box.currentData())

    @property
    def quantity(self) -> str:
        return str(self.quantity_box.currentData())

    @property
    def weight(self) -> float:
        return self.smoothing.value() / 100

    @property
    def has_curve(self) -> bool:
        """Whether a run has any value of the quantity."""
        return not self.plot.isHidden()

    def _is_percent(self) -> bool:
        """Whether the quantity is a share of images; R² of values is none."""
        runs = itertools.chain.from_iterable(group.runs for group in self._groups)
        first = (run.epochs[0] for run in runs if run.epochs)
        return self.quantity.endswith("score") and any(
            epoch.train_score is not None for epoch in first
        )

    def draw(self) -> None:
        """Draw the curves. Items of earlier curves are used again: creating them takes most of the
        time.
        """
        self._show_titles()
        self.cut_mark.recolor(self.plot.colors)
        while len(self._items) < len(self._groups):
            self._items.append(self.plot.plot(skipFiniteCheck=True))
        while len(self._items) > len(self._groups):
            self.plot.plotItem.removeItem(self._items.pop())
        while self._bands:
            self.plot.plotItem.removeItem(self._bands.pop())
        shown = []
        styles = line_styles([series_of(group) for group in self._groups])
        for item, group, style in zip(self._items, self._groups, styles, strict=True):
            if self._draw_group(item, group, style):
                shown.append((item, group.name))
        self.plot.setVisible(bool(shown))
        self.nothing.setVisible(not shown)
        text = self.tr("Choose runs in the list: here appear their curves, named by what differs.")
        if self._groups:
            text = self.tr("The curves begin when the first epoch has ended.")
        self.nothing.setText(text)
        self.fit()
        self._show_labels(shown)

    def _show_titles(self) -> None:
        """Name the axes, and mark the button of the quantity."""
        logarithmic = self.log_check.isChecked()
        self.plot.plotItem.setLogMode(y=logarithmic)
        title = self.quantity_box.currentText()
        percents = self._is_percent()
        if self.quantity.endswith("score") and logarithmic:
            title = self.tr("error") if percents else self.tr("1 − {score}").format(score=title)
        title = f"{title}, %" if percents else title
        self.plot.set_value_title(title)
        titles = {"epoch": self.tr("epoch"), "step": self.tr("step"), "seconds": self.tr("seconds")}
        self.plot.plotItem.setLabel("bottom", titles[self.axis])
        if self.quantity in _QUICK:
            self.quick.setCurrentIndex(_QUICK.index(self.quantity))

    def _draw_group(self, item: Any, group: Group, style: Qt.PenStyle) -> bool:
        """Draw the curve of a group with its band; returns whether it has any point."""
        x, mean, ys = mean_curve(group, self.quantity, self.axis)
        mean = compare.smoothed(mean, self.weight)
        if self.log_check.isChecked():
            mean = 1 - mean if self.quantity.endswith("score") else mean
            x = x[mean > 0]
            mean = mean[mean > 0]
        factor = 100.0 if self._is_percent() else 1.0
        item.setData(x, factor * mean)
        color = series_color(self.plot.colors, series_of(group))
        item.setPen(pg.mkPen(color, width=theme().line(), style=style))
        item.setSymbol("o" if len(x) <= MOST_MARKS else None)
        item.setSymbolSize(2 * theme().line() + 2)
        item.setSymbolPen(pg.mkPen(None))
        item.setSymbolBrush(pg.mkBrush(color))
        if len(ys) > 1 and not self.log_check.isChecked() and not self.weight:
            self._draw_band(x, factor * ys.min(axis=0), factor * ys.max(axis=0), color)
        return bool(len(x))

    def _draw_band(self, x: np.ndarray, low: np.ndarray, high: np.ndarray, color: str) -> None:
        tint = QColor(color)
        tint.setAlpha(_BAND_ALPHA)
        edges = [pg.PlotCurveItem(x, y) for y in (low, high)]
        band = pg.FillBetweenItem(*edges, brush=pg.mkBrush(tint))
        self.plot.plotItem.addItem(band, ignoreBounds=True)
        self._bands.append(band)

    def _show_labels(self, shown: list[tuple[Any, str]]) -> None:
        """Name the curves at their ends, as many as there is room for."""
        most = max(
            (self.plot.height() - theme().px(_AXIS_HEIGHT)) // self.plot.fontMetrics().height(), 2
        )
        names = [name for _, name in shown]
        if len(shown) > most:
            hidden = len(shown) - most + 1
            names[most - 1] = self.tr("and {n} more", None, hidden).format(n=hidden)
        labels = []
        for (item, _), name in zip(shown[:most], names, strict=False):
            x, y = item.getOriginalDataset()
            end = float(np.log10(y[-1]) if self.log_check.isChecked() else y[-1])
            value = number(float(y[-1]))
            if self._is_percent():
                value = percent(float(y[-1]) / 100)
            labels.append(EndLabel(name, item.opts["pen"], float(x[-1]), end, value))
        self.plot.labels.show_labels(labels)

    def fit(self) -> None:
        """Show all curves; the axis ends at the last epoch, and a loss of a few epochs does not
        rule it.
        """
        drawn = [
            (x, y) for x, y in (item.getData() for item in self._items) if x is not None and len(x)
        ]
        if not drawn:
            return
        xs, ys = (np.concatenate(each) for each in zip(*drawn, strict=True))
        low = float(ys.min())
        high = float(ys.max())
        if not self.quantity.endswith("score") and not self.log_check.isChecked():
            high = min(high, max(MOST_TIMES * float(np.percentile(ys, MOST)), low))
        height = (high - low) or abs(high) or 1.0
        margin = 0.08 * height
        first = float(xs.min())
        last = float(xs.max())
        if self.axis == "epoch" and last <= MOST_MARKS:
            first = 0.0  # before the first epoch
        space = 0.01 * (last - first) or 0.5
        levels = [(float(epoch_step(last - first)), 0)] if self.axis == "epoch" else None
        self.plot.plotItem.getAxis("bottom").setTickSpacing(levels=levels)
        x_range = (first - space, last + space)
        y_range = (low - margin, high + margin)
        is_logarithmic = self.log_check.isChecked()
        step = 0.0
        if self._is_percent() and not is_logarithmic:
            begin, step = map(float, percent_axis(low))
            y_range = (begin, 100 + 0.04 * (100 - begin))
        elif not is_logarithmic:
            ticks = round_ticks(*y_range, MOST_LINES)
            step = ticks[1] - ticks[0] if len(ticks) > 1 else 0.0
        self.cut_mark.show(self._is_percent() and not is_logarithmic and y_range[0] > 0)
        levels = [(step, 0)] if step else None
        self.plot.plotItem.getAxis("left").setTickSpacing(levels=levels)
        self.plot.setRange(xRange=x_range, yRange=y_range, padding=0)
