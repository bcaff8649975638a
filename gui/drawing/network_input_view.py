"""Shows the network's input of 28x28 pixels, each as a square."""

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.widgets.basics import paint_border
from gui.widgets.palette import ink_table

SCALE = 3


class NetworkInputView(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("seenImage")
        self.setAccessibleName(self.tr("What the network sees"))
        self.setToolTip(
            self.tr("These 28 x 28 numbers, from 0 for paper to 1 for ink, are all that the network gets.")
        )
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._image: QImage | None = None
        self._colors = ink_table(self.palette())

    def sizeHint(self) -> QSize:
        return QSize(28 * SCALE + 2, 28 * SCALE + 2)

    def show_image(self, pixels: np.ndarray | None) -> None:
        """`pixels`: uint8 (28, 28), or None for an empty frame."""
        self._image = None
        if pixels is not None:
            height, width = pixels.shape
            self._image = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Indexed8).copy()
            self._image.setColorTable(self._colors)
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.EnabledChange):
            self._colors = ink_table(self.palette())
            if self._image is not None:
                self._image.setColorTable(self._colors)
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        side = min(self.width(), self.height())
        painter.fillRect(QRect(0, 0, side, side), palette.color(QPalette.ColorRole.Base))
        if self._image is not None:
            painter.drawImage(QRect(1, 1, side - 2, side - 2), self._image)
        paint_border(painter, QRectF(0, 0, side, side), palette.color(QPalette.ColorRole.Mid))
