"""The earlier runs that are kept in the plots, as buttons above them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from gui.text import count
from gui.training.shown import KeptRun
from gui.widgets.make import button, ignoring_arguments, row
from gui.widgets.pictures import series_icon
from gui.widgets.plots.series import series_color
from gui.widgets.theme import theme

_NAME_WIDTH = 110  # pixels at a text size of 100 %
_SPACING = 6  # pixels


class KeptRuns(QWidget):
    """A button for each kept run; where they do not fit, one with a list of them. removed: the user
    wants this one no more.
    """

    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._chips: list[QToolButton] = []
        tip = self.tr("The runs before in the plot; choose one to remove it.")
        self._list = button("", "keptRuns", tip, kind=QToolButton)
        self._list.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._list.setMenu(QMenu(self))
        self._row = row(self._list, owner=self, spacing=_SPACING)

    def show_runs(self, kept: Sequence[KeptRun], names: Sequence[str]) -> None:
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = []
        menu = self._list.menu()
        menu.clear()
        for run, name in zip(kept, names, strict=False):
            tip = self.tr("{run}: {result}. Press to remove it from the plot.").format(
                run=run.title, result=run.result
            )
            remove = partial(self.removed.emit, run)
            icon = series_icon(series_color(theme().colors, run.series))
            menu.addAction(icon, f"{name}   {run.result}   ✕").triggered.connect(
                ignoring_arguments(remove)
            )
            short = self.fontMetrics().elidedText(
                name, Qt.TextElideMode.ElideRight, theme().px(_NAME_WIDTH)
            )
            chip = button(f"{short}   {run.result}   ✕", "keptRun", tip, remove, kind=QToolButton)
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setIcon(icon)
            self._chips.append(chip)
            self._row.addWidget(chip)
        self._list.setText(
            self.tr("{n} before", None, len(self._chips)).format(n=count(len(self._chips)))
        )
        self.updateGeometry()
        self._fold()

    def sizeHint(self) -> QSize:
        """The size of all buttons, be they shown or not."""
        sizes = [chip.sizeHint() for chip in self._chips] or [QSize()]
        width = sum(size.width() + _SPACING for size in sizes) - _SPACING
        return QSize(width, max(size.height() for size in sizes))

    def minimumSizeHint(self) -> QSize:
        return self._list.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()

    def _fold(self) -> None:
        """Show the buttons, or the list where they do not fit."""
        fits = self.sizeHint().width() <= self.width()
        self._list.setHidden(fits)
        for chip in self._chips:
            chip.setVisible(fits)
