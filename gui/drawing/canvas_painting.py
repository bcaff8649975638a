"""What is painted on the canvas: the ink, an example where nothing is drawn, frames of digits, the
pen of the keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QCursor,
    QFontMetrics,
    QImage,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPixmap,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from core.reading.reader import Number
from gui.text import short_probability, translator
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import ink_table, mix

_tr = translator("Canvas")

# A 3 in shares of the canvas: where it begins, then two control points and the end of each curve.
_EXAMPLE = (
    (0.30, 0.28),
    (0.38, 0.14),
    (0.68, 0.12),
    (0.70, 0.30),
    (0.71, 0.42),
    (0.60, 0.47),
    (0.48, 0.48),
    (0.66, 0.48),
    (0.74, 0.58),
    (0.72, 0.68),
    (0.70, 0.86),
    (0.38, 0.88),
    (0.29, 0.75),
)


@dataclass(frozen=True, slots=True)
class DigitFrame:
    """The frame around a digit of a number. `box`: in pixels of the document; `line_width`: in
    those of the widget.
    """

    box: QRectF
    caption: str
    line_width: int


def digit_frames(classes: Sequence[str], number: Number) -> list[DigitFrame]:
    """A frame for each digit of a number, with the digit and its probability.

    That of the least certain digit, which the probabilities belong to, is thick.
    """
    frames = []
    least = number.least_certain
    for digit in number.digits:
        name = classes[digit.best]
        percent = short_probability(digit.confidence)
        text = _tr("{digit} {percent}").format(digit=name, percent=percent)
        box = QRectF(digit.box.left, digit.box.top, digit.box.width, digit.box.height)
        if digit.rejected:
            text = _tr("no digit")
        frames.append(DigitFrame(box, text, 3 if digit is least else 1))
    return frames


def paint_ink(
    painter: QPainter, image: QImage, transform: QTransform, dirty: QRect, palette: QPalette
) -> None:
    """Paint the ink of `image` under `dirty`, with a margin of a few pixels for smooth scaling."""
    part = transform.inverted()[0].mapRect(QRectF(dirty)).toAlignedRect().adjusted(-4, -4, 4, 4)
    part = part.intersected(image.rect())
    if part.isEmpty():
        return
    pixels = image.copy(part)
    # Each gray value becomes the index of its color, without a conversion of the pixels.
    pixels.reinterpretAsFormat(pixels.Format.Format_Indexed8)
    pixels.setColorTable(ink_table(palette))
    painter.drawImage(transform.mapRect(QRectF(part)), pixels)


def paint_example(painter: QPainter, area: QRectF, palette: QPalette) -> None:
    """A dotted 3 where nothing is drawn yet."""
    path = QPainterPath(_point(area, *_EXAMPLE[0]))
    for first, second, end in zip(_EXAMPLE[1::3], _EXAMPLE[2::3], _EXAMPLE[3::3], strict=True):
        path.cubicTo(_point(area, *first), _point(area, *second), _point(area, *end))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(
        QPen(palette.color(QPalette.ColorRole.PlaceholderText), 1.5, Qt.PenStyle.DotLine)
    )
    painter.drawPath(path)


def _point(area: QRectF, x: float, y: float) -> QPointF:
    """The point at these shares of the area."""
    return QPointF(area.left() + x * area.width(), area.top() + y * area.height())


def paint_digits(
    painter: QPainter, digits: Sequence[DigitFrame], transform: QTransform, canvas: QWidget
) -> None:
    """Frames around the digits, each with its caption below, or above it at the lower edge of the
    canvas.
    """
    accent = canvas.palette().color(QPalette.ColorRole.Accent)
    metrics = canvas.fontMetrics()
    height = metrics.height()
    frames = [transform.mapRect(digit.box).adjusted(-3, -3, 3, 3) for digit in digits]
    for frame, digit in zip(frames, digits, strict=True):
        caption = digit.caption
        painter.setPen(QPen(accent, digit.line_width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(frame)
        if not has_room(metrics, caption, frame, frames):
            caption = caption.split()[0]  # the digit alone: the captions of neighbors would overlap
        room = max(frame.width(), metrics.horizontalAdvance(caption) + 2)
        text_area = QRectF(frame.center().x() - room / 2, frame.bottom() + 1, room, height)
        if text_area.bottom() > canvas.height():
            text_area.moveBottom(frame.top() - 1)
        painter.drawText(text_area, Qt.AlignmentFlag.AlignHCenter, caption)


def has_room(metrics: QFontMetrics, caption: str, frame: QRectF, frames: Sequence[QRectF]) -> bool:
    """Whether the caption has room below its digit: it may reach to the middle between the digit
    and the next.
    """
    half = metrics.horizontalAdvance(caption) / 2 + 2
    centers = [other.center().x() for other in frames if other is not frame]
    return all(half <= abs(frame.center().x() - center) / 2 for center in centers)


def paint_key_pen(painter: QPainter, at: QPointF, radius: float, palette: QPalette) -> None:
    """The pen that keys move: a circle with a cross."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(palette.color(QPalette.ColorRole.Accent), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, radius, radius)
    arm = radius + 6
    painter.drawLine(at - QPointF(arm, 0), at + QPointF(arm, 0))
    painter.drawLine(at - QPointF(0, arm), at + QPointF(0, arm))


def pen_cursor(width: float, palette: QPalette, ratio: float, *, dashed: bool) -> QCursor:
    """A circle as wide as the pen. ratio: device pixels."""
    width = max(4.0, width)
    size = int(width) + 6
    ring = QPixmap(round(size * ratio), round(size * ratio))
    ring.setDevicePixelRatio(ratio)
    ring.fill(Qt.GlobalColor.transparent)
    with smooth_painter(ring) as painter:
        pen = QPen(mix(palette, QPalette.ColorRole.Text, QPalette.ColorRole.Base, 0.35), 1.2)
        if dashed:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawEllipse(QPointF(size / 2, size / 2), width / 2, width / 2)
    return QCursor(ring, size // 2, size // 2)
