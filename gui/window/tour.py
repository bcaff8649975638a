"""The tour: notes that explain parts of the window, one after the other."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QShortcut,
)
from PySide6.QtWidgets import QWidget

from gui.widgets import make
from gui.widgets.basics import PrimaryButton
from gui.widgets.theme import HEADING, theme

# Pixels: the width of a note at a text size of 100 %, its padding, and its distance to the edge of the window.
_WIDTH = 320
_PADDING = 16
_EDGE = 14
_TAIL = 12  # the length of the tail, half of its width, and its distance to a corner of the note
_AROUND = 4  # between the frame and the widget that it surrounds
_DIM = 0.2  # share of black over the rest of the window


class TourStep(NamedTuple):
    widget: QWidget
    title: str
    text: str


class Shade(QWidget):
    """Dims the window but for one widget, around which it paints a frame. Mouse events pass through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._window = window
        self.target = QRect()

    def surround(self, target: QRect) -> None:
        """Leave out `target`, in the window's coordinates."""
        self.target = target.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        lit = QPainterPath()
        lit.addRoundedRect(QRectF(self.target), 8, 8)
        page = QPainterPath()
        page.addRect(QRectF(self.rect()))
        black = QColor(0, 0, 0)
        black.setAlphaF(_DIM)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(page - lit, black)
            painter.setPen(QPen(QColor(theme().colors.accent), 2))
            painter.drawPath(lit)


def place_note(size: QSize, target: QRect, room: QRect) -> tuple[QRect, QPoint | None]:
    """Where a note of this size is, and the end of its tail at the middle of a side of `target`; all lies in `room`.

    The note is below, above, right or left of `target`; without room there it covers it, and has no tail.
    """
    middle = target.center()
    x = min(max(middle.x() - size.width() // 2, room.left()), room.right() - size.width())
    y = min(max(middle.y() - size.height() // 2, room.top()), room.bottom() - size.height())
    places = (
        (QPoint(x, target.bottom() + _TAIL), QPoint(middle.x(), target.bottom())),
        (QPoint(x, target.top() - _TAIL - size.height()), QPoint(middle.x(), target.top())),
        (QPoint(target.right() + _TAIL, y), QPoint(target.right(), middle.y())),
        (QPoint(target.left() - _TAIL - size.width(), y), QPoint(target.left(), middle.y())),
    )
    for corner, tail in places:
        note = QRect(corner, size)
        if room.contains(note):
            return note, tail
    return QRect(QPoint(x, room.bottom() - size.height()), size), None


class Tour(QWidget):
    """A note over the dimmed window, whose tail points at one widget after the other. It takes no focus.

    parts: the canvas, the network, the button Train, the plots and the button that names the reading network. The note
    about the plots is left out while no network `learns`.
    """

    def __init__(self, window: QWidget, parts: Sequence[QWidget], *, learns: bool) -> None:
        super().__init__(window)
        canvas, network, train, plots, reader = parts
        self.setObjectName("tour")
        self._window = window
        self._position = 0
        tr = self.tr
        self._steps = [
            TourStep(canvas, tr("Draw a digit"), tr(
                "Hold the mouse button and draw. Your drawing flows through the layers; the bars and the digit at the "
                "right show at once how the network reads it."
            )),
            TourStep(network, tr("Choose a network"), tr(
                "Take one that is known to work, or change it in the picture: a click on a layer shows its settings, "
                "and + adds one."
            )),
            TourStep(train, tr("Train it"), tr(
                "It learns from the data chosen in this line. Pause, go step by step or stop as you like; each field "
                "has a tooltip."
            )),
            TourStep(reader, tr("Test it with a drawing"), tr(
                "Your drawing is read again while the network learns; the list “Read by” names the network that reads. "
                "The Help menu shows this tour again."
            )),
        ]  # fmt: skip
        self._learning = TourStep(plots, tr("Follow the training"), tr(
            "The loss falls, the accuracy rises. Change the learning rate during the run and "
            "compare the curves before and after."
        ))  # fmt: skip
        if learns:
            self._steps.insert(-1, self._learning)
        self._highlight = Shade(window)
        self._tail: QPoint | None = None  # its end, in the coordinates of the note
        self._title = make.label(role="heading")
        self._text = make.label()
        self._count = make.label(role="caption", wraps=False)
        tip = self.tr("End the tour (Escape); Help ▸ Tour shows it again.")
        self.skip_button = make.button(self.tr("Skip"), "tourSkipButton", tip, self.close_tour)
        tip = self.tr("Show the next part of the window (Return).")
        self.next_button = make.button("", "tourNextButton", tip, self._show_next, kind=PrimaryButton)
        for button in (self.skip_button, self.next_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.next_button.set_main(True)
        buttons = make.row((self._count, 1), self.skip_button, self.next_button)
        self._column = make.column(self._title, self._text, buttons, owner=self, spacing=10)
        margin = _PADDING + _TAIL  # the tail may be at any side
        self._column.setContentsMargins(margin, margin, margin, margin)
        for widget in (window, *parts):
            widget.installEventFilter(self)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close_tour)
        self._show_step()

    def close_tour(self) -> None:
        self._position = len(self._steps)
        self._window.removeEventFilter(self)
        for widget in (self._highlight, self):
            widget.hide()
            widget.deleteLater()

    def on_training_started(self) -> None:
        """Go on with the note about a network that learns."""
        if self.isVisible() and self._learning not in self._steps:
            self._position = len(self._steps) - 1
            self._steps.insert(self._position, self._learning)
            self._show_step()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            QTimer.singleShot(0, self, self._place)  # when the layout has given the parts their new sizes
        # A key that the widget with the focus has no use for.
        pressed = watched is self._window and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._show_next()
            return True
        return False

    def _show_next(self) -> None:
        self._position += 1
        if self._position == len(self._steps):
            self.close_tour()
        else:
            self._show_step()

    def _show_step(self) -> None:
        step = self._steps[self._position]
        count = len(self._steps)
        last = self._position == count - 1
        self._title.setText(step.title)
        self._text.setText(step.text)
        self._count.setText(self.tr("{position} of {count}").format(position=self._position + 1, count=count))
        self.next_button.setText(self.tr("Done") if last else self.tr("Next"))
        self.skip_button.setVisible(not last)
        self.setAccessibleName(f"{step.title}. {step.text}")
        self._place()
        # Once more, when the layout has placed what was hidden.
        QTimer.singleShot(0, self, self._place)

    def _place(self) -> None:
        """Put the note beside its widget, in the coordinates of the window."""
        if self._position == len(self._steps):
            return  # the tour has ended
        window = self._window
        widget = self._steps[self._position].widget
        target = QRect(widget.mapTo(window, QPoint()), widget.size())
        self._highlight.surround(target)
        # Another tab may hide the widget.
        self._highlight.setVisible(widget.isVisibleTo(window))
        self._text.setFont(theme().font(HEADING))
        width = theme().px(_WIDTH) + 2 * _TAIL
        whole = QSize(width, self._column.totalHeightForWidth(width))
        note_size = whole - QSize(2 * _TAIL, 2 * _TAIL)
        around = QRect(target).adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)
        room = window.rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        note, tail = place_note(note_size, around, room)
        self.setGeometry(note.adjusted(-_TAIL, -_TAIL, _TAIL, _TAIL))
        self._tail = None if tail is None else tail - self.pos()
        self.raise_()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        note = QRectF(self.rect()).adjusted(_TAIL, _TAIL, -_TAIL, -_TAIL).adjusted(0.5, 0.5, -0.5, -0.5)
        shape = QPainterPath()
        shape.addRoundedRect(note, 8, 8)
        if self._tail is not None:
            shape = shape.united(_tail_path(note, QPointF(self._tail)))
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QColor(colors.border))
            painter.setBrush(QColor(colors.raised))
            painter.drawPath(shape)


def _tail_path(note: QRectF, end: QPointF) -> QPainterPath:
    """A triangle from the side of `note` that is nearest to `end`, with its tip there."""
    x = min(max(end.x(), note.left() + 2 * _TAIL), note.right() - 2 * _TAIL)
    y = min(max(end.y(), note.top() + 2 * _TAIL), note.bottom() - 2 * _TAIL)
    across = QPointF(_TAIL, 0)
    root = QPointF(x, note.top() + 2 if end.y() < note.top() else note.bottom() - 2)
    if note.top() <= end.y() <= note.bottom():
        across = QPointF(0, _TAIL)
        root = QPointF(note.left() + 2 if end.x() < note.left() else note.right() - 2, y)
    path = QPainterPath()
    path.addPolygon(QPolygonF([root - across, end, root + across]))
    path.closeSubpath()
    return path
