"""The earlier runs that are kept in the plots, as buttons above them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
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
        self._chips: list[tuple[QToolButton, str, str]] = []  # with the name and the result of its run

    def show_runs(self, kept: Sequence[KeptRun], names: Sequence[str]) -> None:
        while item := self._row.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self._chips = []
        for run, name in zip(kept, names, strict=False):
            tip = self.tr("{run}: {result}. Press to remove it from the plot.").format(
                run=run.title, result=run.result
            )
            chip = button("", "keptRun", tip, partial(self.removed.emit, run), kind=QToolButton)
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setIcon(series_icon(series_color(theme().colors, run.series)))
            self._chips.append((chip, name, run.result))
            self._row.addWidget(chip)
        self._fit_names()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def _fit_names(self) -> None:
        """Shorten the names, where the row is narrow as far as needed."""
        for chip, name, result in self._chips:
            room = theme().px(_NAME_WIDTH)
            chip.setText(self._text(name, result, room))
            excess = chip.sizeHint().width() - self.width()
            if excess > 0:
                chip.setText(self._text(name, result, room - excess))

    def _text(self, name: str, result: str, room: int) -> str:
        short = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, max(room, 0))
        return f"{short}   {result}   ✕"
