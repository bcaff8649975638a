"""A fold button shows and hides what is seldom needed, below it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget


class CollapsibleButton(QToolButton):
    """`body` is hidden until the button is pressed, or checked by the program."""

    unfolded = Signal()

    def __init__(self, text: str, body: QWidget) -> None:
        super().__init__()
        self._body = body
        self.setText(text)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggled.connect(self._disclose)
        self._disclose(False)

    def _disclose(self, shown: bool) -> None:
        self._body.setVisible(shown)
        self.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        if shown:
            self.unfolded.emit()
