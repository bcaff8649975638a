"""The picture of a network: a block for each layer, with the values that flow through it."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from core.inference.model_file import Model
from core.inspection.units import Connections, ForwardFlow
from gui.inside.map_grid import largest, value_image
from gui.inside.page import unit_name
from gui.text import number
from gui.widgets.theme import theme

MAX_UNIT, MAX_MAP, MAX_IMAGE = 16.0, 56.0, 112.0  # pixels
_GAP, _MARGIN = 18.0, 2.0


@dataclass(frozen=True, slots=True)
class Block:
    """The input or one layer: `tiles` of `side` pixels in `columns`, from the corner `left`, `top`.

    `shape`: of one example. A map is one tile, and so is a unit.
    """

    shape: tuple[int, ...]
    area: QRectF
    side: float
    columns: int
    left: float
    top: float
    tiles: tuple[QRectF, ...]

    @property
    def count(self) -> int:
        return self.shape[-1]

    def point(self, element: int) -> QPointF:
        """Where the element with this index in the flattened output lies."""
        position, tile = divmod(element, self.count)
        rect = self.tiles[tile]
        if len(self.shape) == 1:
            return rect.center()
        height, width, _ = self.shape
        row, column = divmod(position, width)
        return QPointF(
            rect.left() + (column + 0.5) / width * rect.width(),
            rect.top() + (row + 0.5) / height * rect.height(),
        )

    def index_at(self, point: QPointF) -> int:
        """The tile at `point`, or -1."""
        column, row = int((point.x() - self.left) // self.side), int((point.y() - self.top) // self.side)
        index = row * self.columns + column
        return index if 0 <= column < self.columns and row >= 0 and index < self.count else -1


def lay_out(shapes: tuple[tuple[int, ...], ...], area: QRectF) -> list[Block]:
    """A block for each shape, from left to right in `area`, with its tiles as large as there is room."""
    width = (area.width() - _GAP * (len(shapes) - 1)) / len(shapes)
    return [
        _block(shape, QRectF(area.left() + index * (width + _GAP), area.top(), width, area.height()))
        for index, shape in enumerate(shapes)
    ]


def _block(shape: tuple[int, ...], area: QRectF) -> Block:
    count = shape[-1]
    width, height = max(area.width() - 2 * _MARGIN, 1.0), max(area.height() - 2 * _MARGIN, 1.0)
    limit = MAX_UNIT if len(shape) == 1 else MAX_MAP if count > 1 else MAX_IMAGE
    side, columns = 0.0, 1
    for tried in range(1, count + 1):
        fitting = min(width / tried, height / ceil(count / tried), limit)
        if fitting > side:
            side, columns = fitting, tried
        elif width / tried < side:
            break
    rows = ceil(count / columns)
    left = area.left() + (area.width() - columns * side) / 2
    top = area.top() + (area.height() - rows * side) / 2
    tiles = (
        QRectF(left + index % columns * side, top + index // columns * side, side, side)
        for index in range(count)
    )
    return Block(shape, area, side, columns, left, top, tuple(tiles))


_WIDEST = 3.0  # pixels of the strongest connection


class NetworkPicture(QWidget):
    """Arrow keys and clicks choose a unit or map: `chosen` gives the layer and its index."""

    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("networkPicture")
        self.setAccessibleName(self.tr("Picture of the network"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(200, 170)
        self.selected: tuple[int, int] | None = None
        self.values: list[np.ndarray] = []
        self.connections: list[Connections | None] = []
        self._model: Model | None = None
        self.blocks: list[Block] = []

    def sizeHint(self) -> QSize:
        return QSize(500, 300)

    def show_flow(self, model: Model, x: np.ndarray, flow: ForwardFlow) -> None:
        """x: the input, (*input shape) in 0..1 or float."""
        is_other = self._model is None or not model.computes_like(self._model)
        self._model = model
        if is_other:
            self.selected = None
            self._lay_out()
        self.values = [x, *flow.outputs]
        self.connections = flow.connections
        self.update()

    def select(self, layer: int, unit: int) -> None:
        """Choose a unit or map, and emit `chosen`."""
        self.selected = (layer, unit)
        self.setAccessibleDescription(self._text(layer, unit))
        self.update()
        self.chosen.emit(layer, unit)

    def _lay_out(self) -> None:
        if self._model is None:
            return
        line = self.fontMetrics().height()
        area = QRectF(self.rect()).adjusted(1, line + 2, -1, -2 * line - 2)
        self.blocks = lay_out(self._model.network.shapes, area)

    def resizeEvent(self, event: object) -> None:
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._lay_out()

    # -- events -------------------------------------------------------------------------------------------

    def _at(self, point: QPointF) -> tuple[int, int] | None:
        """The (layer, unit) at `point`; layer -1 is the input."""
        for index, block in enumerate(self.blocks):
            unit = block.index_at(point)
            if unit >= 0:
                return index - 1, unit
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        target = self._at(event.position())
        if target and target[0] >= 0:
            self.select(*target)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, layers = event.key(), len(self.blocks) - 1
        if not layers or key not in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            super().keyPressEvent(event)
            return
        if self.selected is None:
            self.select(layers - 1, 0)
            return
        layer, unit = self.selected
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            layer += 1 if key == Qt.Key.Key_Right else -1
        else:
            unit += 1 if key == Qt.Key.Key_Down else -1
        if 0 <= layer < layers and unit >= 0:
            self.select(layer, min(unit, self.blocks[layer + 1].count - 1))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            target = self._at(QPointF(event.pos()))
            if target:
                QToolTip.showText(event.globalPos(), self._text(*target), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _text(self, layer: int, unit: int) -> str:
        assert self._model
        if layer < 0:
            return self.tr("The input of the network")
        values, name = self.values[layer + 1], unit_name(self._model, layer, unit)
        if values.ndim == 1:
            text = self.tr("Layer {n}, {unit}: output {value}")
            return text.format(n=layer + 1, unit=name, value=number(float(values[unit]), 3))
        text = self.tr("Layer {n}, {unit}: outputs up to {value}")
        return text.format(n=layer + 1, unit=name, value=number(float(values[..., unit].max()), 3))

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.update()

    focusOutEvent = focusInEvent

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._model is None or not self.blocks:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, block in enumerate(self.blocks):
            self._paint_frame(painter, index, block)
        for layer, connections in enumerate(self.connections):
            if connections is not None:
                self._paint_connections(painter, layer, connections)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for index, block in enumerate(self.blocks):
            self._paint_tiles(painter, block, self.values[index])
        if self.selected or self.hasFocus():
            layer, unit = self.selected or (len(self.blocks) - 2, 0)
            accent = theme().colors.accent if self.hasFocus() else theme().colors.text
            painter.setPen(QPen(QColor(accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.blocks[layer + 1].tiles[unit].adjusted(-1, -1, 1, 1))

    def _paint_frame(self, painter: QPainter, index: int, block: Block) -> None:
        assert self._model
        painter.setPen(QColor(theme().colors.line))
        painter.setBrush(QColor(theme().colors.base))
        painter.drawRoundedRect(block.area, 4, 4)
        metrics, line = self.fontMetrics(), self.fontMetrics().height()
        layers = self._model.network.layers
        title = layers[index - 1].text if index else self.tr("input")
        shape = "×".join(map(str, block.shape))
        around = block.area.adjusted(-8, 0, 8, 0)
        around.setLeft(max(around.left(), 0.0))
        around.setRight(min(around.right(), float(self.width())))
        above = QRectF(around.left(), around.top() - line - 2, around.width(), line)
        below = QRectF(around.left(), around.bottom() + 2, around.width(), line)
        for text_area, text, color in (
            (above, title, theme().colors.text),
            (below, shape, theme().colors.muted),
        ):
            painter.setPen(QColor(color))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(text_area.width()))
            painter.drawText(text_area, Qt.AlignmentFlag.AlignHCenter, shown)
        if index == len(self.blocks) - 1:
            self._paint_answer(painter, QRectF(block.area.right() - 200, below.bottom(), 200, line))

    def _paint_answer(self, painter: QPainter, text_area: QRectF) -> None:
        """The class with the largest output."""
        assert self._model
        if self._model.classes:
            answer = self._model.classes[int(self.values[-1].argmax())]
            painter.setPen(QColor(theme().colors.text))
            text = self.tr("answer: {name}").format(name=answer)
            painter.drawText(text_area, Qt.AlignmentFlag.AlignRight, text)

    def _paint_connections(self, painter: QPainter, layer: int, connections: Connections) -> None:
        strongest = largest(connections.contributions)
        if not strongest:
            return
        before, after = self.blocks[layer], self.blocks[layer + 1]
        # The strongest are painted last, on top.
        for k in reversed(range(len(connections.sources))):
            value = float(connections.contributions[k])
            color = QColor(theme().colors.train if value > 0 else theme().colors.test)
            strength = abs(value) / strongest
            color.setAlphaF(0.25 + 0.6 * strength)
            painter.setPen(
                QPen(color, 0.6 + (_WIDEST - 0.6) * strength, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap)
            )
            painter.drawLine(
                before.point(int(connections.sources[k])), after.tiles[int(connections.targets[k])].center()
            )

    def _paint_tiles(self, painter: QPainter, block: Block, values: np.ndarray) -> None:
        """One image for each map; all units of a dense layer from one image."""
        bound = largest(values)
        if values.ndim == 3:
            height, width, maps = values.shape
            image = value_image(np.moveaxis(values, 2, 0).reshape(-1, width), bound)
            parts = [QRectF(0, unit * height, width, height) for unit in range(maps)]
        else:
            image = value_image(values.reshape(-1, 1), bound)
            parts = [QRectF(0, unit, 1, 1) for unit in range(len(values))]
        for tile, part in zip(block.tiles, parts, strict=True):
            painter.drawImage(tile, image, part)
        if block.side >= 5:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(theme().colors.line))
            painter.drawRects(block.tiles)
        self._paint_names(painter, block)

    def _paint_names(self, painter: QPainter, block: Block) -> None:
        """The classes beside the units of the last layer, where there is room."""
        assert self._model
        if block is not self.blocks[-1] or block.columns > 1 or not self._model.classes:
            return
        painter.setPen(QColor(theme().colors.text))
        for unit, name in enumerate(self._model.classes):
            tile = block.tiles[unit]
            text_area = QRectF(
                tile.right() + 3, tile.top(), block.area.right() - tile.right() - 3, tile.height()
            )
            if self.fontMetrics().horizontalAdvance(name) <= text_area.width():
                painter.drawText(text_area, Qt.AlignmentFlag.AlignVCenter, name)
