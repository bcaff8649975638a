"""A sheet is the paper of one drawing: finished strokes, the growing one, their image, and the way back."""

import numpy as np
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QImage, QUndoCommand, QUndoStack

from gui.drawing.ink_image import InkImage
from gui.drawing.strokes import SIDE, Dot, Drawing, Stroke

MOST_STEPS_BACK = 500


class Document(QObject):
    """`drawing` holds all finished strokes. Every change of it is a step of `undo_stack`."""

    changed = Signal()
    """The ink is another one, also in the middle of a stroke."""
    painted = Signal(QRect)
    """This part of the image must be shown anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.drawing = Drawing()
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS_BACK)
        self._ink = InkImage()
        self._growing: list[Dot] = []
        self._erases = False

    @property
    def image(self) -> QImage:
        """What is drawn, SIDE x SIDE: 0 paper, 255 ink."""
        return self._ink.image

    @property
    def is_growing(self) -> bool:
        return bool(self._growing)

    @property
    def is_empty(self) -> bool:
        return self.drawing.is_empty and not self._growing

    def ink(self) -> np.ndarray:
        """What is drawn, as a new uint8 array (SIDE, SIDE)."""
        return self._ink.array()

    def begin_stroke(self, dot: Dot, *, erases: bool = False) -> None:
        self.finish_stroke()
        whole = self.is_empty
        self._growing, self._erases = [dot], erases
        self._grown(whole)

    def extend_stroke(self, dot: Dot) -> None:
        """Nothing while no stroke grows, or where the pen rests."""
        if self._growing and self._growing[-1][:2] != dot[:2]:
            self._growing.append(dot)
            self._grown()

    def _grown(self, whole: bool = False) -> None:
        part = self._ink.grow(self._growing, self._erases)
        self.painted.emit(QRect(0, 0, SIDE, SIDE) if whole else part)
        self.changed.emit()

    def finish_stroke(self) -> None:
        """End the growing stroke, if any, and make it a step of the undo stack."""
        if not self._growing:
            return
        stroke = Stroke(tuple(self._growing), self._erases)
        self._growing = []
        self._ink.settle()
        text = self.tr("erase stroke") if stroke.erases else self.tr("stroke")
        self.undo_stack.push(_Change(self, text, self.drawing.with_stroke(stroke), shown=True))

    def drop_stroke(self) -> None:
        """Take the growing stroke back, as when the system takes a touch away."""
        if self._growing:
            self.show(self.drawing)

    def undo(self) -> None:
        """Take back the growing stroke alone, or else the last step."""
        if self._growing:
            self.drop_stroke()
        else:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Nothing while a stroke grows, which it would replace."""
        if not self._growing:
            self.undo_stack.redo()

    def clear(self) -> None:
        self.finish_stroke()
        if not self.drawing.is_empty:
            self.change(self.tr("clear"), Drawing())

    def change(self, text: str, drawing: Drawing) -> None:
        """Replace the drawing, as a step with the name `text`."""
        self.finish_stroke()
        self.undo_stack.push(_Change(self, text, drawing))

    def show(self, drawing: Drawing) -> None:
        """Replace the drawing beside the undo stack; a growing stroke is lost."""
        self._growing = []
        self.drawing = drawing
        self._ink.show(drawing)
        self.painted.emit(QRect(0, 0, SIDE, SIDE))
        self.changed.emit()


class _Change(QUndoCommand):
    """From one drawing to another."""

    def __init__(self, document: Document, text: str, drawing: Drawing, shown: bool = False) -> None:
        super().__init__(text)
        self._document, self._before, self._after, self._shown = document, document.drawing, drawing, shown

    def redo(self) -> None:
        if self._shown:  # the stroke was painted while it grew
            self._shown = False
            self._document.drawing = self._after
        else:
            self._document.show(self._after)

    def undo(self) -> None:
        self._document.show(self._before)
