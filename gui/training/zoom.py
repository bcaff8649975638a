"""Which part of their curves the plots of a run show: the whole run, its end, or what the user has zoomed into."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gui.widgets.make import action, button
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
        tip = self.tr(
            "Show loss and error on a logarithmic axis, on which small differences at the end are seen."
        )
        self.log_action = action(owner, self.tr("L&ogarithmic"), keys=("Ctrl+L",), tip=tip)
        self.log_action.setCheckable(True)
        self.log_action.toggled.connect(self._set_logarithmic)
        tip = self.tr("Show where the curve ends, enlarged, instead of the whole run.")
        self.end_action = action(owner, self.tr("&Zoom to the end"), keys=("Ctrl+Shift+L",), tip=tip)
        self.end_action.setCheckable(True)
        self.end_action.toggled.connect(self._set_last_only)
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
        return self.end_action.isChecked() or not self._plots[0].follows

    def _set_logarithmic(self, on: bool) -> None:
        for plot in self._plots:
            plot.set_logarithmic(on)
        self.fit()

    def _set_last_only(self, on: bool) -> None:
        for plot in self._plots:
            plot.live_axes.last_only = on
        self.fit()

    def _zoom_or_fit(self) -> None:
        """Zoom to the end, or show the whole run again where a part of it is shown."""
        if self._is_zoomed():
            self.end_action.setChecked(False)
            self.fit()
        else:
            self.end_action.setChecked(True)

    def _on_zoomed(self, zoomed: LivePlot) -> None:
        """Show the same epochs in all plots; they follow the curves no more."""
        self.follow(False)
        self._name_button()
        for plot in self._plots:
            if plot is not zoomed:
                plot.setXRange(*zoomed.viewRange()[0], padding=0)
