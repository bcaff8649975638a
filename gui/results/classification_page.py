"""The results of a classification: the confusion matrix, and the images of its cells."""

from functools import partial
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSplitter, QStackedLayout, QWidget

from core.data.dataset import Dataset
from core.inference.model_file import Model
from core.inference.scores import (
    MAX_TESTED,
    ClassScores,
    class_rates,
    confusion_rows,
    score_classes,
    write_table,
)
from gui.background.task_runner import Task, single_record
from gui.results.confusion_matrix import MatrixModel, MatrixTable, VerticalLabel
from gui.results.gallery import SIDE, Gallery, GalleryModel
from gui.results.plots import CalibrationPlot
from gui.text import count, percent
from gui.widgets import make
from gui.widgets.basics import key_text, named, with_role
from gui.widgets.pictures import write_picture
from gui.widgets.tab import PageChooser
from gui.widgets.tables import Column, RecordModel, RecordTable

CELL = QSize(46, 30)  # of an exported matrix
EXPORTED_COLUMNS, MAX_EXPORTED = 10, 60
WIDE_PAGE = 1000  # pixels
ENLARGEMENT = 8  # of an image that is put on the canvas


class ClassesPage(QWidget):
    """The gallery shows the images of the selected cell, or the worst mistakes if none is selected."""

    open_image = Signal(str)  # path of a picture; the file is deleted after the signal

    interval_milliseconds = 2000  # between two computations
    only_at_epoch_ends = True

    def __init__(self) -> None:
        super().__init__()
        self.matrix = MatrixModel(self)
        self.table = MatrixTable(self.matrix)
        tip = self.tr(
            "A cell counts the images of its row's class that were read as its column's; {key} copies them all."
        )
        self.table.setToolTip(tip.format(key=key_text("Ctrl+C")))
        self.images = GalleryModel(self)
        self.gallery = Gallery(self.images)
        self.caption = make.label(name="galleryCaption")
        tip = self.tr("Show the mistakes of all classes again (Esc in the matrix).")
        text = self.tr("All &mistakes")
        self.all_button = make.button(text, "allMistakesButton", tip, self.table.clear_choice)
        self.table.chosen.connect(self._on_chosen)
        self.gallery.opened.connect(self._open)
        self._dataset: Dataset | None = None
        self._scores: ClassScores | None = None
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "resultsSplitter")
        upper = self._with_axis_labels(self.table)
        self.splitter.addWidget(upper)
        self.classes, self.calibration = ClassTable(), CalibrationPlot()
        self.splitter.addWidget(self._lower_part())
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([300, 240])
        make.column(self.splitter, owner=self)
        upper.lower()  # the first child, so the tab order begins with the matrix

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the gallery beside the matrix on a wide page, else below it."""
        super().resizeEvent(event)
        size = event.size()
        wide = size.width() > max(WIDE_PAGE, 1.2 * size.height())
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if orientation != self.splitter.orientation():
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes([size.width() // 2] * 2 if wide else [300, 240])

    def _with_axis_labels(self, table: MatrixTable) -> QWidget:
        """A widget with `table` and the labels of its rows and columns."""
        part = QWidget()
        grid = QGridLayout(part)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(2)
        across = make.label(self.tr("read as"), role="muted", wraps=False)
        across.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        down = with_role(VerticalLabel(self.tr("is")), "muted")
        grid.addWidget(across, 0, 1)
        grid.addWidget(down, 1, 0)
        grid.addWidget(table, 1, 1)
        grid.setRowStretch(1, 1)
        grid.setColumnStretch(1, 1)
        return part

    def _lower_part(self) -> QWidget:
        """The images, the table of classes and the calibration curve, one of them in front."""
        part = QWidget()
        self.views = PageChooser("resultViews", self.tr("What is shown beside the confusion matrix"))
        images, stack = QWidget(), QStackedLayout()
        make.column(make.row((self.caption, 1), self.all_button), (self.gallery, 1), owner=images, spacing=4)
        for page, title, tip in (
            (images, self.tr("Images"), self.tr("The test images of the chosen cell, or all mistakes.")),
            (self.classes, self.tr("Classes"), self.tr("Precision, recall and F1 of each class.")),
            (
                self.calibration,
                self.tr("Calibration"),
                self.tr("How often the network is right, by how certain it is."),
            ),
        ):
            stack.addWidget(page)
            self.views.add_page(title, tip)
        self.views.currentChanged.connect(stack.setCurrentIndex)
        make.column(self.views, (stack, 1), owner=part, spacing=4)
        return part

    def set_dataset(self, dataset: Dataset) -> None:
        """Remove the scores, and prepare for models that are tested on this data set."""
        self._dataset, self._scores = dataset, None
        self.matrix.set_classes(dataset.classes)
        self.views.setTabVisible(0, dataset.is_image)
        if not dataset.is_image and self.views.currentIndex() == 0:
            self.views.setCurrentIndex(1)
        self.gallery.fit_captions(dataset.classes)
        self._show_images()

    def task(self, model: Model) -> Task:
        """The background task that yields the scores for `show_scores`."""
        assert self._dataset
        split = self._dataset.test.first(MAX_TESTED)
        return single_record(lambda control: score_classes(model, split, control.check))

    def show_scores(self, scores: Any) -> str:
        """Show the scores, and return a summary in one or two sentences."""
        assert isinstance(scores, ClassScores)
        assert self._dataset
        if not np.isfinite(scores.confidence).all():
            return self.tr("The network's numbers are no longer finite: lower the learning rate.")
        self._scores = scores
        counts = scores.counts(len(self._dataset.classes))
        self.matrix.show_counts(counts)
        rows = class_rows(self._dataset.classes, counts, self.tr("Mean"))
        self.classes.record_model.show_records(rows)
        self.calibration.show_scores(scores)
        scrolled = self.gallery.verticalScrollBar().value()
        self._show_images()
        self.gallery.verticalScrollBar().setValue(scrolled)
        right, tested = int(counts.trace()), len(scores.predicted_class)
        text = self.tr("{right} of {all} test images are read right ({share}).").format(
            right=count(right), all=count(tested), share=percent(right / tested)
        )
        return f"{text} {self._worst_confusion(counts)}".rstrip()

    def _worst_confusion(self, counts: np.ndarray) -> str:
        assert self._dataset
        wrong = counts - np.diag(np.diag(counts))
        if not wrong.any():
            return ""
        right, read = divmod(int(wrong.argmax()), len(wrong))
        names = self._dataset.classes
        images = int(wrong[right, read])
        others = int((wrong == images).sum()) - 1
        text = self.tr("Most often {right} is read as {read}: {n} ×.")
        if others == 1:
            text = self.tr("Most often {right} is read as {read}: {n} ×, and another pair as often.")
        elif others:
            text = self.tr("Most often {right} is read as {read}: {n} ×, and {others} other pairs as often.")
        return text.format(right=names[right], read=names[read], n=count(images), others=count(others))

    @property
    def has_scores(self) -> bool:
        return self._scores is not None

    def export(self, folder: Path) -> list[Path]:
        """Write the matrix as CSV and PNG and the gallery as PNG; return the files."""
        rows, classes = confusion_rows(self.matrix.classes, self.matrix.counts), len(self.matrix.classes)
        written = [write_table(folder / "confusion-matrix.csv", rows)]
        # A copy of the matrix that is large enough to show all cells.
        matrix = self._with_axis_labels(MatrixTable(self.matrix))
        matrix.resize(150 + classes * CELL.width(), 64 + classes * CELL.height())
        written.append(write_picture(folder / "confusion-matrix.png", matrix, self))
        if self.images.rowCount():
            written.append(write_picture(folder / "gallery.png", self._export_gallery(), self))
        return written

    def _export_gallery(self) -> QWidget:
        """A copy of the gallery that is large enough to show all images."""
        assert self._dataset
        gallery, images = Gallery(self.images), min(self.images.rowCount(), MAX_EXPORTED)
        gallery.fit_captions(self._dataset.classes)
        # So narrow that the images have their smallest size.
        cell, columns = gallery.cell_size(SIDE), min(images, EXPORTED_COLUMNS)
        gallery.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        gallery.resize(columns * cell.width() + 30, -(-images // columns) * cell.height() + 12)
        return gallery

    def _on_chosen(self, row: int, column: int) -> None:
        """Show the images of the chosen cell."""
        if row >= 0:
            self.views.setCurrentIndex(0 if self.views.isTabVisible(0) else self.views.currentIndex())
        self._show_images()

    def _show_images(self) -> None:
        assert self._dataset
        right, read = self.table.choice()
        self.all_button.setEnabled(right >= 0)
        if self._scores is None or not self._dataset.is_image:
            self.images.show_images(self._dataset, None, np.empty(0, int))
            self.caption.setText("")
            return
        indices = self._scores.cell(right, read) if right >= 0 else self._scores.mistakes()
        self.images.show_images(self._dataset, self._scores, indices)
        self.caption.setText(self._caption(right, read, len(indices)))

    def _open(self, row: int) -> None:
        """Emit `open_image` for a temporary PNG file of the image, dark on white like a scan."""
        pixels = np.ascontiguousarray(255 - self.images.image(row))
        height, width = pixels.shape
        picture = QImage(pixels.tobytes(), width, height, width, QImage.Format.Format_Grayscale8)
        smooth = Qt.TransformationMode.SmoothTransformation
        with TemporaryDirectory() as folder:
            path = str(Path(folder) / "image.png")
            if picture.scaled(ENLARGEMENT * width, ENLARGEMENT * height, mode=smooth).save(path):
                self.open_image.emit(path)

    def _caption(self, right: int, read: int, images: int) -> str:
        assert self._dataset
        names = self._dataset.classes
        if right < 0:
            text = self.tr("{n} mistakes, the most certain first. Choose a cell to see its images.")
        elif right == read:
            text = self.tr("{n} images of {right} read right, the least certain first.")
        else:
            text = self.tr("{n} images of {right} read as {read}, the most certain first.")
        return text.format(n=count(images), right=names[right], read=names[read])


# The name of a class, or of the mean of all; its images; precision, recall and F1, NaN where they are not defined.
ClassRates = tuple[str, int, tuple[float, float, float]]


def class_rows(classes: tuple[str, ...], counts: np.ndarray, mean_name: str) -> list[ClassRates]:
    """A row for each class, and one for the mean of all classes. counts: the confusion matrix."""
    rates = class_rates(counts)
    known = ~np.isnan(rates)
    mean = np.where(known.any(axis=0), np.nansum(rates, axis=0) / np.maximum(known.sum(axis=0), 1), np.nan)
    images = np.append(counts.sum(axis=1), counts.sum())
    rows = zip([*classes, mean_name], images, np.vstack([rates, mean]), strict=True)
    return [(name, int(n), tuple(map(float, values))) for name, n, values in rows]


class ClassTable(RecordTable):
    """Precision, recall and F1 of each class."""

    def __init__(self) -> None:
        rates = (
            (self.tr("Precision"), self.tr("Of the images read as this class, the share that is one.")),
            (self.tr("Recall"), self.tr("Of the images of this class, the share that is read as it.")),
            (self.tr("F1"), self.tr("2 · precision · recall / (precision + recall).")),
        )
        columns: list[Column[ClassRates]] = [
            Column(self.tr("Class"), self.tr("The true class of the images."), lambda row: row[0]),
            Column(
                self.tr("Images"),
                self.tr("Test images of the class."),
                lambda row: count(row[1]),
                is_number=True,
            ),
            *(Column(*texts, partial(_rate, k), is_number=True) for k, texts in enumerate(rates)),
        ]
        title = self.tr("Precision, recall and F1 of each class")
        super().__init__(RecordModel(columns), "classTable", title, fills=True)
        self.record_model.setParent(self)


def _rate(index: int, row: ClassRates) -> str:
    return "–" if isnan(row[2][index]) else percent(row[2][index])
