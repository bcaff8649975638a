"""The picture of the network with the values that flow through it, and what is known about the chosen unit."""

import time
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

from core.data.dataset import Dataset
from core.inference.engine import Engine
from core.inference.model_file import Model
from core.inspection.units import (
    Connections,
    ForwardFlow,
    ascend,
    exciting_inputs,
    filter_images,
    flow_through,
)
from core.network.parameters import views
from core.progress import Check
from core.reading.reader import sureness_of
from gui.inside.map_grid import MapGrid, largest, value_image
from gui.inside.page import Computation, InspectedInput, Page, unit_name
from gui.text import number
from gui.widgets import make
from gui.widgets.basics import PaintedWidget, named, scroll_area
from gui.widgets.theme import theme

# test images that are shown, and among which they are looked for
EXAMPLES = 5
SEARCHED = 2000
# pixels
MAX_UNIT = 16.0
MAX_MAP = 56.0
MAX_IMAGE = 112.0
_GAP = 18.0
_MARGIN = 2.0


@dataclass(frozen=True, slots=True)
class Block:
    """The input or one layer: `tiles` of `side` pixels in `columns`.

    `shape`: of one example. A map is one tile, and so is a unit.
    """

    shape: tuple[int, ...]
    area: QRectF
    side: float
    columns: int
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
        across = (column + 0.5) / width
        down = (row + 0.5) / height
        return rect.topLeft() + QPointF(across * rect.width(), down * rect.height())

    def index_at(self, point: QPointF) -> int:
        """The tile at `point`; beside the tiles the nearest one, outside of the block -1."""
        if not self.area.contains(point):
            return -1
        offsets = ((tile.center() - point) for tile in self.tiles)
        distances = [offset.x() ** 2 + offset.y() ** 2 for offset in offsets]
        return distances.index(min(distances))


def lay_out(shapes: tuple[tuple[int, ...], ...], area: QRectF) -> list[Block]:
    """A block for each shape, from left to right in `area`, with its tiles as large as there is room."""
    width = (area.width() - _GAP * (len(shapes) - 1)) / len(shapes)
    first = QRectF(area.left(), area.top(), width, area.height())
    return [_block(shape, first.translated(k * (width + _GAP), 0)) for k, shape in enumerate(shapes)]


def _block(shape: tuple[int, ...], area: QRectF) -> Block:
    count = shape[-1]
    width = max(area.width() - 2 * _MARGIN, 1.0)
    height = max(area.height() - 2 * _MARGIN, 1.0)
    limit = MAX_MAP if count > 1 else MAX_IMAGE
    if len(shape) == 1:
        limit = MAX_UNIT
    side = 0.0
    columns = 1
    for tried in range(1, count + 1):
        fitting = min(width / tried, height / ceil(count / tried), limit)
        if fitting > side:
            side = fitting
            columns = tried
        elif width / tried < side:
            break
    rows = ceil(count / columns)
    left = area.left() + (area.width() - columns * side) / 2
    top = area.top() + (area.height() - rows * side) / 2
    places = (divmod(index, columns) for index in range(count))
    tiles = (QRectF(left + column * side, top + row * side, side, side) for row, column in places)
    return Block(shape, area, side, columns, tuple(tiles))


_WIDEST = 3.0  # pixels of the strongest connection


class NetworkPicture(PaintedWidget):
    """Arrow keys and clicks choose a unit or map: `chosen` gives the layer and its index."""

    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__("networkPicture", self.tr("Picture of the network"))
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
        self.selected = (layer, unit)
        self.setAccessibleDescription(self.unit_text(layer, unit))
        self.update()
        self.chosen.emit(layer, unit)

    def _lay_out(self) -> None:
        if self._model is None:
            return
        line = self.fontMetrics().height()
        area = QRectF(self.rect()).adjusted(1, line + 2, -1, -2 * line - 2)
        self.blocks = lay_out(self._model.network.shapes, area)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _at(self, point: QPointF) -> tuple[int, int] | None:
        """The (layer, unit) at `point`; layer -1 is the input."""
        places = ((layer, block.index_at(point)) for layer, block in enumerate(self.blocks, -1))
        return next((place for place in places if place[1] >= 0), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        target = self._at(event.position())
        if target and target[0] >= 0:
            self.select(*target)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        layers = len(self.blocks) - 1
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
        }
        if key not in moves:
            super().keyPressEvent(event)
            return
        right, down = moves[Qt.Key(key)] if self.selected else (0, 0)
        layer, unit = self.selected or (layers - 1, 0)
        if 0 <= layer + right < layers and unit + down >= 0:
            self.select(layer + right, min(unit + down, self.blocks[layer + right + 1].count - 1))

    def tip_at(self, point: QPoint) -> str:
        target = self._at(QPointF(point))
        return self.unit_text(*target) if target else ""

    def unit_text(self, layer: int, unit: int) -> str:
        """The output of a unit, or the largest of a map; layer -1 is the input."""
        assert self._model
        if layer < 0:
            return self.tr("The input of the network")
        values = self.values[layer + 1]
        name = unit_name(self._model, layer, unit)
        text = self.tr("Layer {n}, {unit}: outputs up to {value}")
        if values.ndim == 1:
            text = self.tr("Layer {n}, {unit}: output {value}")
        return text.format(n=layer + 1, unit=name, value=number(float(values[..., unit].max()), 3))

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
        metrics = self.fontMetrics()
        line = self.fontMetrics().height()
        layers = self._model.network.layers
        title = layers[index - 1].text if index else self.tr("input")
        shape = "×".join(map(str, block.shape))
        around = block.area.adjusted(-8, 0, 8, 0).intersected(QRectF(self.rect()))
        colors = theme().colors
        below = around.bottom() + 2
        for top, text, color in ((around.top() - line - 2, title, colors.text), (below, shape, colors.muted)):
            painter.setPen(QColor(color))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(around.width()))
            text_area = QRectF(around.left(), top, around.width(), line)
            painter.drawText(text_area, Qt.AlignmentFlag.AlignHCenter, shown)
        if index == len(layers) and self._model.classes:
            painter.setPen(QColor(colors.text))
            text = self._answer_text(self.values[-1].reshape(-1))
            text_area = QRectF(block.area.right() - 200, below + line, 200, line)
            painter.drawText(text_area, Qt.AlignmentFlag.AlignRight, text)

    def _answer_text(self, outputs: np.ndarray) -> str:
        """The answer, as beside the canvas. outputs: the scores before the softmax, or the outputs of another loss."""
        assert self._model
        if self._model.loss == "cross-entropy":
            shares = np.exp((outputs - outputs.max()) / self._model.temperature)
            if sureness_of(shares / shares.sum()) == "no idea":
                return self.tr("no idea yet")
        return self.tr("answer: {name}").format(name=self._model.classes[int(outputs.argmax())])

    def _paint_connections(self, painter: QPainter, layer: int, connections: Connections) -> None:
        strongest = largest(connections.contributions)
        if not strongest:
            return
        before = self.blocks[layer]
        after = self.blocks[layer + 1]
        # The strongest are painted last, on top.
        for k in reversed(range(len(connections.sources))):
            value = float(connections.contributions[k])
            color = QColor(theme().colors.train if value > 0 else theme().colors.test)
            strength = abs(value) / strongest
            color.setAlphaF(0.25 + 0.6 * strength)
            width = 0.6 + (_WIDEST - 0.6) * strength
            painter.setPen(QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            source = int(connections.sources[k])
            target = int(connections.targets[k])
            painter.drawLine(before.point(source), after.tiles[target].center())

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
            text_area = QRectF(block.tiles[unit])
            text_area.setLeft(text_area.right() + 3)
            text_area.setRight(block.area.right())
            if self.fontMetrics().horizontalAdvance(name) <= text_area.width():
                painter.drawText(text_area, Qt.AlignmentFlag.AlignVCenter, name)


NO_IMAGES = np.zeros((0, 1, 1), np.float32)


class Excitement(NamedTuple):
    """What excites a unit: an input made for it, and `indices` of test images with its `outputs`.

    `chosen`: its layer and index. `ascent`: (1, height, width). `images`: (n, height, width) in 0..1; none without a
    data set. `labels`: their classes.
    """

    chosen: tuple[int, int] | None = None
    ascent: np.ndarray = NO_IMAGES
    indices: np.ndarray = NO_IMAGES
    outputs: np.ndarray = NO_IMAGES
    images: np.ndarray = NO_IMAGES
    labels: tuple[str, ...] = ()


def excitement(engine: Engine, check: Check, chosen: tuple[int, int], dataset: Dataset | None) -> Excitement:
    ascent = ascend(engine, *chosen, check)[None, :, :, 0]
    if dataset is None:
        return Excitement(chosen, ascent)
    test = dataset.test
    indices, outputs = exciting_inputs(engine, test.inputs[:SEARCHED], *chosen, EXAMPLES, check)
    labels = tuple(dataset.classes[int(label)] if dataset.classes else "" for label in test.targets[indices])
    images = test.inputs[indices, :, :, 0] / np.float32(255)
    return Excitement(chosen, ascent, indices, outputs, images, labels)


class UnitDetails(QWidget):
    """`example_chosen` of the grid `examples` gives the position of a test image in its row."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "unitDetails")
        self.heading = make.label(name="unitHeading", role="heading", wraps=False)
        self.connections = make.label(name="unitConnections")
        self.weights = MapGrid("unitWeights", self.tr("Weights of the unit"), side=64)
        self.examples = MapGrid("unitExamples", self.tr("Test images that excite it most"), side=56)
        self.examples.setToolTip(self.tr("Return or a click shows this test image to the network."))
        self.ascent = MapGrid("unitAscent", self.tr("Input made by gradient ascent"), side=64)
        self.excitement = Excitement()
        columns = [
            (make.column(make.label(title, role="muted"), grid, None), stretch)
            for grid, title, stretch in (
                (self.weights, self.tr("Weights"), 2),
                (self.examples, self.tr("Test images that excite it most"), 6),
                (self.ascent, self.tr("Made to excite it"), 2),
            )
        ]
        self.setContentsMargins(0, 4, 0, 0)
        make.column(self.heading, self.connections, make.row(*columns, spacing=12), owner=self, spacing=4)

    def show_unit(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> None:
        """What follows from the parameters and the present input."""
        self.connections.setText(self._connections(model, layer, unit, flow))
        params = views(model.network, model.parameters)[layer]
        images = NO_IMAGES
        if params is not None:
            images = filter_images(params.weights[..., unit : unit + 1], model.network.shapes[layer])
        self.weights.show_values(images, largest(images), lambda *where: number(where[3], 3))

    def show_excitement(self, excitement: Excitement) -> None:
        self.excitement = excitement
        captions = [number(float(value), 3) for value in excitement.outputs]
        text = self.tr("Test image {n}, a {name}; Return or a click shows it to the network.")

        def describe(position: int, row: int, column: int, value: float) -> str:
            return text.format(n=excitement.indices[position], name=excitement.labels[position])

        self.examples.show_values(excitement.images, 1.0, describe, captions)
        self.ascent.show_values(excitement.ascent, 1.0)

    def _connections(self, model: Model, layer: int, unit: int, flow: ForwardFlow) -> str:
        """The strongest connections into a dense unit and out of it, in words."""
        incoming, *after = flow.connections[layer : layer + 2]
        outgoing = after[0] if after and len(model.network.shapes[layer + 1]) == 1 else None
        texts = []
        if incoming is not None and len(incoming.sources):
            names = [self._source(model, layer, int(source)) for source in incoming.sources]
            texts.append(self.tr("Strongest inputs: {list}.").format(list=_listed(names, incoming)))
        if outgoing is not None and len(outgoing.sources):
            names = [unit_name(model, layer + 1, int(target)) for target in outgoing.targets]
            texts.append(self.tr("It contributes most to: {list}.").format(list=_listed(names, outgoing)))
        return " ".join(texts)

    def _source(self, model: Model, layer: int, index: int) -> str:
        """An element of the layer's input."""
        shape = model.network.shapes[layer]
        if len(shape) == 1:
            return unit_name(model, layer - 1, index) if layer else self.tr("input {n}").format(n=index)
        position, channel = divmod(index, shape[2])
        row, column = divmod(position, shape[1])
        text = self.tr("map {map} at {row}, {column}") if layer else self.tr("pixel {row}, {column}")
        return text.format(map=channel, row=row, column=column)


def _listed(names: list[str], connections: Connections) -> str:
    signed = (f"{'+' if value > 0 else ''}{number(float(value), 2)}" for value in connections.contributions)
    return ", ".join(f"{name} ({value})" for name, value in list(zip(names, signed, strict=True))[:5])


# While a network learns, what excites the chosen unit is computed again this often.
EXCITEMENT_SECONDS = 5.0


class NetworkPage(Page):
    def __init__(self) -> None:
        super().__init__(
            "networkPage",
            self.tr("Network"),
            self.tr(
                "The values that flow from the pixels to the answer. Lines are the strongest connections: a blue one "
                "raises the unit at its right end, an orange one lowers it."
            ),
        )
        self.picture = NetworkPicture()
        self.details = UnitDetails()
        text = self.tr("Click on a unit or map, or use the arrow keys, to see what it does.")
        self.hint = make.label(text, "hint", "muted")
        self._excited: tuple[Model, Dataset | None] | None = None
        self._excited_at = 0.0
        self._below = scroll_area(self.details)
        self._below.setMinimumHeight(120)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for part in (self.picture, self._below):
            self.splitter.addWidget(part)
        self.splitter.setSizes([330, 200])
        make.column((self.splitter, 1), self.hint, owner=self)
        self._below.hide()
        self.picture.chosen.connect(self._on_chosen)
        self.details.examples.chosen.connect(
            lambda position: self.example_wanted.emit(int(self.details.excitement.indices[position]))
        )

    @property
    def wants_dataset(self) -> bool:
        return self.picture.selected is not None

    def computation(self, subject: InspectedInput) -> Computation:
        values = subject.input
        chosen = self.picture.selected
        shapes = subject.model.network.shapes[1:]
        assert values is not None
        if chosen is not None and (chosen[0] >= len(shapes) or chosen[1] >= shapes[chosen[0]][-1]):
            chosen = self.picture.selected = None
        return lambda engine, check: flow_through(engine, values, chosen)

    def show_result(self, subject: InspectedInput, result: ForwardFlow) -> None:
        values = subject.input
        assert values is not None
        values = values / np.float32(255) if values.dtype == np.uint8 else values
        self.picture.show_flow(subject.model, values, result)
        chosen = self.picture.selected
        self._below.setVisible(chosen is not None)
        self.hint.setVisible(chosen is None)
        # Another unit may have been chosen since the computation began; then its own result follows.
        if chosen is not None and chosen == result.chosen:
            self.details.heading.setText(self.picture.unit_text(*chosen))
            self.details.show_unit(subject.model, *chosen, result)
            self._excite(subject, chosen)

    def show_slow(self, result: Excitement) -> None:
        if self.picture.selected == result.chosen:
            self.details.show_excitement(result)

    def _on_chosen(self, layer: int, unit: int) -> None:
        self.details.show_excitement(Excitement())
        self._excited = None
        self.recompute.emit()

    def _excite(self, subject: InspectedInput, chosen: tuple[int, int]) -> None:
        """Look for what excites a unit of a network for images, unless it was looked for a moment ago or is known.

        `_excited` is None after another unit was chosen.
        """
        soon = time.monotonic() - self._excited_at < EXCITEMENT_SECONDS
        known = self._excited is not None and self._excited[1] is subject.dataset
        if known and (soon or self._excited[0] is subject.model):  # type: ignore[index]
            return
        self._excited = (subject.model, subject.dataset)
        self._excited_at = time.monotonic()
        if len(subject.model.network.input_shape) == 3:
            self.slow.emit(subject, lambda engine, check: excitement(engine, check, chosen, subject.dataset))
