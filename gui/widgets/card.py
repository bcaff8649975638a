"""Cards: a part of a page on a background of its own, with round corners."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QWidget

from gui.widgets.make import column, label, row
from gui.widgets.pictures import picture_of
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import theme

# Pixels.
PADDING = 16
RADIUS = 8
_PICTURE = 60
_PICTURE_FROM = 240  # at a text size of 100 %: the least width of a card with its picture
_INSET = 14  # at each size of text: larger text needs the room


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


class PictureCard(QAbstractButton):
    """A lesson or an exercise that can be opened: a picture, its title, and what one does in
    it.
    """

    def __init__(self, picture: str, title: str, sentence: str) -> None:
        super().__init__()
        self.setAccessibleDescription(sentence)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._picture = label(wraps=False)
        self._picture.setPixmap(picture_of(picture, _PICTURE))
        self._title = label(title, role="heading")
        self._sentence = label(sentence, role="muted")
        head = row(self._picture, (self._title, 1), spacing=_INSET)
        box = column(head, self._sentence, None, owner=self, spacing=_INSET // 2)
        box.setContentsMargins(_INSET, _INSET, _INSET, _INSET)
        for part in self.findChildren(QLabel):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the picture, and then the sentence, where the title needs the room."""
        super().resizeEvent(event)
        self._picture.setVisible(self.width() >= theme().px(_PICTURE_FROM))
        width = self.width() - 2 * _INSET
        texts = (self._title, self._sentence)
        needed = sum(text.heightForWidth(width) for text in texts) + 3 * _INSET
        self._sentence.setHidden(needed > self.height() and self._picture.isHidden())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        is_marked = self.underMouse() or self.hasFocus()
        back = colors.info_back if is_marked else colors.window
        line = colors.accent if is_marked else back
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, QColor(back), radius=RADIUS)
