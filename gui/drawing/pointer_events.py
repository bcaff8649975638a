"""Pointers: what the events of mouse, pen, finger and keyboard mean to a canvas."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QMouseEvent, QPointingDevice, QTabletEvent, QTouchEvent


def stylus_width(event: QTabletEvent) -> float:
    """How wide the pen is pressed, as a factor: half to one and a half where the device feels pressure."""
    feels = event.pointingDevice().capabilities() & QInputDevice.Capability.Pressure
    return 0.5 + event.pressure() if feels else 1.0


def stylus_erases(event: QTabletEvent) -> bool:
    return event.pointerType() == QPointingDevice.PointerType.Eraser


def mouse_erases(event: QMouseEvent) -> bool:
    """The right button is an eraser, whatever tool is chosen."""
    return event.button() == Qt.MouseButton.RightButton


def first_finger(event: QTouchEvent, finger: int | None) -> tuple[int, QPointF] | None:
    """The number and place of `finger`, or of the first one when none draws yet; None if it is not there."""
    for point in event.points():
        if finger is None or point.id() == finger:
            return point.id(), point.position()
    return None


STEPS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip
WIDER = (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_BracketRight)
NARROWER = (Qt.Key.Key_Minus, Qt.Key.Key_BracketLeft)
CLEARING = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
OWN_KEYS = {*STEPS, *WIDER, *NARROWER, *CLEARING, Qt.Key.Key_E, Qt.Key.Key_Space}
