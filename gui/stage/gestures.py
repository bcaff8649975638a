"""The mouse on the stage: choosing a layer or unit, + between layers, dragging a layer to another place."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from gui.stage.layout import StageLayout
from gui.widgets.theme import motion_wanted

if TYPE_CHECKING:
    from gui.stage.stage import Stage


class Gestures:
    """Turns what the mouse does on `stage` into choices and edits."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage
        self._pressed: QPoint | None = None
        self._inside = False

    def press(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        stage = self._stage
        position = stage.controls.plus_at(point)
        if position >= 0:
            stage.layer_edits.insert_before(position)
            return
        direction = stage.controls.arrow_at(point)
        if direction:
            stage.picture.scroll(direction)
            stage.update()
            return
        position, unit = stage.picture.at(point)
        stage.choose(position, unit)
        if position >= 0:
            self._pressed = point

    def move(self, event: QMouseEvent) -> None:
        point = event.position().toPoint()
        stage = self._stage
        self._inside = True
        if self._pressed is not None and stage.is_editable:
            shift = point.x() - self._pressed.x()
            if stage.marks.dragged >= 0 or abs(shift) >= QApplication.startDragDistance():
                self._drag(shift)
                return
        hot = stage.controls.plus_at(point)
        position, _ = stage.picture.at(point)
        over = position >= 0 or hot >= 0
        stage.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        if hot != stage.marks.hot_plus:
            stage.marks = replace(stage.marks, hot_plus=hot)
            stage.update()
        self.show_plus()

    def release(self, event: QMouseEvent) -> None:
        stage = self._stage
        pressed = self._pressed
        self._pressed = None
        marks = stage.marks
        if marks.dragged >= 0:
            self._drop()
        elif pressed is not None and marks.layer >= 0:
            stage.open_card()

    def leave(self) -> None:
        self._inside = False
        if self._stage.marks.hot_plus >= 0:
            self._stage.marks = replace(self._stage.marks, hot_plus=-1)
        self.show_plus()
        self._stage.update()

    def show_plus(self) -> None:
        """Show the + buttons while the pointer is over the stage, or a layer is chosen."""
        stage = self._stage
        wanted = self._inside or stage.marks.layer >= 0
        plus = tuple(position for position, _ in stage.controls.plus_places()) if wanted else ()
        if plus != stage.marks.plus:
            stage.marks = replace(stage.marks, plus=plus)
            stage.update()

    # -- dragging -----------------------------------------------------------------------------------------

    def _drag(self, shift: int) -> None:
        """Move the chosen column with the pointer, and the others aside."""
        stage = self._stage
        layout = stage.picture.layout
        assert layout is not None
        dragged = stage.marks.layer
        if not 0 <= dragged < len(layout.blocks) - 1:
            return
        target = _target(layout, dragged, shift)
        stage.marks = replace(stage.marks, dragged=dragged, shift=shift, target=target, plus=())
        stage.setCursor(Qt.CursorShape.ClosedHandCursor)
        width = float(layout.blocks[dragged].area.width() + 16)
        aside = {}
        for position in range(len(layout.blocks) - 1):
            if dragged < position <= target:
                aside[position] = -width
            elif target <= position < dragged:
                aside[position] = width
        stage.shifts.move(None, aside, moves=motion_wanted())
        stage.update()

    def _drop(self) -> None:
        stage = self._stage
        marks = stage.marks
        content = stage.picture.content
        stage.marks = replace(marks, dragged=-1, shift=0, target=-1)
        stage.setCursor(Qt.CursorShape.ArrowCursor)
        stage.shifts.move(None, {}, moves=False)
        if content is None or marks.target < 0 or marks.target == marks.dragged:
            stage.update()
            return
        stage.layer_edits.move(marks.dragged, marks.target)


def _target(layout: StageLayout, dragged: int, shift: int) -> int:
    """The position that the dragged column would have."""
    center = layout.blocks[dragged].area.center().x() + shift
    others = [block for position, block in enumerate(layout.blocks[:-1]) if position != dragged]
    return sum(block.area.center().x() < center for block in others)
