"""The column of a lab, at the left of the tabs: its text, the settings of its step, and the buttons of a run."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from gui.labs.panel import LabPanel
from gui.widgets.basics import SPACING, insert_in_tab_order
from gui.widgets.card import Card
from gui.widgets.make import column
from gui.widgets.theme import theme
from gui.window.room import lab_width


class LabColumn(QWidget):
    """Hidden while no lab is open, or while its text is folded away. changed: it was opened, closed or folded."""

    changed = Signal()

    def __init__(self, labs: LabPanel) -> None:
        super().__init__()
        self._labs = labs
        self._is_open = False
        self._is_folded = False
        self._below: tuple[QWidget, ...] = ()
        content = QWidget()
        self._parts = column(labs, owner=content, spacing=SPACING)
        column((Card(content, name="labCard"), 1), owner=self).setContentsMargins(16, 12, 0, 12)
        labs.head.fold_asked.connect(lambda: self.fold(True))
        self.hide()

    def fit(self, width: int) -> None:
        """Take the share of a window of this width."""
        self.setFixedWidth(lab_width(width, presenting=theme().presenting))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The keys 1 to 9 choose the choices of the question that is to be answered now."""
        answers = self._labs.answers
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        is_digit = is_plain and event.text() in tuple("123456789")
        if answers is None or not is_digit or not self._labs.view.choose(answers, int(event.text()) - 1):
            super().keyPressEvent(event)

    @property
    def is_folded(self) -> bool:
        """Whether a lab is open whose text is folded away."""
        return self._is_open and self._is_folded

    @property
    def is_open(self) -> bool:
        return self._is_open

    def open(self, *below: QWidget) -> None:
        """Show the lab, with these widgets between its text and its buttons."""
        self._below = below
        self._is_open = True
        self.place_controls()
        self.fold(False)

    def place_controls(self) -> None:
        """Put the settings of the step, and its buttons, below the text of a lab that is open."""
        if self._is_open:
            for part in (*self._below, self._labs.navigation):
                self._parts.addWidget(part)
            insert_in_tab_order(self._labs.head.close_button, self._labs.navigation)
            insert_in_tab_order(self._labs.head.close_button, self._labs.view.page)

    def leave(self) -> None:
        self._is_open = False
        self.fold(False)

    def fold(self, is_folded: bool) -> None:
        """Fold the text of the lab away, for more room, or show it again."""
        self._is_folded = is_folded
        self.setVisible(self._is_open and not is_folded)
        self.changed.emit()
