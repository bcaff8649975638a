"""What the band shows at the first start: what Train does, and three lessons to begin with."""

from collections.abc import Callable, Sequence
from math import cos, exp, pi, sin
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.widgets.basics import NO_LIMIT
from gui.widgets.make import column, label, row
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import READING, blend, theme

Picture = Callable[[QPainter, QRectF], None]
# Pixels at a text size of 100 %: the side of a picture, and of one in a card with much room.
_PICTURE, _LARGE_PICTURE = 64, 104
_PADDING = 16
_FIRST = 304  # pixels at a text size of 100 %: the width of what Train does


def _paint_curves(painter: QPainter, area: QRectF) -> None:
    """Three curves that rise at different rates."""
    colors = theme().colors
    for series, rate in enumerate((6.0, 2.0, 0.6)):
        points = QPolygonF()
        for step in range(25):
            x = step / 24
            y = 1 - exp(-rate * x)
            points.append(QPointF(area.left() + x * area.width(), area.bottom() - y * area.height()))
        painter.setPen(QPen(QColor(colors.series[series]), 2))
        painter.drawPolyline(points)


def _paint_filters(painter: QPainter, area: QRectF) -> None:
    """Four filters of 5 x 5 weights, each for edges of one direction: positive blue, negative orange."""
    colors = theme().colors
    side = area.width() / 11
    painter.setPen(Qt.PenStyle.NoPen)
    for index in range(4):
        angle = index * pi / 4
        left = area.left() + (index % 2) * 6 * side
        top = area.top() + (index // 2) * 6 * side
        for line in range(5):
            for place in range(5):
                weight = (cos(angle) * (place - 2) + sin(angle) * (line - 2)) / 3
                target = colors.train if weight > 0 else colors.test
                color = blend(QColor(colors.base), QColor(target), min(abs(weight), 1.0))
                painter.fillRect(QRectF(left + place * side, top + line * side, side, side), color)


def _paint_drawing(painter: QPainter, area: QRectF) -> None:
    """A 3 as a hand draws it."""
    corners = ((0.25, 0.2), (0.5, 0.08), (0.76, 0.26), (0.48, 0.47), (0.8, 0.7), (0.5, 0.93), (0.2, 0.8))
    points = [QPointF(area.left() + x * area.width(), area.top() + y * area.height()) for x, y in corners]
    painter.setPen(
        QPen(
            QColor(theme().colors.text),
            area.width() / 12,
            Qt.PenStyle.SolidLine,
            Qt.PenCapStyle.RoundCap,
            Qt.PenJoinStyle.RoundJoin,
        )
    )
    painter.drawPolyline(QPolygonF(points))


class LessonCard(QAbstractButton):
    """A lesson that can be opened: a picture, its question, and what one does in it."""

    def __init__(self, name: str, question: str, sentence: str, picture: Picture) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setText(question)
        self._sentence = sentence
        self._picture = picture
        self.setAccessibleDescription(sentence)
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
        room = self.rect().adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        has_much_room = self._fits_large(room)
        side = theme().px(_LARGE_PICTURE if has_much_room else _PICTURE)
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), colors.accent if is_marked else back, QColor(back), radius=8)
            picture = QRect(room.left(), room.top(), side, side)
            paint_rounded(painter, picture, colors.base, QColor(colors.base))
            self._picture(painter, QRectF(picture).adjusted(10, 10, -10, -10))
            wraps = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
            title = room.adjusted(side + _PADDING, 0, 0, 0)
            painter.setPen(QColor(colors.text))
            painter.setFont(theme().title_font() if has_much_room else theme().font(bold=True))
            painter.drawText(title, wraps, self.text())
            below = room.adjusted(0, side + _PADDING // 2, 0, 0)
            painter.setPen(QColor(colors.muted))
            painter.setFont(theme().font(READING if has_much_room else 1.0))
            if below.height() >= painter.fontMetrics().height():
                painter.drawText(
                    below.translated(0, _PADDING // 2 if has_much_room else 0), wraps, self._sentence
                )

    def _fits_large(self, room: QRect) -> bool:
        """Whether there is room for the large picture, with the question beside it and the sentence below it."""
        side = theme().px(_LARGE_PICTURE)
        wraps = Qt.TextFlag.TextWordWrap
        beside = QRect(0, 0, room.width() - side - _PADDING, NO_LIMIT)
        below = QRect(0, 0, room.width(), NO_LIMIT)
        question = QFontMetrics(theme().title_font()).boundingRect(beside, wraps, self.text())
        sentence = QFontMetrics(theme().font(READING)).boundingRect(below, wraps, self._sentence)
        is_low_enough = side + _PADDING + sentence.height() <= room.height()
        return is_low_enough and question.height() <= side and question.width() <= beside.width()


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
        title = label(tr("Try it, then train your own"), "welcomeTitle", "title")
        column(title, label(text, "welcomeText", "muted"), None, owner=first, spacing=8)
        self._first = first
        heading = tr("Or begin with a lesson: you say what you expect, then it runs")
        self._cards = row(spacing=12)
        cards = column(label(heading, "lessonsTitle", "heading"), (self._cards, 1), spacing=10)
        row(first, (cards, 1), owner=self, spacing=32)
        theme().changed.connect(self._fit)
        self._fit()
        # Lessons by the names of their files, with what one does in each.
        self._shown: dict[str, tuple[str, Picture]] = {
            "01": (tr("Draw the curve that you expect, then see five real ones."), _paint_curves),
            "08": (tr("Small filters look for strokes at every place."), _paint_filters),
            "09": (tr("Draw digits of your own, and test it with them."), _paint_drawing),
        }

    def _fit(self) -> None:
        self._first.setFixedWidth(theme().px(_FIRST))

    def show_lessons(self, lessons: Sequence[tuple[str, Path]]) -> None:
        """Offer those of these lessons, given by question and file, that are good to begin with."""
        for question, path in lessons:
            number = path.name.partition("-")[0]
            if number in self._shown:
                sentence, picture = self._shown[number]
                translated = QCoreApplication.translate("Lesson", question)
                card = LessonCard(f"lessonCard{number}", translated, sentence, picture)
                card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
                self._cards.addWidget(card, 1)
