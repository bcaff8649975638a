"""The plots of the Results tab: values over two inputs, predicted against actual values, and
calibration.
"""

from collections.abc import Callable
from math import isnan

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor

from core.inference.scores import SURFACE_SIDE, Surface
from gui.text import number
from gui.widgets.plots.axis import recolor_axis
from gui.widgets.plots.plot import Plot

POINT_SIZE = 5
Describe = Callable[[float, float, int], str]


class ValuePlot(Plot):
    """Base of the plots of the Results tab: few ticks, no zooming, and a title that shows the value
    at the pointer.

    `points`: float (n, 2), where the plot has dots.
    """

    def __init__(self, title: str, name: str, tip: str) -> None:
        super().__init__(name, title, left_width=40)
        self.setToolTip(tip)
        self.setMinimumSize(150, 130)
        self.points = np.empty((0, 2))
        self._title = title
        plot = self.plotItem
        plot.setMouseEnabled(False, False)
        plot.layout.setContentsMargins(2, 0, 4, 2)
        for axis in self.axes():
            axis.setStyle(tickLength=-4, maxTickLevel=0, tickTextOffset=3)
        plot.getAxis("bottom").setHeight(36)
        self.pointed.connect(self.show_value)

    def show_value(self, x: float, y: float) -> None:
        """Add the value at this point, if there is one, to the title."""
        value = "" if isnan(x) else self.value_text(x, y)
        self._show_title(f"{self._title}: {value}" if value else self._title)

    def value_text(self, x: float, y: float) -> str:
        """What is known about this place: by default `point_text` of the dot that is nearest on the
        screen.
        """
        if not len(self.points):
            return ""
        # In pixels: the axes may have quite different scales.
        distances = (self.points - (x, y)) / self.plotItem.vb.viewPixelSize()
        return self.point_text(int((distances**2).sum(axis=1).argmin()))

    def point_text(self, index: int) -> str:
        """The dot with this index, in words."""
        raise NotImplementedError

    def _show_title(self, text: str) -> None:
        self.plotItem.setTitle(text, color=self.colors.text, size="9pt", bold=True)
        # By default the title is as wide as the plot at least, and higher than its text.
        self.plotItem.titleLabel.setMinimumWidth(0)
        self.plotItem.titleLabel.setMaximumHeight(22)
        self.plotItem.layout.setRowFixedHeight(0, 22)

    def name_axes(self, bottom: str, left: str) -> None:
        self.plotItem.setLabel("bottom", bottom)
        self.set_value_title(left)

    def recolor(self) -> None:
        super().recolor()
        self._show_title(self._title)


class HeatMap(ValuePlot):
    """Values over two inputs as colors, on a grid or at points, with a color bar.

    diverging: for errors, orange below 0, blue above it, the background's color at 0; else the
    colors are perceptually uniform, and the same in both themes.
    """

    def __init__(self, title: str, name: str, tip: str, *, diverging: bool = False) -> None:
        super().__init__(title, name, tip)
        self._diverging = diverging
        self._map = pg.colormap.get("viridis")
        self._image = pg.ImageItem(axisOrder="row-major")
        self._points = pg.ScatterPlotItem(size=POINT_SIZE, pen=None, pxMode=True)
        self.values: np.ndarray | None = None
        self._surface: Surface | None = None
        for item in (self._image, self._points):
            self.plotItem.addItem(item)
            item.hide()
        # Not interactive: by default the mouse could drag the limits of the color bar.
        options = {
            "orientation": "horizontal",
            "width": 10,
            "interactive": False,
            "colorMapMenu": False,
        }
        self.bar = pg.ColorBarItem(colorMap=self._map, **options)
        self.bar.axis.setStyle(tickLength=-3, maxTickLevel=0, tickTextOffset=2)
        self.bar.axis.setHeight(16)
        self.plotItem.layout.addItem(self.bar, 4, 1)
        self._area = QRectF(0, 0, 1, 1)
        self._levels = (0.0, 1.0)
        self.recolor()

    def set_surface(self, surface: Surface) -> None:
        """Show the area of this surface, without values."""
        low = surface.low
        high = surface.high
        self._area = QRectF(low[0], low[1], high[0] - low[0], high[1] - low[1])
        self._surface = surface
        self.points = np.empty((0, 2))
        self.values = None
        self._image.hide()
        self._points.hide()
        self.setRange(self._area, padding=0)

    def set_levels(self, low: float, high: float) -> None:
        """Set the values at the two ends of the color bar."""
        # Equal ends would be divided by.
        self._levels = (low, high if high > low else low + 1)
        self._image.setLevels(self._levels)
        self.bar.setLevels(self._levels)

    def show_values(self, values: np.ndarray) -> None:
        """Show a value for each point of the surface's grid, or a colored dot for each of its
        points.
        """
        assert self._surface
        if len(values) == len(self._surface.grid):
            self.values = values.reshape(SURFACE_SIDE, SURFACE_SIDE)
            self._image.setImage(self.values, autoLevels=False, levels=self._levels)
            self._image.setRect(self._area)
            self._image.show()
            return
        self.points = self._surface.points
        self.values = values
        low, high = self._levels
        fractions = np.clip((values - low) / (high - low), 0, 1)
        brushes = [pg.mkBrush(*row) for row in self._map.map(fractions, mode="byte")]
        self._points.setData(x=self.points[:, 0], y=self.points[:, 1], brush=brushes)
        self._points.show()

    def value_text(self, x: float, y: float) -> str:
        """The value of the grid's cell, or of the nearest dot, with its place."""
        if self.values is None or not self._area.contains(x, y):
            return ""
        if len(self.points):
            value = super().value_text(x, y)
        else:
            across = (x - self._area.x()) / self._area.width()
            up = (y - self._area.y()) / self._area.height()
            # The upper edge itself belongs to the last cell.
            row, column = (min(int(part * SURFACE_SIDE), SURFACE_SIDE - 1) for part in (up, across))
            value = number(float(self.values[row, column]), 3)
        return self.tr("{value} at {x}, {y}").format(value=value, x=number(x, 3), y=number(y, 3))

    def point_text(self, index: int) -> str:
        assert self.values is not None
        return number(float(self.values[index]), 3)

    def recolor(self) -> None:
        super().recolor()
        recolor_axis(self.bar.axis, self.colors)
        if self._diverging:
            colors = self.colors
            self._map = pg.ColorMap([0, 0.5, 1], [colors.test, colors.base, colors.train])
        self._image.setColorMap(self._map)
        self.bar.setColorMap(self._map)
        # A dot in the background's color is visible by its edge.
        self._points.setPen(pg.mkPen(self.colors.previous, width=1))
        if len(self.points) and self.values is not None:
            self.show_values(self.values)


class DiagonalPlot(ValuePlot):
    """Dots, and the dashed diagonal on which both of their numbers are equal.

    `describe`: the text of a dot, from its two numbers and its index.
    """

    def __init__(self, title: str, name: str, tip: str, describe: Describe) -> None:
        super().__init__(title, name, tip)
        self.plotItem.showGrid(x=True, y=True, alpha=0.12)
        self._name = title
        self._describe = describe
        self._joined = False
        self._dots = self.plot(symbol="o")
        self._diagonal = self.plot()
        self.recolor()

    def show_dots(
        self, points: np.ndarray, ends: tuple[float, float], result: str, *, joined: bool = False
    ) -> None:
        """Show `points`, (n, 2), and the diagonal from the first to the second of `ends`. result:
        beside the title. joined: a line joins the dots.
        """
        if joined != self._joined:
            self._joined = joined
            self.recolor()
        self.points = points
        self._dots.setData(points[:, 0], points[:, 1])
        self._diagonal.setData(ends, ends)
        self._title = f"{self._name} ({result})" if result else self._name
        self._show_title(self._title)
        heights = [*ends, *points[:, 1].tolist()]
        self.setRange(xRange=ends, yRange=(min(heights), max(heights)), padding=0.03)

    def point_text(self, index: int) -> str:
        first, second = self.points[index].tolist()
        return self._describe(first, second, index)

    def recolor(self) -> None:
        super().recolor()
        colors = self.colors
        fill = QColor(self.colors.train)
        fill.setAlpha(255 if self._joined else 120)
        self._dots.setSymbolSize(7 if self._joined else POINT_SIZE)
        self._dots.setSymbolBrush(pg.mkBrush(fill))
        self._dots.setSymbolPen(pg.mkPen(fill if self._joined else None))
        self._dots.setPen(pg.mkPen(colors.train, width=2) if self._joined else None)
        self._diagonal.setPen(pg.mkPen(colors.test, width=2, style=Qt.PenStyle.DashLine))
