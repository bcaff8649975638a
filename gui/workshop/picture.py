"""The squares of one step of a launch: blocks, threads, sectors or banks, and the elements of the
arrays.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy

from core.workshop.checker.lanes import numbers
from core.workshop.checker.trace import WARP, Memory, place
from core.workshop.look import AWAY, HERE, MISSING, WAITS, Heat, Replay
from gui.text import number
from gui.widgets.basics import FitsOnResize, PaintedWidget
from gui.widgets.theme import SMALL, blend, theme

# Pixels of an element: the largest that fits; beyond the smallest the picture is scrolled.
_CELLS = (44, 36, 30, 24, 20, 16, 14, 12, 10, 8, 7, 6)
_ROW = 128  # bytes of an array of one dimension that are in one row: four sectors
_SHORT_ROW = 32  # of an array that is so short that its numbers are shown
_MOST_NUMBERS = 64  # elements of an array whose numbers have room in any case
_LONG_NUMBER = "−0.55"  # has room in any element of a short array
_MOST_ROWS, _MOST_COLUMNS = 48, 80  # of a matrix that are shown
_GAP = 14  # pixels between two pictures
_MARKS_HEIGHT = 160  # pixels of the squares of threads and lanes


@dataclass(slots=True)
class _Image:
    """Cells of one size. `colors`: RGB by row and column, uint32. `tip(row, column)`: what a cell
    is.

    `texts`: in cells, by row and column; `choose(row, column)`: called at a click; `outline`: the
    first and the last cell of the chosen warp; `chosen`: the cell of the chosen thread;
    `conflicts`: cells that are part of a race. `rect`, `cell`: where they are, and how large each
    is, in pixels.
    """

    title: str
    colors: np.ndarray
    tip: Callable[[int, int], str]
    is_mark: bool = True
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    choose: Callable[[int, int], None] | None = None
    outline: tuple[int, int] | None = None
    chosen: tuple[int, int] | None = None
    conflicts: set[tuple[int, int]] = field(default_factory=set)
    rect: QRect = field(default_factory=QRect)
    cell: QSize = field(default_factory=lambda: QSize(0, 0))

    def place(self, left: int, top: int, cell: QSize) -> None:
        rows, columns = self.colors.shape[:2]
        self.cell = cell
        self.rect = QRect(left, top, columns * cell.width(), rows * cell.height())

    def at(self, point: QPoint) -> tuple[int, int] | None:
        if not self.rect.contains(point) or self.cell.isEmpty():
            return None
        inside = point - self.rect.topLeft()
        return inside.y() // self.cell.height(), inside.x() // self.cell.width()

    def area(self, row: int, column: int) -> QRect:
        """Where a cell is."""
        width = self.cell.width()
        height = self.cell.height()
        return QRect(
            self.rect.left() + column * width, self.rect.top() + row * height, width, height
        )


class LaunchPicture(FitsOnResize, PaintedWidget):
    """The squares of an event. `moved(by)`: an arrow key; `block_chosen`, `thread_chosen`: a
    click.
    """

    moved = Signal(int)
    block_chosen = Signal(int)
    thread_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("lookPicture", self.tr("The launch: threads, elements, sectors or banks"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self._images: list[_Image] = []
        self._shown: tuple[Any, ...] = (None, 0, 0, 0)
        theme().changed.connect(self._repaint)

    def _repaint(self) -> None:
        self.show_event(*self._shown)

    def show_event(self, replay: Replay | None, index: int, block: int, thread: int) -> None:
        # Kept to be painted anew in other colors.
        self._shown = replay, index, block, thread
        self._images = []
        if replay is not None:
            self._images = [
                self._grid(replay, index, block),
                self._threads(replay, index, block, thread),
            ]
            heat = replay.heat(index, block, thread // WARP)
            self._images += [self._heat(heat)] if heat is not None else []
            self._images += [
                self._array(replay, index, array, block, thread) for array in replay.used
            ]
        self.fit()
        self.update()

    # -- what the squares are ----------------------------------------------------------------------

    def _lane_colors(self) -> np.ndarray:
        """A color for each lane of the chosen warp: from blue over green to amber."""
        colors = theme().colors
        half = WARP // 2
        stops = [QColor(color) for color in (colors.accent, colors.good, colors.notice)]
        lanes = [divmod(lane, half) for lane in range(WARP)]
        mixed = [blend(stops[before], stops[before + 1], after / half) for before, after in lanes]
        return np.array([color.rgb() for color in mixed], np.uint32)

    def _grid(self, replay: Replay, index: int, block: int) -> _Image:
        trace = replay.trace
        colors = theme().colors
        columns = trace.grid[0] if len(trace.grid) > 1 else min(replay.blocks, 16)
        rows = -(-replay.blocks // columns)
        cells = np.full(rows * columns, QColor(colors.base).rgb(), np.uint32)
        cells[np.unique(trace.events[index].lanes // trace.threads)] = _mixed(
            colors.base, colors.accent, 0.35
        )
        cells[replay.blocks :] = QColor(colors.window).rgb()
        cells[block] = QColor(colors.accent).rgb()
        name = self.tr("Block {place}")

        def tip(row: int, column: int) -> str:
            at = row * columns + column
            return name.format(place=numbers(place(at, trace.grid))) if at < replay.blocks else ""

        def choose(row: int, column: int) -> None:
            self.block_chosen.emit(min(row * columns + column, replay.blocks - 1))

        image = _Image(self.tr("Grid"), cells.reshape(rows, columns), tip)
        image.choose = choose
        return image

    def _threads(self, replay: Replay, index: int, block: int, thread: int) -> _Image:
        trace = replay.trace
        colors = theme().colors
        warp = thread // WARP
        columns = trace.block[0] if len(trace.block) > 1 else min(trace.threads, WARP)
        states = replay.threads(index, block)
        table = {AWAY: QColor(colors.base).rgb(), HERE: _mixed(colors.base, colors.accent, 0.35),
                 WAITS: QColor(colors.notice).rgb(), MISSING: QColor(colors.bad).rgb()}  # fmt: skip
        cells = np.array([table[state] for state in range(4)], np.uint32)[states]
        own = np.arange(warp * WARP, min((warp + 1) * WARP, trace.threads))
        here = own[states[own] == HERE]
        cells[here] = self._lane_colors()[here % WARP]
        padded = np.full(
            -(-trace.threads // columns) * columns, QColor(colors.window).rgb(), np.uint32
        )
        padded[: trace.threads] = cells
        words = {
            AWAY: self.tr("not at this line"),
            HERE: self.tr("at this line"),
            WAITS: self.tr("waits at the barrier"),
            MISSING: self.tr("does not come to the barrier"),
        }

        def tip(row: int, column: int) -> str:
            thread = row * columns + column
            if thread >= trace.threads:
                return ""
            text = self.tr("Thread {place}, lane {lane} of warp {warp}: {what}")
            return text.format(
                place=numbers(place(thread, trace.block)),
                lane=thread % WARP,
                warp=thread // WARP,
                what=words[int(states[thread])],
            )

        def choose(row: int, column: int) -> None:
            self.thread_chosen.emit(min(row * columns + column, trace.threads - 1))

        image = _Image(self.tr("Threads of the block"), padded.reshape(-1, columns), tip)
        image.choose = choose
        image.outline = (int(own[0]), int(own[-1])) if replay.warps > 1 else None
        image.chosen = divmod(thread, columns)
        for conflict in replay.races.pairs_at(index):
            here = [
                lane % trace.threads for lane in conflict.lanes if lane // trace.threads == block
            ]
            image.conflicts |= {divmod(each, columns) for each in here}
        marks = {WAITS: "‖", MISSING: "×"}
        image.texts = {
            divmod(thread, columns): marks[state]
            for thread, state in enumerate(states.tolist())
            if state in marks
        }
        return image

    def _heat(self, heat: Heat) -> _Image:
        colors = theme().colors
        cells = np.where(
            heat.hits, self._lane_colors()[:, None], np.uint32(QColor(colors.base).rgb())
        )
        is_sectors = heat.kind == "sectors"
        title = self.tr("Lanes × {n} sectors") if is_sectors else self.tr("Lanes × {n} banks")
        name = (
            self.tr("Lane {lane}, sector {n}") if is_sectors else self.tr("Lane {lane}, bank {n}")
        )

        def tip(row: int, column: int) -> str:
            return name.format(lane=row, n=heat.columns[column])

        return _Image(title.format(n=len(heat.columns)), cells, tip)

    def _array(self, replay: Replay, index: int, array: int, block: int, thread: int) -> _Image:
        trace = replay.trace
        colors = theme().colors
        event = replay.trace.events[index]
        info = trace.arrays[array]
        size = info.size
        values, written = replay.memory(index, array, block, thread)
        if info.start is not None:
            written |= info.start == info.start  # what the kernel has to compute begins as NaN
        per_row = _elements_per_row(info)
        cells = np.where(
            written,
            np.uint32(_mixed(colors.base, colors.text, 0.12)),
            np.uint32(QColor(colors.base).rgb()),
        )
        users: dict[int, int] = {}
        if event.array == array:
            users = self._color_accesses(cells, replay, index, block, thread)
        rows = -(-size // per_row)
        padded = np.full(rows * per_row, QColor(colors.window).rgb(), np.uint32)
        padded[:size] = cells
        top, left = _corner(users, per_row, rows)
        bottom = min(top + _MOST_ROWS, rows)
        right = min(left + _MOST_COLUMNS, per_row)

        def tip(row: int, column: int) -> str:
            element = (row + top) * per_row + column + left
            if element >= size:
                return ""
            where = ", ".join(map(str, np.unravel_index(element, info.shape)))
            value = (
                number(float(values[element]), 5)
                if written[element]
                else self.tr("not written yet")
            )
            by = self.tr("; thread {place}") if element in users else ""
            by = by.format(place=numbers(place(users.get(element, 0), trace.block)))
            return f"{info.name}[{where}] = {value}{by}"

        space = self.tr("local, of this thread") if info.space == "local" else info.space
        title = f"{info.name}: {info.data.dtype}[{', '.join(map(str, info.shape))}], {space}"
        part = padded.reshape(rows, per_row)[top:bottom, left:right]
        if part.size < padded.size:
            title = title.replace(":", f"[{top}:{bottom}, {left}:{right}] of", 1)
        image = _Image(f"▸ {title}" if event.array == array else title, part, tip, is_mark=False)
        if part.size <= 256:
            flat = [(row, column) for row in range(top, bottom) for column in range(left, right)]
            image.texts = {
                (row - top, column - left): _short_number(float(values[row * per_row + column]))
                for row, column in flat
                if row * per_row + column < size and written[row * per_row + column]
            }
        for conflict in replay.races.pairs_at(index):
            row, column = divmod(conflict.element, per_row)
            blocks = [lane // trace.threads for lane in conflict.lanes]
            is_here = info.space == "global" or block in blocks
            is_shown = top <= row < bottom and left <= column < right
            if conflict.array == array and is_here and is_shown:
                image.conflicts.add((row - top, column - left))
        return image

    def _color_accesses(
        self, cells: np.ndarray, replay: Replay, index: int, block: int, thread: int
    ) -> dict[int, int]:
        """Color the elements that the event reads or writes. Returns the thread of each."""
        colors = theme().colors
        threads, elements = replay.accesses(index, block)
        if replay.trace.arrays[replay.trace.events[index].array].space == "local":
            elements = elements[threads == thread]
            # Last: the elements are chosen by it.
            threads = threads[threads == thread]
        cells[elements] = _mixed(colors.base, colors.accent, 0.35)
        own = threads // WARP == thread // WARP
        cells[elements[own]] = self._lane_colors()[threads[own] % WARP]
        return dict(zip(elements.tolist(), threads.tolist(), strict=True))

    # -- where they are, and painting --------------------------------------------------------------

    def fit(self) -> None:
        """Place the pictures in lines: threads and lanes in small squares, arrays in the largest
        that fit.

        Numbers of a short array keep their room; the widget then is higher, and is scrolled.
        """
        width = self.width() - 2
        needed_height = 0
        # The widget itself is as high as its content: its room is that of the scroll area.
        viewport = self.parentWidget()
        room = viewport.height() if viewport is not None else self.height()
        for cell in _CELLS if self._images else ():
            needed_height = self._place(width, cell)
            if needed_height <= room:
                break
        self.setMinimumHeight(needed_height)

    def _place(self, width: int, largest: int) -> int:
        """Place the pictures with elements of this size at the most; returns the height that they
        need.
        """
        metrics = QFontMetrics(theme().font(SMALL))
        line = metrics.height() + 4
        high = theme().px(_MARKS_HEIGHT)
        left = top = below = 0
        for image in self._images:
            rows, columns = image.colors.shape
            if image.is_mark:
                own = max(min(theme().px(14), high // rows, width // 3 // columns), 3)
            else:
                own = max(min(theme().px(largest), width // columns, high // rows), 2)
            cell = QSize(own, own)
            if not image.is_mark and rows * columns <= _MOST_NUMBERS:
                texts = [_LONG_NUMBER, *image.texts.values()]
                widest = max(map(metrics.horizontalAdvance, texts)) + 6
                if columns * widest <= width:
                    cell = QSize(widest, metrics.height() + 2)
            needed = max(columns * cell.width(), metrics.horizontalAdvance(image.title))
            if left and left + needed > width:
                left = 0
                top = below
            image.place(left + 1, top + line, cell)
            left = left + needed + _GAP
            below = max(below, top + line + rows * cell.height() + 4)
        return below

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        with QPainter(self) as painter:
            painter.setFont(theme().font(SMALL))
            if not self._images:
                painter.setPen(colors.muted)
                text = self.tr("Press Check: then step through the run here.")
                painter.drawText(
                    self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text
                )
                return
            for image in self._images:
                painter.setPen(colors.muted)
                painter.drawText(image.rect.left(), image.rect.top() - 5, image.title)
                self._paint(painter, image)

    def _paint(self, painter: QPainter, image: _Image) -> None:
        colors = theme().colors
        cell = image.cell
        rect = image.rect
        # A part of a matrix has gaps between its rows, which QImage would take for pixels.
        pixels = np.ascontiguousarray(image.colors)
        rows, columns = pixels.shape
        picture = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
        painter.drawImage(rect, picture)
        painter.setPen(colors.line)
        # In smaller cells lines would cover the colors.
        if min(cell.width(), cell.height()) >= 5:
            for row in range(1, rows):
                at = rect.top() + row * cell.height()
                painter.drawLine(rect.left(), at, rect.right(), at)
            for column in range(1, columns):
                at = rect.left() + column * cell.width()
                painter.drawLine(at, rect.top(), at, rect.bottom())
        painter.setPen(colors.border)
        painter.drawRect(rect.adjusted(-1, -1, 0, 0))
        if image.outline:
            (top, left), (bottom, right) = (divmod(each, columns) for each in image.outline)
            # A warp of several rows has no single rectangle: whole rows are framed.
            if top != bottom:
                left = 0
                right = columns - 1
            around = image.area(top, left) | image.area(bottom, right)
            painter.setPen(QPen(QColor(colors.text), 2))
            painter.drawRect(QRectF(around).adjusted(-1, -1, 0, 0))
        self._write(painter, image)
        if image.chosen:
            painter.setPen(QPen(QColor(colors.text), 2))
            painter.drawRect(QRectF(image.area(*image.chosen)).adjusted(1, 1, -1, -1))
        for place_ in image.conflicts:
            self._mark_conflict(painter, QRectF(image.area(*place_)))

    def _mark_conflict(self, painter: QPainter, area: QRectF) -> None:
        """A red frame on a plain one, so that it is seen on every color."""
        for color, width in ((theme().colors.base, 5), (theme().colors.bad, 3)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawRect(area.adjusted(-1, -1, 0, 0))

    def _write(self, painter: QPainter, image: _Image) -> None:
        """The values or marks in the cells, where there is room."""
        metrics = painter.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, image.texts.values()), default=0)
        if (
            not image.texts
            or widest + 2 > image.cell.width()
            or metrics.ascent() > image.cell.height()
        ):
            return
        for (row, column), text in image.texts.items():
            square = QColor(int(image.colors[row, column]))
            # By the square, not the theme: its colors are light and dark in both.
            painter.setPen("#000000" if square.lightnessF() > 0.5 else "#ffffff")
            painter.drawText(image.area(row, column), Qt.AlignmentFlag.AlignCenter, text)

    # -- mouse and keys ----------------------------------------------------------------------------

    def tip_at(self, point: QPoint) -> str:
        for image in self._images:
            cell = image.at(point)
            if cell is not None:
                return image.tip(*cell)
        return ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for image in self._images:
            cell = image.at(event.position().toPoint())
            if image.choose and cell is not None:
                image.choose(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_PageUp: -10,
            Qt.Key.Key_PageDown: 10,
            # More than any run has: the slider stops at its ends.
            Qt.Key.Key_Home: -(10**6),
            Qt.Key.Key_End: 10**6,
        }
        if event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def _short_number(value: float) -> str:
    """Two digits, at the most two of them behind the point: the tooltip has more."""
    return number(round(value, 2) if abs(value) < 1 else value, 2)


def _elements_per_row(info: Memory) -> int:
    """Of the picture of an array: a row of a matrix; of a vector four sectors, or one where its
    numbers are shown.
    """
    if len(info.shape) > 1:
        return info.shape[-1]
    in_bytes = _SHORT_ROW if info.size <= _MOST_NUMBERS else _ROW
    return max(
        min(
            in_bytes // info.data.itemsize,
            info.size,
            _SHORT_ROW // 2 if in_bytes == _SHORT_ROW else _ROW,
        ),
        1,
    )


def _mixed(first: str, second: str, fraction: float) -> int:
    return blend(QColor(first), QColor(second), fraction).rgb()


def _corner(users: dict[int, int], per_row: int, rows: int) -> tuple[int, int]:
    """Row and column from which on a large matrix is shown, so that the first element in use is
    seen.
    """
    first = min(users, default=0)
    top, left = divmod(first, per_row)
    return (top if rows > _MOST_ROWS else 0), (left if per_row > _MOST_COLUMNS else 0)
