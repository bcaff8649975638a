"""What the band shows until there is a curve: what to do first, and lessons to begin with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, exp, pi, sin
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from gui.widgets.make import column, label, row
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import blend, theme

Picture = Callable[[QPainter, QRectF], None]  # into a square
_PICTURE = 60  # pixels at a text size of 100 %
_LARGEST_PICTURE = 96
_PADDING = 14  # pixels at each size of text: larger text needs the room
_SPACE = 32  # between the text and the cards
_WRAPS = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


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
            points.append(
                QPointF(area.left() + x * area.width(), area.bottom() - y * area.height())
            )
        painter.setPen(QPen(QColor(colors.series[series]), 2))
        painter.drawPolyline(points)


def _paint_filters(painter: QPainter, area: QRectF) -> None:
    """Four filters of 5 x 5 weights, each for edges of one direction: positive blue, negative
    orange.
    """
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
    corners = (
        (0.24, 0.2),
        (0.48, 0.06),
        (0.76, 0.24),
        (0.42, 0.47),
        (0.82, 0.68),
        (0.52, 0.95),
        (0.2, 0.8),
    )
    points = [
        QPointF(area.left() + x * area.width(), area.top() + y * area.height()) for x, y in corners
    ]
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
    """A lesson that is good to begin with: what one does in it, how long that takes, and its
    picture.
    """

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
        self._minutes = self.tr("{n} minutes", None, offer.minutes).format(n=offer.minutes)
        tip = self.tr("Open this lesson: you say what you expect, then it runs.")
        self.setToolTip(f"{offer.sentence} {self._minutes}. {tip}")
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
        picture, question, below, sentence_height = self.places()
        with QPainter(self) as painter:
            paint_rounded(
                painter, self.rect(), colors.accent if is_marked else back, QColor(back), radius=8
            )
            if not picture.isEmpty():
                paint_rounded(painter, picture, colors.base, QColor(colors.base))
                margin = min(picture.width(), picture.height()) / 7
                inner = QRectF(picture).adjusted(margin, margin, -margin, -margin)
                self._offer.picture(painter, _square(inner))
            painter.setPen(QColor(colors.text))
            painter.setFont(theme().font(bold=True))
            painter.drawText(question, _WRAPS, self.text())
            painter.setPen(QColor(colors.muted))
            painter.setFont(theme().font())
            needed = painter.fontMetrics().height()
            if below.height() >= sentence_height:  # else it is in the tooltip
                painter.drawText(below, _WRAPS, self._offer.sentence)
                needed += sentence_height
            if below.height() >= needed:
                bottom = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
                painter.drawText(below, bottom, self._minutes)

    def places(self) -> tuple[QRect, QRect, QRect, int]:
        """Where the picture, the question and the texts below it are; the height of the longest
        sentence.

        The cards beside each other have the same places, so that their pictures are of one kind;
        the picture is empty where the texts need its room.
        """
        owner = self.parentWidget()
        cards = owner.findChildren(LessonCard) if owner else [self]
        questions = [card.text() for card in cards]
        room = self.rect().adjusted(_PADDING, _PADDING, -_PADDING, -_PADDING)
        bold = theme().font(bold=True)
        question = _wrapped(questions, bold, room.width()).height()
        sentences = [card.accessibleDescription() for card in cards]
        sentence = _wrapped(sentences, theme().font(), room.width()).height()
        below = sentence + self.fontMetrics().height() + _PADDING // 2  # with the minutes
        above = room.height() - below - question - 3 * _PADDING // 2
        side = room.height() - below - _PADDING
        side = min(max(side, theme().px(_PICTURE)), theme().px(_LARGEST_PICTURE))
        beside = room.adjusted(side + _PADDING, 0, 0, side - room.height())
        needed = _wrapped(questions, bold, beside.width()).translated(beside.topLeft())
        if above > theme().px(_PICTURE):  # the picture has the width of the card
            picture = QRect(room.left(), room.top(), room.width(), above)
            place = QRect(room.left(), picture.bottom() + _PADDING, room.width(), question)
        elif beside.contains(needed):
            picture = QRect(room.left(), room.top(), side, side)
            place = beside
        else:
            picture = QRect()
            place = QRect(room.left(), room.top(), room.width(), question)
        room.setTop(place.bottom() + _PADDING // 2)
        return picture, place, room, sentence


def _wrapped(texts: Sequence[str], font: QFont, width: int) -> QRect:
    """What the largest of these texts needs, each in lines of this width, from (0, 0)."""
    metrics = QFontMetrics(font)
    needed = QRect()
    for text in texts:
        needed = needed.united(metrics.boundingRect(QRect(0, 0, width, 0), _WRAPS, text))
    return needed


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
        # Lessons by the names of their files.
        self.offers = {
            "01": Offer(
                tr("Draw the curve that you expect, then see five real ones."), 15, _paint_curves
            ),
            "08": Offer(tr("Small filters look for strokes at every place."), 20, _paint_filters),
            "09": Offer(tr("Draw digits of your own, and test it with them."), 20, _paint_drawing),
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
                card = LessonCard(f"lessonCard{number}", translated, self.offers[number])
                card.clicked.connect(lambda _=False, path=path: self.lesson_asked.emit(path))
                self._cards.addWidget(card, 1)
