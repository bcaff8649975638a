"""The range that a plot of growing curves shows, with its ticks, and the words where a loss is cut off."""

from collections.abc import Sequence
from math import isclose

from PySide6.QtCore import QCoreApplication

from gui.text import number
from gui.widgets.plots.live_axes import AxisRange, LiveAxes, Points
from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import SMALL, Colors, theme


class ShownRange:
    """Gives `plot` the range and the ticks that `axes` say.

    pyqtgraph's own automatic range is off: it changes the axes at every redraw, and two plots with a linked axis keep
    each other redrawing.
    """

    def __init__(self, plot: Plot, axes: LiveAxes) -> None:
        self._plot = plot
        self._axes = axes
        self._ticks = (0, 0)
        self.cut_text = pg.TextItem(anchor=(0, 0))
        self.cut_text.hide()
        plot.plotItem.disableAutoRange()
        plot.plotItem.addItem(self.cut_text, ignoreBounds=True)

    def show(self, axis_range: AxisRange, *, is_low: bool) -> None:
        """Show this range. is_low: the plot has little height."""
        shown_x, shown_y = self._plot.viewRange()
        wanted = [[self._axes.left, axis_range.reach], [axis_range.low, axis_range.high]]
        self._axes.range = axis_range
        self.set_ticks(is_low=is_low)
        # For four numbers much faster than np.allclose.
        pairs = zip(shown_x + shown_y, wanted[0] + wanted[1], strict=True)
        if not all(isclose(a, b, rel_tol=1e-5, abs_tol=1e-8) for a, b in pairs):
            self._plot.setRange(xRange=wanted[0], yRange=wanted[1], padding=0)

    def follow(self, until: float, longest: float, shown: Sequence[Points], *, is_low: bool) -> None:
        """Show a range that contains all curves up to `until`."""
        following = self._axes.follow(until, longest, list(shown))
        cut = self._axes.cut
        self.cut_text.setVisible(cut is not None)
        if cut is not None:
            text = QCoreApplication.translate("LivePlot", "▲ up to {value}")
            self.cut_text.setText(text.format(value=number(cut, 3)))
        if following is not None:
            self.cut_text.setPos(self._axes.left, following.high)
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
