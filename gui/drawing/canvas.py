"""The drawing canvas: converts events of mouse, pen, finger and keyboard into strokes, and shows
the document.
"""

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPointingDevice,
    QTabletEvent,
    QTouchEvent,
    QTransform,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.reading.reader import Reading
from gui.drawing.canvas_painting import (
    DigitFrame,
    digit_frames,
    paint_digits,
    paint_example,
    paint_ink,
    paint_key_pen,
    pen_cursor,
)
from gui.drawing.document import PEN_WIDTHS, REFERENCE, SIDE, Document, Dot
from gui.widgets.basics import ARROW_KEYS, named
from gui.widgets.shapes import paint_frame

_RADIUS = 8  # pixels, of the corners
# Distance that an arrow key moves the pen: one pixel of the network's input; a quarter of it with
# Shift.
KEY_STEP = SIDE / 28


class Tool(QObject):
    """`eraser`: whether it erases instead of drawing. `pen_width`: in pixels of a canvas of
    REFERENCE pixels.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.pen_width = PEN_WIDTHS[1]
        self.eraser = False

    def set_eraser(self, eraser: bool) -> None:
        if eraser != self.eraser:
            self.eraser = eraser
            self.changed.emit()

    def set_pen_width(self, width: int) -> None:
        """Use this width, kept within PEN_WIDTHS."""
        width = min(max(width, PEN_WIDTHS[0]), PEN_WIDTHS[2])
        if width != self.pen_width:
            self.pen_width = width
            self.changed.emit()

    def width(self, factor: float = 1.0) -> float:
        """The pen's width in pixels of the document."""
        return self.pen_width * factor * SIDE / REFERENCE


class KeyPen:
    """The pen that keys move over the document, with `tool`. `place`: in its pixels; None while it
    is not used.
    """

    def __init__(self, document: Document, tool: Tool) -> None:
        self._document = document
        self._tool = tool
        self.place: tuple[float, float] | None = None

    def step(self, right: int, down: int, *, fine: bool) -> None:
        """Show the pen, or move it; what it draws follows."""
        step = KEY_STEP / 4 if fine else KEY_STEP
        x, y = self.place or (self._document.width / 2, SIDE / 2)
        if self.place is not None:
            x = min(max(x + right * step, 0.0), float(self._document.width))
            y = min(max(y + down * step, 0.0), float(SIDE))
        self.place = (x, y)
        self._document.extend_stroke(Dot(x, y, self._tool.width()))

    def toggle(self) -> None:
        """Put the pen down, or lift it."""
        self.place = self.place or (self._document.width / 2, SIDE / 2)
        if not self._document.is_drawing:
            self._document.begin_stroke(
                Dot(*self.place, self._tool.width()), erases=self._tool.eraser
            )
        else:
            self._document.finish_stroke()

    def hide(self) -> bool:
        """Lift the pen and hide it; return whether it was shown."""
        if self.place is None:
            return False
        self._document.finish_stroke()
        self.place = None
        return True


class Canvas(QWidget):
    """Shows and edits one document with its tool. `digits`: the frames around those of a number."""

    tool_changed = Signal()  # the tool, or its width in pixels of the widget
    pressed = Signal()  # with the pen or the mouse
    digit_pressed = Signal(int)  # the key of a digit
    dropped = Signal(object)  # QMimeData, valid during the signal only

    def __init__(self, document: Document) -> None:
        super().__init__()
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
        # The right button erases.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setAcceptDrops(True)
        self.document = document
        self.tool = Tool(self)
        self.key_pen = KeyPen(document, self.tool)
        # A second finger must not extend the stroke of the first one.
        self._finger: int | None = None
        self.digits: list[DigitFrame] = []
        self._show_tool()
        self.tool.changed.connect(self._show_tool)
        document.painted.connect(self._update_image_part)

    def sizeHint(self) -> QSize:
        return QSize(REFERENCE, 160)  # it stretches; a larger hint would make its column scroll

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 160)

    # -- tool --------------------------------------------------------------------------------------

    @property
    def shown_pen_width(self) -> float:
        """In pixels of the widget."""
        return self.tool.width() * self.to_widget().m11()

    def _show_tool(self) -> None:
        """Set the cursor: a circle of the pen's size, dashed for the eraser."""
        width = self.shown_pen_width
        ratio = self.devicePixelRatioF()
        self.setCursor(pen_cursor(width, self.palette(), ratio, dashed=self.tool.eraser))
        self.update()
        self.tool_changed.emit()

    def show_digits(self, reading: Reading | None) -> None:
        """Draw a box around each digit of a number, with the digit and its probability below; None:
        no boxes.
        """
        digits = []
        if reading is not None and reading.number is not None:
            digits = digit_frames(reading.classes, reading.number)
        if digits != self.digits:
            self.digits = digits
            self.update()

    # -- mouse, pen, finger ------------------------------------------------------------------------

    def to_widget(self) -> QTransform:
        """From pixels of the document to those of the widget: as large as possible, and
        centered.
        """
        columns = self.document.width
        scale = max(1.0, min(self.width() * SIDE / columns, self.height())) / SIDE
        left = (self.width() - columns * scale) / 2
        top = (self.height() - SIDE * scale) / 2
        return QTransform(scale, 0, 0, scale, left, top)

    def _dot(self, position: QPointF, factor: float) -> Dot:
        point = self.to_widget().inverted()[0].map(position)
        return Dot(point.x(), point.y(), self.tool.width(factor))

    def _press(self, position: QPointF, *, erases: bool, factor: float = 1.0) -> bool:
        # The widget is larger than the image, which keeps its form.
        if not self.to_widget().mapRect(QRectF(self.document.ink.image.rect())).contains(position):
            return False
        if self.key_pen.hide():
            self.update()
        self.document.begin_stroke(self._dot(position, factor), erases=erases)
        return True

    def _move(self, position: QPointF, factor: float = 1.0) -> None:
        # The keys may be drawing a stroke, which the mouse must not extend.
        if self.key_pen.place is None:
            self.document.extend_stroke(self._dot(position, factor))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            erases = self.tool.eraser or event.button() == Qt.MouseButton.RightButton
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
            erases = self.tool.eraser or event.pointerType() == QPointingDevice.PointerType.Eraser
            self._press(event.position(), erases=erases, factor=factor)
        elif kind == QEvent.Type.TabletMove:
            self._move(event.position(), factor)
        elif kind == QEvent.Type.TabletRelease:
            self.document.finish_stroke()
        # Else Qt makes mouse events of those of the pen, and each dot comes twice.
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QTouchEvent):
            event.accept()
            # A touch pad draws with its mouse events: macOS reports each finger that rests on one,
            # without a click.
            if event.pointingDevice().type() != QInputDevice.DeviceType.TouchPad:
                self._touch(event)
            return True
        is_shortcut = event.type() == QEvent.Type.ShortcutOverride
        if is_shortcut and isinstance(event, QKeyEvent) and _is_for_canvas(event):
            # Accepted, the key comes to the canvas, and not to a shortcut of the window.
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
        if (
            kind == QEvent.Type.TouchBegin
            and point
            and self._press(point.position(), erases=self.tool.eraser)
        ):
            self._finger = point.id()
        elif self._finger is not None and point:
            self._move(point.position())
        if kind == QEvent.Type.TouchEnd:
            self._finger = None
            self.document.finish_stroke()

    # -- keyboard ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if not _is_for_canvas(event):
            super().keyPressEvent(event)
        elif key in ARROW_KEYS:
            fine = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.key_pen.step(*ARROW_KEYS[key], fine=fine)
            self.update()
        elif key == Qt.Key.Key_Space:
            self.key_pen.toggle()
            self.update()
        elif key == Qt.Key.Key_E:
            self.tool.set_eraser(not self.tool.eraser)
        elif key in WIDER_KEYS or key in NARROWER_KEYS:
            self.tool.set_pen_width(self.tool.pen_width + (2 if key in WIDER_KEYS else -2))
        elif key in DIGIT_KEYS:
            self.digit_pressed.emit(DIGIT_KEYS[key])
        else:
            self.document.clear()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self.key_pen.hide():
            self.update()
        super().focusOutEvent(event)

    # -- dropped pictures --------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a picture that is no file, such as one from a web page; the window opens files of
        all kinds.
        """
        data = event.mimeData()
        if data.hasImage() and not any(url.isLocalFile() for url in data.urls()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.dropped.emit(event.mimeData())

    # -- painting ----------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        # The cursor is drawn in colors of the palette.
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self._show_tool()
        super().changeEvent(event)

    def resizeEvent(self, event: object) -> None:
        self._show_tool()  # the pen is drawn in another size

    def _update_image_part(self, part: QRect) -> None:
        # Smooth scaling spreads a pixel over its neighbors.
        self.update(self.to_widget().mapRect(QRectF(part)).toAlignedRect().adjusted(-2, -2, 2, 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        transform = self.to_widget()
        palette = self.palette()
        area = transform.mapRect(QRectF(self.document.ink.image.rect()))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        paint_ink(painter, self.document.ink.image, transform, event.rect(), palette)
        if self.document.is_empty and self.isEnabled():
            if self.document.width == SIDE:
                paint_example(painter, area, palette)
            else:
                painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self.tr("Write a number here"))
        role = QPalette.ColorRole.Accent if self.hasFocus() else QPalette.ColorRole.Mid
        width = 2 if self.hasFocus() else 1
        inside = width / 2  # a pen lies half on each side of the line
        frame = area.adjusted(inside, inside, -inside, -inside)
        paint_frame(painter, frame, palette.color(role), width, _RADIUS)
        paint_digits(painter, self.digits, transform, self)
        if self.key_pen.place is not None:
            at = transform.map(QPointF(*self.key_pen.place))
            paint_key_pen(painter, at, self.shown_pen_width / 2, palette)


WIDER_KEYS = (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_BracketRight)
NARROWER_KEYS = (Qt.Key.Key_Minus, Qt.Key.Key_BracketLeft)
CLEAR_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
DIGIT_KEYS = {Qt.Key(Qt.Key.Key_0 + digit): digit for digit in range(10)}
OTHER_KEYS = (Qt.Key.Key_E, Qt.Key.Key_Space)
CANVAS_KEYS = {*DIGIT_KEYS, *ARROW_KEYS, *WIDER_KEYS, *NARROWER_KEYS, *CLEAR_KEYS, *OTHER_KEYS}


def _is_for_canvas(event: QKeyEvent) -> bool:
    """Whether it is a key of the canvas; with Alt or Ctrl it is one of the window."""
    allowed = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    return not event.modifiers() & ~allowed and event.key() in CANVAS_KEYS
