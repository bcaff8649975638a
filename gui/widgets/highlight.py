"""A frame drawn over a part of the window."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QWidget

_MARGIN = 4  # pixels between the frame and what it surrounds


class Highlight(QWidget):
    """Mouse events pass through it. With a text, the area inside is dimmed and the text written over it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._text = ""
        self.hide()

    def surround(self, target: QRect, text: str = "") -> None:
        """Show the frame around `target`, in the window's coordinates."""
        self._text = text
        self.setGeometry(target.adjusted(-_MARGIN, -_MARGIN, _MARGIN, _MARGIN))
        self.show()
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self.rect().adjusted(2, 2, -2, -2)
        if self._text:
            paper = self.palette().color(QPalette.ColorRole.Window)
            paper.setAlphaF(0.8)
            painter.fillRect(frame, paper)
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
        painter.setPen(QPen(self.palette().accent().color(), 3))
        painter.drawRoundedRect(frame, 6, 6)
