"""The results of a classification: the confusion matrix, and the images of its cells."""

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from operator import itemgetter
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QListView,
    QSplitter,
    QStackedLayout,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from core.data.dataset import Dataset
from core.data.formats.class_digits import scores_by_writer
from core.inference.model_file import Model
from core.inference.scores import (
    MAX_TESTED,
    ClassScores,
    class_rates,
    confusion_rows,
    score_classes,
    write_table,
)
from gui.background.task_runner import TaskControl
from gui.results.matrix import MatrixModel, MatrixTable
from gui.results.plots import DiagonalPlot
from gui.text import count, percent, probability
from gui.widgets import make
from gui.widgets.basics import FitsOnResize, key_text, named
from gui.widgets.pictures import write_picture
from gui.widgets.shapes import paint_bar
from gui.widgets.tab import PageChooser
from gui.widgets.tables import RECORD_ROLE, Column, ImageList, Index, RecordModel, RecordTable
from gui.widgets.theme import theme
from gui.words import with_words

# Pixels: the height of a bar of sureness, and of it with its margin.
_BAR = 4
_BAR_ROOM = 8
SIDES = (112, 96, 80, 64)  # pixels of an image; the largest at which all images are visible
SIDE = SIDES[-1]
# pixels of a caption
NARROW = 84
WIDE = 140


class Gallery(FitsOnResize, ImageList):
    """Images of the test split, by their numbers."""

    def __init__(self) -> None:
        super().__init__(
            "gallery", self.tr("Test images"), self._caption, self._tip, self.image, SIDES[0]
        )
        self._dataset: Dataset | None = None
        self._scores: ClassScores | None = None
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setWordWrap(True)
        self.setSpacing(2)
        self._caption_width = NARROW
        self._caption_lines = 1
        self.setItemDelegate(_SurenessDelegate(self))
        self.setMinimumHeight(SIDE + 50)
        self.record_model.modelReset.connect(self.fit)

    def show_images(
        self, dataset: Dataset, scores: ClassScores | None, indices: np.ndarray
    ) -> None:
        """indices: the images of the test split that are shown, in this order."""
        # Measuring the names takes time, and they stay the same while a network learns.
        if dataset is not self._dataset:
            self._fit_captions(dataset.classes)
        self._dataset = dataset
        self._scores = scores
        self.record_model.show_records(indices)  # type: ignore[arg-type]

    def image(self, index: int) -> np.ndarray:
        """uint8 (height, width): 255 is ink."""
        assert self._dataset
        return self._dataset.test.inputs[index, :, :, 0]

    def sureness(self, index: int) -> float:
        """The probability of the class that is read, 0 to 1."""
        assert self._scores
        return float(self._scores.confidence[index])

    def _names(self, index: int) -> tuple[str, str]:
        """The true class and the one that is read. A caption must not wrap inside a name."""
        assert self._scores
        assert self._dataset
        names = [name.replace(" ", "\N{NO-BREAK SPACE}") for name in self._dataset.classes]
        return names[self._scores.true_class[index]], names[self._scores.predicted_class[index]]

    def _caption(self, index: int) -> str:
        right, read = self._names(index)
        if read == right:
            return self.tr("read as {read}").format(read=read)
        return self.tr("{right} read as {read}").format(right=right, read=read)

    def _tip(self, index: int) -> str:
        """The caption with the three most probable classes, and what can be done with the image."""
        scores = self._scores
        dataset = self._dataset
        assert scores
        assert dataset
        others = ", ".join(
            f"{dataset.classes[name]}: {probability(float(sure), 0)}"
            for name, sure in zip(
                scores.top[index, 1:], scores.top_confidence[index, 1:], strict=True
            )
        )
        text = self.tr(
            "{caption} ({sure}; {others}) — test image {n}; a double click or Return puts it on "
            "the canvas."
        )
        sure = probability(self.sureness(index))
        return text.format(
            caption=self._caption(index), sure=sure, others=others, n=count(int(index))
        )

    def _fit_captions(self, classes: tuple[str, ...]) -> None:
        """Make room for captions with two class names: in one line if they are short, else in
        two.
        """
        metrics = self.fontMetrics()
        longest = max(classes, key=metrics.horizontalAdvance, default="")
        text = self.tr("{right} read as {read}").format(read=longest, right=longest)
        one_line = metrics.horizontalAdvance(text)
        two_lines = metrics.horizontalAdvance(self.tr("read as {read}").format(read=longest))
        most = theme().px(WIDE)
        self._caption_lines = 1 if one_line <= most else 2
        self._caption_width = one_line if self._caption_lines == 1 else min(two_lines, most)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._dataset is not None:
            self._fit_captions(self._dataset.classes)
            self.fit()

    def fit(self) -> None:
        """Use the largest images that are all visible, and columns that fill the width."""
        # The width with a scroll bar, whether there is one or not: else the two could alternate.
        bar = self.verticalScrollBar().sizeHint().width()
        width = self.width() - 2 * self.frameWidth() - bar - 1
        height = self.viewport().height()
        images = max(self.record_model.rowCount(), 1)
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
        captions = self._caption_lines * self.fontMetrics().lineSpacing()
        return QSize(max(self._caption_width, side) + 14, side + captions + _BAR_ROOM + 12)


class _SurenessDelegate(QStyledItemDelegate):
    """Below the caption a thin bar: how sure the network is."""

    def __init__(self, gallery: Gallery) -> None:
        super().__init__(gallery)
        self._gallery = gallery

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return super().sizeHint(option, index) + QSize(0, _BAR_ROOM)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        side = self._gallery.iconSize().width()
        room = option.rect
        track = QRectF(room.center().x() - side / 2, room.bottom() - _BAR_ROOM, side, _BAR)
        painter.save()
        paint_bar(painter, track, self._gallery.sureness(index.data(RECORD_ROLE)))
        painter.restore()


CELL = QSize(46, 46)  # of an exported matrix
EXPORTED_COLUMNS = 10
MAX_EXPORTED = 60
WIDE_PAGE = 1000  # pixels


class ClassesPage(QWidget):
    """The gallery shows the images of the selected cell, or the worst mistakes if none is
    selected.
    """

    open_image = Signal(str)  # path of a picture; the file is deleted after the signal

    interval_milliseconds = 2000  # between two computations
    only_at_epoch_ends = True

    def __init__(self) -> None:
        super().__init__()
        self.matrix = MatrixModel()
        self.table = MatrixTable(self.matrix)
        self.table.setToolTip(
            with_words(
                self.tr(
                    "A cell counts the images of its row's class that were read as its column's; "
                    "{key} copies them all."
                ).format(key=key_text("Ctrl+C")),
                "confusion matrix",
            )
        )
        self.gallery = Gallery()
        self.images = self.gallery.record_model
        self.caption = make.label(name="galleryCaption")
        tip = self.tr("Show the mistakes of all classes again (Esc in the matrix).")
        text = self.tr("All &mistakes")
        self.all_button = make.button(text, "allMistakesButton", tip, self.table.clear_choice)
        self.table.chosen.connect(self._on_chosen)
        self.gallery.opened.connect(self.open_image)
        self._dataset: Dataset | None = None
        self.scores: ClassScores | None = None
        self.splitter = named(QSplitter(Qt.Orientation.Vertical), "resultsSplitter")
        upper = self._with_key(self.table)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self._lower_part())
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([300, 240])
        self._is_divided = False  # by the person
        self.splitter.splitterMoved.connect(self._on_divided)
        make.column(self.splitter, owner=self)
        upper.lower()  # the first child, so the tab order begins with the matrix

    def _lower_part(self) -> QWidget:
        """The images, the tables of classes and writers and the calibration curve, one of them in
        front.
        """
        tr = self.tr
        self.classes = rate_table(
            "classTable",
            tr("Precision, recall and F1 of each class"),
            (
                (tr("Class"), tr("The true class of the images.")),
                (tr("Images"), tr("Test images of the class.")),
                (tr("Precision"), tr("Of the images read as this class, the share that is one.")),
                (tr("Recall"), tr("Of the images of this class, the share that is read as it.")),
                (tr("F1"), tr("2 · precision · recall / (precision + recall).")),
            ),
        )
        self.writers = rate_table(
            "writerTable",
            tr("Who is read badly"),
            (
                (tr("Writer"), tr("Who wrote the images.")),
                (tr("Images"), tr("Test images of the writer.")),
                (tr("Right"), tr("The share that is read right.")),
            ),
        )
        tip = tr(
            "How often the network is right, by how certain it is: on the dashed line it is "
            "exactly as often right as it says."
        )
        name = "calibrationPlot"
        self.calibration = DiagonalPlot(tr("Calibration"), name, tip, self._interval)
        self.calibration.name_axes(tr("confidence, %"), tr("right, %"))
        part = QWidget()
        self.views = PageChooser("resultViews", tr("What is shown beside the confusion matrix"))
        images = QWidget()
        stack = QStackedLayout()
        make.column(
            self.views, (stack, 1), owner=part, spacing=4
        )  # a page without a parent would be a window
        make.column(
            make.row((self.caption, 1), self.all_button), (self.gallery, 1), owner=images, spacing=4
        )
        for page, title, tip in (
            (images, tr("Images"), tr("The test images of the chosen cell, or all mistakes.")),
            (self.classes, tr("Classes"), tr("Precision, recall and F1 of each class.")),
            (
                self.calibration,
                tr("Calibration"),
                tr("How often the network is right, by how certain it is."),
            ),
            (
                self.writers,
                tr("Writers"),
                tr("Who is read badly: the share that is right of each hand."),
            ),
        ):
            stack.addWidget(page)
            self.views.add_page(title, with_words(tip, f"{title} {tip}"))
        self.views.currentChanged.connect(stack.setCurrentIndex)
        return part

    def _on_divided(self) -> None:
        self._is_divided = True

    def _interval(self, confidence: float, right: float, index: int) -> str:
        images = int(self._interval_images[index])
        text = self.tr("{n} images, {confidence} certain, {right} right", None, images)
        return text.format(
            n=count(images), confidence=percent(confidence / 100), right=percent(right / 100)
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the gallery beside the matrix on a wide page, else below it; the matrix takes a
        square.
        """
        super().resizeEvent(event)
        size = event.size()
        wide = size.width() > max(WIDE_PAGE, 1.2 * size.height())
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        is_new = orientation != self.splitter.orientation()
        self.splitter.setOrientation(orientation)
        if wide and not self._is_divided:
            square = min(max(size.height(), self.table.least_width() + 24), size.width() * 3 // 5)
            self.splitter.setSizes([square, size.width() - square])
        elif is_new:
            self.splitter.setSizes([300, 240])

    def _with_key(self, table: MatrixTable) -> QWidget:
        """A widget with `table`, and at its sides what rows and columns are."""
        part = QWidget()
        rows = make.label(self.tr("is"), role="caption", wraps=False)
        columns = make.label(self.tr("read as"), role="caption", wraps=False)
        columns.setAlignment(Qt.AlignmentFlag.AlignCenter)
        make.column(columns, (make.row(rows, (table, 1), spacing=4), 1), owner=part, spacing=2)
        return part

    def set_dataset(self, dataset: Dataset) -> None:
        """Remove the scores, and prepare for models that are tested on this data set."""
        self._dataset = dataset
        self.scores = None
        self.matrix.set_classes(dataset.classes)
        self.views.setTabVisible(0, dataset.is_image)
        self.views.setTabVisible(3, dataset.writers is not None)
        # A page whose button is hidden could not be left.
        if dataset.writers is None and self.views.currentIndex() == 3:
            self.views.setCurrentIndex(0)
        if not dataset.is_image and self.views.currentIndex() == 0:
            self.views.setCurrentIndex(1)
        self._show_images()

    def scoring(self, model: Model) -> Callable[[TaskControl], Callable[[], str]]:
        """A function that scores the model, and returns one that shows the scores."""
        assert self._dataset
        split = self._dataset.test.first(MAX_TESTED)
        return lambda control: partial(self.show_scores, score_classes(model, split, control.check))

    def show_scores(self, scores: ClassScores) -> str:
        """Show the scores, and return a summary in one or two sentences."""
        assert self._dataset
        # A training that diverges gives NaN: there is nothing to count.
        if not np.isfinite(scores.confidence).all():
            return self.tr("The network's numbers are no longer finite: lower the learning rate.")
        self.scores = scores
        counts = scores.counts(len(self._dataset.classes))
        self.matrix.show_counts(counts)
        self._show_classes(counts)
        confidence, share, self._interval_images = scores.calibration()
        error = self.tr("expected error {error}").format(error=percent(scores.calibration_error()))
        self.calibration.show_dots(
            100 * np.column_stack([confidence, share]), (0, 100), error, joined=True
        )
        if self._dataset.writers is not None:
            right = scores.predicted_class == scores.true_class
            self.writers.record_model.show_records(
                [
                    (name, count(images), percent(share, 1))
                    for name, images, share in scores_by_writer(self._dataset.writers, right)
                ]
            )
        # Kept: new images would throw the person back to the first ones.
        scrolled = self.gallery.verticalScrollBar().value()
        self._show_images()
        self.gallery.verticalScrollBar().setValue(scrolled)
        right = int(counts.trace())
        tested = len(scores.predicted_class)
        text = self.tr("{right} of {all} test images are read right ({share}).", None, tested)
        text = text.format(right=count(right), all=count(tested), share=percent(right / tested))
        return f"{text} {self._worst_confusion(counts)}".rstrip()

    def _show_classes(self, counts: np.ndarray) -> None:
        assert self._dataset
        rates = class_rates(counts)  # NaN where they are not defined
        known = ~np.isnan(rates)
        # By hand: `nanmean` warns where no class has a rate.
        mean = np.nansum(rates, axis=0) / np.where(known.any(axis=0), known.sum(axis=0), np.nan)
        images = np.append(counts.sum(axis=1), counts.sum())
        names = (*self._dataset.classes, self.tr("Mean"))
        self.classes.record_model.show_records(
            [
                (
                    name,
                    count(int(n)),
                    *("–" if isnan(rate) else percent(float(rate)) for rate in row),
                )
                for name, n, row in zip(names, images, np.vstack([rates, mean]), strict=True)
            ]
        )

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
        if others:
            text = self.tr(
                "Most often {right} is read as {read}: {n} ×, and {others} other pairs as often.",
                None,
                others,
            )
        return text.format(
            right=names[right], read=names[read], n=count(images), others=count(others)
        )

    def export(self, folder: Path) -> list[Path]:
        """Write the matrix as CSV and PNG and the gallery as PNG; return the files."""
        rows = confusion_rows(self.matrix.classes, self.matrix.counts)
        classes = len(self.matrix.classes)
        written = [write_table(folder / "confusion-matrix.csv", rows)]
        # A copy of the matrix that is large enough to show all cells.
        matrix = self._with_key(MatrixTable(self.matrix))
        matrix.resize(150 + classes * CELL.width(), 80 + classes * CELL.height())
        written.append(write_picture(folder / "confusion-matrix.png", matrix, self))
        images = min(self.images.rowCount(), MAX_EXPORTED)
        if images:
            assert self._dataset
            gallery = Gallery()
            gallery.show_images(self._dataset, self.scores, np.array(self.images.records))
            # So narrow that the images have their smallest size.
            cell = gallery.cell_size(SIDE)
            columns = min(images, EXPORTED_COLUMNS)
            gallery.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            gallery.resize(columns * cell.width() + 30, -(-images // columns) * cell.height() + 12)
            written.append(write_picture(folder / "gallery.png", gallery, self))
        return written

    def _on_chosen(self, row: int, column: int) -> None:
        # Whoever chooses a cell wants to see its images.
        if row >= 0 and self.views.isTabVisible(0):
            self.views.setCurrentIndex(0)
        self._show_images()

    def _show_images(self) -> None:
        assert self._dataset
        right, read = self.table.choice()
        self.all_button.setEnabled(right >= 0)
        if self.scores is None or not self._dataset.is_image:
            self.gallery.show_images(self._dataset, None, np.empty(0, int))
            self.caption.setText("")
            return
        indices = self.scores.cell(right, read) if right >= 0 else self.scores.mistakes()
        self.gallery.show_images(self._dataset, self.scores, indices)
        n = len(indices)
        if right < 0:
            text = self.tr(
                "{n} mistakes, the most certain first: the label of the data, then what is read. "
                "A cell shows its images.",
                None,
                n,
            )
        elif right == read:
            text = self.tr("{n} images of {right} read right, the least certain first.", None, n)
        else:
            text = self.tr("{n} images of {right} read as {read}, the most certain first.", None, n)
        names = self._dataset.classes
        self.caption.setText(text.format(n=count(n), right=names[right], read=names[read]))


def rate_table(name: str, title: str, headings: Sequence[tuple[str, str]]) -> RecordTable:
    """A table of texts: a name, numbers and rates. headings: with their tooltips."""
    columns: list[Column[tuple[str, ...]]] = [
        Column(*texts, itemgetter(index), is_number=index > 0)
        for index, texts in enumerate(headings)
    ]
    return RecordTable(RecordModel(columns), name, title, fills=True)
