"""The curves of several runs in one plot."""

from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from core.runs.comparison import curve, smoothed
from core.training.records import Epoch
from gui.widgets import make
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.plots.plot import Plot, series_color
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import theme

MAX_LEGEND = 12  # entries; more would hide the curves
_ENTRY_HEIGHT, _AXIS_HEIGHT = 20, 50  # pixels
_LINES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
_SMOOTHING_STEPS = 95  # hundredths of the weight of the past


class CurvesPage(QWidget):
    """Shows one quantity of several runs over epochs, steps or seconds. `name`: the start of the object names."""

    def __init__(self, name: str, quantity: str = "test_score", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: list[str] = []
        self._rows: list[list[Epoch]] = []
        self._items: list[Any] = []
        tip = self.tr("The quantity of the curves; a score is the accuracy, or R² of values.")
        self.quantity_box = make.combo(f"{name}QuantityBox", self.tr("Quantity"), tip, [
            ("train_loss", self.tr("training loss")), ("validation_loss", self.tr("validation loss")),
            ("test_loss", self.tr("test loss")), ("train_score", self.tr("training score")),
            ("test_score", self.tr("test score")),
        ])  # fmt: skip
        self.quantity_box.choose(quantity)
        tip = self.tr("What the curves are drawn over; seconds are those of training.")
        self.axis_box = make.combo(f"{name}AxisBox", self.tr("Axis"), tip, [
            ("epoch", self.tr("by epoch")), ("step", self.tr("by step")), ("seconds", self.tr("by second")),
        ])  # fmt: skip
        for box in (self.quantity_box, self.axis_box):
            box.setMinimumWidth(120)
            box.currentIndexChanged.connect(self.draw)
        tip, title = self.tr("Smooth the curves: the weight of the epochs before."), self.tr("Smoothing")
        self.smoothing = make.slider(f"{name}Smoothing", title, tip, 0, _SMOOTHING_STEPS, self.draw)
        self.smoothing.setMaximumWidth(110)
        tip = self.tr("A logarithmic axis; for scores of the distance from the best value, 1.")
        self.log_check = make.check(self.tr("Lo&garithmic"), f"{name}Logarithmic", tip, self.draw)
        self.plot = Plot(f"{name}Plot", self.tr("Curves of the selected runs"))
        self.plot.add_legend()
        self.plot.show_horizontal_grid()
        self.plot.setMinimumHeight(110)
        smoothing_label = QLabel(self.tr("Smoot&hing"))
        smoothing_label.setBuddy(self.smoothing)
        row = FlowLayout(self.quantity_box, self.axis_box, self.log_check, smoothing_label, self.smoothing)
        make.column(row, (self.plot, 1), owner=self).setContentsMargins(0, 4, 0, 0)
        theme().changed.connect(self.draw)

    def show_runs(self, names: list[str], rows: list[list[Epoch]]) -> None:
        """Show these runs; `rows`: the history of each."""
        self._names, self._rows = names, rows
        self.draw()

    @property
    def axis(self) -> str:
        return str(self.axis_box.currentData())

    @property
    def weight(self) -> float:
        """The weight of the past in the smoothed curves."""
        return self.smoothing.value() / 100

    def draw(self) -> None:
        """Draw the curves. Items of earlier curves are used again: creating them takes most of the time."""
        quantity, logarithmic = str(self.quantity_box.currentData()), self.log_check.isChecked()
        score = quantity.endswith("score")
        self.plot.plotItem.setLogMode(y=logarithmic)
        title = self.quantity_box.currentText()
        error = self.tr("1 − {score}").format(score=title)
        self.plot.plotItem.setLabel("left", error if score and logarithmic else title)
        titles = {"epoch": self.tr("epoch"), "step": self.tr("step"), "seconds": self.tr("seconds")}
        self.plot.plotItem.setLabel("bottom", titles[self.axis])
        while len(self._items) < len(self._rows):
            self._items.append(self.plot.plot(skipFiniteCheck=True))
        while len(self._items) > len(self._rows):
            self.plot.plotItem.removeItem(self._items.pop())
        shown = []
        for index, (item, rows) in enumerate(zip(self._items, self._rows, strict=True)):
            x, y = curve(rows, quantity, self.axis)
            y = smoothed(y, self.weight)
            if logarithmic:
                y = 1 - y if score else y
                x, y = x[y > 0], y[y > 0]
            item.setData(x, y)
            self._style(item, index, len(rows) == 1)
            if len(x):
                shown.append((item, self._names[index]))
        self._show_legend(shown)
        self.fit()

    def _style(self, item: Any, index: int, is_point: bool) -> None:
        colors = self.plot.colors
        line = _LINES[index // len(colors.series) % len(_LINES)]
        color = series_color(colors, index)
        item.setPen(pg.mkPen(color, width=2, style=line))
        item.setSymbol("o" if is_point else None)
        if is_point:
            item.setSymbolSize(7)
            item.setSymbolBrush(pg.mkBrush(color))

    def _show_legend(self, shown: list[tuple[Any, str]]) -> None:
        legend = self.plot.legend
        # At most half of the plot's height.
        most = min(max((self.plot.height() - _AXIS_HEIGHT) // (2 * _ENTRY_HEIGHT), 2), MAX_LEGEND)
        texts = [name for _, name in shown[:most]]
        if len(shown) > most:
            texts[-1] = self.tr("and {n} more").format(n=len(shown) - most + 1)
        if [label.text for _, label in legend.items] != texts:
            legend.clear()
            for (item, _), text in zip(shown, texts, strict=False):
                legend.addItem(item, text)
        background = QColor(self.plot.colors.base)
        background.setAlpha(210)
        legend.setBrush(pg.mkBrush(background) if texts else pg.mkBrush(None))
        falls = not str(self.quantity_box.currentData()).endswith("score") or self.log_check.isChecked()
        corner = (1.0, 0.0) if falls else (1.0, 1.0)
        legend.anchor(corner, corner, offset=(-8, 8 if falls else -8))
        self.plot.recolor_legend()

    def fit(self) -> None:
        """Show all curves."""
        ends = [item.getData() for item in self._items]
        xs = np.concatenate([x for x, _ in ends if x is not None and len(x)] or [np.array([0.0, 1.0])])
        ys = np.concatenate([y for x, y in ends if x is not None and len(x)] or [np.array([0.0, 1.0])])
        margin = 0.05 * ((ys.max() - ys.min()) or abs(ys.max()) or 1.0)
        self.plot.setRange(
            xRange=(min(float(xs.min()), 0.0), float(xs.max())), yRange=(ys.min() - margin, ys.max() + margin),
            padding=0.02,
        )  # fmt: skip
