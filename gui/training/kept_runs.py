"""The earlier runs that are kept in the plots, as buttons above them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from gui.training.shown import KeptRun
from gui.widgets.make import FlowLayout, button
from gui.widgets.pictures import series_icon
from gui.widgets.plots.series import series_color
from gui.widgets.theme import theme

_NAME_WIDTH = 110  # pixels at a text size of 100 %


class KeptRuns(QWidget):
    """A button for each kept run. removed: the user wants this one no more."""

    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=6)
        self.setLayout(self._row)

    def show_runs(self, kept: Sequence[KeptRun], names: Sequence[str]) -> None:
        while item := self._row.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for run, name in zip(kept, names, strict=False):
            tip = self.tr("{run}: {result}. Press to remove it from the plot.").format(
                run=run.title, result=run.result
            )
            short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, theme().px(_NAME_WIDTH))
            text = f"{short}   {run.result}   ✕"
            chip = button(text, "keptRun", tip, partial(self.removed.emit, run), kind=QToolButton)
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setIcon(series_icon(series_color(theme().colors, run.series)))
            self._row.addWidget(chip)
