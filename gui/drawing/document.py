"""The document of the canvas: the strokes of a drawing, their image and the undo stack."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QUndoCommand, QUndoStack

from core.drawing.strokes import PenStroke
from gui.drawing.strokes import SIDE, Curve, Dot, Drawing, Stroke, settled_curve, tail, with_width

UNDO_LIMIT = 500


class Document(QObject):
    """`drawing` holds the finished strokes. Each change of it is a command on `undo_stack`."""

    changed = Signal()  # the ink has changed, also while a stroke is being drawn
    painted = Signal(QRect)  # this part of the image has to be painted again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.drawing = Drawing()
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(UNDO_LIMIT)
        self._ink = InkImage()
        self._dots: list[Dot] = []
        self._erases = False

    @property
    def image(self) -> QImage:
        """The ink, SIDE rows of `width` pixels: 0 paper, 255 ink."""
        return self._ink.image

    @property
    def width(self) -> int:
        """SIDE, or WIDE for numbers of several digits."""
        return self.drawing.width

    def set_width(self, width: int) -> None:
        """Change the width by an undoable command; the strokes are kept, a picture is fitted again."""
        self.finish_stroke()
        if width == self.width:
            return
        drawing = with_width(self.drawing, width)
        if self.drawing.background is not None:
            drawing = Drawing(fitted(self.ink(), width), width=width)
        self.change(self.tr("change of width"), drawing)

    @property
    def is_drawing(self) -> bool:
        return bool(self._dots)

    @property
    def is_empty(self) -> bool:
        return self.drawing.is_empty and not self._dots

    def ink(self) -> np.ndarray:
        """The ink as a new uint8 array (SIDE, width)."""
        return self._ink.array()

    def strokes(self) -> tuple[PenStroke, ...] | None:
        """All strokes as arrays, with that being drawn; None where a picture lies below them."""
        if self.drawing.background is not None:
            return None
        last = (Stroke(tuple(self._dots), self._erases),) if self._dots else ()
        return tuple(stroke.points() for stroke in (*self.drawing.strokes, *last))

    def begin_stroke(self, dot: Dot, *, erases: bool = False) -> None:
        self.finish_stroke()
        was_empty = self.is_empty
        self._dots, self._erases = [dot], erases
        self._paint_last_dot(repaint_all=was_empty)

    def extend_stroke(self, dot: Dot) -> None:
        """Append a dot to the stroke that is being drawn, if any, unless the pen has not moved."""
        if self._dots and self._dots[-1][:2] != dot[:2]:
            self._dots.append(dot)
            self._paint_last_dot()

    def _paint_last_dot(self, *, repaint_all: bool = False) -> None:
        part = self._ink.extend(self._dots, self._erases)
        self.painted.emit(self.image.rect() if repaint_all else part)
        self.changed.emit()

    def finish_stroke(self) -> None:
        """End the stroke that is being drawn, if any, and push it on the undo stack."""
        if not self._dots:
            return
        stroke = Stroke(tuple(self._dots), self._erases)
        self._dots = []
        self._ink.finish()
        text = self.tr("erase stroke") if stroke.erases else self.tr("stroke")
        drawing = replace(self.drawing, strokes=(*self.drawing.strokes, stroke))
        self.undo_stack.push(_Change(self, text, drawing, painted=True))

    def cancel_stroke(self) -> None:
        """Remove the stroke that is being drawn, for example when the system cancels a touch."""
        if self._dots:
            self.show(self.drawing)

    def undo(self) -> None:
        """Undo the stroke that is being drawn, or else the last command."""
        if self._dots:
            self.cancel_stroke()
        else:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Ignored while a stroke is being drawn, which it would replace."""
        if not self._dots:
            self.undo_stack.redo()

    def clear(self) -> None:
        self.finish_stroke()
        if not self.drawing.is_empty:
            self.change(self.tr("clear"), Drawing(width=self.width))

    def change(self, text: str, drawing: Drawing) -> None:
        """Replace the drawing by an undoable command named `text`."""
        self.finish_stroke()
        self.undo_stack.push(_Change(self, text, drawing))

    def show(self, drawing: Drawing) -> None:
        """Replace the drawing without changing the undo stack; a stroke that is being drawn is lost."""
        self._dots = []
        self.drawing = drawing
        self._ink.show(drawing)
        self.painted.emit(self.image.rect())
        self.changed.emit()


class _Change(QUndoCommand):
    """Replaces the drawing. `painted`: its first redo need not paint, because the image shows the result already."""

    def __init__(self, document: Document, text: str, drawing: Drawing, painted: bool = False) -> None:
        super().__init__(text)
        self._document, self._painted = document, painted
        self._before, self._after = document.drawing, drawing

    def redo(self) -> None:
        if self._painted:
            self._painted = False
            self._document.drawing = self._after
        else:
            self._document.show(self._after)

    def undo(self) -> None:
        self._document.show(self._before)


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
            curves = [settled_curve(stroke.dots, index) for index in range(len(stroke.dots) - 1)]
            _paint_curves(self._settled, [*curves, tail(stroke.dots)], stroke.erases)
        self.image = self._settled.copy()
        self._tail = QRect()

    def extend(self, dots: list[Dot], erases: bool) -> QRect:
        """Paint what the last of `dots` adds to its stroke; returns the changed part of the image."""
        dirty = self._tail
        if len(dots) > 1:
            curve = settled_curve(dots, len(dots) - 2)
            dirty = dirty.united(_paint_curves(self._settled, [curve], erases))
        with QPainter(self.image) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawImage(dirty, self._settled, dirty)
        self._tail = _paint_curves(self.image, [tail(dots)], erases)
        return dirty.united(self._tail)

    def finish(self) -> None:
        """The stroke has ended: keep its last segment."""
        self._settled = self.image.copy()
        self._tail = QRect()

    def array(self) -> np.ndarray:
        """The ink as a new uint8 array (SIDE, width)."""
        rows = np.frombuffer(self.image.constBits(), np.uint8).reshape(SIDE, self.image.bytesPerLine())
        return rows[:, : self.image.width()].copy()


def _paint_curves(image: QImage, curves: Iterable[Curve], erases: bool) -> QRect:
    """Paint the curves of one stroke; returns a rectangle around the painted pixels."""
    painted = QRect()
    pen = QPen(QColor(0, 0, 0) if erases else QColor(255, 255, 255))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for curve in curves:
            start, control, end = (QPointF(*point) for point in curve[:3])
            pen.setWidthF(curve.width)
            painter.setPen(pen)
            path = QPainterPath(start)
            path.quadTo(control, end)
            if start == end:
                painter.drawPoint(start)
            else:
                painter.drawPath(path)
            reach = curve.width / 2 + 2
            box = path.controlPointRect().adjusted(-reach, -reach, reach, reach)
            painted = painted.united(box.toAlignedRect())
    return painted.intersected(image.rect())


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
