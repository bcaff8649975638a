"""A widget of painted pieces: texts, images of values, bars. Each piece is painted, said, clicked
on and explained from one record.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy

from gui.stage.accessible import Path, SpokenWidget
from gui.stage.colors import largest, stage_colors, values_image
from gui.text import fixed, number
from gui.widgets.theme import theme

_LEAST_SCALE = 0.92  # of the text's: places come closer where a window is a little too low
_LEAST_CELL = 6  # pixels of a value from which on it is set apart from those beside it
_NUMBER_CELL = 30  # pixels at which a value has room for its number
LEFT = Qt.AlignmentFlag.AlignLeft
CENTER = Qt.AlignmentFlag.AlignHCenter
RIGHT = Qt.AlignmentFlag.AlignRight


def value_text(value: float, *, plus: bool = False) -> str:
    """`value` with two decimals, or one significant digit where these would be 0. plus: with a sign
    also where it is positive.
    """
    if not isfinite(value):
        return "–"
    text = number(value, 1) if 0 < abs(value) < 0.01 else fixed(value, 2)
    return f"+{text}" if plus and value > 0 else text


def sign_color(value: float) -> str:
    """The color of a number that speaks for or against."""
    colors = theme().colors
    if not isfinite(value) or value == 0:
        return colors.text
    return colors.series[0] if value > 0 else colors.series[1]


@dataclass(frozen=True, slots=True)
class Piece:
    """`words`: what is said of it; empty for what others say. `target`: what a click on it asks
    for, None for nothing. `cells`: rows and columns of which the click tells one.
    """

    area: QRectF
    paint: Callable[[QPainter, QRectF], None]
    words: str = ""
    target: object = None
    cells: tuple[int, int] = (1, 1)


class Sheet:
    """Collects pieces, whose places are pixels at 1280 × 720. `scale`: what one becomes."""

    def __init__(self, scale: float, origin: QPointF) -> None:
        self.scale = scale
        self.pieces: list[Piece] = []
        self._origin = origin

    def place(self, x: float, y: float, width: float, height: float) -> QRectF:
        scale = self.scale
        return QRectF(
            self._origin.x() + x * scale,
            self._origin.y() + y * scale,
            width * scale,
            height * scale,
        )

    def write(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        *,
        color: str = "",
        bold: bool = False,
        align: Qt.AlignmentFlag = LEFT,
        lines: int = 1,
        size: float = 1.0,
        height: float = 0,
        words: str = "",
        target: object = None,
    ) -> None:
        """Write `text` at y, in so many lines at most. size: as a multiple of the body text.
        height: pixels in place of those of the lines.
        """
        area = self.place(x, y, width, height or 18 * lines)
        font = theme().font(size, bold=bold)
        if lines > 1:
            wrapped = QFontMetricsF(font).boundingRect(area, Qt.TextFlag.TextWordWrap, text)
            area.setHeight(min(wrapped.height(), area.height()))
        paint = partial(
            _paint_text,
            text=text,
            color=color,
            font=font,
            align=align,
            wraps=lines > 1,
        )
        self.pieces.append(Piece(area, paint, words, target))

    def image(
        self,
        x: float,
        y: float,
        side: float,
        values: np.ndarray,
        table: list[int],
        *,
        bound: float | None = None,
        words: str = "",
        target: object = None,
        mark: tuple[int, int] | None = None,
        numbers: bool = False,
        height: float = 0,
        caption: str = "",
    ) -> None:
        """An image of float (rows, columns), in a square of this side; `bound`, by default the
        largest magnitude, has the full color.

        mark: the row and column of a value that is framed. numbers: write the values in the cells.
        caption: is written below, and said where there are no other words.
        """
        if bound is None:
            bound = largest(values)
        if caption:
            color = theme().colors.muted
            self.write(x - 20, y + side + 4, side + 40, caption, color=color, align=CENTER)
        rows, columns = values.shape
        area = self.place(x, y, side, height or side)
        cell = min(area.width() / columns, area.height() / rows)
        inner = QRectF(0, 0, cell * columns, cell * rows)
        inner.moveCenter(area.center())
        paint = partial(
            _paint_values, values=values, bound=bound, table=table, mark=mark, numbers=numbers
        )
        self.pieces.append(Piece(inner, paint, words or caption, target, (rows, columns)))

    def bar(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        color: str,
        *,
        words: str = "",
        target: object = None,
    ) -> None:
        """A bar from (x, y) on, to the left with a negative width, up with a negative height; it is
        at least one pixel long.
        """
        area = self.place(x, y, _visible(width), _visible(height)).normalized()
        self.pieces.append(Piece(area, partial(_paint_bar, color=color), words, target))

    def pair(
        self,
        x: float,
        y: float,
        width: float,
        label: str,
        value: str,
        *,
        color: str = "",
        bold: bool = False,
    ) -> None:
        """A label, and its value at the right end."""
        self.write(x, y, width - 44, label, color=theme().colors.muted)
        words = f"{label} {value}".strip()
        self.write(x, y, width, value, color=color, bold=bold, align=RIGHT, words=words)

    def named_bar(
        self,
        x: float,
        y: float,
        zero: float,
        width: float,
        name: str,
        color: str,
        *,
        value: str,
        end: float,
        bold: bool = False,
        target: object = None,
    ) -> None:
        """A line of a chart: a name at x, a bar from `zero` on, and its value, which ends at
        `end`.
        """
        self.write(x, y - 3, 24, name, bold=bold)
        words = f"{name}: {value}"
        self.bar(zero, y + 2, width, 8, color, words=words, target=target)
        self.write(end - 60, y - 3, 60, value, bold=bold, align=RIGHT)

    def dashes(self, x: float, y: float, width: float) -> None:
        """A dashed line across."""
        style = Qt.PenStyle.DashLine
        paint = partial(_paint_line, color=theme().colors.text, style=style)
        self.pieces.append(Piece(self.place(x, y, width, 0), paint))

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        """Frame a part of an image."""
        self.pieces.append(Piece(self.place(x, y, width, height), _paint_frame))

    def rule(
        self, x: float, y: float, width: float, height: float, *, strong: bool = False
    ) -> None:
        """A line of one pixel, across or down."""
        area = self.place(x, y, width, height)
        color = theme().colors.muted if strong else theme().colors.line
        self.pieces.append(Piece(area, partial(_paint_line, color=color)))


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a sheet. `width`: at 100 %; `draw`: puts its pieces on the sheet from (0, 0) on."""

    width: float
    draw: Callable[[Sheet], None]
    height: float = 150


class PiecesWidget(SpokenWidget):
    """Shows blocks beside each other, and below each other where the text is too large for that.

    `asked`: what a piece stands for, and the row and column of the cell that was clicked on.
    """

    asked = Signal(object, int, int)

    def __init__(self, name: str, title: str) -> None:
        super().__init__(name, title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.pieces: tuple[Piece, ...] = ()
        self._blocks: Sequence[Block] = ()
        self._spoken: list[Piece] = []
        self._current = -1  # among the pieces that can be clicked on
        theme().changed.connect(self._arrange)

    def show_blocks(self, blocks: Sequence[Block]) -> None:
        self._blocks = blocks
        self._arrange()

    @property
    def targets(self) -> list[Piece]:
        """The pieces that can be clicked on."""
        return [piece for piece in self.pieces if piece.target is not None]

    def _arrange(self) -> None:
        width = sum(block.width for block in self._blocks) or 1
        height = max((block.height for block in self._blocks), default=1)
        room = min(self._room().width() / width, self._room().height() / height)
        least = _LEAST_SCALE * theme().scale
        scale = max(least, min(room, 1.6))
        pieces: list[Piece] = []
        left = 0.0
        top = 0.0
        row = 0.0
        for block in self._blocks:
            if left and left + block.width * scale > self._room().width() + 1:
                left = 0.0
                top += row + 12 * scale
                row = 0.0
            sheet = Sheet(scale, QPointF(left + 1, top + 2))
            block.draw(sheet)
            pieces += sheet.pieces
            left += block.width * scale
            row = max(row, block.height * scale)
        self.pieces = tuple(pieces)
        self._spoken = [piece for piece in pieces if piece.words]
        targets = self.targets
        self._current = min(self._current, len(targets) - 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if targets else Qt.FocusPolicy.NoFocus)
        widest = round(max((block.width for block in self._blocks), default=0) * scale)
        bottom = max((piece.area.bottom() for piece in pieces), default=0)
        self.setMinimumSize(
            widest if widest > self._room().width() else 0, round(bottom / scale * least)
        )
        self.update()

    def _room(self) -> QSize:
        """What is seen of the widget, which may scroll."""
        viewport = self.parentWidget()
        area = None if viewport is None else viewport.parentWidget()
        return area.maximumViewportSize() if isinstance(area, QScrollArea) else self.size()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    # -- a screen reader, the pointer, keys --------------------------------------------------------

    def count_parts(self, path: Path) -> int:
        return 0 if path else len(self._spoken)

    def words_of(self, path: Path) -> str:
        return self._spoken[path[0]].words

    def area_of(self, path: Path) -> QRect:
        return self._spoken[path[0]].area.toRect()

    def tip_at(self, point: QPoint) -> str:
        for piece in reversed(self._spoken):
            if piece.area.contains(QPointF(point)):
                return piece.words
        return ""

    def _target_at(self, point: QPointF) -> Piece | None:
        for piece in reversed(self.targets):
            if piece.area.adjusted(-2, -2, 2, 2).contains(point):
                return piece
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_over = self._target_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        piece = self._target_at(event.position())
        if piece is None or event.button() != Qt.MouseButton.LeftButton:
            return
        rows, columns = piece.cells
        down = (event.position().y() - piece.area.top()) / piece.area.height()
        across = (event.position().x() - piece.area.left()) / piece.area.width()
        row = min(max(int(down * rows), 0), rows - 1)
        column = min(max(int(across * columns), 0), columns - 1)
        self.asked.emit(piece.target, row, column)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go through what can be clicked on, Enter asks for it."""
        targets = self.targets
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in steps and targets:
            step = steps[Qt.Key(event.key())]
            self._current = min(max(self._current + step, 0), len(targets) - 1)
            self.setAccessibleDescription(targets[self._current].words)
            self.update()
        elif is_enter and 0 <= self._current < len(targets):
            self.asked.emit(targets[self._current].target, 0, 0)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._current = max(self._current, 0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for piece in self.pieces:
                if piece.area.adjusted(-2, -2, 2, 2).intersects(QRectF(event.rect())):
                    piece.paint(painter, piece.area)
            if self.hasFocus() and 0 <= self._current < len(self.targets):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(theme().colors.accent), 2))
                painter.drawRect(self.targets[self._current].area.adjusted(-2, -2, 2, 2))


def _visible(length: float) -> float:
    """At least a pixel, in the direction of `length`."""
    return min(length, -1) if length < 0 else max(length, 1)


def _paint_text(
    painter: QPainter,
    area: QRectF,
    *,
    text: str,
    color: str,
    font: QFont,
    align: Qt.AlignmentFlag,
    wraps: bool,
) -> None:
    painter.setFont(font)
    painter.setPen(QColor(color or theme().colors.text))
    flags = align | Qt.AlignmentFlag.AlignVCenter
    if wraps:
        flags = align | Qt.AlignmentFlag.AlignTop
        painter.drawText(area, flags | Qt.TextFlag.TextWordWrap, text)
        return
    elided = QFontMetrics(font).elidedText(
        text, Qt.TextElideMode.ElideRight, round(area.width()) + 1
    )
    painter.drawText(area, flags | Qt.TextFlag.TextSingleLine, elided)


def _paint_values(
    painter: QPainter,
    area: QRectF,
    *,
    values: np.ndarray,
    bound: float,
    table: list[int],
    mark: tuple[int, int] | None,
    numbers: bool,
) -> None:
    colors = stage_colors()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.drawImage(area, values_image(values, bound, table))
    rows, columns = values.shape
    cell = area.width() / columns
    if cell >= _LEAST_CELL:
        painter.setPen(QPen(QColor(colors.stage), 1))
        for column in range(1, columns):
            x = area.left() + column * cell
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        for row in range(1, rows):
            y = area.top() + row * cell
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    if colors.opaque:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colors.edge), 1))
        painter.drawRect(area.adjusted(-1, -1, 1, 1))
    if numbers and cell >= _NUMBER_CELL:
        _paint_numbers(painter, area, values, cell)
    if mark is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        framed = QRectF(area.left() + mark[1] * cell, area.top() + mark[0] * cell, cell, cell)
        painter.setPen(QPen(QColor(theme().colors.base), 4))
        painter.drawRect(framed)
        painter.setPen(QPen(QColor(theme().colors.accent), 2))
        painter.drawRect(framed)


def _paint_numbers(painter: QPainter, area: QRectF, values: np.ndarray, cell: float) -> None:
    """The values in their cells, on plates that keep them readable."""
    painter.setFont(theme().font())
    height = painter.fontMetrics().height()
    for (row, column), value in np.ndenumerate(values):
        place = QRectF(area.left() + column * cell, area.top() + row * cell, cell, cell)
        plate = QRectF(place.left() + 2, place.center().y() - height / 2, cell - 4, height)
        painter.fillRect(plate, QColor(theme().colors.base))
        painter.setPen(QColor(theme().colors.text))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, value_text(float(value)))


def _paint_bar(painter: QPainter, area: QRectF, *, color: str) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(area, 2, 2)


def _paint_frame(painter: QPainter, area: QRectF) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme().colors.accent), 1.5))
    painter.drawRect(area)


def _paint_line(
    painter: QPainter,
    area: QRectF,
    *,
    color: str,
    style: Qt.PenStyle = Qt.PenStyle.SolidLine,
) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(QColor(color), 1, style))
    painter.drawLine(area.topLeft(), area.bottomRight())
