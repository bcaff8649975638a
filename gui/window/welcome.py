"""What the band shows at the first start: what Train does, and three lessons to begin with."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.widgets.basics import paint_rounded
from gui.widgets.make import column, label, row
from gui.widgets.theme import theme

SHOWN_LESSONS = 3


class LessonCard(QAbstractButton):
    """A lesson that can be opened: its number and its question."""

    def __init__(self, number: int, question: str) -> None:
        super().__init__()
        self.setObjectName(f"lessonCard{number}")
        self.setText(question)
        self._number = number
        self.setToolTip(self.tr("Open this lesson: you say what you expect, then it runs."))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(220), theme().px(96))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme().px(150), theme().px(72))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        is_marked = self.underMouse() or self.hasFocus()
        back = colors.info_back if is_marked else colors.window
        line = colors.accent if is_marked else back
        room = self.rect().adjusted(16, 12, -16, -12)
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, QColor(back))
            painter.setPen(QColor(colors.accent))
            painter.setFont(theme().font(1.4, bold=True))
            top = painter.fontMetrics().height()
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft, str(self._number))
            painter.setPen(QColor(colors.text))
            painter.setFont(theme().font(bold=True))
            below = QRect(room.left(), room.top() + top + 4, room.width(), room.height() - top - 4)
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
            painter.drawText(below, flags, self.text())


class Welcome(QWidget):
    """Shown until there is a curve. lesson_asked: open the lab at this path."""

    lesson_asked = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        text = tr(
            "The network above has learned before: draw, and it reads. Train lets a new one learn 60,000 digits in "
            "about a minute. Its curve will grow here."
        )
        first = QWidget()
        column(
            label(tr("Try it, then train your own"), "welcomeTitle", "heading"), label(text, "welcomeText"), None,
            owner=first, spacing=8,
        )  # fmt: skip
        first.setFixedWidth(theme().px(264))
        title = label(
            tr("Or begin with a lesson: you say what you expect, then it runs"), "lessonsTitle", "heading"
        )
        self._cards = row(spacing=12)
        lessons = column(title, (self._cards, 1), spacing=10)
        row(first, (lessons, 1), owner=self, spacing=32)

    def show_lessons(self, lessons: Sequence[tuple[str, Path]]) -> None:
        """Offer the first of these lessons, given by question and file."""
        while item := self._cards.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for number, (question, path) in enumerate(lessons[:SHOWN_LESSONS], 1):
            card = LessonCard(number, QCoreApplication.translate("Lesson", question))
            card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
            self._cards.addWidget(card, 1)
