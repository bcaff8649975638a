"""Where the parts of the stage lie: canvas, input, a block for each layer, answers. Pure functions
of sizes.
"""

from dataclasses import dataclass, replace
from math import ceil

from PySide6.QtCore import QPoint, QRect, QSize

from core.inspection.stage_content import MAX_MAPS, MAX_UNITS, Column, StageContent

MARGIN = 16  # pixels to the edge of the stage
LEAST_GAP = 24  # pixels between two columns, where there is room for so much
LEAST_SIDE = 160  # of the canvas and the columns
CANVAS_SHARE = 0.27  # of the width, at most
LARGE = 568  # heights of the stage for which the measures were made
SMALL = 356
MANY_HIDDEN = 4  # layers of units with which the cells are smaller
MAP_ROWS = 8
UNIT_ROWS = 16
MOST_WITH_LEGEND = 1.3  # the size of text up to which the colors are explained below the answer
LEAST_WITH_PERCENT = 900  # width of a stage with percentages, with text of 100 %
ROWS_OF_MANY = 32  # where more units are shown than have room in four columns


@dataclass(frozen=True, slots=True)
class Block:
    """A column in its place. `layer`: its index; `thin`: it is a bar.

    `tiles`: of its maps or units; a thin bar and the answers have none.
    """

    layer: int
    thin: bool
    area: QRect
    tiles: tuple[QRect, ...] = ()

    def index_at(self, point: QPoint) -> int:
        """The tile at `point`, or -1."""
        return next((index for index, tile in enumerate(self.tiles) if tile.contains(point)), -1)


@dataclass(frozen=True, slots=True)
class Answers:
    """The rows of the answers: `rows` are the heights of their centers, `bar` the place of the
    first bar.

    `has_percent`: whether there is room for the percentages.
    """

    left: int
    rows: tuple[int, ...]
    name_width: int
    bar: QRect
    has_percent: bool = True

    def bar_at(self, row: int) -> QRect:
        return self.bar.translated(0, self.rows[row] - self.bar.center().y())


@dataclass(frozen=True, slots=True)
class StageLayout:
    """Where all parts lie. `view`: where the columns are."""

    scale: float  # 1 at the small size, 1.73 at the large one
    top: int
    side: int
    canvas: QRect
    tools: QRect
    input: QRect
    blocks: tuple[Block, ...]
    answers: Answers
    answer: QRect
    yours: QRect
    reader: QRect
    view: QRect

    @property
    def bottom(self) -> int:
        return self.top + self.side

    def before(self, position: int) -> "Block | None":
        """The last block before that at `position` that is not thin; None for the input."""
        return next((each for each in self.blocks[:position][::-1] if not each.thin), None)

    def at(self, point: QPoint) -> tuple[int, int]:
        """The position of the column at `point` and the unit or map in it; -1 for none."""
        for row in range(len(self.answers.rows)):
            if self.answers.bar_at(row).adjusted(-30, -6, 60, 6).contains(point):
                return len(self.blocks) - 1, row
        for position, block in enumerate(self.blocks[:-1]):
            reach = 6 if block.thin else 4
            if block.area.adjusted(-reach, -8, reach, 8).contains(point):
                return position, block.index_at(point)
            caption = block.area.adjusted(-12, self.top - block.area.top() - 28, 12, 0)
            if caption.contains(point):
                return position, -1
        return -1, -1


def heights(text: float, *, has_tools: bool = True) -> tuple[int, int]:
    """Pixels above the columns, for the captions, and below them, for the tools, with text of this
    size.
    """
    return round(20 + 12 * text), round(28 + 32 * text) if has_tools else MARGIN


@dataclass(frozen=True, slots=True)
class Frame:
    """What a layout depends on beside the content. `text`: size of the text, 1 for 100 %. `ratio`:
    device pixels.

    `canvas_width`: as a multiple of its height; 0 without a canvas. `name_width`: of the widest
    class name. `has_tools`: tools are below the columns.
    """

    size: QSize
    text: float
    ratio: float
    canvas_width: int
    name_width: int
    has_tools: bool = True


def lay_out(content: StageContent, frame: Frame) -> StageLayout:
    """The layout in `frame`. Where the layers do not fit, maps and units are made smaller."""
    size = frame.size
    text = frame.text
    canvas_width = frame.canvas_width
    below = heights(text, has_tools=frame.has_tools)[1]
    height = size.height()
    grown = min(max((height - SMALL) / (LARGE - SMALL), 0), 1)
    above = heights(text)[0] + round(12 * grown)
    below = below + round(8 * grown)
    side = max(height - above - below, LEAST_SIDE)
    if canvas_width:
        side = min(side, max(round(CANVAS_SHARE * size.width()), LEAST_SIDE))
    spare = max(size.height() - above - below - side, 0)
    top = above + spare // 2
    scale = side / 264
    left = MARGIN + round(8 * grown) if size.width() > 1500 else MARGIN
    canvas = QRect(left, top, canvas_width * side, side) if canvas_width else QRect()
    seen = _input_size(content, side, text)
    x = canvas.right() + 1 + round(46 * scale) if canvas_width else left
    center = top + side // 2
    entry = QRect(x, center - seen.height() // 2, seen.width(), seen.height())
    answer_width = round((188 + 76 * grown) * max(1.0, 0.75 + text / 4))
    answer = QRect(size.width() - left - answer_width, top, answer_width, side)
    right = answer.left() - round(12 * scale)
    answers = _answers(content, right, top, side, frame)
    view = QRect(entry.right() + 1, 0, answers.left - entry.right() - 1, size.height())
    blocks = _blocks(content, view, top, side)
    tools = QRect(left - 4, top + side + 8, side + 8, below - 12)
    above_reader = round(97 * scale + 48 * text)  # the digit, and its sentence
    reader = QRect(answer.left(), top + above_reader, answer_width, side + 8 - above_reader)
    if text > MOST_WITH_LEGEND:
        reader.setBottom(tools.bottom())
    yours_left = canvas.right() + round(32 * scale) if canvas_width else left
    yours = QRect(yours_left, tools.top(), answer.left() - 8 - yours_left, tools.height())
    return StageLayout(
        scale,
        top,
        side,
        canvas,
        tools,
        entry,
        blocks,
        answers,
        answer,
        yours,
        reader,
        view,
    )


def _input_size(content: StageContent, side: int, text: float) -> QSize:
    """An image in whole pixels for each of its own; numbers as cells below each other."""
    shape = content.network.input_shape
    if len(shape) == 3:
        height, width = shape[:2]
        unit = max(1, int(side * 0.32 / max(height, width)))
        return QSize(unit * width, unit * height)
    cell = min(round(side * 0.16), side // max(shape[0], 1))
    return QSize(max(round(side * 0.24), round(60 * text)), max(cell * min(shape[0], 8), 24))


def _answers(content: StageContent, right: int, top: int, side: int, frame: Frame) -> Answers:
    text = frame.text
    has_percent = frame.size.width() >= LEAST_WITH_PERCENT * text
    count = max(len(content.columns[-1].shown), 1)
    pitch = min(side / count, side / 5)
    if not content.classes:
        return Answers(right - 24, (top + side // 2,), 0, QRect(right, top + side // 2, 0, 0))
    names = min(frame.name_width, round(90 * text))
    grown = side / 264
    bar_width = round(72 + 44 * grown)
    thickness = min(round(4 + 6 * grown), int(pitch * 0.6))
    percent = round(58 * text) if has_percent else 0
    left = right - percent - bar_width - names - 16
    first = top + side / 2 - count * pitch / 2
    rows = tuple(round(first + pitch * (row + 0.5)) for row in range(count))
    bar = QRect(left + 16 + names, rows[0] - thickness // 2, bar_width, thickness)
    return Answers(left, rows, names, bar, has_percent)


# -- columns ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Grid:
    """How the tiles of a column lie: in `columns` of `rows`, `tile` pixels wide, `pitch` apart,
    `gap` between.
    """

    columns: int
    rows: int
    tile: int
    pitch: float
    gap: int

    @property
    def width(self) -> int:
        return self.columns * (self.tile + self.gap) - self.gap

    def smaller(self, share: float) -> "_Grid":
        tile = max(int(self.tile * share), 2)
        return replace(self, tile=tile, pitch=self.pitch * share, gap=int(self.gap * share))


def _blocks(content: StageContent, view: QRect, top: int, side: int) -> tuple[Block, ...]:
    """The blocks from left to right."""
    grids = _grids(content, side)
    straight_gaps = [0] * len(grids)
    for position in range(1, len(grids)):
        if _is_straight(content, position):  # one column of maps is narrower than its caption
            is_narrow = grids[position - 1].columns == 1 and not content.columns[position].thin
            straight_gaps[position] = round((30 if is_narrow else 20) * side / 264)
    count = straight_gaps.count(0) + 1
    # In a very narrow view the gaps would otherwise leave no room for columns.
    least = min(LEAST_GAP, view.width() / (2 * count))
    room = view.width() - sum(straight_gaps) - count * least
    fitting = room / max(sum(grid.width for grid in grids), 1)
    if fitting < 1:
        grids = [grid.smaller(fitting) for grid in grids]
    used = sum(grid.width for grid in grids) + sum(straight_gaps)
    gap = (view.width() - used) / count
    blocks = []
    x = float(view.left())
    for position, grid in enumerate(grids):
        x += straight_gaps[position] or gap
        blocks.append(_block(content.columns[position], content, grid, round(x), top, side))
        x += grid.width
    last = Block(content.columns[-1].layer, False, QRect(view.right() + 1, top, 1, side))
    return (*blocks, last)


def _is_straight(content: StageContent, position: int) -> bool:
    """Whether a column follows the one before closely: a thin bar, or one whose maps are those
    before it.
    """
    return content.columns[position].thin or _keeps_maps(content, position)


def _keeps_maps(content: StageContent, position: int) -> bool:
    layer = content.columns[position].layer
    return not content.columns[position].thin and content.network.weight_shapes[layer] is None


def _grids(content: StageContent, side: int) -> list[_Grid]:
    shapes = content.network.shapes
    hidden = [column for column in content.columns[:-1] if not column.thin]
    deep = sum(len(shapes[column.layer + 1]) == 1 for column in hidden) >= MANY_HIDDEN
    grids: list[_Grid] = []
    for position, column in enumerate(content.columns[:-1]):
        if column.thin:
            grids.append(_Grid(1, 1, 4, side, 0))
        elif len(shapes[column.layer + 1]) == 3 or column.layer == content.columns[-1].layer:
            grids.append(_map_grid(len(column.shown), side, smaller=_keeps_maps(content, position)))
        else:
            grids.append(_unit_grid(len(column.shown), side, deep=deep))
    return grids


def _map_grid(count: int, side: int, *, smaller: bool) -> _Grid:
    """Images in one or two columns; smaller ones in more columns where there are more."""
    has_many = count > MAX_MAPS
    rows = min(count, 2 * MAP_ROWS if has_many else MAP_ROWS)
    columns = ceil(count / rows)
    pitch = side / max(rows, 5)
    share = 0.91 if columns == 1 else 0.85
    if smaller:
        share *= 0.6
    gap = 2 if has_many else 4
    return _Grid(columns, rows, min(round(pitch * share), round(side * 0.13)), pitch, gap)


def _unit_grid(count: int, side: int, *, deep: bool) -> _Grid:
    """Cells in up to four columns; in deep networks smaller ones in as few columns as leave them 9
    pixels.

    Where all units of a large layer are shown, the cells are half as large, in as many columns as
    they need.
    """
    if count > MAX_UNITS:
        pitch = int(side / ROWS_OF_MANY)
        return _Grid(ceil(count / ROWS_OF_MANY), ROWS_OF_MANY, pitch - 1, pitch, 1)
    largest = int(side / UNIT_ROWS) - 2
    if deep:
        columns = 1 if count <= UNIT_ROWS else 2
        while side / ceil(count / columns) < 11 * side / 264:
            columns += 1
        rows = ceil(count / columns)
        cell = min(round(12 * side / 264), int(side / rows) - 2)
    else:
        columns = 4
        if count <= UNIT_ROWS:
            columns = 1
        elif count <= 2 * UNIT_ROWS:
            columns = 2
        rows = ceil(count / columns)
        cell = largest
    return _Grid(columns, rows, cell, cell + 2, 2)


def _block(
    column: Column, content: StageContent, grid: _Grid, x: int, top: int, side: int
) -> Block:
    if column.thin:
        return Block(column.layer, True, QRect(x, top, 4, side))
    center = top + side / 2
    first = center - grid.rows * grid.pitch / 2
    is_image = len(content.network.shapes[column.layer + 1]) == 3
    tiles = []
    for index in range(len(column.shown)):
        if is_image:  # down the first column, then the second
            place, row = divmod(index, grid.rows)
            middle = first + grid.pitch * (row + 0.5)
        else:
            row, place = divmod(index, grid.columns)
            middle = first + grid.pitch * (row + 0.5)
        left = x + place * (grid.tile + grid.gap)
        tiles.append(QRect(left, round(middle - grid.tile / 2), grid.tile, grid.tile))
    area = QRect()
    for tile in tiles:
        area = area.united(tile)
    return Block(column.layer, False, area, tuple(tiles))
