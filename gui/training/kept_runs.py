"""The earlier runs that are kept in the plots, as a list above them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QToolButton

from gui.text import count
from gui.training.shown import KeptRun
from gui.widgets.basics import named
from gui.widgets.make import ignoring_arguments
from gui.widgets.pictures import series_icon
from gui.widgets.plots.series import series_color
from gui.widgets.theme import theme


class KeptRuns(QToolButton):
    """Lists the kept runs with their results. `removed`: the user removes one."""

    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(
            self, "keptRuns", tip=self.tr("The runs before in the plot; choose one to remove it.")
        )
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.hide()

    def show_runs(self, kept: Sequence[KeptRun], names: Sequence[str]) -> None:
        menu = self.menu()
        menu.clear()
        for run, name in zip(kept, names, strict=False):
            icon = series_icon(series_color(theme().colors, run.series))
            entry = menu.addAction(icon, f"{name}   {run.result}   ✕")
            entry.triggered.connect(ignoring_arguments(partial(self.removed.emit, run)))
        text = self.tr("{n} before", None, len(kept))
        self.setText(text.format(n=count(len(kept))))
