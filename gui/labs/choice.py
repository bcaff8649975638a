"""A choice of a lab as a row that is chosen by a click anywhere in it."""

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QRadioButton, QSizePolicy

from gui.labs.texts import paint_mark, reading_px, tint
from gui.widgets.basics import focus_is_by_key, paint_rounded
from gui.widgets.shapes import paint_frame
from gui.widgets.theme import theme

# Pixels beside text of 16 pixels.
HEIGHT = 40
_CIRCLE = 16
_PADDING = 12
_RADIUS = 6
_FLAGS = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class ChoiceRow(QRadioButton):
    """A radio button with a frame, whose text wraps. `is_right`: what this choice was; None: it is
    not known.
    """

    def __init__(self, text: str) -> None:
        # A single one would begin a key of the button.
        super().__init__(text.replace("&", "&&"))
        # Painted here: a radio button of Qt does not wrap its text.
        self._words = text
        self.is_right: bool | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mark(self, is_right: bool | None) -> None:
        """Show whether this choice was right."""
        if is_right is not self.is_right:
            self.is_right = is_right
            self.update()

    def hitButton(self, pos: QPoint) -> bool:
        # Qt's own button is its circle and text alone; here the whole row is clicked.
        return self.rect().contains(pos)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, self._text_room(QRect(0, 0, width, 0)).width(), 10_000)
        text = QFontMetrics(self.font()).boundingRect(room, int(_FLAGS), self._words)
        return max(reading_px(HEIGHT), text.height() + reading_px(16))

    def sizeHint(self) -> QSize:
        return QSize(200, self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, reading_px(HEIGHT))

    def _text_room(self, area: QRect) -> QRect:
        """Where the text stands: right of the circle, left of the mark."""
        padding = reading_px(_PADDING)
        circle = reading_px(_CIRCLE)
        return area.adjusted(2 * padding + circle, 0, -2 * padding - circle, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._paint_frame(painter)
            self._paint_circle(painter)
            room = self._text_room(self.rect())
            painter.setPen(theme().colors.text)
            painter.drawText(room, int(_FLAGS), self._words)
            if self.is_right is not None:
                circle = reading_px(_CIRCLE)
                place = QRectF(0, 0, circle, circle)
                place.moveCenter(
                    QPointF(room.right() + reading_px(_PADDING) + circle / 2, self.height() / 2)
                )
                paint_mark(painter, place, self.is_right)

    def _paint_frame(self, painter: QPainter) -> None:
        colors = theme().colors
        line = colors.border
        fill = QColor(colors.base)
        width = 1
        if self.isChecked():
            line = colors.accent
            fill = QColor(colors.info_back)
            width = 2
        if self.is_right is not None:
            line = colors.good if self.is_right else colors.notice
            fill = tint(self.is_right)
        if not self.isEnabled() and not self.isChecked() and self.is_right is None:
            line = colors.line
        elif self.underMouse() and self.isEnabled() and not self.isChecked():
            line = colors.text
        paint_rounded(painter, self.rect(), line, fill, width, radius=_RADIUS)
        if focus_is_by_key(self):
            inner = QRectF(self.rect()).adjusted(3.5, 3.5, -3.5, -3.5)
            paint_frame(painter, inner, colors.accent, radius=_RADIUS - 2)

    def _paint_circle(self, painter: QPainter) -> None:
        """A circle; of the chosen one filled, with a hole."""
        colors = theme().colors
        size = reading_px(_CIRCLE)
        area = QRectF(reading_px(_PADDING), (self.height() - size) / 2, size, size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colors.border)
        painter.setBrush(colors.base)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.accent)
        painter.drawEllipse(area.adjusted(0.5, 0.5, -0.5, -0.5))
        if self.isChecked():
            hole = size * 0.32
            painter.setBrush(colors.base)
            painter.drawEllipse(area.adjusted(hole, hole, -hole, -hole))
