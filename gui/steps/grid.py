"""The images of a step in the place of the canvas."""

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np
from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen

from gui.stage.accessible import Path, SpokenWidget
from gui.widgets.basics import announce
from gui.widgets.theme import theme

_FAINT = 0.4  # opacity of an image that is not meant
_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class BatchGrid(SpokenWidget):
    """Shows the images of a step, one of them framed. `chosen`: another one is to be framed."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__("batchGrid", self.tr("The images of the step"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.image = 0
        self._inputs = np.zeros((0, 1))
        self._words: Sequence[str] = ()
        self._is_strong = np.zeros(0, bool)
        self._images: tuple[str, list[QImage]] = "", []  # the color of their ink, and themselves

    def show_batch(
        self, inputs: np.ndarray, words: Sequence[str], image: int, is_strong: np.ndarray
    ) -> None:
        """inputs: float32 (n, *input shape). words: what is said of each. image: the framed one.
        is_strong: bool (n,), which are meant; the others are faint.
        """
        if inputs is not self._inputs:
            self._images = "", []
        self._inputs = inputs
        self._words = words
        self._is_strong = is_strong
        if image != self.image and self.hasFocus():
            announce(self, words[image])
        self.image = image
        self.update()

    @property
    def _columns(self) -> int:
        return ceil(sqrt(max(len(self._inputs), 1)))

    def _cell(self, index: int) -> QRectF:
        side = min(self.width(), self.height()) / self._columns
        row, column = divmod(index, self._columns)
        return QRectF(column * side, row * side, side, side)

    # -- a screen reader, the pointer, keys --------------------------------------------------------

    def count_parts(self, path: Path) -> int:
        return 0 if path else len(self._inputs)

    def words_of(self, path: Path) -> str:
        return self._words[path[0]]

    def area_of(self, path: Path) -> QRect:
        return self._cell(path[0]).toRect()

    def _index_at(self, point: QPoint) -> int:
        cells = map(self._cell, range(len(self._inputs)))
        return next((index for index, cell in enumerate(cells) if cell.contains(point)), -1)

    def tip_at(self, point: QPoint) -> str:
        index = self._index_at(point)
        return self._words[index] if index >= 0 else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position().toPoint())
        if index >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows frame another image, Home and End the first and the last."""
        count = len(self._inputs)
        steps = dict(zip(_ARROWS, (-1, 1, -self._columns, self._columns), strict=True))
        if event.key() in steps:
            index = self.image + steps[Qt.Key(event.key())]
            if 0 <= index < count:
                self.chosen.emit(index)
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.chosen.emit(0 if event.key() == Qt.Key.Key_Home else count - 1)
        else:
            super().keyPressEvent(event)

    # -- painting ----------------------------------------------------------------------------------

    def _ink(self) -> list[QImage]:
        """The images in the color of the text, none of points; drawn again in another theme."""
        color = theme().colors.text
        if self._inputs.ndim == 4 and (self._images[0] != color or not self._images[1]):
            ink = np.clip(self._inputs.mean(axis=3), 0, 1)[..., None]
            shade = QColor(color)
            premultiplied = np.array([shade.blue(), shade.green(), shade.red(), 255], np.float32)
            pixels = np.ascontiguousarray(np.rint(ink * premultiplied).astype(np.uint8))
            form = QImage.Format.Format_ARGB32_Premultiplied
            height, width = ink.shape[1:3]
            made = [QImage(each.data, width, height, 4 * width, form).copy() for each in pixels]
            self._images = color, made
        return self._images[1]

    def paintEvent(self, event: QPaintEvent) -> None:
        images = self._ink()
        colors = theme().colors
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme().font(0.8))
            painter.setPen(QColor(colors.text))
            for index in range(len(self._inputs)):
                cell = self._cell(index)
                painter.setOpacity(1.0 if self._is_strong[index] else _FAINT)
                margin = cell.width() / 14
                if images:
                    place = cell.adjusted(margin, margin, -margin, -margin)
                    painter.drawImage(place, images[index])
                else:
                    painter.drawText(cell, Qt.AlignmentFlag.AlignCenter, str(index + 1))
            painter.setOpacity(1.0)
            if len(self._inputs):
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colors.accent), 3 if self.hasFocus() else 2))
                frame = self._cell(self.image).adjusted(1, 1, -1, -1)
                painter.drawRoundedRect(frame, 3, 3)
