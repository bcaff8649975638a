"""Curves with their names at their ends, in place of a legend."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QGraphicsItem

from gui.widgets.plots.plot import Plot
from gui.widgets.theme import SMALL, theme

_GAP = 12  # pixels before and after a name, at a text size of 100 %
_BAND_ALPHA = 50
_PAIR_GAP = 6  # pixels between a value and the next name, at a text size of 100 %
_FAR = 30  # pixels between the end of a curve and its name, from which on a dotted line joins them
_PAD = 8  # pixels: how far a mark or a thick line reaches beyond its point
_LEAST_MARGIN = 54  # pixels: room for the title of the axis of epochs
_STEP = 30  # pixels, in which the room for names grows
# Of a name: pixels at a text size of 100 %, and share of the plot's width.
_MOST = 120
_MOST_SHARE = 0.4
# Multiples of the body text in presenter mode, the first that leaves the curves their room: 40 and
# 36 pixels.
_PRESENTED = (20 / 13, 18 / 13)


@dataclass(frozen=True, slots=True)
class EndLabel:
    """`x`, `y`: the end of the curve. `pen`: of the curve.

    value: a second line, below the name.
    """

    text: str
    pen: QPen
    x: float
    y: float
    value: str = ""


_NONE = np.empty(0)


class Line:
    """A curve of a `LineLayer`, from the left to the right.

    `x`, `y`: float64, in coordinates of the view. most_marks:
    `mark` is drawn at its points if there are no more of them. spreads: where several points fall
    on one column of pixels, the least and the greatest are drawn, not the first alone.
    """

    def __init__(self, name: str, most_marks: int = 0, *, spreads: bool = True) -> None:
        self.name, self.most_marks, self.spreads = name, most_marks, spreads
        self.x = self.y = _NONE
        # The lower and the upper edge, (x, y) each, of what is filled behind it.
        self.band: tuple[tuple[np.ndarray, np.ndarray], ...] = ()
        # The x from which on it has to be painted again; None: it has not changed.
        self.changed_from: float | None = None
        self.pen = QPen()
        self.mark_pen = QPen()
        self.mark_brush = QBrush()
        self.mark_path = QPainterPath()

    @property
    def has_marks(self) -> bool:
        return 0 < len(self.x) <= self.most_marks

    def set_marks(self, mark: str, size: int, fill: str, edge: str, *, edge_width: int = 1) -> None:
        """Draw `mark`, as pyqtgraph names it, of so many pixels."""
        self.mark_path = QTransform.fromScale(size, size).map(
            pg.graphicsItems.ScatterPlotItem.Symbols[mark]
        )
        self.mark_brush = pg.mkBrush(fill)
        self.mark_pen = pg.mkPen(edge, width=edge_width)

    def set_points(self, x: np.ndarray, y: np.ndarray) -> None:
        before = len(self.x)
        # A curve that only grows is painted from its last point on.
        extends = np.array_equal(x[:before], self.x) and np.array_equal(y[:before], self.y)
        start: float | None = float(self.x[-1]) if before and extends else -np.inf
        if extends and len(x) == before:
            start = None
        # With one more point the marks of all disappear.
        elif self.has_marks and len(x) > self.most_marks:
            start = -np.inf
        self.x, self.y = x, y
        if start is not None:
            self.changed_from = (
                start if self.changed_from is None else min(start, self.changed_from)
            )


class LineLayer(pg.GraphicsObject):
    """Paints `lines`, and their names right of the end of the longest one, each as high as its own
    line ends if there is room: one item in place of pyqtgraph's, which are called ten times for
    each redraw.
    """

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self._plot = plot
        self.lines: list[Line] = []
        self._labels: tuple[EndLabel, ...] = ()
        self._margin = 0
        self._names_width = 0.0
        self.fits = True  # whether all names are shown as a whole
        self._splits = False  # whether a name of two parts has two lines
        self.font = theme().font()
        self._bounds = QRectF()
        self.setParentItem(plot.plotItem)
        self.setZValue(5)
        # It gives the exposed rectangle.
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        plot.plotItem.vb.sigRangeChanged.connect(lambda *_: self.update())
        plot.plotItem.vb.sigResized.connect(lambda *_: self._follow_size())
        self._make_room()
        plot.recolored.connect(self._follow_size)

    def _follow_size(self) -> None:
        """Follow the size of the plot and of its text."""
        self._make_room()
        # Qt has to be told before the bounds change, or it would paint the old ones.
        self.prepareGeometryChange()
        self._bounds = QRectF(self._plot.plotItem.boundingRect())
        self.update()

    @property
    def texts(self) -> list[str]:
        return [label.text for label in self._labels]

    def show_lines(self, labels: Sequence[EndLabel]) -> None:
        """Paint what has changed of the lines since the last time, most often their end, and these
        names.
        """
        changed = [line.changed_from for line in self.lines if line.changed_from is not None]
        for line in self.lines:
            line.changed_from = None
        before = self._names_span()
        names = self._labels
        self._labels = tuple(labels)
        self._make_room()
        if changed or names != self._labels:
            area, place = self._placing()
            after = self._names_span()
            left = min(
                float(place(min(changed, default=np.inf), 0.0)[0]) - _PAD, before[0], after[0]
            )
            left = max(left, area.left() - _PAD)
            right = max(before[1], after[1])
            self.update(QRectF(left, self._bounds.top(), right - left, self._bounds.height()))

    def _make_room(self) -> None:
        """Keep space right of the curves: in large steps, because a change lays out and draws the
        plot anew.
        """
        most = _MOST_SHARE * max(self._plot.width(), 300)
        if not theme().presenting:
            most = min(theme().px(_MOST), most)
        width = 0.0
        for self.font, self._splits in _forms():
            width, height = self._size()
            if width <= most and height <= self._plot.height():
                break
        self.fits = width <= most
        self._names_width = min(width, most)
        needed = _STEP * (int(self._names_width + 2 * theme().px(_GAP)) // _STEP + 1)
        margin = max(needed if self._labels else 0, theme().px(_LEAST_MARGIN))
        if margin != self._margin:
            self._margin = margin
            self._plot.set_right_margin(margin)

    def _size(self) -> tuple[float, float]:
        """The width of the widest label, and the height of all names."""
        names, values = self._metrics()
        lines = [line for label in self._labels for line in _lines(label.text, splits=self._splits)]
        widths = [names.horizontalAdvance(line) for line in lines]
        widths += [values.horizontalAdvance(label.value) for label in self._labels]
        return max(widths, default=0.0), len(lines) * names.height()

    def _metrics(self) -> tuple[QFontMetricsF, QFontMetricsF]:
        """Of names and of values."""
        return QFontMetricsF(self.font), QFontMetricsF(theme().font(SMALL))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def _placing(self) -> tuple[QRectF, Callable[[Any, Any], tuple[Any, Any]]]:
        """Where the curves are, in pixels of the item, and the function from coordinates of the
        view to such pixels.
        """
        box = self._plot.plotItem.vb
        area = self.mapRectFromItem(box, box.rect())
        (start, end), (low, high) = box.viewRange()
        left = area.left()
        bottom = area.bottom()
        along = area.width() / (end - start)
        up = area.height() / (high - low)
        return area, lambda x, y: (left + (x - start) * along, bottom - (y - low) * up)

    def _names_span(self) -> tuple[float, float]:
        """Where the names begin, right of the longest curve, and where they end at the most."""
        area, place = self._placing()
        end = place(max((label.x for label in self._labels), default=0.0), 0.0)[0]
        gap = theme().px(_GAP)
        left = min(float(end), area.right()) + gap
        return left, left + self._names_width + gap

    def _paint_lines(self, painter: QPainter, exposed: QRectF) -> None:
        """Paint what lies between the left and the right of `exposed`."""
        area, place = self._placing()
        (low, high), _ = self._plot.plotItem.vb.viewRange()
        scale = (high - low) / max(area.width(), 1.0)
        ends = [
            low + (x - area.left()) * scale for x in (exposed.left() - _PAD, exposed.right() + _PAD)
        ]
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
                painter.setClipping(False)
                self._paint_marks(
                    painter, line, area, list(zip(x.tolist(), y.tolist(), strict=True))
                )
                painter.setClipping(True)
            if len(x) > 1 and line.pen.style() != Qt.PenStyle.NoPen:
                painter.strokePath(
                    pg.arrayToQPath(*by_column(x, y, spreads=line.spreads)), line.pen
                )
        painter.setClipping(False)

    def _paint_marks(
        self, painter: QPainter, line: Line, area: QRectF, points: list[tuple[float, float]]
    ) -> None:
        """Paint the marks whose points lie in `area`, each as a whole."""
        painter.setPen(line.mark_pen)
        painter.setBrush(line.mark_brush)
        for x, y in points:
            if area.contains(QPointF(x, y)):
                painter.drawPath(line.mark_path.translated(x, y))

    def paint(self, painter: QPainter, option: Any, widget: object = None) -> None:
        self._paint_lines(painter, option.exposedRect)
        if self._labels:
            self._paint_names(painter)

    def _paint_names(self, painter: QPainter) -> None:
        area, place = self._placing()
        left = self._names_span()[0]
        names, values = self._metrics()
        ends = [float(place(each.x, each.y)[1]) for each in self._labels]
        named = [_lines(each.text, splits=self._splits) for each in self._labels]
        least = [names.height() * len(lines) for lines in named]
        gap = theme().px(_PAIR_GAP)
        heights = [
            height + (values.height() + gap if each.value else 0)
            for height, each in zip(least, self._labels, strict=True)
        ]
        if sum(heights) > area.height():
            heights = least
            gap = 0
        middles = spread(ends, heights, area.top(), area.bottom())
        for index, (label, middle) in enumerate(zip(self._labels, middles, strict=True)):
            self._paint_leader(painter, label, place, QPointF(left, middle))
            baseline = middle - (heights[index] - gap) / 2 + names.ascent() - names.height()
            painter.setFont(self.font)
            painter.setPen(label.pen.color())
            for line in named[index]:
                baseline += names.height()
                text = names.elidedText(line, Qt.TextElideMode.ElideRight, self._names_width)
                painter.drawText(QPointF(left, baseline), text)
            if heights[index] > least[index]:
                painter.setFont(theme().font(SMALL))
                painter.setPen(self._plot.colors.text)
                painter.drawText(
                    QPointF(left, baseline + names.descent() + values.ascent()), label.value
                )

    def _paint_leader(
        self,
        painter: QPainter,
        label: EndLabel,
        place: Callable[[Any, Any], tuple[Any, Any]],
        name: QPointF,
    ) -> None:
        """Lead from the end of a curve that ends earlier than the others to its name."""
        x, y = place(label.x, label.y)
        if name.x() - x > _FAR:
            painter.setPen(QPen(label.pen.color(), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(float(x), float(y)), name)


def spread(
    wanted: Sequence[float], heights: Sequence[float], top: float, bottom: float
) -> list[float]:
    """The middles of boxes of these heights, each as near to `wanted` as the boxes above it allow,
    within the area.
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    middles = [0.0] * len(wanted)
    free = top
    for index in order:
        half = heights[index] / 2
        middles[index] = max(min(wanted[index], bottom - half), free + half)
        free = middles[index] + half
    free = bottom
    for index in reversed(order):  # those that have been pushed below the area go up again
        half = heights[index] / 2
        middles[index] = min(middles[index], free - half)
        free = middles[index] - half
    return middles


def _forms() -> Iterator[tuple[QFont, bool]]:
    """Fonts of names, and whether those of two parts have two lines, the widest first.

    In presenter mode the last row has to read which curve is which.
    """
    sizes = _PRESENTED if theme().presenting else (SMALL,)
    for size in sizes:
        font = theme().font(size, bold=True)
        if not theme().presenting:
            yield font, False
        yield font, True


def _lines(text: str, *, splits: bool) -> list[str]:
    """The lines of a name. splits: it has two, where it has two parts."""
    if not splits:
        return [text]
    first, _, rest = text.partition(": ")
    return [f"{first}:", rest] if rest else [text]


def by_column(x: np.ndarray, y: np.ndarray, *, spreads: bool) -> tuple[np.ndarray, np.ndarray]:
    """These points, in pixels, with at most two for each column of pixels where they are dense: see
    `Line`.
    """
    # Fewer than two points a column: there is nothing to save.
    if len(x) < 2 * (x[-1] - x[0] + 1):
        return x, y
    starts = np.flatnonzero(np.diff(np.floor(x), prepend=-np.inf))
    if not spreads:
        return x[starts], y[starts]
    extremes = np.minimum.reduceat(y, starts), np.maximum.reduceat(y, starts)
    return np.repeat(x[starts], 2), np.column_stack(extremes).ravel()
