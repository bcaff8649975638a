"""A button that shows and hides the widget below it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget


class CollapsibleButton(QToolButton):
    """Shows `body` while it is checked; `unfolded` is emitted when `body` becomes visible."""

    unfolded = Signal()

    def __init__(self, text: str, body: QWidget) -> None:
        super().__init__()
        self._body = body
        self.setText(text)
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggled.connect(self._show_body)
        self._show_body(False)

    def _show_body(self, shown: bool) -> None:
        self._body.setVisible(shown)
        self.setArrowType(Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow)
        if shown:
            self.unfolded.emit()
