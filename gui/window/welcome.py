"""What the band shows until there is a curve: what to do first, and lessons to begin with."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.text import count
from gui.widgets.make import column, label, row
from gui.widgets.pictures import picture_of
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import theme

_PICTURE = 60  # pixels
_PICTURE_FROM = 240  # pixels at a text size of 100 %: the least width of a card with its picture
_PADDING = 14  # pixels at each size of text: larger text needs the room
_SPACE = 32  # between the text and the cards


class LessonCard(QAbstractButton):
    """A lesson that can be opened: a picture, its question, and what one does in it."""

    def __init__(self, number: str, question: str, sentence: str, minutes: int) -> None:
        super().__init__()
        self.setObjectName(f"lessonCard{number}")
        self.setAccessibleName(question)
        self.setAccessibleDescription(sentence)
        tip = self.tr("Open this lesson: you say what you expect, then it runs.")
        self.setToolTip(f"{sentence} {tip}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._picture = label(wraps=False)
        self._picture.setPixmap(picture_of(f"lessons/{number}", _PICTURE))
        time = self.tr("{n} minutes", None, minutes).format(n=count(minutes))
        self._question = label(question, role="heading")
        self._sentence = label(f"{sentence} {time}.", role="muted")
        head = row(self._picture, (self._question, 1), spacing=_PADDING)
        parts = head, self._sentence, None
        margins = (_PADDING, _PADDING, _PADDING, _PADDING)
        column(*parts, owner=self, spacing=_PADDING // 2).setContentsMargins(*margins)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out the picture, and then the sentence, where the question needs the room."""
        super().resizeEvent(event)
        self._picture.setVisible(self.width() >= theme().px(_PICTURE_FROM))
        width = self.width() - 2 * _PADDING
        texts = (self._question, self._sentence)
        needed = sum(text.heightForWidth(width) for text in texts) + 3 * _PADDING
        self._sentence.setHidden(needed > self.height() and self._picture.isHidden())

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        is_marked = self.underMouse() or self.hasFocus()
        back = colors.info_back if is_marked else colors.window
        line = colors.accent if is_marked else back
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, QColor(back), radius=8)


class Welcome(QWidget):
    """Shown until there is a curve. lesson_asked: open the lab at this path."""

    lesson_asked = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._first = QWidget()
        self._title = label("", "welcomeTitle", "heading")
        self._text = label("", "welcomeText", "muted")
        self.show_data(are_drawings=True)
        column(self._title, self._text, None, owner=self._first, spacing=12)
        heading = tr("Or begin with a lesson: you say what you expect, then it runs")
        self._cards = row(spacing=12)
        cards = column(label(heading, "lessonsTitle", "heading"), (self._cards, 1), spacing=12)
        row(self._first, (cards, 1), owner=self, spacing=_SPACE)
        # What one does in a lesson, and its minutes, by the name of its file.
        self.offers = {
            "01": (tr("Draw the curve that you expect, then see five real ones."), 15),
            "08": (tr("Small filters look for strokes at every place."), 20),
            "09": (tr("Draw digits of your own, and test it with them."), 20),
        }

    def show_data(self, *, are_drawings: bool) -> None:
        """Say what Train does with the chosen data. are_drawings: the network above reads what is
        drawn for them.
        """
        tr = self.tr
        if are_drawings:
            self._title.setText(tr("Try it, then train your own"))
            self._text.setText(
                tr(
                    "The network above has learned before: draw, and it reads. Train lets yours "
                    "learn, the one whose layers are the words below it. Its curve will grow here."
                )
            )
        else:
            self._title.setText(tr("Train it"))
            self._text.setText(
                tr("Train lets the network learn the chosen data. Its curve will grow here.")
            )

    def set_width(self, first: int, width: int) -> None:
        """The width of the text at the left in pixels: that of the result, which takes its place; 0
        hides it.

        width: of the page. The text is hidden as well where the cards beside it would be too
        narrow.
        """
        if width - first - _SPACE < self._cards.minimumSize().width():
            first = 0
        self._first.setVisible(first > 0)
        self._first.setFixedWidth(first)

    def show_lessons(self, lessons: Sequence[tuple[str, Path]]) -> None:
        """Offer those of these lessons, given by question and file, that are good to begin with."""
        for question, path in lessons:
            number = path.name.partition("-")[0]
            if number in self.offers:
                translated = QCoreApplication.translate("Lesson", question)
                card = LessonCard(number, translated, *self.offers[number])
                card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
                self._cards.addWidget(card, 1)
