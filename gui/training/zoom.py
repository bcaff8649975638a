"""Which part of their curves the plots of a run show: the whole run, its end, or what the user has
zoomed into.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.widgets.make import button
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.theme import theme


class PlotZoom(QObject):
    """Zooms plots with the same axis of epochs together. changed: they have to be drawn again."""

    changed = Signal()

    def __init__(self, plots: Sequence[LivePlot], owner: QWidget) -> None:
        super().__init__(owner)
        self._plots = plots
        tip = self.tr("Show where the curve ends, enlarged; press again for the whole run.")
        self.button = button(self.tr("Zoom to the end"), "zoomButton", tip, self._zoom_or_fit)
        self.button.hide()
        self._shows_end = False
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

    def offer(self, until: float) -> None:
        """Offer to zoom once there is a curve that has an end: it reaches to `until` epochs."""
        self.button.setVisible(until >= 1 and not theme().presenting)
        self._name_button()

    def _name_button(self) -> None:
        self.button.setText(self.tr("Fit") if self._is_zoomed() else self.tr("Zoom to the end"))

    def _is_zoomed(self) -> bool:
        return self._shows_end or not self._plots[0].follows

    def _zoom_or_fit(self) -> None:
        """Zoom to the end, or show the whole run again where a part of it is shown."""
        self._shows_end = not self._is_zoomed()
        for plot in self._plots:
            plot.live_axes.last_only = self._shows_end
        self.fit()

    def _on_zoomed(self, zoomed: LivePlot) -> None:
        """Show the same epochs in all plots; they follow the curves no more."""
        self.follow(False)
        self._name_button()
        for plot in self._plots:
            if plot is not zoomed:
                plot.setXRange(*zoomed.viewRange()[0], padding=0)
