"""Which part of their curves the plots of a run show: from where it matters, from 0, or what the
user has zoomed into.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QWidget

from gui.widgets.basics import named, paint_rounded
from gui.widgets.make import tip_with_key
from gui.widgets.plots.end_labels import Line
from gui.widgets.plots.live_plot import LivePlot
from gui.widgets.theme import SMALL, theme

_SIZE = QSize(118, 28)  # pixels at a text size of 100 %
_MOST_POINTS = 118


class OtherView(QAbstractButton):
    """The curves of `plot` in small, on the axis that it does not show; a press swaps the two."""

    def __init__(self, plot: LivePlot) -> None:
        super().__init__()
        named(self, "fromZeroButton", self.tr("The whole axis, from 0"))
        tip = self.tr("Show the axis from 0, or from where it matters.")
        self.setToolTip(tip_with_key(tip, "Shift+Z"))
        self.setShortcut("Shift+Z")
        self._plot = plot

    def sizeHint(self) -> QSize:
        return _SIZE * theme().scale

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def _begin(self) -> int:
        """Where the axis begins that a press shows."""
        axes = self._plot.live_axes
        return axes.first if axes.from_zero else 0

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        is_marked = self.hasFocus() or self.underMouse()
        with QPainter(self) as painter:
            paint_rounded(
                painter, self.rect(), colors.accent if is_marked else colors.border, colors.base
            )
            area = QRectF(self.rect()).adjusted(4, 3, -4, -3)
            painter.setClipRect(area)
            for line in self._plot.labels.lines:
                painter.setPen(QPen(line.pen.color(), 1))
                painter.drawPolyline(self._polygon(line, area))
            text = self.tr("from {n}").format(n=self._begin)
            painter.setFont(theme().font(SMALL))
            painter.setPen(colors.muted)
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, text)

    def _polygon(self, line: Line, area: QRectF) -> QPolygonF:
        # No more points than pixels.
        every = max(1, len(line.x) // _MOST_POINTS)
        x = area.left() + area.width() * line.x[::every] / self._plot.live_axes.range.reach
        share = (line.y[::every] - self._begin) / (100 - self._begin)
        points = np.column_stack([x, area.bottom() - area.height() * share])
        return QPolygonF([QPointF(*point) for point in points.tolist()])


class PlotZoom(QObject):
    """Zooms plots with the same axis of epochs together. changed: they have to be drawn again."""

    changed = Signal()

    def __init__(self, plots: Sequence[LivePlot], owner: QWidget) -> None:
        super().__init__(owner)
        self._plots = plots
        self.buttons = [OtherView(plot) for plot in plots]
        for plot, other in zip(plots, self.buttons, strict=True):
            other.hide()
            other.clicked.connect(partial(self._swap, plot))
            plot.zoomed.connect(partial(self._on_zoomed, plot))
            plot.fitted.connect(self.fit)

    def fit(self) -> None:
        """Show the whole run again after zooming."""
        self.follow(True)
        self.changed.emit()

    def follow(self, follows: bool) -> None:
        """Let all plots follow their curves or not."""
        for plot in self._plots:
            plot.follows = follows

    def offer(self) -> None:
        """Offer the other axis of the plots that are shown, where there are two."""
        for plot, other in zip(self._plots, self.buttons, strict=True):
            has_two = plot.live_axes.first > 0 and not plot.isHidden()
            other.setVisible(has_two and not theme().presenting)
            other.update()

    def _swap(self, plot: LivePlot) -> None:
        plot.live_axes.from_zero = not plot.live_axes.from_zero
        self.fit()

    def _on_zoomed(self, zoomed: LivePlot) -> None:
        """Show the same epochs in all plots; they follow the curves no more."""
        self.follow(False)
        for plot in self._plots:
            if plot is not zoomed:
                plot.setXRange(*zoomed.viewRange()[0], padding=0)
