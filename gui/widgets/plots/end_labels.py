"""Names at the ends of curves, in place of a legend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gui.widgets.plots.plot import Plot
from gui.widgets.plots.pyqtgraph_loader import pg
from gui.widgets.theme import theme

_SAMPLE, _GAP = 14, 5  # pixels: the piece of the curve's line before its name, and the space around it
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
        self._margin = 0
        self.setParentItem(plot.plotItem)
        self.setZValue(5)
        plot.plotItem.vb.sigRangeChanged.connect(lambda *_: self.update())
        plot.plotItem.vb.sigResized.connect(lambda *_: self._follow_size())
        self._make_room()
        plot.recolored.connect(self._follow_size)

    def _follow_size(self) -> None:
        """Follow the size of the plot and of its text."""
        self._make_room()
        self._changed()

    @property
    def texts(self) -> list[str]:
        return [label.text for label in self._labels]

    def show_labels(self, labels: Sequence[EndLabel]) -> None:
        """Show these names in place of those before."""
        if tuple(labels) != self._labels:
            self._labels = tuple(labels)
            self._make_room()
            self._changed()

    def _changed(self) -> None:
        self.prepareGeometryChange()
        self.update()

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(_font())

    def _make_room(self) -> None:
        """Keep space right of the curves: in large steps, because a change lays out and draws the plot anew."""
        widest = max((self._metrics().horizontalAdvance(text) for text in self.texts), default=0)
        needed = _STEP * (int(widest + _SAMPLE + 3 * _GAP) // _STEP + 1)
        margin = min(max(needed, _LEAST_MARGIN), round(_MOST * max(self._plot.width(), 300)))
        if margin != self._margin:
            self._margin = margin
            self._plot.plotItem.layout.setContentsMargins(1, 6, margin, 1)

    def boundingRect(self) -> QRectF:
        return QRectF(self._plot.plotItem.boundingRect())

    def paint(self, painter: QPainter, option: Any, widget: Any = None) -> None:
        if not self._labels:
            return
        box, metrics = self._plot.plotItem.vb, self._metrics()
        area = self.mapRectFromItem(box, box.boundingRect())
        ends = [self.mapFromItem(box, box.mapFromView(QPointF(label.x, label.y))) for label in self._labels]
        left = min(max(end.x() for end in ends), area.right()) + _GAP
        height = metrics.height()
        order = sorted(range(len(ends)), key=lambda index: ends[index].y())
        ys: list[float] = []
        for index in order:
            y = min(max(ends[index].y(), area.top() + height / 2), area.bottom() - height / 2)
            ys.append(max(y, ys[-1] + height) if ys else y)
        for place in reversed(range(len(ys))):  # those that have been pushed below the plot go up again
            limit = ys[place + 1] - height if place + 1 < len(ys) else area.bottom() - height / 2
            ys[place] = min(ys[place], limit)
        room = area.right() + self._margin - left - _SAMPLE - _GAP
        painter.setFont(_font())
        for index, y in zip(order, ys, strict=True):
            painter.setPen(self._labels[index].pen)
            painter.drawLine(QPointF(left, y), QPointF(left + _SAMPLE, y))
            painter.setPen(QColor(self._plot.colors.text))
            text = metrics.elidedText(self._labels[index].text, Qt.TextElideMode.ElideRight, room)
            where = QRectF(left + _SAMPLE + _GAP, y - height / 2, room, height)
            painter.drawText(where, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)


def _font() -> QFont:
    """The last row has to read which curve is which."""
    return theme().title_font() if theme().presenting else theme().font()
