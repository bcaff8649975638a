"""Steps through a recorded launch, forwards and back: threads, elements, sectors or banks, shared memory, barriers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.text import Sentence
from core.workshop.look import AWAY, HERE, MISSING, WAITS, Heat, Replay
from gui.text import count, number
from gui.widgets import make
from gui.widgets.basics import PaintedWidget
from gui.widgets.theme import SMALL, blend, theme
from kernels.workshop.machine import numbers
from kernels.workshop.trace import WARP, Trace, place

# Pixels of an element: the largest that fits.
_CELLS = (44, 36, 30, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2)
_ROW = 128  # bytes of an array of one dimension that are in one row: four sectors
_MOST_ROWS, _MOST_COLUMNS = 48, 80  # of a matrix that are shown
_GAP = 14  # pixels between two pictures
_MARKS_HEIGHT = 160  # pixels of the squares of threads and lanes


def notice_text(said: Sentence) -> str:
    values = {key: QCoreApplication.translate("Look", value) for key, value in said.values.items()}
    return QCoreApplication.translate("Look", said.template).format(**values)


class LookPage(QWidget):
    """`line_changed(line)`: of the event that is shown; 0 for none."""

    line_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.replay: Replay | None = None
        self._steps: Sequence[int] = ()
        tr = self.tr
        self.where = make.label("", "lookWhere", "muted")
        self.notice = make.label("", "lookNotice", "heading", selectable=True)
        self.picture = LaunchPicture()
        self.slider = make.slider("lookStep", tr("Step"), tr("Any step of the run."), 0, 0, self._show)
        first, back, forward, last = (
            make.button(text, name, tip, slot)
            for text, name, tip, slot in (
                ("|◀", "lookFirst", tr("The first step."), lambda: self.slider.setValue(0)),
                ("◀", "lookBack", tr("One step back (Left)."), lambda: self.step_by(-1)),
                ("▶", "lookForward", tr("One step forward (Right)."), lambda: self.step_by(1)),
                ("▶|", "lookLast", tr("The last step."), lambda: self.slider.setValue(self.slider.maximum())),
            )
        )
        for button in (first, back, forward, last):
            button.setAccessibleName(button.toolTip())
            button.setFixedWidth(theme().px(34))
        tip = tr("The block that is shown; a click on its square chooses it, too.")
        self.block = make.spin("lookBlock", tr("Block"), tip, 0, 0, slot=self._choose_block)
        tip = tr("The warp whose 32 threads have a color each.")
        self.warp = make.spin("lookWarp", tr("Warp"), tip, 0, 0, slot=self._show)
        places = make.FlowLayout(make.labeled(tr("&Block"), self.block), make.labeled(tr("&Warp"), self.warp))
        steps = make.row(first, back, (self.slider, 1), forward, last, spacing=4)
        text = tr("A color for each lane of the warp. Pale: the other threads. Gray: a value is there.")
        legend = make.label(text, role="muted")
        make.column(
            steps, make.row((self.where, 1), places), self.notice, (self.picture, 1), legend, owner=self
        )
        self.picture.moved.connect(self.step_by)
        self.picture.block_chosen.connect(self.block.setValue)
        self.picture.warp_chosen.connect(self.warp.setValue)

    def show_trace(self, trace: Trace | None, line: int = 0, block: int = 0) -> None:
        """Show a launch at the first event of the line, in the block; None: nothing."""
        self.replay = None if trace is None or not trace.events else Replay(trace)
        if self.replay is None:
            self._steps = ()
            self.slider.setRange(0, 0)
            self.where.setText("")
            self.notice.setText("")
            self.picture.show_event(None, 0, 0, 0)
            return
        self.warp.setRange(0, self.replay.warps - 1)
        self.block.setRange(0, max(self.replay.blocks - 1, 0))
        self.block.setValue(block)
        self._choose_block()
        self.show_line(line)

    def show_line(self, line: int) -> None:
        """Go to the first event of a line, if there is one."""
        if self.replay is not None:
            lines = [self.replay.trace.events[index].line for index in self._steps]
            self.slider.setValue(lines.index(line) if line in lines else self.slider.value())

    def step_by(self, by: int) -> None:
        self.slider.setValue(self.slider.value() + by)

    def _choose_block(self) -> None:
        """Show the same moment in another block."""
        if self.replay is None:
            return
        now = self._steps[self.slider.value()] if len(self._steps) > self.slider.value() else 0
        self._steps = self.replay.steps(self.block.value()).tolist()
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(len(self._steps) - 1, 0))
        self.slider.setValue(int(np.searchsorted(self._steps, now)))
        self.slider.blockSignals(False)
        self._show()

    def _show(self) -> None:
        if self.replay is None or not self._steps:
            return
        replay, block, warp = self.replay, self.block.value(), self.warp.value()
        index = self._steps[self.slider.value()]
        event, trace = replay.trace.events[index], replay.trace
        what = {
            "read": self.tr("reads {array}"), "write": self.tr("writes {array}"), "barrier": self.tr("waits"),
            "atomic": self.tr("changes {array}, atomically"), "branch": self.tr("takes a branch"),
        }[event.kind].format(array=trace.arrays[event.array].name if event.array >= 0 else "")  # fmt: skip
        text = self.tr("Step {n} of {all}: line {line} {what}")
        self.where.setText(
            text.format(
                n=count(self.slider.value() + 1), all=count(len(self._steps)), line=event.line, what=what
            )
        )
        self.notice.setText(notice_text(replay.notice(index, block, warp)))
        self.picture.setAccessibleDescription(f"{self.where.text()}. {self.notice.text()}")
        self.picture.show_event(replay, index, block, warp)
        self.line_changed.emit(event.line)


@dataclass(slots=True)
class _Image:
    """Squares of one size. `colors`: RGB by row and column, uint32. `tip(row, column)`: what a square is.

    `texts`: in squares, by row and column; `choose(row, column)`: called at a click; `outline`: the first and the last
    square of the chosen warp; `rect`, `cell`: where they are, and how large each is, in pixels.
    """

    title: str
    colors: np.ndarray
    tip: Callable[[int, int], str]
    is_mark: bool = True
    texts: dict[tuple[int, int], str] = field(default_factory=dict)
    choose: Callable[[int, int], None] | None = None
    outline: tuple[int, int] | None = None
    rect: QRect = field(default_factory=QRect)
    cell: int = 0

    def place(self, left: int, top: int, cell: int) -> None:
        rows, columns = self.colors.shape[:2]
        self.cell, self.rect = cell, QRect(left, top, columns * cell, rows * cell)

    def at(self, point: QPoint) -> tuple[int, int] | None:
        if not self.rect.contains(point) or not self.cell:
            return None
        inside = point - self.rect.topLeft()
        return inside.y() // self.cell, inside.x() // self.cell


class LaunchPicture(PaintedWidget):
    """The squares of an event. `moved(by)`: an arrow key; `block_chosen`, `warp_chosen`: a click."""

    moved = Signal(int)
    block_chosen = Signal(int)
    warp_chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("lookPicture", self.tr("The launch: threads, elements, sectors or banks"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(theme().px(240))
        self._images: list[_Image] = []
        self._shown: tuple[Any, ...] = (None, 0, 0, 0)
        theme().changed.connect(self._repaint)

    def _repaint(self) -> None:
        self.show_event(*self._shown)

    def show_event(self, replay: Replay | None, index: int, block: int, warp: int) -> None:
        self._shown = replay, index, block, warp
        self._images = []
        if replay is not None:
            self._images = [self._grid(replay, index, block), self._threads(replay, index, block, warp)]
            heat = replay.heat(index, block, warp)
            self._images += [self._heat(heat)] if heat is not None else []
            self._images += [self._array(replay, index, array, block, warp) for array in replay.used]
        self.update()

    # -- what the squares are -------------------------------------------------------------------------------

    def _lane_colors(self) -> np.ndarray:
        """A color for each lane of the chosen warp: from blue over green to amber."""
        colors, half = theme().colors, WARP // 2
        stops = [QColor(color) for color in (colors.accent, colors.good, colors.notice)]
        lanes = [divmod(lane, half) for lane in range(WARP)]
        mixed = [blend(stops[before], stops[before + 1], after / half) for before, after in lanes]
        return np.array([color.rgb() for color in mixed], np.uint32)

    def _grid(self, replay: Replay, index: int, block: int) -> _Image:
        trace, colors = replay.trace, theme().colors
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

        image = _Image(self.tr("Grid"), cells.reshape(rows, columns), tip)
        image.choose = lambda row, column: self.block_chosen.emit(
            min(row * columns + column, replay.blocks - 1)
        )
        return image

    def _threads(self, replay: Replay, index: int, block: int, warp: int) -> _Image:
        trace, colors = replay.trace, theme().colors
        columns = trace.block[0] if len(trace.block) > 1 else min(trace.threads, WARP)
        states = replay.threads(index, block)
        table = {AWAY: QColor(colors.base).rgb(), HERE: _mixed(colors.base, colors.accent, 0.35),
                 WAITS: QColor(colors.notice).rgb(), MISSING: QColor(colors.bad).rgb()}  # fmt: skip
        cells = np.array([table[state] for state in range(4)], np.uint32)[states]
        own = np.arange(warp * WARP, min((warp + 1) * WARP, trace.threads))
        here = own[states[own] == HERE]
        cells[here] = self._lane_colors()[here % WARP]
        padded = np.full(-(-trace.threads // columns) * columns, QColor(colors.window).rgb(), np.uint32)
        padded[: trace.threads] = cells
        words = {AWAY: self.tr("not at this line"), HERE: self.tr("at this line"),
                 WAITS: self.tr("waits at the barrier"), MISSING: self.tr("does not come to the barrier")}  # fmt: skip

        def tip(row: int, column: int) -> str:
            thread = row * columns + column
            if thread >= trace.threads:
                return ""
            text = self.tr("Thread {place}, lane {lane} of warp {warp}: {what}")
            return text.format(place=numbers(place(thread, trace.block)), lane=thread % WARP, warp=thread // WARP,
                               what=words[int(states[thread])])  # fmt: skip

        image = _Image(self.tr("Threads of the block"), padded.reshape(-1, columns), tip)
        image.choose = lambda row, column: self.warp_chosen.emit((row * columns + column) // WARP)
        image.outline = (int(own[0]), int(own[-1])) if replay.warps > 1 else None
        marks = {WAITS: "‖", MISSING: "×"}
        image.texts = {
            divmod(thread, columns): marks[state]
            for thread, state in enumerate(states.tolist())
            if state in marks
        }
        return image

    def _heat(self, heat: Heat) -> _Image:
        colors = theme().colors
        cells = np.where(heat.hits, self._lane_colors()[:, None], np.uint32(QColor(colors.base).rgb()))
        is_sectors = heat.kind == "sectors"
        title = self.tr("Lanes × {n} sectors") if is_sectors else self.tr("Lanes × {n} banks")
        name = self.tr("Lane {lane}, sector {n}") if is_sectors else self.tr("Lane {lane}, bank {n}")
        tip = lambda row, column: name.format(lane=row, n=heat.columns[column])  # noqa: E731
        return _Image(title.format(n=len(heat.columns)), cells, tip)

    def _array(self, replay: Replay, index: int, array: int, block: int, warp: int) -> _Image:
        trace, colors, event = replay.trace, theme().colors, replay.trace.events[index]
        info = trace.arrays[array]
        size = info.size
        values, written = replay.memory(index, array, block)
        if info.start is not None:
            written |= info.start == info.start  # what the kernel has to compute begins as NaN
        per_row = info.shape[-1] if len(info.shape) > 1 else max(min(_ROW // info.data.itemsize, size), 1)
        cells = np.where(
            written, np.uint32(_mixed(colors.base, colors.text, 0.12)), np.uint32(QColor(colors.base).rgb())
        )
        users: dict[int, int] = {}
        if event.array == array:
            threads, elements = replay.accesses(index, block)
            cells[elements] = _mixed(colors.base, colors.accent, 0.35)
            own = threads // WARP == warp
            cells[elements[own]] = self._lane_colors()[threads[own] % WARP]
            users = dict(zip(elements.tolist(), threads.tolist(), strict=True))
        rows = -(-size // per_row)
        padded = np.full(rows * per_row, QColor(colors.window).rgb(), np.uint32)
        padded[:size] = cells
        top, left = _corner(users, per_row, rows)
        bottom, right = min(top + _MOST_ROWS, rows), min(left + _MOST_COLUMNS, per_row)

        def tip(row: int, column: int) -> str:
            element = (row + top) * per_row + column + left
            if element >= size:
                return ""
            where = ", ".join(map(str, np.unravel_index(element, info.shape)))
            value = number(float(values[element]), 5) if written[element] else self.tr("not written yet")
            by = self.tr("; thread {place}") if element in users else ""
            by = by.format(place=numbers(place(users.get(element, 0), trace.block)))
            return f"{info.name}[{where}] = {value}{by}"

        title = f"{info.name}: {info.data.dtype}[{', '.join(map(str, info.shape))}], {info.space}"
        part = padded.reshape(rows, per_row)[top:bottom, left:right]
        if part.size < padded.size:
            title = title.replace(":", f"[{top}:{bottom}, {left}:{right}] of", 1)
        image = _Image(f"▸ {title}" if event.array == array else title, part, tip, is_mark=False)
        if part.size <= 256:
            flat = [(row, column) for row in range(top, bottom) for column in range(left, right)]
            image.texts = {
                (row - top, column - left): number(float(values[row * per_row + column]), 2)
                for row, column in flat
                if row * per_row + column < size and written[row * per_row + column]
            }
        return image

    # -- where they are, and painting -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        """Place the pictures in lines: threads and lanes in small squares, arrays in the largest that fit."""
        line, width = self.fontMetrics().height() + 4, self.width() - 2
        high = theme().px(_MARKS_HEIGHT)
        for cell in _CELLS:
            left = top = below = 0
            for image in self._images:
                rows, columns = image.colors.shape
                if image.is_mark:
                    own = max(min(theme().px(14), high // rows, width // 3 // columns), 3)
                else:
                    own = max(min(theme().px(cell) if cell > 4 else cell, width // columns, high // rows), 2)
                needed = max(columns * own, self.fontMetrics().horizontalAdvance(image.title))
                if left and left + needed > width:
                    left, top = 0, below
                image.place(left + 1, top + line, own)
                left, below = left + needed + _GAP, max(below, top + line + rows * own + 4)
            if below <= self.height():
                return

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        with QPainter(self) as painter:
            painter.setFont(theme().font(SMALL))
            if not self._images:
                painter.setPen(QColor(colors.muted))
                text = self.tr("Press Check: then step through the run here.")
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)
                return
            self._lay_out()
            for image in self._images:
                painter.setPen(QColor(colors.muted))
                painter.drawText(image.rect.left(), image.rect.top() - 5, image.title)
                self._paint(painter, image)

    def _paint(self, painter: QPainter, image: _Image) -> None:
        colors, cell, rect = theme().colors, image.cell, image.rect
        pixels = np.ascontiguousarray(image.colors)
        rows, columns = pixels.shape
        picture = QImage(pixels.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
        painter.drawImage(rect, picture)
        painter.setPen(QPen(QColor(colors.line), 1))
        if cell >= 5:
            for row in range(1, rows):
                painter.drawLine(rect.left(), rect.top() + row * cell, rect.right(), rect.top() + row * cell)
            for column in range(1, columns):
                painter.drawLine(
                    rect.left() + column * cell, rect.top(), rect.left() + column * cell, rect.bottom()
                )
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawRect(rect.adjusted(-1, -1, 0, 0))
        if image.outline:
            (top, left), (bottom, right) = (divmod(each, columns) for each in image.outline)
            if top != bottom:
                left, right = 0, columns - 1
            painter.setPen(QPen(QColor(colors.text), 2))
            painter.drawRect(QRectF(rect.left() + left * cell - 1, rect.top() + top * cell - 1,
                                    (right - left + 1) * cell + 1, (bottom - top + 1) * cell + 1))  # fmt: skip
        self._write(painter, image)

    def _write(self, painter: QPainter, image: _Image) -> None:
        """The values or marks in the squares, where there is room."""
        widest = max(map(painter.fontMetrics().horizontalAdvance, image.texts.values()), default=0)
        if not image.texts or widest + 2 > image.cell or painter.fontMetrics().ascent() > image.cell:
            return
        for (row, column), text in image.texts.items():
            square = QColor(int(image.colors[row, column]))
            painter.setPen(QColor("#000000" if square.lightnessF() > 0.5 else "#ffffff"))
            left, top = image.rect.left() + column * image.cell, image.rect.top() + row * image.cell
            area = QRect(left, top, image.cell, image.cell)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)

    # -- mouse and keys -------------------------------------------------------------------------------------

    def tip_at(self, point: QPoint) -> str:
        for image in self._images:
            if (found := image.at(point)) is not None:
                return image.tip(*found)
        return ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        for image in self._images:
            if image.choose and (found := image.at(event.position().toPoint())) is not None:
                image.choose(*found)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10,
                 Qt.Key.Key_Home: -(10**6), Qt.Key.Key_End: 10**6}  # fmt: skip
        if event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def _mixed(first: str, second: str, fraction: float) -> int:
    return blend(QColor(first), QColor(second), fraction).rgb()


def _corner(users: dict[int, int], per_row: int, rows: int) -> tuple[int, int]:
    """Row and column from which on a large matrix is shown, so that the first element in use is seen."""
    first = min(users, default=0)
    top, left = divmod(first, per_row)
    return (top if rows > _MOST_ROWS else 0), (left if per_row > _MOST_COLUMNS else 0)
