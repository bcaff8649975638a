"""The gallery shows test images with what was read in them, what they are, and how sure the network was."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QListView, QWidget

from core.data.dataset import Dataset
from core.inference.scores import ClassScores
from gui.text import number
from gui.widgets.palette import ink_table

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
MOST = 60
SIDE = 56
NARROW, WIDE = 84, 140


class GalleryModel(QAbstractListModel):
    """`places`: which images of the test split are shown, in this order."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.places = np.empty(0, int)
        self._dataset: Dataset | None = None
        self._scores: ClassScores | None = None
        self._inks: list[int] = []

    def show_images(self, dataset: Dataset, scores: ClassScores | None, places: np.ndarray) -> None:
        self.beginResetModel()
        self._dataset, self._scores, self.places = dataset, scores, places[:MOST]
        self.endResetModel()

    def set_inks(self, inks: list[int]) -> None:
        """256 colours from paper to ink."""
        self._inks = inks
        if len(self.places):
            self.dataChanged.emit(self.index(0), self.index(len(self.places) - 1))

    def image(self, row: int) -> np.ndarray:
        """uint8 (height, width): 255 is ink."""
        assert self._dataset
        return self._dataset.test.inputs[self.places[row], :, :, 0]

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.places)

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
            ).format(caption=self._caption(index.row()).replace("\n", ", "), n=int(self.places[index.row()]))
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        return None

    def _caption(self, row: int) -> str:
        assert self._dataset
        assert self._scores
        place = self.places[row]
        # A name is not broken where a caption is: its spaces hold.
        names = [name.replace(" ", "\N{NO-BREAK SPACE}") for name in self._dataset.classes]
        read, right = names[self._scores.read[place]], names[self._scores.right[place]]
        sure = number(100 * float(self._scores.certainty[place]), 3)
        if read == right:
            return self.tr("read {read}\n{sure} %").format(read=read, sure=sure)
        return self.tr("read {read}, is\u00a0{right}\n{sure} %").format(read=read, right=right, sure=sure)

    def _picture(self, row: int) -> QPixmap:
        pixels = np.ascontiguousarray(self.image(row))
        height, width = pixels.shape
        image = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Indexed8).copy()
        image.setColorTable(self._inks)
        # At twice the size, so that it is sharp where a screen has two points for a pixel.
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
    """Rows of images that wrap; arrow keys go through them. `opened`: Return or a double click, on this row."""

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
        self.activated.connect(lambda index: self.opened.emit(index.row()))
        self._recolour()

    def fit_captions(self, classes: tuple[str, ...]) -> None:
        """Room for two class names beside each other if they are short, else below each other."""
        text = self.fontMetrics()
        longest = max(classes, key=text.horizontalAdvance, default="")
        beside = text.horizontalAdvance(
            self.tr("read {read}, is {right}").format(read=longest, right=longest)
        )
        below = text.horizontalAdvance(self.tr("read {read},").format(read=longest))
        lines = 2 if beside <= NARROW else 3
        width = beside if lines == 2 else min(below, WIDE)
        self.setGridSize(QSize(max(width, SIDE) + 14, SIDE + lines * text.lineSpacing() + 12))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _recolour(self) -> None:
        self._images.set_inks(ink_table(self.palette()))
