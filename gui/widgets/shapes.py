"""The shapes that painted controls share: a rounded rectangle, a small arrow, a bar."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPaintDevice, QPainter, QPen

from gui.widgets.theme import theme

RADIUS = 6  # pixels, of a corner


def smooth_painter(device: QPaintDevice) -> QPainter:
    """A painter with antialiasing."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def paint_chevron(
    painter: QPainter, area: QRect, color: QColor | str, direction: str = "down"
) -> None:
    """Paint a small arrow of two strokes in the middle of `area`: "down", "up", "left" or
    "right".
    """
    size = 4 * theme().scale
    corners = [QPointF(-size, -size / 2), QPointF(0, size / 2), QPointF(size, -size / 2)]
    if direction in ("up", "left"):
        corners = [-corner for corner in corners]
    if direction in ("left", "right"):
        corners = [corner.transposed() for corner in corners]
    middle = QRectF(area).center()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), 1.4 * theme().scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline([corner + middle for corner in corners])


def paint_rounded(
    painter: QPainter,
    area: QRect,
    line: QColor | str,
    fill: QColor | str,
    width: int = 1,
    radius: int = RADIUS,
    *,
    dashed: bool = False,
) -> None:
    """Paint a rectangle with round corners and a border of `width` pixels inside `area`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(QColor(line), width, style))
    painter.setBrush(fill)
    margin = width / 2
    painter.drawRoundedRect(QRectF(area).adjusted(margin, margin, -margin, -margin), radius, radius)


def paint_frame(
    painter: QPainter, area: QRectF, color: QColor | str, width: int = 2, radius: int = 3
) -> None:
    """Paint the outline of a rectangle with round corners; its line has its middle on the edge of
    `area`.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(area, radius, radius)


def paint_bar(painter: QPainter, track: QRectF, share: float, color: QColor | str = "") -> None:
    """A track without an outline, and the part of it that is reached in `color`; without one in the
    accent.
    """
    colors = theme().colors
    radius = track.height() / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(colors.border) if theme().high_contrast else Qt.PenStyle.NoPen)
    painter.setBrush(colors.track)
    painter.drawRoundedRect(track, radius, radius)
    if not share:
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color or colors.accent)
    painter.drawRoundedRect(
        QRectF(track.left(), track.top(), track.width() * share, track.height()), radius, radius
    )
