"""Interprets events of mouse, pen, finger and keyboard for the canvas."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QMouseEvent, QPointingDevice, QTabletEvent, QTouchEvent


def stylus_width(event: QTabletEvent) -> float:
    """The factor of the pen's width, from 0.5 to 1.5 by pressure; 1 if the device does not measure pressure."""
    has_pressure = event.pointingDevice().capabilities() & QInputDevice.Capability.Pressure
    return 0.5 + event.pressure() if has_pressure else 1.0


def stylus_erases(event: QTabletEvent) -> bool:
    return event.pointerType() == QPointingDevice.PointerType.Eraser


def mouse_erases(event: QMouseEvent) -> bool:
    """The right button always erases."""
    return event.button() == Qt.MouseButton.RightButton


def is_touch_pad(event: QTouchEvent) -> bool:
    """Whether the touch is on a touch pad. macOS reports each finger that rests on one, without a click."""
    return event.pointingDevice().type() == QInputDevice.DeviceType.TouchPad


def touch_point(event: QTouchEvent, finger: int | None) -> tuple[int, QPointF] | None:
    """(id, position) of the touch point with the id `finger`, or of the first point if `finger` is None.

    None if there is no such point.
    """
    for point in event.points():
        if finger is None or point.id() == finger:
            return point.id(), point.position()
    return None


ARROW_KEYS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
WIDER_KEYS = (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_BracketRight)
NARROWER_KEYS = (Qt.Key.Key_Minus, Qt.Key.Key_BracketLeft)
CLEAR_KEYS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
DIGIT_KEYS = {Qt.Key(Qt.Key.Key_0 + digit): digit for digit in range(10)}
CANVAS_KEYS = {
    *DIGIT_KEYS,
    *ARROW_KEYS,
    *WIDER_KEYS,
    *NARROWER_KEYS,
    *CLEAR_KEYS,
    Qt.Key.Key_E,
    Qt.Key.Key_Space,
}
