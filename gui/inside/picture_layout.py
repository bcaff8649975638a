"""Where the parts of the picture of a network lie: a block for each layer, with a tile for each unit or map."""

from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QPointF, QRectF

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
