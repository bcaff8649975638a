"""How the distribution of a layer's values changes: a column for each moment, darker where there are more values."""

import numpy as np
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.text import number, percent
from gui.widgets.theme import theme
from gui.widgets.value_colors import value_image

BINS = 40
_LEFT, _HEIGHT = 58, 92  # pixels


def histograms(moments: list[np.ndarray]) -> tuple[np.ndarray, float, float]:
    """(shares, low, high): float (moments, BINS), the share of each moment's values in BINS equal bins of low..high.

    The range holds all finite values but the outermost thousandth at each end.
    """
    finite = [values[np.isfinite(values)] for values in moments]
    everything = np.concatenate(finite)
    if not everything.size:
        return np.zeros((len(moments), BINS)), 0.0, 1.0
    low, high = (float(limit) for limit in np.quantile(everything, (0.001, 0.999)))
    if low == high:
        low, high = low - 0.5, high + 0.5
    shares = [
        np.histogram(np.clip(values, low, high), BINS, (low, high))[0] / max(values.size, 1)
        for values in finite
    ]
    return np.array(shares), low, high


class HistogramStrip(QWidget):
    """`names`: of the moments, from left to right."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.shares = np.zeros((0, BINS))
        self.low, self.high = 0.0, 1.0
        self.names: list[str] = []

    def sizeHint(self) -> QSize:
        return QSize(300, _HEIGHT + self.fontMetrics().height() + 4)

    def show_moments(self, moments: list[np.ndarray], names: list[str]) -> None:
        self.shares, self.low, self.high = histograms(moments)
        self.names = names
        self.update()

    def _area(self) -> QRect:
        return QRect(_LEFT, 1, max(self.width() - _LEFT - 2, 1), _HEIGHT)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and len(self.shares):
            area = self._area()
            if area.contains(event.pos()):
                moment = (event.x() - area.left()) * len(self.shares) // area.width()
                bin = BINS - 1 - (event.y() - area.top()) * BINS // area.height()
                QToolTip.showText(event.globalPos(), self._text(moment, bin), self)
                return True
        return super().event(event)

    def _text(self, moment: int, bin: int) -> str:
        width = (self.high - self.low) / BINS
        return self.tr("{moment}: {share} of the values lie between {low} and {high}").format(
            moment=self.names[moment], share=percent(float(self.shares[moment, bin])),
            low=number(self.low + bin * width, 2), high=number(self.low + (bin + 1) * width, 2),
        )  # fmt: skip

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.shares):
            return
        painter, area = QPainter(self), self._area()
        # The root makes rare values visible beside a bin that holds nearly all.
        values = np.sqrt(self.shares.T[::-1])
        painter.drawImage(area, value_image(values, float(values.max())))
        painter.setPen(QColor(theme().colors.line))
        painter.drawRect(area)
        painter.setPen(QColor(theme().colors.muted))
        right, line = Qt.AlignmentFlag.AlignRight, self.fontMetrics().height()
        labels = [(self.high, area.top()), (self.low, area.bottom() - line)]
        if self.low < 0 < self.high:
            zero = area.bottom() - round((0 - self.low) / (self.high - self.low) * area.height())
            painter.drawLine(area.left() - 4, zero, area.left(), zero)
            if area.top() + line < zero - line // 2 < area.bottom() - 2 * line:
                labels.append((0.0, zero - line // 2))
        for value, top in labels:
            painter.drawText(QRect(0, top, _LEFT - 6, line), right, number(value, 2))
        below = QRect(area.left(), area.bottom() + 2, area.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self.names[0])
        if len(self.names) > 1:
            painter.drawText(below, right, self.names[-1])
