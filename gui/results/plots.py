"""Plots of values: a picture over two inputs with a colour bar, and predicted against actual values."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QWidget

from gui.text import number
from gui.widgets.colours import LIGHT, Colours
from gui.widgets.plot import Plot
from gui.widgets.pyqtgraph_loader import pg

POINT_SIZE = 5


class ValuePlot(Plot):
    """What the plots of the results share: quiet axes in the theme's colours, no menu, no place for the focus."""

    def __init__(self, title: str, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(name, title, left_width=40, parent=parent)
        self.setToolTip(tip)
        self.setMinimumSize(150, 130)
        self._title = title
        plot = self.plotItem
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(2, 0, 4, 2)
        for axis in self.axes():
            axis.setStyle(tickLength=-4, maxTickLevel=0, tickTextOffset=3)
        plot.getAxis("bottom").setHeight(36)

    def name_axes(self, bottom: str, left: str) -> None:
        self.plotItem.setLabel("bottom", bottom)
        self.plotItem.setLabel("left", left)

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self.plotItem.setTitle(self._title, color=colours.text, size="9pt", bold=True)
        # Else the title would keep the plot from becoming narrow.
        self.plotItem.titleLabel.setMinimumWidth(0)
        self.plotItem.titleLabel.setMaximumHeight(22)
        self.plotItem.layout.setRowFixedHeight(0, 22)


def value_colours(colours: Colours) -> Any:
    """From low to high: perceptually uniform, told apart by the colour-blind too, and alike in light and dark."""
    return pg.colormap.get("viridis")


def error_colours(colours: Colours) -> Any:
    """Blue for too little and orange for too much (Okabe, Ito); where nothing is wrong, the paper's own colour."""
    return pg.ColorMap([0, 0.5, 1], [colours.train, colours.base, colours.test])


class Picture(ValuePlot):
    """Values over two inputs as colours, on a grid or at points; `bar` says what the colours mean."""

    def __init__(
        self,
        title: str,
        name: str,
        tip: str,
        meaning: Callable[[Colours], Any],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, name, tip, parent)
        self._meaning = meaning
        self._map = meaning(LIGHT)
        self._image = pg.ImageItem(axisOrder="row-major")
        self._points = pg.ScatterPlotItem(size=POINT_SIZE, pen=None, pxMode=True)
        self._at: np.ndarray | None = None
        self.values: np.ndarray | None = None
        for item in (self._image, self._points):
            self.plotItem.addItem(item)
            item.hide()
        # The colours are the whole program's: no bar of one run may be dragged to mean something else.
        self.bar = pg.ColorBarItem(
            colorMap=self._map, interactive=False, width=10, orientation="horizontal", colorMapMenu=False
        )
        self.bar.axis.setStyle(tickLength=-3, maxTickLevel=0, tickTextOffset=2)
        self.bar.axis.setHeight(16)
        self.plotItem.layout.addItem(self.bar, 4, 1)
        self._area = QRectF(0, 0, 1, 1)
        self._levels = (0.0, 1.0)

    def frame(self, low: np.ndarray, high: np.ndarray) -> None:
        """The part of the plane that is shown, from the lowest corner to the highest."""
        self._area = QRectF(low[0], low[1], high[0] - low[0], high[1] - low[1])
        self._at = self.values = None
        self._image.hide()
        self._points.hide()
        self.setRange(self._area, padding=0)

    def scale(self, low: float, high: float) -> None:
        """The values that the ends of the colour bar stand for."""
        high = high if high > low else low + 1
        self._levels = (low, high)
        self._image.setLevels(self._levels)
        self.bar.setLevels(self._levels)

    def show_grid(self, values: np.ndarray) -> None:
        """`values`: (rows, columns), from the lowest corner."""
        self.values = values
        self._image.setImage(values, autoLevels=False, levels=self._levels)
        self._image.setRect(self._area)
        self._image.show()

    def show_points(self, points: np.ndarray, values: np.ndarray) -> None:
        """`points`: (n, 2), each coloured by its value in `values`: (n,)."""
        self._at, self.values = points, values
        low, high = self._levels
        shares = np.clip((values - low) / (high - low), 0, 1)
        brushes = [pg.mkBrush(*row) for row in self._map.map(shares, mode="byte")]
        self._points.setData(x=points[:, 0], y=points[:, 1], brush=brushes)
        self._points.show()

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self.apply_theme_to_axis(self.bar.axis)
        self._map = self._meaning(colours)
        self._image.setColorMap(self._map)
        self.bar.setColorMap(self._map)
        # A point of the paper's own colour needs an edge.
        self._points.setPen(pg.mkPen(colours.previous, width=1))
        if self._at is not None and self.values is not None:
            self.show_points(self._at, self.values)


class Scatter(ValuePlot):
    """Predicted against actual values; on the diagonal a prediction is right."""

    def __init__(self, title: str, name: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(title, name, tip, parent)
        self.plotItem.showGrid(x=True, y=True, alpha=0.12)
        self._points = pg.ScatterPlotItem(size=POINT_SIZE, pen=None, pxMode=True)
        self._diagonal = pg.PlotDataItem(skipFiniteCheck=True)
        self._score = pg.TextItem(anchor=(0, 0))
        for item in (self._points, self._diagonal, self._score):
            self.plotItem.addItem(item, ignoreBounds=True)
        self.actual = self.predicted = np.empty(0, np.float32)
        self._text = ""
        self._colours: Colours | None = None
        self.plotItem.vb.sigRangeChanged.connect(self._settle)

    def clear_points(self) -> None:
        self.actual = self.predicted = np.empty(0, np.float32)
        self._text = ""
        self._points.clear()
        self._score.setText("")

    def show_values(self, actual: np.ndarray, predicted: np.ndarray, r2: float) -> None:
        """Both (n,), in the units of the data."""
        self.actual, self.predicted = actual, predicted
        self._points.setData(x=actual, y=predicted)
        self._text = self.tr("R² {value}").format(value=number(r2))
        self._write()
        ends = np.array([actual.min(), actual.max()], float)
        self._diagonal.setData(ends, ends)
        low, high = min(ends[0], float(predicted.min())), max(ends[1], float(predicted.max()))
        self.setRange(xRange=tuple(ends), yRange=(low, high), padding=0.04)

    def _settle(self) -> None:
        """The score stands in the upper left corner, where few points lie."""
        (left, right), (low, high) = self.plotItem.viewRange()
        self._score.setPos(left + 0.02 * (right - left), high - 0.02 * (high - low))

    def apply_theme(self, colours: Colours) -> None:
        super().apply_theme(colours)
        self._colours = colours
        points = QColor(colours.train)
        points.setAlpha(120)
        self._points.setBrush(pg.mkBrush(points))
        self._diagonal.setPen(pg.mkPen(colours.test, width=2, style=Qt.PenStyle.DashLine))
        self._score.fill = pg.mkBrush(colours.base)
        self._write()

    def _write(self) -> None:
        if self._colours:
            font = QFont(self.font())
            font.setBold(True)
            self._score.setFont(font)
            self._score.setText(self._text, color=self._colours.text)
