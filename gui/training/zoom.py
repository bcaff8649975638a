"""Which part of their curves the plots of a run show: from where it matters, from 0, or what the
user has zoomed into.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from gui.widgets.make import button
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.theme import theme


class PlotZoom(QObject):
    """Zooms plots with the same axis of epochs together. changed: they have to be drawn again."""

    changed = Signal()

    def __init__(self, plots: Sequence[LivePlot], owner: QWidget) -> None:
        super().__init__(owner)
        self._plots = plots
        tip = self.tr("Show the axis from 0, or from where it matters.")
        self.from_zero = button(
            self.tr("from 0"), "fromZeroButton", tip, self._swap, key="Shift+Z", kind=QToolButton
        )
        self.from_zero.setCheckable(True)
        self.from_zero.hide()
        for plot in plots:
            plot.zoomed.connect(partial(self._on_zoomed, plot))
            plot.fitted.connect(self.fit)

    def fit(self) -> None:
        """Show the whole run again after zooming."""
        self.follow(True)
        self.changed.emit()

    def follow(self, follows: bool) -> None:
        """Let all plots follow their curves or not."""
        for plot in self._plots:
            plot.follows = follows

    def offer(self) -> None:
        """Offer the other axis of the plots that are shown, where there are two."""
        has_two = any(plot.live_axes.first > 0 and not plot.isHidden() for plot in self._plots)
        self.from_zero.setVisible(has_two and not theme().presenting)

    def _swap(self, from_zero: bool) -> None:
        for plot in self._plots:
            plot.live_axes.from_zero = from_zero
        self.fit()

    def _on_zoomed(self, zoomed: LivePlot) -> None:
        """Show the same epochs in all plots; they follow the curves no more."""
        self.follow(False)
        for plot in self._plots:
            if plot is not zoomed:
                plot.setXRange(*zoomed.viewRange()[0], padding=0)
