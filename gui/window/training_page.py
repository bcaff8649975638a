"""The tab Training: the settings line, the stage with the drawing and the network, and the band
with the curve.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from itertools import pairwise
from math import cos, exp, pi, sin
from pathlib import Path

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPointF,
    QRect,
    QRectF,
    QSignalBlocker,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QWidget,
)

from gui.drawing.panel import DrawingPanel
from gui.settings.panel import SettingsPanel
from gui.training.controls import RunControls
from gui.training.tab import TrainingTab
from gui.widgets.band import Band
from gui.widgets.basics import SPACING, insert_in_tab_order, scroll_area, see_through
from gui.widgets.card import PADDING, Card
from gui.widgets.make import column, entry, label, row, tip_with_key
from gui.widgets.shapes import paint_rounded
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.theme import LARGE_WIDTH, blend, theme


class View(Enum):
    """What the middle of the tab shows."""

    NETWORK = auto()
    CURVE = auto()
    BOTH = auto()


@dataclass(frozen=True, slots=True)
class Room:
    """Pixels. 0 for the height of the stage or the band, or for the width of a column, hides it."""

    margin: int  # at the sides of the page
    gap: int  # between two cards
    stage: int
    band: int
    result: int
    next_steps: int


LEAST_FOR_BOTH = 520  # the height of stage and band together, at a text size of 100 %
MOST_FOR_BOTH = 1.2  # the size of text up to which both are shown, as a multiple of the usual one
STAGE_SHARE = 0.64  # of the height of stage and band, whatever the band shows
LEAST_PLOT = 300  # the width of the plot below which the result beside it is folded
LEAST_BESIDE_NEXT = 380  # the same for What next?
RESULT, NEXT_STEPS = 264, 312
# Of a large page: so that the plot is where the drawings have it.
LARGE_RESULT, LARGE_NEXT_STEPS = 472, 392
LARGE_BODY_SHARE = 13 / 15  # of the text of a small page to that of a large one
# The column of a lab: its share of the window at a desk and in presenter mode, and its least and
# its most pixels.
LAB_SHARE = 1 / 3
PRESENTED_LAB_SHARE = 0.4
LEAST_LAB = 260
MOST_LAB = 540


def lab_width(width: int, *, presenting: bool) -> int:
    """The width of the column of a lab in a window of this width: larger text takes nothing from
    the plot.
    """
    if presenting:
        return max(round(width * PRESENTED_LAB_SHARE), LEAST_LAB)
    return min(max(round(width * LAB_SHARE), LEAST_LAB), MOST_LAB)


def share(
    width: int,
    height: int,
    *,
    scale: float,
    view: View,
    has_lab: bool,
    has_page: bool,
    has_next_steps: bool,
    presenting: bool,
) -> Room:
    """Share a page of this width, whose stage and band have this height together.

    scale: the size of the text as a multiple of the usual one. has_lab: a lab is open, whose curve
    stays; has_page: the band has a page that was asked for, which is shown in any case. What folds
    first where there is little room: the columns beside the plot, then the band, or with a lab or a
    page the stage.

    Folded elsewhere: percentages of the answers (gui/stage/layout.py), captions of layers
    (gui/stage/picture.py), rows of the settings line (`_fit_line` in gui/window/training_page.py).
    """
    is_large = width >= LARGE_WIDTH
    margin, gap = (24, 16) if is_large else (16, 12)
    inner = width - 2 * margin
    shown = view
    # Beside larger text there is room for one of both: neither the canvas nor the plot is made
    # smaller by it.
    is_low = height < LEAST_FOR_BOTH * (1.0 if presenting else scale)
    if has_page and view is View.NETWORK:
        shown = View.BOTH
    if shown is View.BOTH and (is_low or (scale > MOST_FOR_BOTH and not presenting)):
        shown = View.CURVE if has_lab or has_page else View.NETWORK
    stage, band = height, 0
    if shown is View.CURVE:
        stage, band = 0, height
    elif shown is View.BOTH:
        stage = round((height - gap) * STAGE_SHARE)
        band = height - gap - stage
    first_result, first_next = (
        (LARGE_RESULT, LARGE_NEXT_STEPS) if is_large else (RESULT, NEXT_STEPS)
    )
    if not has_next_steps or inner - first_result - first_next < LEAST_BESIDE_NEXT:
        first_next = 0
    larger = scale * LARGE_BODY_SHARE if is_large else scale  # than the usual text of this width
    result, next_steps = _columns(inner, first_result, first_next, LEAST_PLOT)
    if presenting:
        result = 0
        next_steps = 0
    elif larger > 1.001:
        plot = inner - result - next_steps  # which larger text does not make narrower
        result, next_steps = _columns(
            inner, round(first_result * larger), round(first_next * larger), plot
        )
    return Room(margin, gap, stage, band, result, next_steps)


def _columns(inner: int, result: int, next_steps: int, least: int) -> tuple[int, int]:
    """The widths of the columns beside the plot, 0 for one that is folded, so that it is `least`
    pixels wide.
    """
    if inner - result - next_steps < least:
        next_steps = 0
    if inner - result < least:
        return 0, 0
    return result, next_steps


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


LEAST_STAGE = 260  # pixels that the settings line leaves to the stage
LEAST_LINE = 66  # pixels at a text size of 100 %: a row of settings
DRAWER_WIDTH = 348  # pixels at a text size of 100 %
VIEWS = (View.NETWORK, View.CURVE, View.BOTH)


class SettingsLine(QWidget):
    """Holds the settings above the stage. `height_changed`: they need more or fewer rows."""

    height_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._needed = 0  # pixels

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            needed = self.heightForWidth(max(self.width(), 1))
            if needed != self._needed:
                self._needed = needed
                self.height_changed.emit()
        return is_handled


class FoldedButton(QPushButton):
    """Says that network and curve do not fit together. asked: show this View, which is folded."""

    asked = Signal(View)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foldedButton")
        self._view = View.CURVE
        self.clicked.connect(self._ask)

    def _ask(self) -> None:
        self.asked.emit(self._view)

    def offer(self, view: View, *, has_curve: bool) -> None:
        """Offer the view that is folded. has_curve: not the lessons of the first start in its
        place.
        """
        self._view = view
        text = self.tr("Network and lessons do not fit together here: show the lessons")
        if view is View.NETWORK:
            text = self.tr("Network and curve do not fit together here: show the network")
        elif has_curve:
            text = self.tr("Network and curve do not fit together here: show the curve")
        self.setText(text)
        tip = self.tr("Show the part that is folded; a larger window or smaller text shows both.")
        self.setToolTip(tip_with_key(tip, f"F9, {VIEWS.index(view) + 1}"))


class TrainingPage(Tab):
    """Places the parts; each of them knows its own task.

    The settings line and the buttons of a run are above the stage; while a lab is open, they are in
    its column. `view_changed`: the stage, the band, or both are shown now.
    """

    view_changed = Signal()

    def __init__(
        self,
        settings: SettingsPanel,
        controls: RunControls,
        drawing: DrawingPanel,
        run: TrainingTab,
    ) -> None:
        super().__init__()
        self._settings = settings
        self.controls = controls
        self.run = run
        self.view = View.BOTH
        self._has_lab = False
        self._had_comparison = False
        self.welcome = Welcome()
        self.stage = drawing  # paints a card of its own
        self.band = Band(self.welcome, run)
        self.band.previous_in_tab_order = drawing.modelBox
        self.band.changed.connect(self.fit)
        self._lay_out()
        self._order_focus(drawing)
        run.result.progress.addWidget(controls.speed_row)
        run.shown_changed.connect(self.fit)
        theme().changed.connect(self.fit)

    def title(self) -> str:
        return self.tr("Training")

    def _lay_out(self) -> None:
        self._head = QWidget()
        self._line = SettingsLine()
        self._line.height_changed.connect(self.fit)
        self._line_row = row(owner=self._line)
        self._line_area = scroll_area(self._line)
        self._line_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        see_through(self._line_area)
        self._head_row = row((self._line_area, 1), owner=self._head, spacing=SPACING)
        self._body = column(self.stage, self.band)
        self._folded_button = FoldedButton()
        self._folded_button.asked.connect(self.show_view)
        obstacle = self.controls.obstacle_button
        self._rows = column(self._head, obstacle, (self._body, 1), self._folded_button, owner=self)
        self._drawer = Card(self._settings, name="drawer", floats=True)
        self._drawer.setParent(self)
        self._settings.more_button.toggled.connect(self._show_drawer)
        self._drawer.hide()
        self.place_controls()

    def _order_focus(self, drawing: DrawingPanel) -> None:
        """Tab goes through the settings line, Train, the canvas with its tools, the stage, the
        answer, and the band.
        """
        QWidget.setTabOrder(self.controls.stop_button, drawing.canvas)
        QWidget.setTabOrder(drawing.canvas, drawing.surface)
        QWidget.setTabOrder(drawing.surface, drawing.stage)
        QWidget.setTabOrder(drawing.stage, drawing.yours)
        QWidget.setTabOrder(drawing.yours, drawing.modelBox)
        insert_in_tab_order(drawing.canvas, drawing.tools)
        insert_in_tab_order(drawing.modelBox, self.run.plots)

    # -- what is shown -----------------------------------------------------------------------------

    def show_view(self, view: View) -> None:
        """Show the stage, the band, or both."""
        self.view = view
        self.fit()
        self.view_changed.emit()

    def set_lab(self, is_open: bool) -> None:
        """Leave settings and buttons to the column of a lab, beside a large plot, or take them
        back.
        """
        if is_open == self._has_lab:
            return
        self._has_lab = is_open
        self._head.setHidden(is_open or theme().presenting)
        if not is_open:
            self.place_controls()
            self._settings.line.show()  # `fit` asks for its height; a layout would show it later
        self.show_view(View.CURVE if is_open else View.BOTH)

    def present(self, on: bool) -> None:
        """Show the stage and the curve alone, in presenter mode."""
        self._head.setHidden(on or self._has_lab)
        self._settings.more_button.setChecked(False)

    def remember(self) -> Callable[[], None]:
        """A function that shows again what is shown now."""
        view = self.view
        return lambda: self.show_view(view)

    def place_controls(self) -> None:
        """Put the settings and the buttons of a run above the stage, and its progress beside the
        plot.
        """
        self._line_row.addWidget(self._settings.line)
        self._head_row.addWidget(self.controls)
        self.run.result.place_progress()

    # -- room --------------------------------------------------------------------------------------

    def fit(self) -> None:
        """Share the room among the parts. A comparison has all of it for its plot; what follows has
        the stage again.
        """
        compares = self.run.shows_comparison and not self._has_lab
        if compares != self._had_comparison:
            self._had_comparison = compares
            self.view = View.CURVE if compares else View.BOTH
            self.view_changed.emit()
        beside = (
            self.controls.sizeHint().width() + 2 * self._rows.contentsMargins().left() + SPACING
        )
        most = max(self.height() - LEAST_STAGE, theme().px(LEAST_LINE))
        if not self._head.isHidden():
            # Larger text and the button Step take no height from the stage: what does not fit is in
            # the drawer.
            folds = theme().text_size > 100 or not self.controls.step_button.isHidden()
            self._settings.fold_line(self.width() - beside if folds else None)
            _fit_line(self._line_area, self._line, self.width() - beside, most)
        shows_run = self._has_lab or self.run.has_shown or self.run.is_preparing
        self.band.show_usual(self.run if shows_run else self.welcome)
        above = 0 if self._head.isHidden() else self._head.sizeHint().height() + SPACING
        if not self.controls.obstacle_button.isHidden():
            above += self.controls.obstacle_button.sizeHint().height()
        margins = self._rows.contentsMargins()
        height = self.height() - above - margins.top() - margins.bottom()
        room = share(
            self.width(),
            height,
            scale=theme().scale,
            view=self.view,
            has_lab=self._has_lab,
            has_page=self.band.page is not None,
            has_next_steps=self.run.conclusion.has_links,
            presenting=theme().presenting,
        )
        self._rows.setContentsMargins(room.margin, SPACING, room.margin, room.gap)
        self._body.setSpacing(room.gap)
        self.stage.setVisible(room.stage > 0)
        self.band.setVisible(room.band > 0)
        self._body.setStretch(0, room.stage)
        self._body.setStretch(1, room.band)
        has_result = self.run.has_result or not self._has_lab
        self.run.set_widths(room.result if has_result else 0, room.next_steps)
        self.welcome.set_width(room.result, self.width() - 2 * (room.margin + PADDING))
        # The result stands at the left edge of the canvas.
        layout = self.band.layout()
        assert layout is not None
        layout.setContentsMargins(room.margin, PADDING // 2, room.margin, PADDING // 2)
        is_both = room.stage > 0 and room.band > 0
        is_folded = self.view is View.BOTH and not is_both and self.band.page is None
        self._folded_button.setVisible(is_folded and not theme().presenting)
        self._folded_button.offer(View.CURVE if room.stage else View.NETWORK, has_curve=shows_run)
        self._place_drawer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    # -- the drawer --------------------------------------------------------------------------------

    def _show_drawer(self, shown: bool) -> None:
        self._drawer.setVisible(shown)
        self._place_drawer()
        if shown and self._settings.more_button.hasFocus():
            self._settings.network.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_drawer(self) -> None:
        """Below the settings line, over the left part of stage and band."""
        top = SPACING if self._head.isHidden() else self._head.geometry().bottom() + SPACING
        left = self._rows.contentsMargins().left()
        self._drawer.setGeometry(left, top, theme().px(DRAWER_WIDTH), self.height() - top - SPACING)
        self._drawer.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the drawer, and the page of the band."""
        if event.key() == Qt.Key.Key_Escape and self.band.page is not None:
            self.band.close_page()
        elif event.matches(QKeySequence.StandardKey.Cancel) and self._drawer.isVisible():
            self._settings.more_button.setChecked(False)
            self._settings.more_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            super().keyPressEvent(event)


class ViewChooser(PageChooser):
    """Chooses what the tab Training shows, and brings this tab to the front."""

    def __init__(self, page: TrainingPage, tabs: QTabWidget) -> None:
        super().__init__(
            "viewChooser", QCoreApplication.translate("ViewChooser", "What the tab Training shows")
        )
        self._page = page
        self._tabs = tabs
        self.add_page(self.tr("Network"), self.tr("Show the drawing and the network alone."))
        self.add_page(self.tr("Curve"), self.tr("Show the curve alone, large."))
        self.add_page(self.tr("Both"), self.tr("Show the network, and the curve below it."))
        self.currentChanged.connect(lambda index: self.show_view(VIEWS[index]))
        page.view_changed.connect(self._on_view)
        self._on_view()

    def fill_menu(self, menu: QMenu) -> None:
        """Add an entry for each view."""
        for index, view in enumerate(VIEWS):
            text = self.tr("{view} alone").format(view=self.tabText(index))
            if view is View.BOTH:
                text = self.tr("Network and curve")
            keys = f"F9, {index + 1}", f"Ctrl+Shift+{index + 1}"
            entry(menu, text, partial(self.show_view, view), *keys)

    def show_view(self, view: View) -> None:
        self._tabs.setCurrentWidget(self._page)
        if view is not self._page.view:
            self._page.show_view(view)

    def show_stage(self) -> None:
        """Show the drawing and its answer: beside the curve, or alone where there is no room for
        both.
        """
        self._tabs.setCurrentWidget(self._page)
        for view in (View.BOTH, View.NETWORK):
            if self._page.stage.isHidden():
                self.show_view(view)

    def _on_view(self) -> None:
        with QSignalBlocker(self):  # it would show the tab
            self.setCurrentIndex(VIEWS.index(self._page.view))


def _fit_line(area: QScrollArea, line: QWidget, width: int, most: int) -> None:
    """Let the settings line have the rows that it needs in this width; from the height `most` on it
    scrolls.
    """
    needed = line.heightForWidth(max(width, 1))  # -1 where a lab has taken the settings
    area.setFixedHeight(max(min(needed, most), 0))
