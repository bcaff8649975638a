"""The colors of signed values: orange for negative ones, the background for 0, blue for positive ones.

Color-blind people can tell the two colors apart (Okabe and Ito, 2008).
"""

from functools import cache

import numpy as np
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.text import number
from gui.widgets.colors import Colors
from gui.widgets.palette import blend
from gui.widgets.theme import theme

LEVELS = 127  # on each side of 0


@cache
def value_table(colors: Colors) -> np.ndarray:
    """uint32 (2 · LEVELS + 1,): the colors of -1 to 1 as 0xffRRGGBB."""
    zero, low, high = QColor(colors.base), QColor(colors.test), QColor(colors.train)
    fractions = np.arange(-LEVELS, LEVELS + 1) / LEVELS
    table = np.array([blend(zero, high if f > 0 else low, abs(f)).rgb() for f in fractions], np.uint32)
    table.flags.writeable = False  # all callers share it
    return table


def value_image(values: np.ndarray, bound: float) -> QImage:
    """An image with one pixel for each value of float (height, width); `bound` has the full color."""
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
    """The color scale from -bound to bound, with its numbers. `signed`: whether there are negative values."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Color scale"))
        self.setToolTip(self.tr("What the colors mean: orange is negative, blue is positive."))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._bound, self._signed = 0.0, True

    def sizeHint(self) -> QSize:
        return QSize(150, 12 + self.fontMetrics().height())

    def show_bound(self, bound: float, signed: bool = True) -> None:
        if (bound, signed) != (self._bound, self._signed):
            self._bound, self._signed = bound, signed
            self.setAccessibleDescription(" … ".join(self._labels()))
            self.update()

    def _labels(self) -> list[str]:
        high = number(self._bound, 2)
        return ["\N{MINUS SIGN}" + high, "0", high] if self._signed else ["0", high]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        values = np.linspace(-1 if self._signed else 0, 1, 2 * LEVELS + 1)[None]
        bar = QRect(0, 0, self.width() - 1, 10)
        painter.drawImage(bar, value_image(values, 1.0))
        painter.setPen(self.palette().mid().color())
        painter.drawRect(bar)
        painter.setPen(self.palette().text().color())
        below = self.rect().adjusted(0, 12, 0, 0)
        sides = (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignRight)
        labels = self._labels()
        for label, side in zip(labels, sides if len(labels) == 3 else sides[::2], strict=True):
            painter.drawText(below, side | Qt.AlignmentFlag.AlignTop, label)
