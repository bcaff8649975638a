"""The images of a step in the place of the canvas."""

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np
from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from gui.widgets.basics import FitsOnResize, named
from gui.widgets.theme import ink_image, palette, theme

_FAINT = 0.35  # share of the ink of an image that is not meant
_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)


class BatchGrid(FitsOnResize, QListWidget):
    """Shows the images of a step, one of them framed."""

    def __init__(self) -> None:
        super().__init__()
        named(self, "batchGrid", self.tr("The images of the step"))
        self.setViewMode(QListWidget.ViewMode.IconMode)
        self.setMovement(QListWidget.Movement.Static)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_batch(
        self, inputs: np.ndarray, words: Sequence[str], image: int, is_strong: np.ndarray
    ) -> None:
        """inputs: float32 (n, *input shape). words: what is said of each. image: the framed one.
        is_strong: bool (n,), which are meant; the others are faint.
        """
        # Filling the list changes its current row, which nobody has chosen.
        with QSignalBlocker(self):
            self.clear()
            for index, (x, text) in enumerate(zip(inputs, words, strict=True)):
                item = QListWidgetItem(self)
                if x.ndim == 3:
                    share = 255 if is_strong[index] else 255 * _FAINT
                    ink = np.clip(x.mean(axis=2) * share, 0, 255).astype(np.uint8)
                    pixels = QPixmap.fromImage(ink_image(ink, palette(theme().colors)))
                    if index == image:
                        with QPainter(pixels) as painter:
                            painter.setPen(QPen(QColor(theme().colors.accent), 2))
                            painter.drawRect(pixels.rect().adjusted(1, 1, -1, -1))
                    icon = QIcon(pixels)
                    icon.addPixmap(pixels, QIcon.Mode.Selected)  # not tinted
                    item.setIcon(icon)
                else:
                    item.setText(str(index + 1))
                item.setToolTip(text)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
            self.setCurrentRow(image)
        self.fit()

    def fit(self) -> None:
        side = min(self.width(), self.height()) // ceil(sqrt(max(self.count(), 1)))
        self.setGridSize(QSize(side, side))
        self.setIconSize(QSize(side, side) * 0.86)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the images; all other keys are those of the step."""
        if event.key() in _KEYS:
            super().keyPressEvent(event)
        else:
            event.ignore()
