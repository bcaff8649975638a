"""The document of the canvas: the strokes of a drawing, their image and the undo stack."""

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QImage, QUndoCommand, QUndoStack

from core.drawing.strokes import PenStroke
from gui.drawing.ink_image import InkImage, fitted
from gui.drawing.strokes import Dot, Drawing, Stroke, with_width

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
        self.undo_stack.push(_Change(self, text, self.drawing.with_stroke(stroke), painted=True))

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
        self._document, self._before, self._after, self._painted = (
            document,
            document.drawing,
            drawing,
            painted,
        )

    def redo(self) -> None:
        if self._painted:
            self._painted = False
            self._document.drawing = self._after
        else:
            self._document.show(self._after)

    def undo(self) -> None:
        self._document.show(self._before)
