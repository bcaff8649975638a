"""What a plot of growing curves shows beside them: a pointer, a hint, marks of learning rates, the
title "epoch".
"""

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsSimpleTextItem

from gui.text import number, translator
from gui.widgets.theme import SMALL, Colors, theme

_tr = translator("LivePlot")

_WAVE = 5  # pixels at a text size of 100 %: half of the width of the mark of a cut axis
_TITLE_GAP = 14  # pixels at a text size of 100 %, between the last number and the title of an axis


class Pointer(pg.InfiniteLine):
    """A vertical line in the plots below each other, where the mouse pointer is in one of them."""

    def __init__(self) -> None:
        super().__init__(angle=90, movable=False)
        self.hide()

    def show_at(self, x: float) -> None:
        """Draw the line at x; none for a negative x or NaN."""
        self.setVisible(x >= 0)
        if x >= 0:
            self.setPos(x)


class Hint(pg.TextItem):
    """What an empty plot says, between two lines of its grid, whatever range the run before had.
    box: of the plot.
    """

    def __init__(self, box: Any, text: str) -> None:
        super().__init__(text, anchor=(0.5, 0.5))
        self._box = box
        box.sigRangeChanged.connect(lambda *_: self._center())
        self._center()

    def _center(self) -> None:
        (left, right), (low, high) = self._box.viewRange()
        self.setPos((left + right) / 2, low + 0.63 * (high - low))


class RateMarks:
    """Vertical lines in the plot `item` where training continued with another learning rate."""

    def __init__(self, item: Any) -> None:
        self._item = item
        self.lines: list[pg.InfiniteLine] = []
        self.rates: list[tuple[float, float]] = []  # (x, learning rate)

    def mark(self, x: float, learning_rate: float) -> None:
        line = pg.InfiniteLine(
            x,
            angle=90,
            movable=False,
            label=_tr("rate {rate}").format(rate=number(learning_rate, 3)),
            labelOpts={"position": 0.9, "anchors": [(1, 0.5), (1, 0.5)]},
        )
        self.lines.append(line)
        self.rates.append((x, learning_rate))
        self._item.addItem(line, ignoreBounds=True)
        self.recolor(theme().colors)

    def clear(self) -> None:
        for line in self.lines:
            self._item.removeItem(line)
        self.lines = []
        self.rates = []

    def recolor(self, colors: Colors) -> None:
        for line in self.lines:
            line.setPen(pg.mkPen(colors.muted, width=1, style=Qt.PenStyle.DashDotLine))
            line.label.setColor(colors.muted)


class CutMark:
    """A wave at the foot of the axis of values of the plot `item`: it does not begin at 0."""

    def __init__(self, item: Any) -> None:
        self._axis = item.getAxis("left")
        self._wave = QGraphicsPathItem(self._axis)
        self._wave.hide()
        item.vb.sigResized.connect(lambda *_: self._place())

    def show(self, shown: bool) -> None:
        self._wave.setVisible(shown)

    def recolor(self, colors: Colors) -> None:
        self._wave.setPen(pg.mkPen(colors.muted, width=theme().line(1)))
        size = theme().px(_WAVE)
        path = QPainterPath()
        for top in (-size, 0):
            path.moveTo(-size, top)
            path.cubicTo(-size / 2, top - size, size / 2, top + size, size, top)
        self._wave.setPath(path)
        self._place()

    def _place(self) -> None:
        self._wave.setPos(self._axis.width(), self._axis.height() - theme().px(_WAVE))


class EpochAxis:
    """The axis of epochs of the plot `item`. Its title stands right of the number of the last
    epoch.

    `is_low`: the plot has little height.
    """

    def __init__(self, item: Any) -> None:
        self._axis = item.getAxis("bottom")
        item.setLabel("bottom", _tr("epoch"))
        self._axis.showLabel(False)  # it stands at the right end instead
        self._title = QGraphicsSimpleTextItem(_tr("epoch"), self._axis)
        item.vb.sigResized.connect(lambda *_: self._place_title())
        self.is_low = False

    def recolor(self, colors: Colors) -> None:
        self._title.setBrush(QColor(colors.muted))
        self._title.setFont(theme().font(SMALL))
        self._place_title()

    def _place_title(self) -> None:
        """Right of the number of the last epoch, which is beyond the end of the axis by half of its
        width.
        """
        self._title.setPos(self._axis.width() + theme().px(_TITLE_GAP), 2)
