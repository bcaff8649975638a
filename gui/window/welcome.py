"""What the band shows at the first start: what Train does, and three lessons to begin with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, exp, pi, sin
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.widgets.make import column, label, row
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import HEADING, blend, theme

Picture = Callable[[QPainter, QRectF], None]
_PICTURE = 60  # pixels at a text size of 100 %
_LARGEST_PICTURE = 96
_PADDING = 14


def _square(area: QRectF) -> QRectF:
    """The largest square in the middle of `area`."""
    side = min(area.width(), area.height())
    square = QRectF(0, 0, side, side)
    square.moveCenter(area.center())
    return square


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
    area = _square(area)
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
    area = _square(area)
    corners = (
        (0.24, 0.2), (0.48, 0.06), (0.76, 0.24), (0.42, 0.47), (0.82, 0.68), (0.52, 0.95), (0.2, 0.8),
    )  # fmt: skip
    points = [QPointF(area.left() + x * area.width(), area.top() + y * area.height()) for x, y in corners]
    path = QPainterPath(points[0])
    for corner, following in pairwise(points[1:]):
        path.quadTo(corner, (corner + following) / 2)
    path.lineTo(points[-1])
    cap = Qt.PenCapStyle.RoundCap
    join = Qt.PenJoinStyle.RoundJoin
    pen = QPen(QColor(theme().colors.text), area.width() / 9, Qt.PenStyle.SolidLine, cap, join)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawPath(path)


@dataclass(frozen=True, slots=True)
class Offer:
    """A lesson that is good to begin with: what one does in it, how long that takes, and its picture."""

    sentence: str
    minutes: int
    picture: Picture


class LessonCard(QAbstractButton):
    """A lesson that can be opened: a picture, its question, and what one does in it."""

    def __init__(self, name: str, question: str, offer: Offer) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setText(question)
        self._offer = offer
        self.setAccessibleDescription(offer.sentence)
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
        padding = theme().px(_PADDING)
        room = self.rect().adjusted(padding, padding, -padding, -padding)
        side = self._side(room.height())
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), colors.accent if is_marked else back, QColor(back), radius=8)
            picture = QRect(room.left(), room.top(), side, side)
            beside = room.adjusted(side + padding, 0, 0, 0)
            below = room.adjusted(0, side + padding, 0, 0)
            if self._is_high(room):  # the picture has the width of the card
                picture.setRect(room.left(), room.top(), room.width(), room.height() - self._texts_height())
                beside = room.adjusted(0, picture.height() + padding, 0, 0)
                below = beside.adjusted(0, 2 * self.fontMetrics().height() + padding // 2, 0, 0)
            elif not self._fits(beside):
                picture = QRect()
                beside = room
            if not picture.isEmpty():
                paint_rounded(painter, picture, colors.base, QColor(colors.base))
                margin = min(picture.width(), picture.height()) / 7
                self._offer.picture(painter, QRectF(picture).adjusted(margin, margin, -margin, -margin))
            self._write(painter, beside, below)

    def _fits(self, area: QRect) -> bool:
        """Whether the question fits into this area, with its longest word on one line."""
        metrics = QFontMetrics(theme().font(bold=True))
        needed = metrics.boundingRect(area, Qt.TextFlag.TextWordWrap, self.text())
        return needed.width() <= area.width() and needed.height() <= area.height()

    def _texts_height(self) -> int:
        """The height of all texts below each other: two lines, two lines and one, and the distances."""
        return 5 * self.fontMetrics().height() + theme().px(3 * _PADDING)

    def _is_high(self, room: QRect) -> bool:
        """Whether the card has room for a large picture above its texts."""
        return room.height() - self._texts_height() > theme().px(_PICTURE)

    def _side(self, height: int) -> int:
        """The side of a picture beside the question: what the texts below leave of the card, within limits."""
        texts = 4 * self.fontMetrics().height() + theme().px(3 * _PADDING)
        return min(max(height - texts, theme().px(_PICTURE)), theme().px(_LARGEST_PICTURE))

    def _write(self, painter: QPainter, beside: QRect, below: QRect) -> None:
        """The question; below it the sentence, and at the bottom the minutes where they fit."""
        colors = theme().colors
        wraps = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.setPen(QColor(colors.text))
        painter.setFont(theme().font(bold=True))
        painter.drawText(beside, wraps, self.text())
        painter.setPen(QColor(colors.muted))
        painter.setFont(theme().font())
        line = painter.fontMetrics().height()
        if below.height() >= line:
            painter.drawText(below, wraps, self._offer.sentence)
        if below.height() >= 3 * line:
            minutes = self.tr("{n} minutes", None, self._offer.minutes).format(n=self._offer.minutes)
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, minutes)


class Welcome(QWidget):
    """Shown until there is a curve. lesson_asked: open the lab at this path."""

    lesson_asked = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._first = QWidget()
        self._title = label("", "welcomeTitle")
        self._text = label("", "welcomeText", "muted")
        self.show_data(are_drawings=True)
        column(self._title, self._text, None, owner=self._first, spacing=12)
        heading = tr("Or begin with a lesson: you say what you expect, then it runs")
        self._cards = row(spacing=12)
        cards = column(label(heading, "lessonsTitle", "heading"), (self._cards, 1), spacing=12)
        row(self._first, (cards, 1), owner=self, spacing=32)
        # Lessons by the names of their files.
        self.offers = {
            "01": Offer(tr("Draw the curve that you expect, then see five real ones."), 15, _paint_curves),
            "08": Offer(tr("Small filters look for strokes at every place."), 20, _paint_filters),
            "09": Offer(tr("Draw digits of your own, and test it with them."), 20, _paint_drawing),
        }

    def show_data(self, *, are_drawings: bool) -> None:
        """Say what Train does with the chosen data. are_drawings: the network above reads what is drawn for them."""
        tr = self.tr
        if are_drawings:
            self._title.setText(tr("Try it, then train your own"))
            self._text.setText(
                tr(
                    "The network above has learned before: draw, and it reads. Train lets yours learn, the one "
                    "whose layers are the words below it. Its curve will grow here."
                )
            )
        else:
            self._title.setText(tr("Train it"))
            self._text.setText(tr("Train lets the network learn the chosen data. Its curve will grow here."))

    def set_width(self, first: int) -> None:
        """The width of the text at the left in pixels: that of the result, which takes its place; 0 hides it."""
        self._first.setVisible(first > 0)
        self._first.setFixedWidth(first)
        self._title.setFont(theme().title_font() if theme().is_large else theme().font(HEADING, bold=True))

    def show_lessons(self, lessons: Sequence[tuple[str, Path]]) -> None:
        """Offer those of these lessons, given by question and file, that are good to begin with."""
        for question, path in lessons:
            number = path.name.partition("-")[0]
            if number in self.offers:
                translated = QCoreApplication.translate("Lesson", question)
                card = LessonCard(f"lessonCard{number}", translated, self.offers[number])
                card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
                self._cards.addWidget(card, 1)
