"""A card: a part of a page on a background of its own, with round corners."""

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gui.widgets.make import column
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import theme

# Pixels.
PADDING = 16
RADIUS = 8


class Card(QWidget):
    """Paints the background of `content`, which fills it. floats: it lies over others, and has a
    line around it.
    """

    def __init__(self, *content: QWidget, name: str, floats: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self._floats = floats
        column(*((widget, 1) for widget in content), owner=self).setContentsMargins(
            PADDING, PADDING // 2, PADDING, PADDING // 2
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        line = colors.base
        if self._floats:
            line = colors.border
        elif theme().high_contrast:
            line = colors.line
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, QColor(colors.base), radius=RADIUS)
