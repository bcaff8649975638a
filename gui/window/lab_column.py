"""The column of a lab, at the left of the tabs: its text, the settings of its step, and the buttons of a run."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from gui.labs.panel import LabPanel
from gui.widgets.basics import SPACING, insert_in_tab_order
from gui.widgets.card import Card
from gui.widgets.make import button, column, entry, tip_with_key
from gui.widgets.theme import theme
from gui.window.room import lab_width


class LabColumn(QWidget):
    """Hidden while no lab is open, or while its text is folded away.

    below: the widgets between the text of a lab and its buttons, while one is open. placed(is_open): the column has
    them now, or not. `unfold_button`: shown while the text is folded away.
    """

    placed = Signal(bool)
    _folded = Signal()

    def __init__(self, labs: LabPanel, below: Sequence[QWidget]) -> None:
        super().__init__()
        self._labs = labs
        self._below = below
        self._is_open = False
        self._is_folded = False
        tip = tip_with_key(self.tr("Show the text of the lab again."), "Shift+F8")
        self.unfold_button = button(self.tr("Text of the lab"), "labUnfold", tip, lambda: self.fold(False))
        self.unfold_button.hide()
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

    def fill_menu(self, menu: QMenu) -> None:
        """Add the entry that folds the text of a lab away."""

        def show(is_shown: bool) -> None:
            self.fold(not is_shown)

        def refresh() -> None:
            shown.setEnabled(self._is_open)
            shown.setChecked(not self._is_open or not self._is_folded)

        shown = entry(menu, self.tr("Text of the la&b"), show, "Shift+F8", "Ctrl+Shift+8", checked=True)
        self._folded.connect(refresh)
        refresh()

    def place(self) -> None:
        """A lab was opened or closed, or shows another step: open or close the column."""
        is_open = self._labs.answers is not None
        if is_open and not self._is_open:
            self._is_open = True
            self.place_controls()
            self.fold(False)
        elif not is_open:
            self._is_open = False
            self.fold(False)
        self.placed.emit(is_open)

    def place_controls(self) -> None:
        """Put the settings of the step, and its buttons, below the text of a lab that is open."""
        if self._is_open:
            for part in (*self._below, self._labs.navigation):
                self._parts.addWidget(part)
            insert_in_tab_order(self._labs.head.close_button, self._labs.navigation)
            insert_in_tab_order(self._labs.head.close_button, self._labs.view.page)

    def fold(self, is_folded: bool) -> None:
        """Fold the text of the lab away, for more room, or show it again."""
        self._is_folded = is_folded
        self.setVisible(self._is_open and not is_folded)
        self.unfold_button.setVisible(self._is_open and is_folded)
        self._folded.emit()
