"""Values as colors, and many small images of values side by side: maps of a layer, its units, or
its filters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.text import fixed, number
from gui.widgets.basics import PaintedWidget, named
from gui.widgets.theme import Colors, blend, theme

GAP = 7  # pixels between two images
UNIT_SIDE = 14  # of a single value
MAXIMUM = 1024  # images
# Of the usual side, where there is room.
ENLARGEMENTS = (6.0, 5.0, 4.0, 3.5, 3.0, 2.5, 2.0, 1.75, 1.5, 1.25, 1.0)
MINIMUM_NUMBER = 28  # pixels of a square with a number in it
_LARGEST_NUMBER = 20  # pixels at a text size of 100 %: the height of a number

# Index of the image, row and column of the value in it, and the value -> text.
Describe = Callable[[int, int, int, float], str]


@dataclass(frozen=True, slots=True)
class GridPlaces:
    """Where images of values lie in a widget of this `width`: side by side, row after row.

    `shape`: (count, height, width) of the values. `side`: about the height of an image in pixels;
    `unit`: that of a single value. `caption`: the size of the widest one; empty without captions.
    """

    shape: tuple[int, int, int]
    side: int
    unit: int
    width: int
    caption: QSize

    @property
    def cell(self) -> QSize:
        """The size of an image in pixels: whole pixels for each value."""
        _, height, width = self.shape
        if height == width == 1:
            return QSize(self.unit, self.unit)
        # Images of several channels side by side are as wide as there is room.
        scale = max(1, min(round(self.side / height), (self.width - 8) // width))
        return QSize(scale * width, scale * height)

    @property
    def step(self) -> QSize:
        """From one image to the next."""
        cell = self.cell
        return QSize(
            max(cell.width(), self.caption.width()) + GAP,
            cell.height() + self.caption.height() + GAP,
        )

    @property
    def columns(self) -> int:
        return max(1, (self.width - 2) // self.step.width())

    @property
    def height(self) -> int:
        """Of all images."""
        rows = -(-self.shape[0] // self.columns)
        return 4 + rows * self.step.height()

    def area(self, index: int) -> QRect:
        step = self.step
        row, column = divmod(index, self.columns)
        return QRect(QPoint(2 + column * step.width(), 2 + row * step.height()), self.cell)

    def at(self, point: QPoint) -> int:
        """The index of the image at `point`, or -1."""
        step = self.step
        row = (point.y() - 2) // step.height()
        column = (point.x() - 2) // step.width()
        index = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= index < self.shape[0]
        return index if inside and self.area(index).contains(point) else -1


class MapGrid(PaintedWidget):
    """`values`, float (count, height, width), each as an image; arrow keys and clicks choose one.

    `chosen` gives the index of the image that the user chose. side: about the height of an image in
    pixels. legend: object name of the color scale, which is laid out by the page.
    """

    chosen = Signal(int)

    def __init__(self, name: str, title: str, *, side: int = 48, legend: str = "") -> None:
        super().__init__(name, title)
        self.legend = ValueLegend(legend)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.values = np.zeros((0, 1, 1), np.float32)
        self.bound = 0.0
        self.current = -1
        self.captions: Sequence[str] = ()
        self.shows_numbers = False  # in images whose pixels have room for them
        self._usual_side = side
        self._enlargement = 1.0
        self._room = 0
        self._describe: Describe | None = None
        self._image = QImage()
        theme().changed.connect(self._repaint)
        self.set_room()

    def show_values(
        self,
        values: np.ndarray,
        bound: float,
        describe: Describe | None = None,
        captions: Sequence[str] = (),
    ) -> None:
        """Show the first MAXIMUM of `values`; `bound` has the full color. describe: makes the
        tooltips.
        """
        relaid = values.shape != self.values.shape or len(captions) != len(self.captions)
        self.values = values[:MAXIMUM]
        self.bound = bound
        self.captions = captions
        self._describe = describe
        self.legend.show_bound(bound, bool((values < 0).any()))
        if self.current >= len(self.values):
            self.current = -1
        if relaid:
            self.set_room()
        self._repaint()

    def _repaint(self) -> None:
        self._image = QImage()
        self.update()

    def places(self, enlargement: float | None = None) -> GridPlaces:
        """Where the images are so many times as large as usual; None: as they are now."""
        enlargement = enlargement or self._enlargement
        caption = QSize(0, 0)
        if self.captions:
            metrics = self.fontMetrics()
            caption = QSize(max(map(metrics.horizontalAdvance, self.captions)), metrics.height())
        side = round(self._usual_side * enlargement)
        unit = round(UNIT_SIDE * side / self._usual_side)
        count, height, width = self.values.shape
        return GridPlaces((count, height, width), side, unit, self.width(), caption)

    def set_room(self, room: int | None = None) -> None:
        """Enlarge the images as long as all of them fit into a height of `room` pixels, None: that
        given before.
        """
        self._room = self._room if room is None else room
        for enlargement in ENLARGEMENTS if self._room else (1.0,):
            self._enlargement = enlargement
            height = self.places().height
            if height <= self._room:
                break
        self.setFixedHeight(max(1, height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.set_room()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.places().at(event.position().toPoint())
        if index >= 0:
            self._choose(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        columns = self.places().columns
        key = event.key()
        moves = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns,
            Qt.Key.Key_Down: columns,
        }
        if key in moves and len(self.values):
            index = self.current + moves[Qt.Key(key)] if self.current >= 0 else 0
            if 0 <= index < len(self.values):
                self._choose(index)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.current >= 0:
            self._choose(self.current)
        else:
            super().keyPressEvent(event)

    def _choose(self, index: int) -> None:
        self.current = index
        self.update()
        self.setAccessibleDescription(self._text(index, 0, 0))
        self.chosen.emit(index)

    def _text(self, index: int, row: int, column: int) -> str:
        if self._describe is None:
            return ""
        return self._describe(index, row, column, float(self.values[index, row, column]))

    def tip_at(self, point: QPoint) -> str:
        places = self.places()
        index = places.at(point)
        if index < 0:
            return ""
        area = places.area(index)
        (_, height, width) = self.values.shape
        row = min((point.y() - area.y()) * height // area.height(), height - 1)
        column = min((point.x() - area.x()) * width // area.width(), width - 1)
        return self._text(index, row, column)

    def paintEvent(self, event: QPaintEvent) -> None:
        count, height, width = self.values.shape
        if not count:
            return
        if self._image.isNull():
            self._image = value_image(self.values.reshape(count * height, width), self.bound)
        places = self.places()
        painter = QPainter(self)
        for index in range(count):
            area = places.area(index)
            if not area.adjusted(-2, -2, 2, 30).intersects(event.rect()):
                continue
            painter.setPen(self.palette().mid().color())
            painter.drawImage(area, self._image, QRect(0, index * height, width, height))
            painter.drawRect(area.adjusted(-1, -1, 0, 0))
            if self.shows_numbers:
                _paint_numbers(painter, self.values[index], area, self)
            if self.captions:
                below = QRect(
                    area.bottomLeft(), QSize(places.step.width(), self.fontMetrics().height())
                )
                painter.setPen(self.palette().text().color())
                painter.drawText(
                    below.translated(0, 1), Qt.AlignmentFlag.AlignLeft, self.captions[index]
                )
        shown = self.current
        if shown < 0 and self.hasFocus():
            shown = 0
        if shown >= 0:
            role = self.palette().highlight() if self.hasFocus() else self.palette().text()
            painter.setPen(QPen(role.color(), 2))
            painter.drawRect(places.area(shown).adjusted(-1, -1, 1, 1))


def _paint_numbers(painter: QPainter, values: np.ndarray, area: QRect, grid: QWidget) -> None:
    """Write each of `values`, (height, width), into its pixel, on a background that keeps it
    readable.
    """
    side = area.width() // values.shape[1]
    if side < MINIMUM_NUMBER:
        return
    painter.save()
    font = QFont(grid.font())
    font.setPixelSize(min(max(side // 3, 9), theme().px(_LARGEST_NUMBER)))
    painter.setFont(font)
    back = grid.palette().base().color()
    back.setAlphaF(0.7)
    painter.setPen(grid.palette().text().color())
    margin = (side - painter.fontMetrics().height()) // 2
    for (row, column), value in np.ndenumerate(values):
        if np.isfinite(value) and value != 0:
            cell = QRect(area.left() + column * side, area.top() + row * side, side, side)
            painter.fillRect(cell.adjusted(1, margin, -1, -margin), back)
            painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, fixed(float(value), 2))
    painter.restore()


LEVELS = 127  # on each side of 0


@cache
def value_table(colors: Colors) -> np.ndarray:
    """uint32 (2 · LEVELS + 1,): the colors of -1 to 1 as 0xffRRGGBB."""
    zero = QColor(colors.base)
    low = QColor(colors.test)
    high = QColor(colors.train)
    fractions = np.arange(-LEVELS, LEVELS + 1) / LEVELS
    table = np.array(
        [blend(zero, high if f > 0 else low, abs(f)).rgb() for f in fractions], np.uint32
    )
    table.flags.writeable = False  # all callers share it
    return table


def value_image(values: np.ndarray, bound: float) -> QImage:
    """An image with one pixel for each value of float (height, width); `bound` has the full
    color.
    """
    scaled = np.nan_to_num(values / bound if bound > 0 else np.zeros_like(values))
    levels = np.clip(np.rint(scaled * LEVELS), -LEVELS, LEVELS).astype(np.int16) + LEVELS
    pixels = np.ascontiguousarray(value_table(theme().colors)[levels])
    height, width = pixels.shape
    return QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def largest(values: np.ndarray) -> float:
    """The largest absolute value that is finite; 0 where there is none."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


class ValueLegend(QWidget):
    """The color scale from -bound to bound, with its numbers. `signed`: whether there are negative
    values.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        tip = self.tr("What the colors mean: orange is negative, blue is positive.")
        named(self, name, self.tr("Color scale"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._bound = 0.0
        self._signed = True

    def sizeHint(self) -> QSize:
        return QSize(150, 12 + self.fontMetrics().height())

    def show_bound(self, bound: float, signed: bool = True) -> None:
        if (bound, signed) != (self._bound, self._signed):
            self._bound = bound
            self._signed = signed
            self.setAccessibleDescription(" … ".join(self._labels()))
            self.update()

    def _labels(self) -> list[str]:
        high = number(self._bound, 2)
        return [number(-self._bound, 2), "0", high] if self._signed else ["0", high]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        values = np.linspace(-1 if self._signed else 0, 1, 2 * LEVELS + 1)[None]
        bar = QRect(0, 0, self.width() - 1, 10)
        painter.drawImage(bar, value_image(values, 1.0))
        painter.setPen(self.palette().mid().color())
        painter.drawRect(bar)
        painter.setPen(self.palette().text().color())
        below = self.rect().adjusted(0, 12, 0, 0)
        sides = (
            Qt.AlignmentFlag.AlignLeft,
            Qt.AlignmentFlag.AlignHCenter,
            Qt.AlignmentFlag.AlignRight,
        )
        labels = self._labels()
        for label, side in zip(labels, sides if len(labels) == 3 else sides[::2], strict=True):
            painter.drawText(below, side | Qt.AlignmentFlag.AlignTop, label)
