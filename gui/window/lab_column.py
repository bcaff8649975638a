"""The column of a lab, at the left of the tabs: its text, the settings of its step, and the buttons of a run."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.labs.panel import LabPanel
from gui.widgets.basics import SPACING
from gui.widgets.card import Card
from gui.widgets.make import column
from gui.widgets.theme import theme

# Pixels at a text size of 100 %. Between them the column takes a third of the window.
_LEAST_WIDTH, _MOST_WIDTH = 260, 540


class LabColumn(QWidget):
    """Hidden while no lab is open, or while its text is folded away. changed: it was opened, closed or folded."""

    changed = Signal()

    def __init__(self, labs: LabPanel) -> None:
        super().__init__()
        self._labs = labs
        self._is_open = self._is_folded = False
        content = QWidget()
        self._parts = column(labs, owner=content, spacing=SPACING)
        column((Card(content, name="labCard"), 1), owner=self).setContentsMargins(16, 12, 0, 12)
        labs.head.fold_asked.connect(lambda: self.fold(True))
        theme().changed.connect(self._fit)
        self._fit()
        self.hide()

    @property
    def is_folded(self) -> bool:
        """Whether a lab is open whose text is folded away."""
        return self._is_open and self._is_folded

    @property
    def is_open(self) -> bool:
        return self._is_open

    def open(self, *below: QWidget) -> None:
        """Show the lab, with these widgets between its text and its buttons."""
        for part in (*below, self._labs.navigation):
            self._parts.addWidget(part)
        self._is_open = True
        self.fold(False)

    def leave(self) -> None:
        self._is_open = False
        self.fold(False)

    def fold(self, is_folded: bool) -> None:
        """Fold the text of the lab away, for more room, or show it again."""
        self._is_folded = is_folded
        self.setVisible(self._is_open and not is_folded)
        self.changed.emit()

    def _fit(self) -> None:
        self.setMinimumWidth(theme().px(_LEAST_WIDTH))
        self.setMaximumWidth(theme().px(_MOST_WIDTH))
