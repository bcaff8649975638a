"""What a page of the Devices tab shows before its first measurement: what is measured, in three pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from gui.widgets.card import Card
from gui.widgets.make import column, label
from gui.widgets.shapes import paint_bar, paint_rounded
from gui.widgets.theme import theme

Paint = Callable[[QPainter, QRectF], None]
_PICTURE = QSize(160, 60)  # pixels at a text size of 100 %, at the least
_MARGIN = 20  # around what is painted
_ROWS = 8
_COLUMNS = 16
CELLS = _ROWS * _COLUMNS
_LAYERS = (5, 4, 3)  # units of a small network


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to know about a measurement, with its picture. name: of the label of its sentence."""

    name: str
    title: str
    sentence: str
    paint: Paint


class Introduction(Card):
    """Fills the page until there are results. `text`: what to do."""

    def __init__(self, name: str, title: str, text: str, points: Sequence[Point]) -> None:
        self.text = label(text, f"{name}Empty")
        self.notes = {point.name: label(point.sentence, point.name, "muted") for point in points}
        table = QGridLayout()
        table.setContentsMargins(0, 0, 0, 0)
        table.setHorizontalSpacing(24)
        table.setRowStretch(0, 1)
        for index, point in enumerate(points):
            table.setColumnStretch(index, 1)
            table.addWidget(Picture(point.paint), 0, index)
            table.addWidget(label(point.title, role="heading"), 1, index)
            table.addWidget(self.notes[point.name], 2, index, Qt.AlignmentFlag.AlignTop)
        content = QWidget()
        column(label(title, f"{name}Title", "title"), self.text, (table, 1), owner=content, spacing=12)
        super().__init__(content, name=f"{name}Introduction")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)


class Picture(QWidget):
    """A picture on a ground of its own, which takes the height that the page has left."""

    def __init__(self, paint: Paint) -> None:
        super().__init__()
        self._paint = paint
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(theme().px(_PICTURE.width()), theme().px(_PICTURE.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        line = colors.line if theme().high_contrast else colors.window
        margin = min(theme().px(_MARGIN), self.height() / 8)
        with QPainter(self) as painter:
            paint_rounded(painter, self.rect(), line, colors.window, radius=8)
            self._paint(painter, QRectF(self.rect()).adjusted(margin, margin, -margin, -margin))


def cells_at_once(count: int) -> Paint:
    """The cells of an array, of which a device computes `count` at once."""
    return partial(_paint_cells, count)


def _paint_cells(count: int, painter: QPainter, area: QRectF) -> None:
    colors = theme().colors
    pitch = min(area.width() / _COLUMNS, area.height() / _ROWS)
    left = area.center().x() - pitch * _COLUMNS / 2
    top = area.center().y() - pitch * _ROWS / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index in range(CELLS):
        is_computed = index < count
        painter.setPen(QColor(colors.accent if is_computed else colors.border))
        painter.setBrush(QColor(colors.accent if is_computed else colors.base))
        line, place = divmod(index, _COLUMNS)
        cell = QRectF(left + place * pitch, top + line * pitch, pitch, pitch)
        gap = pitch / 8
        painter.drawRoundedRect(cell.adjusted(gap, gap, -gap, -gap), gap, gap)


def paint_speeds(painter: QPainter, area: QRectF) -> None:
    """Bars of three devices, each faster than the one above."""
    pitch = area.height() / 3
    for index, share in enumerate((0.08, 0.45, 1.0)):
        height = pitch * 0.36
        track = QRectF(area.left(), area.top() + (index + 0.5) * pitch - height / 2, area.width(), height)
        paint_bar(painter, track, share, theme().colors.series[index])


def paint_growth(painter: QPainter, area: QRectF) -> None:
    """Time against size: three lines, of which one rises late."""
    colors = theme().colors
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(colors.border), 1))
    painter.drawPolyline([area.topLeft(), area.bottomLeft(), area.bottomRight()])
    for index, (start, power) in enumerate(((0.05, 1.2), (0.12, 2.0), (0.3, 6.0))):
        points = QPolygonF()
        for step in range(25):
            x = step / 24
            y = start + (0.95 - start) * x**power
            points.append(QPointF(area.left() + x * area.width(), area.bottom() - y * area.height()))
        painter.setPen(QPen(QColor(colors.series[index]), theme().line(3)))
        painter.drawPolyline(points)


def paint_pairs(painter: QPainter, area: QRectF) -> None:
    """Columns in pairs: what was published, and what is measured."""
    colors = theme().colors
    painter.setPen(Qt.PenStyle.NoPen)
    pitch = area.width() / 4
    for index, (published, measured) in enumerate(((0.35, 0.5), (0.6, 0.55), (0.8, 1.0), (0.45, 0.7))):
        left = area.left() + index * pitch
        for place, (share, color) in enumerate(((published, colors.previous), (measured, colors.accent))):
            height = share * area.height()
            x = left + pitch * (0.16 + 0.34 * place)
            painter.fillRect(QRectF(x, area.bottom() - height, pitch * 0.3, height), QColor(color))


def pass_through_layers(marked: str) -> Paint:
    """A small network. marked: "forward", "backward" or "update", which is in color."""
    return partial(_paint_layers, marked)


def _paint_layers(marked: str, painter: QPainter, area: QRectF) -> None:
    colors = theme().colors
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    room = area.adjusted(area.width() * 0.12, 0, -area.width() * 0.12, -area.height() * 0.2)
    layers = [_layer_points(room, index) for index in range(len(_LAYERS))]
    is_update = marked == "update"
    lines = QPen(QColor(colors.border), theme().line(1))
    if is_update:
        lines = QPen(QColor(colors.accent), theme().line(3))
    painter.setPen(lines)
    for before, after in pairwise(layers):
        for start in before:
            for end in after:
                painter.drawLine(start, end)
    painter.setPen(QColor(colors.border if is_update else colors.accent))
    painter.setBrush(QColor(colors.base if is_update else colors.accent))
    radius = room.height() / 16
    for layer in layers:
        for point in layer:
            painter.drawEllipse(point, radius, radius)
    if not is_update:
        _paint_arrow(painter, area, to_right=marked == "forward")


def _layer_points(room: QRectF, index: int) -> list[QPointF]:
    """The centers of the units of one layer of the small network."""
    pitch = room.height() / max(_LAYERS)
    x = room.left() + room.width() * index / (len(_LAYERS) - 1)
    top = room.center().y() - pitch * (_LAYERS[index] - 1) / 2
    return [QPointF(x, top + pitch * unit) for unit in range(_LAYERS[index])]


def _paint_arrow(painter: QPainter, area: QRectF, *, to_right: bool) -> None:
    """An arrow at the lower edge of `area`."""
    y = area.bottom() - area.height() * 0.06
    left = area.left() + area.width() * 0.12
    right = area.right() - area.width() * 0.12
    end = QPointF(right if to_right else left, y)
    step = area.height() * 0.06
    if not to_right:
        step = -step
    painter.setPen(QPen(QColor(theme().colors.accent), theme().line(3)))
    painter.drawLine(QPointF(left, y), QPointF(right, y))
    head = [QPointF(end.x() - step, end.y() - abs(step)), end, QPointF(end.x() - step, end.y() + abs(step))]
    painter.drawPolyline(head)
