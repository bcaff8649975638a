"""The drawing canvas: converts events of mouse, pen, finger and keyboard into strokes, and shows the document."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCursor,
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QInputDevice,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QPointingDevice,
    QTabletEvent,
    QTouchEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.reading.reader import Reading
from gui.drawing.document import PEN_WIDTHS, REFERENCE, SIDE, Document, Dot
from gui.text import probability
from gui.widgets.basics import named
from gui.widgets.theme import ink_table, mix

# Distance that an arrow key moves the pen: one pixel of the network's input; a quarter of it with Shift.
KEY_STEP = SIDE / 28


_RADIUS = 8  # pixels, of the corners
# A 3 in shares of the canvas: where it begins, then two control points and the end of each curve.
_EXAMPLE = (
    (0.30, 0.28), (0.38, 0.14), (0.68, 0.12), (0.70, 0.30), (0.71, 0.42), (0.60, 0.47), (0.48, 0.48),
    (0.66, 0.48), (0.74, 0.58), (0.72, 0.68), (0.70, 0.86), (0.38, 0.88), (0.29, 0.75),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _DigitFrame:
    """The frame around a digit of a number. `box`: in pixels of the document; `line_width`: in those of the widget."""

    box: QRectF
    caption: str
    line_width: int


class Canvas(QWidget):
    """Shows and edits one document with the current tool: `eraser` or pen, and `pen_width`."""

    tool_changed = Signal()
    pressed = Signal()  # with the pen or the mouse
    digit_pressed = Signal(int)  # the key of a digit
    dropped = Signal(object)  # QMimeData, valid during the signal only

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "canvas", self.tr("Drawing canvas"))
        self.setAccessibleDescription(
            self.tr(
                "Arrow keys move the pen, Space puts it down or lifts it, E changes to the eraser, "
                "Delete clears, a digit's key keeps the drawing as that digit."
            )
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_AcceptTouchEvents)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)  # the right button erases
        self.setAcceptDrops(True)
        self.document = document
        self.pen_width = PEN_WIDTHS[1]
        self.eraser = False
        self._finger: int | None = None
        self._key_pen: tuple[float, float] | None = None
        self._digits: list[_DigitFrame] = []
        self._set_cursor()
        document.painted.connect(self._update_image_part)

    def sizeHint(self) -> QSize:
        return QSize(REFERENCE, 160)  # it stretches; a larger hint would make its column scroll

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    # -- tools -----------------------------------------------------------------------------------------------

    def set_eraser(self, eraser: bool) -> None:
        if eraser != self.eraser:
            self.eraser = eraser
            self._tool_changed()

    def set_pen_width(self, width: int) -> None:
        """`width` in pixels of a 280-pixel canvas, kept within PEN_WIDTHS."""
        width = min(max(width, PEN_WIDTHS[0]), PEN_WIDTHS[2])
        if width != self.pen_width:
            self.pen_width = width
            self._tool_changed()

    def show_digits(self, reading: Reading | None) -> None:
        """Draw a box around each digit of a number, with the digit and its probability below; None: no boxes.

        That of the least certain digit, which the probabilities belong to, is thick.
        """
        digits = []
        if reading is not None and reading.number is not None:
            least = reading.number.least_certain
            for digit in reading.number.digits:
                name = reading.classes[digit.best]
                percent = probability(digit.confidence, 0)
                text = self.tr("{digit} {percent}").format(digit=name, percent=percent)
                box = QRectF(digit.box.left, digit.box.top, digit.box.width, digit.box.height)
                if digit.rejected:
                    text = self.tr("no digit")
                digits.append(_DigitFrame(box, text, 3 if digit is least else 1))
        if digits != self._digits:
            self._digits = digits
            self.update()

    def _width(self, factor: float = 1.0) -> float:
        """The pen's width in pixels of the document."""
        return self.pen_width * factor * SIDE / REFERENCE

    @property
    def shown_pen_width(self) -> float:
        """In pixels of the widget."""
        return self._width() * self.to_widget().m11()

    def _tool_changed(self) -> None:
        self._set_cursor()
        self.update()
        self.tool_changed.emit()

    # -- mouse, pen, finger ----------------------------------------------------------------------------------

    def to_widget(self) -> QTransform:
        """From pixels of the document to those of the widget: as large as possible, and centered."""
        columns = self.document.width
        scale = max(1.0, min(self.width() * SIDE / columns, self.height())) / SIDE
        left = (self.width() - columns * scale) / 2
        top = (self.height() - SIDE * scale) / 2
        return QTransform(scale, 0, 0, scale, left, top)

    def _dot(self, position: QPointF, factor: float) -> Dot:
        point = self.to_widget().inverted()[0].map(position)
        return Dot(point.x(), point.y(), self._width(factor))

    def _press(self, position: QPointF, *, erases: bool, factor: float = 1.0) -> bool:
        if not self.to_widget().mapRect(QRectF(self.document.image.rect())).contains(position):
            return False
        self._hide_key_pen()
        self.document.begin_stroke(self._dot(position, factor), erases=erases)
        return True

    def _move(self, position: QPointF, factor: float = 1.0) -> None:
        if self._key_pen is None:
            self.document.extend_stroke(self._dot(position, factor))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            erases = self.eraser or event.button() == Qt.MouseButton.RightButton
            self._press(event.position(), erases=erases)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons():
            self._move(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._move(event.position())
        self.document.finish_stroke()

    def tabletEvent(self, event: QTabletEvent) -> None:
        kind = event.type()
        # From 0.5 to 1.5 by pressure; 1 if the device does not measure pressure.
        has_pressure = event.pointingDevice().capabilities() & QInputDevice.Capability.Pressure
        factor = 0.5 + event.pressure() if has_pressure else 1.0
        if kind == QEvent.Type.TabletPress:
            erases = self.eraser or event.pointerType() == QPointingDevice.PointerType.Eraser
            self._press(event.position(), erases=erases, factor=factor)
        elif kind == QEvent.Type.TabletMove:
            self._move(event.position(), factor)
        elif kind == QEvent.Type.TabletRelease:
            self.document.finish_stroke()
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QTouchEvent):
            event.accept()
            # A touch pad draws with its mouse events: macOS reports each finger that rests on one, without a click.
            if event.pointingDevice().type() != QInputDevice.DeviceType.TouchPad:
                self._touch(event)
            return True
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            unmodified = not event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            if unmodified and event.key() in CANVAS_KEYS:
                event.accept()
                return True
        return super().event(event)

    def _touch(self, event: QTouchEvent) -> None:
        kind = event.type()
        if kind == QEvent.Type.TouchCancel:
            self._finger = None
            self.document.cancel_stroke()
            return
        point = next((each for each in event.points() if self._finger in (None, each.id())), None)
        if kind == QEvent.Type.TouchBegin and point and self._press(point.position(), erases=self.eraser):
            self._finger = point.id()
        elif self._finger is not None and point:
            self._move(point.position())
        if kind == QEvent.Type.TouchEnd:
            self._finger = None
            self.document.finish_stroke()

    # -- keyboard --------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Undo):
            self.document.undo()
        elif event.matches(QKeySequence.StandardKey.Redo) or (
            key == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        ):
            self.document.redo()
        elif key in ARROW_KEYS:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._step_key_pen(*ARROW_KEYS[key], fine=fine)
        elif key == Qt.Key.Key_Space:
            self._toggle_key_pen()
        elif key == Qt.Key.Key_E:
            self.set_eraser(not self.eraser)
        elif key in WIDER_KEYS or key in NARROWER_KEYS:
            self.set_pen_width(self.pen_width + (2 if key in WIDER_KEYS else -2))
        elif key in DIGIT_KEYS:
            self.digit_pressed.emit(DIGIT_KEYS[key])
        elif key in CLEAR_KEYS:
            self.document.clear()
        else:
            super().keyPressEvent(event)

    def _step_key_pen(self, right: int, down: int, *, fine: bool) -> None:
        step = KEY_STEP / 4 if fine else KEY_STEP
        x, y = self._key_pen or (self.document.width / 2, SIDE / 2)
        if self._key_pen is not None:
            x = min(max(x + right * step, 0.0), float(self.document.width))
            y = min(max(y + down * step, 0.0), float(SIDE))
        self._key_pen = (x, y)
        self.document.extend_stroke(Dot(x, y, self._width()))
        self.update()

    def _toggle_key_pen(self) -> None:
        self._key_pen = self._key_pen or (self.document.width / 2, SIDE / 2)
        if not self.document.is_drawing:
            self.document.begin_stroke(Dot(*self._key_pen, self._width()), erases=self.eraser)
        else:
            self.document.finish_stroke()
        self.update()

    def _hide_key_pen(self) -> None:
        if self._key_pen is not None:
            self.document.finish_stroke()
            self._key_pen = None
            self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._hide_key_pen()
        super().focusOutEvent(event)

    # -- dropped pictures --------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a picture that is no file, such as one from a web page; the window opens files of all kinds."""
        data = event.mimeData()
        if data.hasImage() and not any(url.isLocalFile() for url in data.urls()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.dropped.emit(event.mimeData())

    # -- painting --------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self._set_cursor()
        super().changeEvent(event)

    def resizeEvent(self, event: object) -> None:
        self._tool_changed()  # the pen is drawn in another size

    def _update_image_part(self, part: QRect) -> None:
        self.update(self.to_widget().mapRect(QRectF(part)).toAlignedRect().adjusted(-2, -2, 2, 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        transform = self.to_widget()
        palette = self.palette()
        area = transform.mapRect(QRectF(self.document.image.rect()))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self._paint_ink(painter, transform, event.rect())
        if self.document.is_empty and self.isEnabled():
            self._paint_example(painter, area)
        role = QPalette.ColorRole.Accent if self.hasFocus() else QPalette.ColorRole.Mid
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        width = 2 if self.hasFocus() else 1
        inside = width / 2  # a pen lies half on each side of the line
        painter.setPen(QPen(palette.color(role), width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(inside, inside, -inside, -inside), _RADIUS, _RADIUS)
        self._paint_digits(painter, transform)
        if self._key_pen is not None:
            self._paint_key_pen(painter, transform.map(QPointF(*self._key_pen)))

    def _paint_example(self, painter: QPainter, area: QRectF) -> None:
        """A dotted 3 where nothing is drawn yet; on a wide canvas a word says what to do."""
        color = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(color)
        if self.document.width > SIDE:
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.tr("Write a number here"))
            return
        path = QPainterPath(_point(area, *_EXAMPLE[0]))
        for first, second, end in zip(_EXAMPLE[1::3], _EXAMPLE[2::3], _EXAMPLE[3::3], strict=True):
            path.cubicTo(_point(area, *first), _point(area, *second), _point(area, *end))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, 1.5, Qt.PenStyle.DotLine))
        painter.drawPath(path)

    def _paint_ink(self, painter: QPainter, transform: QTransform, dirty: QRect) -> None:
        """Paint the ink under `dirty`, with a margin of a few pixels for smooth scaling."""
        part = transform.inverted()[0].mapRect(QRectF(dirty)).toAlignedRect().adjusted(-4, -4, 4, 4)
        part = part.intersected(self.document.image.rect())
        if part.isEmpty():
            return
        pixels = self.document.image.copy(part)
        pixels.reinterpretAsFormat(pixels.Format.Format_Indexed8)
        pixels.setColorTable(ink_table(self.palette()))
        painter.drawImage(transform.mapRect(QRectF(part)), pixels)

    def _paint_digits(self, painter: QPainter, transform: QTransform) -> None:
        accent = self.palette().color(QPalette.ColorRole.Accent)
        height = self.fontMetrics().height()
        frames = [transform.mapRect(digit.box).adjusted(-3, -3, 3, 3) for digit in self._digits]
        for frame, digit in zip(frames, self._digits, strict=True):
            caption = digit.caption
            painter.setPen(QPen(accent, digit.line_width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(frame)
            if not self._fits(caption, frame, frames):
                caption = caption.split()[0]  # the digit alone: the captions of neighbors would overlap
            room = max(frame.width(), self.fontMetrics().horizontalAdvance(caption) + 2)
            text_area = QRectF(frame.center().x() - room / 2, frame.bottom() + 1, room, height)
            if text_area.bottom() > self.height():
                text_area.moveBottom(frame.top() - 1)
            painter.drawText(text_area, Qt.AlignmentFlag.AlignHCenter, caption)

    def _fits(self, caption: str, frame: QRectF, frames: list[QRectF]) -> bool:
        """Whether the caption has room below its digit: it may reach to the middle between the digit and the next."""
        half = self.fontMetrics().horizontalAdvance(caption) / 2 + 2
        centers = [other.center().x() for other in frames if other is not frame]
        return all(half <= abs(frame.center().x() - center) / 2 for center in centers)

    def _paint_key_pen(self, painter: QPainter, at: QPointF) -> None:
        radius = self.shown_pen_width / 2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(at, radius, radius)
        arm = radius + 6
        painter.drawLine(at - QPointF(arm, 0), at + QPointF(arm, 0))
        painter.drawLine(at - QPointF(0, arm), at + QPointF(0, arm))

    def _set_cursor(self) -> None:
        """Set the cursor: a circle of the pen's size, dashed for the eraser."""
        ratio = self.devicePixelRatioF()
        width = max(4.0, self.shown_pen_width)
        size = int(width) + 6
        ring = QPixmap(round(size * ratio), round(size * ratio))
        ring.setDevicePixelRatio(ratio)
        ring.fill(Qt.GlobalColor.transparent)
        palette = self.palette()
        with QPainter(ring) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            pen = QPen(mix(palette, QPalette.ColorRole.Text, QPalette.ColorRole.Base, 0.35), 1.2)
            if self.eraser:
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.drawEllipse(QPointF(size / 2, size / 2), width / 2, width / 2)
        self.setCursor(QCursor(ring, size // 2, size // 2))


ARROW_KEYS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
WIDER_KEYS = (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_BracketRight)
NARROWER_KEYS = (Qt.Key.Key_Minus, Qt.Key.Key_BracketLeft)
CLEAR_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
DIGIT_KEYS = {Qt.Key(Qt.Key.Key_0 + digit): digit for digit in range(10)}
OTHER_KEYS = (Qt.Key.Key_E, Qt.Key.Key_Space)
CANVAS_KEYS = {*DIGIT_KEYS, *ARROW_KEYS, *WIDER_KEYS, *NARROWER_KEYS, *CLEAR_KEYS, *OTHER_KEYS}


def _point(area: QRectF, x: float, y: float) -> QPointF:
    """The point at these shares of the area."""
    return QPointF(area.left() + x * area.width(), area.top() + y * area.height())
