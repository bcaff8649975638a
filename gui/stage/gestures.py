"""Mouse and keys on the stage: choosing a layer or unit, + between layers, dragging a layer to another place."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QApplication

from gui.stage.colors import stage_colors
from gui.stage.layout import Block, StageLayout
from gui.widgets.theme import motion_wanted, theme

if TYPE_CHECKING:
    from gui.stage.stage import Stage

_PLUS = 24  # pixels


class Gestures(QObject):
    """Turns the events of `stage` into choices and edits, and paints the + buttons."""

    def __init__(self, stage: "Stage") -> None:
        super().__init__(stage)
        self._stage = stage
        self._pressed: QPoint | None = None
        self._inside = False

    # -- places -------------------------------------------------------------------------------------------

    @property
    def _layout(self) -> StageLayout | None:
        return self._stage.picture.layout

    def at(self, point: QPoint) -> tuple[int, int]:
        """The position of the column at `point` and the unit or map in it; -1 for none."""
        layout = self._layout
        if layout is None:
            return -1, -1
        last = len(layout.blocks) - 1
        for row in range(len(layout.answers.rows)):
            bar = layout.answers.bar_at(row)
            area = bar.adjusted(-30, -6, 60, 6)
            if area.contains(point):
                return last, row
        if not layout.view.contains(point):
            return -1, -1
        in_columns = point + QPoint(self._stage.picture.offset, 0)
        for position, block in enumerate(layout.blocks[:-1]):
            reach = 6 if block.thin else 4
            if block.area.adjusted(-reach, -8, reach, 8).contains(in_columns):
                return position, block.index_at(in_columns)
            caption = block.area.adjusted(-12, layout.top - block.area.top() - 28, 12, 0)
            if caption.contains(in_columns):
                return position, -1
        return -1, -1

    def plus_places(self) -> list[tuple[int, QPoint]]:
        """For each gap with a + the position of the column behind it, and the middle of the +."""
        layout = self._layout
        if layout is None or not self._stage.is_editable or not self._stage.moment.isHidden():
            return []  # no editing of a moment of the past
        if layout.bottom + 6 + _PLUS > self._stage.height():
            return []  # no room below the columns, as in presenter mode
        places = []
        before = layout.input.right()
        for position, block in enumerate(layout.blocks):
            left = block.area.left()
            if position == len(layout.blocks) - 1:
                left = layout.answers.left
            at_last = layout.blocks[position - 1].layer == block.layer if position else False
            if left - before >= _PLUS and not at_last and self._leads_to_weights(position):
                offset = self._stage.picture.offset if position else 0
                x = (before + left) // 2 - offset
                margin = _PLUS if layout.scrolls else 0  # for the arrows
                if layout.view.left() + margin <= x <= layout.view.right() - margin:
                    places.append((position, QPoint(x, layout.bottom + 6 + _PLUS // 2)))
            before = block.area.right()
        return places

    def _leads_to_weights(self, position: int) -> bool:
        content = self._stage.picture.content
        assert content is not None
        column = content.columns[position]
        return not column.thin and content.network.weight_shapes[column.layer] is not None

    def _plus_at(self, point: QPoint) -> int:
        """The position of the column behind the + at `point`, or -1."""
        for position, middle in self.plus_places():
            if position in self._stage.marks.plus and (point - middle).manhattanLength() <= _PLUS * 0.75:
                return position
        return -1

    def tip_at(self, point: QPoint) -> str:
        """What is neither a layer nor a unit."""
        if self._plus_at(point) >= 0:
            return self.tr("Add a layer here (Insert)")
        return ""

    # -- mouse --------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        point = event.position().toPoint()
        position = self._plus_at(point)
        if position >= 0:
            self.insert_before(position)
            return
        for place, direction in self._arrows():
            if place.contains(QPointF(point)):
                self._stage.scroll(direction)
                return
        position, unit = self.at(point)
        self._stage.choose(position, unit)
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
        hot = self._plus_at(point)
        position, _ = self.at(point)
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
        plus = tuple(position for position, _ in self.plus_places()) if wanted else ()
        if plus != stage.marks.plus:
            stage.marks = replace(stage.marks, plus=plus)
            stage.update()

    # -- dragging -----------------------------------------------------------------------------------------

    def _drag(self, shift: int) -> None:
        """Move the chosen column with the pointer, and the others aside."""
        stage = self._stage
        layout = self._layout
        assert layout is not None
        dragged = stage.marks.layer
        if not 0 <= dragged < len(layout.blocks) - 1:
            return
        target = self._target(layout, dragged, shift)
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

    def _target(self, layout: StageLayout, dragged: int, shift: int) -> int:
        """The position that the dragged column would have."""
        center = layout.blocks[dragged].area.center().x() + shift
        middles = [_middle(block) for block in layout.blocks[:-1]]
        others = [middle for position, middle in enumerate(middles) if position != dragged]
        return sum(middle < center for middle in others)

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
        self.move_layer(marks.dragged, marks.target)

    # -- edits --------------------------------------------------------------------------------------------

    def insert_before(self, position: int) -> None:
        """Insert a layer before the column at `position`, and show its settings."""
        stage = self._stage
        if stage.picture.content is None or not stage.is_editable:
            return
        layer = stage.picture.content.columns[position].layer
        stage.insert_requested.emit(layer)
        if stage.edits.insert(layer):
            stage.choose(position)
            stage.open_card()

    def remove(self) -> None:
        stage = self._stage
        position = self._stage.marks.layer
        if position < 0 or stage.picture.content is None or not stage.is_editable:
            return
        layer = stage.picture.content.columns[position].layer
        stage.remove_requested.emit(layer)
        if stage.edits.remove(layer):
            stage.choose(min(position, len(stage.picture.content.columns) - 1))

    def move_layer(self, position: int, to: int) -> None:
        """Move the column at `position` so that it has the position `to`."""
        stage = self._stage
        if stage.picture.content is None or not stage.is_editable or to < 0:
            return
        stage.move_requested.emit(position, to)
        if stage.edits.move(position, to):
            stage.choose(to)
        stage.update()

    # -- keys ---------------------------------------------------------------------------------------------

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key; return whether it means something here."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self._stage.edits.undo()
            return True
        if event.matches(QKeySequence.StandardKey.Redo):
            self._stage.edits.redo()
            return True
        with_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        key = Qt.Key(event.key())
        across = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key, 0)
        down = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(key, 0)
        if across and with_alt:
            self.move_layer(self._stage.marks.layer, self._stage.marks.layer + across)
        elif across:
            self._go_across(across)
        elif down:
            self._go_down(down)
        else:
            return self._command(key)
        return True

    def _command(self, key: Qt.Key) -> bool:
        stage = self._stage
        chosen = stage.marks.layer
        if key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove()
        elif key in (Qt.Key.Key_Insert, Qt.Key.Key_Plus):
            last = len(stage.picture.content.columns) - 1 if stage.picture.content else 0
            self.insert_before(min(chosen + 1, last))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and chosen >= 0:
            stage.open_card()
        elif key == Qt.Key.Key_Escape and chosen >= 0:
            stage.choose(-1)
        else:
            return False
        return True

    def _go_across(self, step: int) -> None:
        stage = self._stage
        if stage.picture.content is None:
            return
        count = len(stage.picture.content.columns)
        if stage.marks.layer < 0:
            stage.choose(0)
        else:
            stage.choose(min(max(stage.marks.layer + step, 0), count - 1))

    def _go_down(self, step: int) -> None:
        stage = self._stage
        if stage.picture.content is None or stage.marks.layer < 0:
            self._go_across(1)
            return
        count = len(stage.picture.content.columns[stage.marks.layer].shown)
        if count:
            stage.choose(stage.marks.layer, min(max(stage.marks.unit + step, 0), count - 1))

    # -- painting -----------------------------------------------------------------------------------------

    def paint(self, painter: QPainter) -> None:
        """The + buttons, and marks where more layers are at the sides."""
        stage = self._stage
        layout = self._layout
        if layout is None:
            return
        accent = QColor(theme().colors.accent)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if stage.marks.dragged < 0:
            for position, middle in self.plus_places():
                if position in stage.marks.plus:
                    self._paint_plus(
                        painter, QPointF(middle), accent, is_hot=position == stage.marks.hot_plus
                    )
        self._paint_arrows(painter)

    def _paint_plus(self, painter: QPainter, middle: QPointF, accent: QColor, *, is_hot: bool) -> None:
        radius = _PLUS / 2 - 0.5
        painter.setPen(QPen(accent, 1))
        painter.setBrush(accent if is_hot else stage_colors().stage)
        painter.drawEllipse(middle, radius, radius)
        color = QColor(theme().colors.on_accent) if is_hot else accent
        painter.setPen(QPen(color, 1.8))
        painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0))
        painter.drawLine(middle - QPointF(0, 5), middle + QPointF(0, 5))

    def _arrows(self) -> list[tuple[QRectF, int]]:
        """The places of the arrows at the sides where there are more layers, and where they scroll."""
        layout = self._layout
        if layout is None or not layout.scrolls:
            return []
        offset = self._stage.picture.offset
        arrows = []
        if offset > 0:
            arrows.append((QRectF(layout.view.left() + 1, layout.bottom + 6, _PLUS, _PLUS), -1))
        if offset < layout.stops[-1]:
            arrows.append((QRectF(layout.view.right() - _PLUS - 1, layout.bottom + 6, _PLUS, _PLUS), 1))
        return arrows

    def _paint_arrows(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(theme().colors.accent), 2))
        for place, direction in self._arrows():
            tip = place.center() + QPointF(3 * direction, 0)
            painter.drawLine(tip, tip + QPointF(-6 * direction, -6))
            painter.drawLine(tip, tip + QPointF(-6 * direction, 6))


def _middle(block: Block) -> float:
    return block.area.center().x()
