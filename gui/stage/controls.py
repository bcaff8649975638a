"""What is painted on the stage to be clicked: a + in each gap between layers, and arrows where more layers are."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from core.inspection.stage_content import StageContent
from gui.stage.colors import stage_colors
from gui.widgets.theme import theme

if TYPE_CHECKING:
    from gui.stage.stage import Stage

_SIDE = 24  # pixels, of a + and of an arrow


class Controls:
    """Where + and arrows are on `stage`, and how they look."""

    def __init__(self, stage: "Stage") -> None:
        self._stage = stage

    def plus_places(self) -> list[tuple[int, QPoint]]:
        """For each gap with a + the position of the column behind it, and the middle of the +."""
        drawing = self._stage.picture.drawing
        if drawing is None or not self._stage.is_editable or not self._stage.parts.moment.isHidden():
            return []  # no editing of a moment of the past
        layout = drawing.layout
        if layout.bottom + 6 + _SIDE > self._stage.height():
            return []  # no room below the columns, as in presenter mode
        places = []
        before = layout.input.right()
        for position, block in enumerate(layout.blocks):
            left = block.area.left()
            if position == len(layout.blocks) - 1:
                left = layout.answers.left
            at_last = layout.blocks[position - 1].layer == block.layer if position else False
            if left - before >= _SIDE and not at_last and _leads_to_weights(drawing.content, position):
                offset = self._stage.picture.offset if position else 0
                x = (before + left) // 2 - offset
                margin = _SIDE if layout.scrolls else 0  # for the arrows
                if layout.view.left() + margin <= x <= layout.view.right() - margin:
                    places.append((position, QPoint(x, layout.bottom + 6 + _SIDE // 2)))
            before = block.area.right()
        return places

    def plus_at(self, point: QPoint) -> int:
        """The position of the column behind the + at `point`, or -1."""
        for position, middle in self.plus_places():
            if position in self._stage.marks.plus and (point - middle).manhattanLength() <= _SIDE * 0.75:
                return position
        return -1

    def arrow_at(self, point: QPoint) -> int:
        """By how many layers the arrow at `point` scrolls; 0 where there is none."""
        for place, direction in self._arrows():
            if place.contains(QPointF(point)):
                return direction
        return 0

    def _arrows(self) -> list[tuple[QRectF, int]]:
        """The places of the arrows at the sides where there are more layers, and where they scroll."""
        layout = self._stage.picture.layout
        if layout is None or not layout.scrolls:
            return []
        offset = self._stage.picture.offset
        top = layout.bottom + 6
        arrows = []
        if offset > 0:
            arrows.append((QRectF(layout.view.left() + 1, top, _SIDE, _SIDE), -1))
        if offset < layout.stops[-1]:
            arrows.append((QRectF(layout.view.right() - _SIDE - 1, top, _SIDE, _SIDE), 1))
        return arrows

    def paint(self, painter: QPainter) -> None:
        marks = self._stage.marks
        accent = QColor(theme().colors.accent)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if marks.dragged < 0:
            for position, middle in self.plus_places():
                if position in marks.plus:
                    _paint_plus(painter, QPointF(middle), accent, is_hot=position == marks.hot_plus)
        painter.setPen(QPen(accent, 2))
        for place, direction in self._arrows():
            tip = place.center() + QPointF(3 * direction, 0)
            painter.drawLine(tip, tip + QPointF(-6 * direction, -6))
            painter.drawLine(tip, tip + QPointF(-6 * direction, 6))


def _leads_to_weights(content: StageContent, position: int) -> bool:
    column = content.columns[position]
    return not column.thin and content.network.weight_shapes[column.layer] is not None


def _paint_plus(painter: QPainter, middle: QPointF, accent: QColor, *, is_hot: bool) -> None:
    radius = _SIDE / 2 - 0.5
    painter.setPen(QPen(accent, 1))
    painter.setBrush(accent if is_hot else stage_colors().stage)
    painter.drawEllipse(middle, radius, radius)
    color = QColor(theme().colors.on_accent) if is_hot else accent
    painter.setPen(QPen(color, 1.8))
    painter.drawLine(middle - QPointF(5, 0), middle + QPointF(5, 0))
    painter.drawLine(middle - QPointF(0, 5), middle + QPointF(0, 5))
