"""Test images with the predicted class, the true class and the probability of the prediction."""

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractListModel, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QListView

from core.data.dataset import Dataset
from core.inference.scores import ClassScores
from gui.text import count, probability
from gui.widgets.basics import named
from gui.widgets.colors import ink_table
from gui.widgets.tables import Index, Role

SHORT_NAME = 2  # characters of a class's name that has space beside others
SIDES = (112, 98, 84, 70, 56)  # pixels of an image; the largest at which all images are visible
SIDE = SIDES[-1]
NARROW, WIDE = 84, 140  # pixels of a caption


class GalleryModel(QAbstractListModel):
    """indices: the images of the test split that are shown, in this order."""

    def __init__(self, parent: Any = None) -> None:
        super().__init__(parent)
        self.indices = np.empty(0, int)
        self._dataset: Dataset | None = None
        self._scores: ClassScores | None = None
        self.inks: list[int] = []
        """The color table of the images, from paper (0) to ink (255)."""

    def show_images(self, dataset: Dataset, scores: ClassScores | None, indices: np.ndarray) -> None:
        self.beginResetModel()
        self._dataset, self._scores, self.indices = dataset, scores, indices
        self.endResetModel()

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
            caption = self._caption(index.row(), always_others=True)
            text = self.tr("{caption} — test image {n}; a double click or Return puts it on the canvas.")
            return text.format(caption=caption.replace("\n", ", "), n=count(int(self.indices[index.row()])))
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        return None

    def _caption(self, row: int, *, always_others: bool = False) -> str:
        assert self._dataset
        assert self._scores
        index = self.indices[row]
        # A caption must not wrap inside a class name.
        names = [name.replace(" ", "\N{NO-BREAK SPACE}") for name in self._dataset.classes]
        read, right = names[self._scores.predicted_class[index]], names[self._scores.true_class[index]]
        sure = probability(float(self._scores.confidence[index]))
        text = self.tr("read {read}, is\u00a0{right}\n{sure}")
        if read == right:
            text = self.tr("read {read}\n{sure}")
        text = text.format(read=read, right=right, sure=sure)
        return f"{text}\n{self._others(row)}".rstrip() if self.shows_others or always_others else text

    @property
    def shows_others(self) -> bool:
        """Whether captions also name the second and third most probable class: where the names are short."""
        known = self._scores is not None and self._scores.top is not None
        return known and self._dataset is not None and max(map(len, self._dataset.classes)) <= SHORT_NAME

    def _others(self, row: int) -> str:
        """The second and third most probable class with their probabilities; empty where they are not known."""
        scores, index = self._scores, self.indices[row]
        if self._dataset is None or scores is None or scores.top is None or scores.top_confidence is None:
            return ""
        pairs = zip(scores.top[index, 1:], scores.top_confidence[index, 1:], strict=True)
        text = self.tr("{name}:\u00a0{sure}")
        return ",\N{NO-BREAK SPACE}".join(
            text.format(name=self._dataset.classes[name], sure=probability(float(sure), 0)).replace(
                " ", "\u00a0"
            )
            for name, sure in pairs
        )

    def _picture(self, row: int) -> QIcon:
        """The image large enough for the largest side and two device pixels for each pixel; an icon scales it down."""
        pixels = np.ascontiguousarray(self.image(row))
        height, width = pixels.shape
        image = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Indexed8).copy()
        image.setColorTable(self.inks)
        side, keep = 2 * SIDES[0], Qt.AspectRatioMode.KeepAspectRatio
        smooth, colored = Qt.TransformationMode.SmoothTransformation, QImage.Format.Format_RGB32
        return QIcon(QPixmap.fromImage(image.convertToFormat(colored).scaled(side, side, keep, smooth)))


class Gallery(QListView):
    """Images in rows that wrap. `opened` gives the row of the model on Return or a double click."""

    opened = Signal(int)

    def __init__(self, model: GalleryModel) -> None:
        super().__init__()
        named(self, "gallery", self.tr("Test images"))
        self._images = model
        self.setModel(model)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setUniformItemSizes(True)
        self.setWordWrap(True)
        self.setSpacing(2)
        self._caption_width, self._caption_lines, self._others_width = NARROW, 2, 0
        self.setMinimumHeight(SIDE + 50)
        self.doubleClicked.connect(lambda index: self.opened.emit(index.row()))
        self._apply_palette()
        model.modelReset.connect(self._fit_cells)

    def fit_captions(self, classes: tuple[str, ...]) -> None:
        """Make room for captions with two class names: in one line if they are short, else in two."""
        metrics = self.fontMetrics()
        longest = max(classes, key=metrics.horizontalAdvance, default="")
        text = self.tr("read {read}, is {right}").format(read=longest, right=longest)
        one_line = metrics.horizontalAdvance(text)
        two_lines = metrics.horizontalAdvance(self.tr("read {read},").format(read=longest))
        self._caption_lines = 2 if one_line <= NARROW else 3
        self._caption_width = one_line if self._caption_lines == 2 else min(two_lines, WIDE)
        pair = self.tr("{name}:\u00a0{sure}").format(name=longest, sure=probability(1.0, 0))
        self._others_width = metrics.horizontalAdvance(f"{pair},\N{NO-BREAK SPACE}{pair}")
        self._fit_cells()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_cells()

    def _fit_cells(self) -> None:
        """Use the largest images that are all visible, and columns that fill the width."""
        # The width with a scroll bar, whether there is one or not: else the two could alternate.
        bar = self.verticalScrollBar().sizeHint().width()
        width, height = self.width() - 2 * self.frameWidth() - bar, self.viewport().height()
        images = max(self._images.rowCount(), 1)
        for side in SIDES:
            cell = self.cell_size(side)
            columns = max(width // cell.width(), 1)
            if -(-images // columns) * cell.height() <= height:
                break
        self.setIconSize(QSize(side, side))
        if images >= columns:
            cell.setWidth(max(width // columns, cell.width()))
        self.setGridSize(cell)

    def cell_size(self, side: int) -> QSize:
        """Of an image with this side, with its caption."""
        captions = (self._caption_lines + self._images.shows_others) * self.fontMetrics().lineSpacing()
        width = max(self._caption_width, self._others_width if self._images.shows_others else 0, side)
        return QSize(width + 14, side + captions + 12)

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
        self._images.inks = ink_table(self.palette())
        self.viewport().update()
