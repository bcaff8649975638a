"""A live plot shows one quantity over epochs: raw thin, smoothed bold, the test split dashed with marks."""

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QWidget

from gui.widgets.axis_range import AxisRange
from gui.widgets.colours import Colours
from gui.widgets.curve import Curve
from gui.widgets.plot import Plot, set_marks
from gui.widgets.pyqtgraph_loader import pg

# An axis is drawn when it changes, and not beneath every new point: with its grid it is half of a redraw.
CACHED = QGraphicsItem.CacheMode.DeviceCoordinateCache


# Shares from 0 to 100 per cent, with room for a mark on either.
WHOLE = AxisRange(1, -2, 102)


class LivePlot(Plot):
    """`train` and `test` are the curves that it draws when asked to; the run before stays faintly behind.

    The view follows the curves while `follows`. pyqtgraph's own following is off: it moves the axes at every
    redraw, and two plots that share an axis keep each other redrawing without end.
    """

    zoomed = Signal()  # by the person
    fitted = Signal()

    def __init__(self, title: str, name: str, *, share: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(name, title, left_width=58, parent=parent)
        self.title = title
        self.train, self.test = Curve(), Curve()
        self._share = share
        self.follows, self.logarithmic, self._is_point = True, False, False
        plot = self.plotItem
        plot.disableAutoRange()
        plot.vb.sigRangeChangedManually.connect(lambda axes: self.zoomed.emit())
        plot.setDownsampling(auto=True, mode="peak")
        plot.setClipToView(True)
        self.show_horizontal_grid()
        plot.setLabel("left", title)
        if share:
            # The plots share the axis of epochs, so its name stands below the lower one.
            plot.setLabel("bottom", self.tr("epoch"))
        for axis in self.axes():
            axis.setCacheMode(CACHED)
        plot.setLimits(xMin=0)
        self._empty = WHOLE if share else AxisRange(1, -0.05, 2.5)
        self._frame = self._first_frame()
        self.add_legend((-8, -8) if share else (-8, 8))
        self._before = self.plot(skipFiniteCheck=True)
        self._raw = self.plot(skipFiniteCheck=True)
        self._smooth = self.plot(skipFiniteCheck=True, name=self.tr("training"))
        self._tested = self.plot(skipFiniteCheck=True, name=self.tr("test"))
        self._show(self._frame)

    def add(self, curve: Curve, x: float, y: float | None) -> None:
        """A share is drawn in per cent."""
        if y is not None:
            curve.add(x, 100 * y if self._share else y)

    def draw(self, until: float) -> None:
        """Show what the curves hold now; the run has come to `until` epochs."""
        if (len(self.train) == 1) != self._is_point:
            # A line of one point would not be seen: after a single step there would be nothing.
            self._is_point = not self._is_point
            self._raw.setSymbol("o" if self._is_point else None)
        self._raw.setData(self.train.x, self.train.y)
        self._smooth.setData(self.train.x, self.train.smooth)
        self._tested.setData(self.test.x, self.test.y)
        values = np.concatenate([self.train.y, self.test.y])
        if self.logarithmic:
            values = np.log10(values[values > 0])
        if self.follows and until and len(values):
            low, high = float(values.min()), float(values.max())
            self._show(self._frame.following(until, low, high, WHOLE.high if self._share else None))

    def set_logarithmic(self, on: bool) -> None:
        """Powers of ten at equal distances, which shows how a loss goes on falling when it is small."""
        self.logarithmic = on
        self.plotItem.setLogMode(y=on)
        self._show(self._first_frame())

    def begin(self) -> None:
        """Start with empty curves; the last smoothed one, or the test split's, stays for comparison."""
        last = self.train if len(self.train) else self.test
        if len(last) > 1:
            self._before.setData(last.x.copy(), (last.smooth if last is self.train else last.y).copy())
            if self.legend.getLabel(self._before) is None:
                self.legend.addItem(self._before, self.tr("run before"))
        self.train, self.test = Curve(), Curve()
        self.follows = True
        self.draw(0)
        self._show(self._first_frame())

    def forget(self) -> None:
        """Nothing of the last run compares with the next."""
        self.train, self.test = Curve(), Curve()
        self._before.setData([], [])
        self.legend.removeItem(self._before)

    def name_quantity(self, title: str, share: bool) -> None:
        """What the plot shows now: accuracy in per cent, or R², which is known of the test split alone."""
        if title == self.title:
            return
        self._share = share
        self._empty = WHOLE if share else AxisRange(1, -0.02, 1.02)
        self._show(self._first_frame())
        self.title = title
        self.setAccessibleName(title)
        self.plotItem.setLabel("left", title)
        if share != (self.legend.getLabel(self._smooth) is not None):
            self.legend.clear()
            for curve in (self._smooth, self._tested) if share else (self._tested,):
                self.legend.addItem(curve, curve.name())

    def apply_theme(self, colours: Colours) -> None:
        """All in the theme's colours. Thick lines are opaque and plain, which draws fastest."""
        super().apply_theme(colours)
        self._before.setPen(pg.mkPen(colours.previous, width=1))
        self._raw.setPen(pg.mkPen(colours.train_raw, width=1))
        self._raw.setSymbolSize(6)
        self._raw.setSymbolBrush(pg.mkBrush(colours.train))
        self._raw.setSymbolPen(pg.mkPen(colours.train))
        self._smooth.setPen(pg.mkPen(colours.train, width=2))
        self._tested.setPen(pg.mkPen(colours.test, width=2, style=Qt.PenStyle.DashLine))
        set_marks(self._tested, "o", 6, colours.test, colours.test)

    def paint(self, painter: QPainter, top: int) -> None:
        """Draw the plot as it looks, its upper edge at `top`."""
        for axis in self.axes():  # a cached one would be painted as pixels
            axis.setCacheMode(QGraphicsItem.CacheMode.NoCache)
        area = self.viewport().rect()
        self.render(painter, QRectF(area).translated(0, top), area)
        for axis in self.axes():
            axis.setCacheMode(CACHED)

    def _first_frame(self) -> AxisRange:
        if self.logarithmic:
            return AxisRange(1, -2, 0.5)
        return self._empty

    def _show(self, frame: AxisRange) -> None:
        shown = self.viewRange()
        wanted = [[0, frame.reach], [frame.low, frame.high]]
        self._frame = frame
        if not np.allclose(shown, wanted):
            self.setRange(xRange=wanted[0], yRange=wanted[1], padding=0)

    def fit(self) -> None:
        self.fitted.emit()
