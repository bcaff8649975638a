"""Test images with the predicted class, the true class and the probability of the prediction."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QListView, QWidget

from core.data.dataset import Dataset
from core.inference.scores import ClassScores
from gui.text import number
from gui.widgets.palette import ink_table

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
MAXIMUM = 60  # images
SIDE = 56  # pixels of an image
NARROW, WIDE = 84, 140  # pixels of a caption


class GalleryModel(QAbstractListModel):
    """indices: the images of the test split that are shown, in this order."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.indices = np.empty(0, int)
        self._dataset: Dataset | None = None
        self._scores: ClassScores | None = None
        self._inks: list[int] = []

    def show_images(self, dataset: Dataset, scores: ClassScores | None, indices: np.ndarray) -> None:
        self.beginResetModel()
        self._dataset, self._scores, self.indices = dataset, scores, indices[:MAXIMUM]
        self.endResetModel()

    def set_inks(self, inks: list[int]) -> None:
        """Set the colour table of the images, from paper (0) to ink (255)."""
        self._inks = inks
        if len(self.indices):
            self.dataChanged.emit(self.index(0), self.index(len(self.indices) - 1))

    def image(self, row: int) -> np.ndarray:
        """uint8 (height, width): 255 is ink."""
        assert self._dataset
        return self._dataset.test.inputs[self.indices[row], :, :, 0]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.indices)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or self._scores is None:
            return None
        if role == Role.DisplayRole:
            return self._caption(index.row())
        if role == Role.DecorationRole:
            return self._picture(index.row())
        if role == Role.ToolTipRole:
            return self.tr(
                "{caption} — test image {n}; a double click or Return puts it on the canvas."
            ).format(caption=self._caption(index.row()).replace("\n", ", "), n=int(self.indices[index.row()]))
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        return None

    def _caption(self, row: int) -> str:
        assert self._dataset
        assert self._scores
        index = self.indices[row]
        # A caption must not wrap inside a class name.
        names = [name.replace(" ", "\N{NO-BREAK SPACE}") for name in self._dataset.classes]
        read, right = names[self._scores.read[index]], names[self._scores.right[index]]
        sure = number(100 * float(self._scores.certainty[index]), 3)
        if read == right:
            return self.tr("read {read}\n{sure} %").format(read=read, sure=sure)
        return self.tr("read {read}, is\u00a0{right}\n{sure} %").format(read=read, right=right, sure=sure)

    def _picture(self, row: int) -> QPixmap:
        pixels = np.ascontiguousarray(self.image(row))
        height, width = pixels.shape
        image = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Indexed8).copy()
        image.setColorTable(self._inks)
        # Twice the size: sharp on screens with two device pixels for each pixel.
        pixmap = QPixmap.fromImage(
            image.convertToFormat(QImage.Format.Format_RGB32).scaled(
                2 * SIDE,
                2 * SIDE,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
        pixmap.setDevicePixelRatio(2)
        return pixmap


class Gallery(QListView):
    """Images in rows that wrap. `opened` gives the row of the model on Return or a double click."""

    opened = Signal(int)

    def __init__(self, model: GalleryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("gallery")
        self.setAccessibleName(self.tr("Test images"))
        self._images = model
        self.setModel(model)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setUniformItemSizes(True)
        self.setWordWrap(True)
        self.setIconSize(QSize(SIDE, SIDE))
        self.setSpacing(2)
        self.setMinimumHeight(SIDE + 50)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self._apply_palette()

    def fit_captions(self, classes: tuple[str, ...]) -> None:
        """Set the cell size so that two class names fit: in one line if they are short, else in two."""
        metrics = self.fontMetrics()
        longest = max(classes, key=metrics.horizontalAdvance, default="")
        one_line = metrics.horizontalAdvance(
            self.tr("read {read}, is {right}").format(read=longest, right=longest)
        )
        two_lines = metrics.horizontalAdvance(self.tr("read {read},").format(read=longest))
        lines = 2 if one_line <= NARROW else 3
        width = one_line if lines == 2 else min(two_lines, WIDE)
        self.setGridSize(QSize(max(width, SIDE) + 14, SIDE + lines * metrics.lineSpacing() + 12))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens the current image. Qt's `activated` does not come on Return on macOS."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._apply_palette()

    def _apply_palette(self) -> None:
        self._images.set_inks(ink_table(self.palette()))
