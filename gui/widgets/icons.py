"""Icons of the controls, drawn in the text's colour so that they fit every theme."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

_SIZE = 64


def control_icon(name: str, colour: str, disabled: str) -> QIcon:
    """`play`, `pause`, `step`, `stop`, `up`, `down`, `add` or `remove`."""
    icon = QIcon(_pixmap(name, colour))
    icon.addPixmap(_pixmap(name, disabled), QIcon.Mode.Disabled)
    return icon


def _pixmap(name: str, colour: str) -> QPixmap:
    pixmap = QPixmap(_SIZE, _SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    for shape in _SHAPES[name]:
        if isinstance(shape, QRectF):
            painter.drawRoundedRect(shape, 3, 3)
        else:
            painter.drawPolygon(shape)
    painter.end()
    return pixmap


def _polygon(*points: tuple[float, float]) -> QPolygonF:
    return QPolygonF([QPointF(x, y) for x, y in points])


_SHAPES: dict[str, tuple[QRectF | QPolygonF, ...]] = {
    "play": (_polygon((16, 8), (16, 56), (56, 32)),),
    "pause": (QRectF(14, 10, 12, 44), QRectF(38, 10, 12, 44)),
    "step": (_polygon((12, 10), (12, 54), (44, 32)), QRectF(44, 10, 8, 44)),
    "stop": (QRectF(12, 12, 40, 40),),
    "up": (_polygon((32, 14), (56, 46), (8, 46)),),
    "down": (_polygon((32, 50), (56, 18), (8, 18)),),
    "add": (QRectF(28, 10, 8, 44), QRectF(10, 28, 44, 8)),
    "remove": (QRectF(10, 28, 44, 8),),
}
