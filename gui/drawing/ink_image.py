"""Paints a drawing into an image of fixed size, incrementally while a stroke is being drawn."""

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from gui.drawing.strokes import SIDE, Curve, Dot, Drawing, settled_curve, tail

GRAY = QImage.Format.Format_Grayscale8


class InkImage:
    """`image`: of the width of the drawing and SIDE rows, one byte per pixel, 0 paper to 255 ink, device pixel ratio 1.

    The last, straight segment of an unfinished stroke is painted into `image` only, not into `_settled`, and the
    next dot replaces it. Hence a stroke painted dot by dot equals the same stroke painted at once, to the byte.
    """

    def __init__(self) -> None:
        self.image = QImage(SIDE, SIDE, GRAY)
        self._settled = QImage(SIDE, SIDE, GRAY)
        self._tail = QRect()
        self.show(Drawing())

    def show(self, drawing: Drawing) -> None:
        """Paint a whole drawing."""
        if drawing.width != self._settled.width():
            self._settled = QImage(drawing.width, SIDE, GRAY)
        if drawing.background is None:
            self._settled.fill(0)
        else:
            self._settled = QImage(drawing.background, drawing.width, SIDE, drawing.width, GRAY).copy()
        for stroke in drawing.strokes:
            with _Brush(self._settled, stroke.erases) as brush:
                for index in range(len(stroke.dots) - 1):
                    brush.paint(settled_curve(stroke.dots, index))
                brush.paint(tail(stroke.dots))
        self.image = self._settled.copy()
        self._tail = QRect()

    def extend(self, dots: list[Dot], erases: bool) -> QRect:
        """Paint what the last of `dots` adds to its stroke; returns the changed part of the image."""
        dirty = self._tail
        if len(dots) > 1:
            with _Brush(self._settled, erases) as brush:
                dirty = dirty.united(brush.paint(settled_curve(dots, len(dots) - 2)))
        with QPainter(self.image) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawImage(dirty, self._settled, dirty)
        with _Brush(self.image, erases) as brush:
            self._tail = brush.paint(tail(dots))
        return dirty.united(self._tail)

    def finish(self) -> None:
        """The stroke has ended: keep its last segment."""
        self._settled = self.image.copy()
        self._tail = QRect()

    def array(self) -> np.ndarray:
        """The ink as a new uint8 array (SIDE, width)."""
        rows = np.frombuffer(self.image.constBits(), np.uint8).reshape(SIDE, self.image.bytesPerLine())
        return rows[:, : self.image.width()].copy()


class _Brush:
    """Paints the curves of one stroke. A context manager that ends its QPainter."""

    def __init__(self, image: QImage, erases: bool) -> None:
        self._painter = QPainter(image)
        self._area = image.rect()
        self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._pen = QPen(QColor(0, 0, 0) if erases else QColor(255, 255, 255))
        self._pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        self._pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)

    def __enter__(self) -> "_Brush":
        return self

    def __exit__(self, *_: object) -> None:
        self._painter.end()

    def paint(self, curve: Curve) -> QRect:
        """Paint one curve; returns a rectangle around the painted pixels."""
        start, control, end = (QPointF(*point) for point in curve[:3])
        self._pen.setWidthF(curve.width)
        self._painter.setPen(self._pen)
        if start == end:
            self._painter.drawPoint(start)
        else:
            path = QPainterPath(start)
            path.quadTo(control, end)
            self._painter.drawPath(path)
        reach = curve.width / 2 + 2
        xs, ys = [p.x() for p in (start, control, end)], [p.y() for p in (start, control, end)]
        box = QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        return box.adjusted(-reach, -reach, reach, reach).toAlignedRect().intersected(self._area)


def fitted(ink: np.ndarray, columns: int = SIDE) -> bytes:
    """Scale ink, uint8 (height, width), to a drawing's background: as large as possible, centered.

    `columns`: the width of the drawing.

    Enlarging repeats pixels, so that a picture of 28x28 is classified unchanged; shrinking averages.
    """
    height, width = ink.shape
    picture = QImage(np.ascontiguousarray(ink).tobytes(), width, height, width, GRAY)
    small = height < SIDE and width < columns
    picture = picture.scaled(
        columns, SIDE, Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.FastTransformation if small else Qt.TransformationMode.SmoothTransformation,
    )  # fmt: skip
    square = QImage(columns, SIDE, GRAY)
    square.fill(0)
    with QPainter(square) as painter:
        painter.drawImage((columns - picture.width()) // 2, (SIDE - picture.height()) // 2, picture)
    return bytes(square.constBits())
