"""Curves with their names at their ends, in place of a legend."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsItem

from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import theme

_SAMPLE, _GAP = 14, 5  # pixels: the piece of the curve's line before its name, and the space around it
_BAND_ALPHA = 50
_FAR = 30  # pixels between the end of a curve and its name, from which on a dotted line joins them
_PAD = 8  # pixels: how far a mark or a thick line reaches beyond its point
_LEAST_MARGIN, _STEP, _MOST = 90, 30, 0.4  # pixels, pixels, share of the plot's width


@dataclass(frozen=True, slots=True)
class EndLabel:
    """`x`, `y`: the end of the curve as it is drawn: logarithms on a logarithmic axis. `pen`: of the curve."""

    text: str
    pen: QPen
    x: float
    y: float


class EndLabels(pg.GraphicsObject):
    """Paints the names right of the end of the longest curve, each as high as its own curve ends if there is room."""

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self._plot = plot
        self._labels: tuple[EndLabel, ...] = ()
        self._margin, self._names_width = 0, 0.0
        self._font, self._bounds = _font(), QRectF()
        self.setParentItem(plot.plotItem)
        self.setZValue(5)
        plot.plotItem.vb.sigRangeChanged.connect(lambda *_: self.update())
        plot.plotItem.vb.sigResized.connect(lambda *_: self._follow_size())
        self._make_room()
        plot.recolored.connect(self._follow_size)

    def _follow_size(self) -> None:
        """Follow the size of the plot and of its text."""
        self._font = _font()
        self._make_room()
        self.prepareGeometryChange()
        self._bounds = QRectF(self._plot.plotItem.boundingRect())
        self.update()

    @property
    def texts(self) -> list[str]:
        return [label.text for label in self._labels]

    def show_labels(self, labels: Sequence[EndLabel]) -> None:
        """Show these names in place of those before."""
        if tuple(labels) != self._labels:
            self._labels = tuple(labels)
            self._make_room()
            self.update()

    def _make_room(self) -> None:
        """Keep space right of the curves: in large steps, because a change lays out and draws the plot anew."""
        metrics = QFontMetricsF(self._font)
        self._names_width = max(map(metrics.horizontalAdvance, self.texts), default=0) + _SAMPLE + 3 * _GAP
        needed = _STEP * (int(self._names_width) // _STEP + 1)
        margin = min(max(needed, _LEAST_MARGIN), round(_MOST * max(self._plot.width(), 300)))
        if margin != self._margin:
            self._margin = margin
            self._plot.plotItem.layout.setContentsMargins(1, 6, margin, 1)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def _placing(self) -> tuple[QRectF, Callable[[Any, Any], tuple[Any, Any]]]:
        """Where the curves are, in pixels of the item, and the function from coordinates of the view to such pixels."""
        box = self._plot.plotItem.vb
        area, ((start, end), (low, high)) = self.mapRectFromItem(box, box.rect()), box.viewRange()
        left, bottom = area.left(), area.bottom()
        along, up = area.width() / (end - start), area.height() / (high - low)
        return area, lambda x, y: (left + (x - start) * along, bottom - (y - low) * up)

    def _names_span(self) -> tuple[float, float]:
        """Where the names begin, right of the longest curve, and where they end at the most."""
        area, place = self._placing()
        end = place(max((label.x for label in self._labels), default=0.0), 0.0)[0]
        left = min(float(end), area.right()) + _GAP
        return left, left + self._names_width

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if not self._labels:
            return
        (area, place), metrics = self._placing(), QFontMetricsF(self._font)
        left, ends = self._names_span()[0], [float(place(each.x, each.y)[1]) for each in self._labels]
        height = metrics.height()
        order = sorted(range(len(ends)), key=ends.__getitem__)
        ys: list[float] = []
        for index in order:
            y = min(max(ends[index], area.top() + height / 2), area.bottom() - height / 2)
            ys.append(max(y, ys[-1] + height) if ys else y)
        for k in reversed(range(len(ys))):  # those that have been pushed below the plot go up again
            limit = ys[k + 1] - height if k + 1 < len(ys) else area.bottom() - height / 2
            ys[k] = min(ys[k], limit)
        room = area.right() + self._margin - left - _SAMPLE - _GAP
        painter.setFont(self._font)
        for index, y in zip(order, ys, strict=True):
            self._paint_leader(painter, self._labels[index], place, QPointF(left, y))
            painter.setPen(self._labels[index].pen)
            painter.drawLine(QPointF(left, y), QPointF(left + _SAMPLE, y))
            painter.setPen(QColor(self._plot.colors.text))
            text = metrics.elidedText(self._labels[index].text, Qt.TextElideMode.ElideRight, room)
            where = QRectF(left + _SAMPLE + _GAP, y - height / 2, room, height)
            painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)

    def _paint_leader(
        self, painter: QPainter, label: EndLabel, place: Callable[[Any, Any], tuple[Any, Any]], name: QPointF
    ) -> None:
        """Lead from the end of a curve that ends earlier than the others to its name."""
        x, y = place(label.x, label.y)
        if name.x() - x > _FAR:
            painter.setPen(QPen(label.pen.color(), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(float(x), float(y)), name)


def _font() -> QFont:
    """In presenter mode as large as the result: the last row has to read which curve is which."""
    return theme().result_font() if theme().presenting else theme().font()


_NONE = np.empty(0)


class Line:
    """A curve of a `LineLayer`, from the left to the right.

    `x`, `y`: float64, in coordinates of the view: logarithms on a logarithmic axis. most_marks: `mark` is drawn at its
    points if there are no more of them. spreads: where several points fall on one column of pixels, the least and the
    greatest are drawn, not the first alone.
    """

    def __init__(self, name: str, most_marks: int = 0, *, spreads: bool = True) -> None:
        self.name, self.most_marks, self.spreads = name, most_marks, spreads
        self.x = self.y = _NONE
        # The lower and the upper edge, (x, y) each, of what is filled behind it.
        self.band: tuple[tuple[np.ndarray, np.ndarray], ...] = ()
        # The x from which on it has to be painted again; None: it has not changed.
        self.changed_from: float | None = None
        self.pen, self.mark_pen, self.mark_brush, self.mark_path = QPen(), QPen(), QBrush(), QPainterPath()

    @property
    def has_marks(self) -> bool:
        return 0 < len(self.x) <= self.most_marks

    def set_marks(self, mark: str, size: int, fill: str, edge: str) -> None:
        """Draw `mark`, as pyqtgraph names it, of so many pixels."""
        self.mark_path = QTransform.fromScale(size, size).map(pg.graphicsItems.ScatterPlotItem.Symbols[mark])
        self.mark_brush, self.mark_pen = pg.mkBrush(fill), pg.mkPen(edge)

    def set_points(self, x: np.ndarray, y: np.ndarray) -> None:
        before = len(self.x)
        extends = np.array_equal(x[:before], self.x) and np.array_equal(y[:before], self.y)
        start: float | None = float(self.x[-1]) if before and extends else -np.inf
        if extends and len(x) == before:
            start = None
        elif self.has_marks and len(x) > self.most_marks:
            start = -np.inf
        self.x, self.y = x, y
        if start is not None:
            self.changed_from = start if self.changed_from is None else min(start, self.changed_from)


class LineLayer(EndLabels):
    """Paints `lines`, then the names: one item in place of pyqtgraph's, which are called ten times for each redraw."""

    def __init__(self, plot: Plot) -> None:
        self.lines: list[Line] = []
        super().__init__(plot)
        # It gives the exposed rectangle.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def show_lines(self, labels: Sequence[EndLabel]) -> None:
        """Paint what has changed of the lines since the last time, most often their end, and these names."""
        changed = [line.changed_from for line in self.lines if line.changed_from is not None]
        for line in self.lines:
            line.changed_from = None
        before, names = self._names_span(), self._labels
        self._labels = tuple(labels)
        self._make_room()
        if changed or names != self._labels:
            (area, place), after = self._placing(), self._names_span()
            left = min(float(place(min(changed, default=np.inf), 0.0)[0]) - _PAD, before[0], after[0])
            left = max(left, area.left() - _PAD)
            right = max(before[1], after[1])
            self.update(QRectF(left, self._bounds.top(), right - left, self._bounds.height()))

    def _paint_lines(self, painter: QPainter, exposed: QRectF) -> None:
        """Paint what lies between the left and the right of `exposed`."""
        area, place = self._placing()
        (low, high), _ = self._plot.plotItem.vb.viewRange()
        scale = (high - low) / max(area.width(), 1.0)
        ends = [low + (x - area.left()) * scale for x in (exposed.left() - _PAD, exposed.right() + _PAD)]
        painter.setClipRect(area)
        for line in filter(lambda each: len(each.x), self.lines):
            if line.band:
                low_x, low_y, high_x, high_y = (each for edge in line.band for each in place(*edge))
                edge = np.append(low_x, high_x[::-1]), np.append(low_y, high_y[::-1])
                color = line.pen.color()
                color.setAlpha(_BAND_ALPHA)
                painter.fillPath(pg.arrayToQPath(*edge), color)
            first, last = np.searchsorted(line.x, ends)
            # A dashed line is drawn from its start, so that its dashes stay where they are.
            first = max(first - 2, 0) if line.pen.style() == Qt.PenStyle.SolidLine else 0
            x, y = place(line.x[first : last + 1], line.y[first : last + 1])
            if line.has_marks:
                painter.setPen(line.mark_pen)
                painter.setBrush(line.mark_brush)
                for at in zip(x.tolist(), y.tolist(), strict=True):
                    painter.drawPath(line.mark_path.translated(*at))
            if len(x) > 1 and line.pen.style() != Qt.PenStyle.NoPen:
                painter.strokePath(pg.arrayToQPath(*by_column(x, y, spreads=line.spreads)), line.pen)
        painter.setClipping(False)

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        self._paint_lines(painter, option.exposedRect)
        super().paint(painter, option, widget)


def by_column(x: np.ndarray, y: np.ndarray, *, spreads: bool) -> tuple[np.ndarray, np.ndarray]:
    """These points, in pixels, with at most two for each column of pixels where they are dense: see `Line`."""
    if len(x) < 2 * (x[-1] - x[0] + 1):
        return x, y
    starts = np.flatnonzero(np.diff(np.floor(x), prepend=-np.inf))
    if not spreads:
        return x[starts], y[starts]
    extremes = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    return np.repeat(x[starts], 2), np.column_stack(extremes).ravel()
