"""The augmentation section: the fields of augmentation, buttons for common amounts, and a preview."""

from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.data import builtin
from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.progress import Progress
from gui.background.task_runner import TaskControl, TaskRunner, single_record
from gui.settings.fields import Field, form_of
from gui.widgets.basics import CollapsibleButton, named
from gui.widgets.colors import ink_image
from gui.widgets.make import button, column, label, row
from kernels.augmentation import LIGHT, STRONG, AugmentationParams, augmented

ROWS, COLUMNS = 3, 6
_WAIT_MILLISECONDS = 150
_MAX_WIDTH = 480
_GAP = 2  # pixels between two images, so that strokes at an edge do not touch


class AugmentationPreview(QWidget):
    """A grid of images: the unchanged ones in the first row, and below each its augmented versions.

    It is computed in a background thread, because the compiler has to be loaded and perhaps a data set to be read.
    """

    def __init__(self, dataset_cache: DatasetCache) -> None:
        super().__init__()
        tip = self.tr("Top row: unchanged images. Below: two random changes of each, as in a training step.")
        named(self, "augmentationPreview", self.tr("Augmented training images"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._dataset_cache = dataset_cache
        self.pixels: np.ndarray | None = None  # the grid, uint8 (rows · 28, columns · 28); None before
        self._wanted = ("", AugmentationParams(), 0)
        self._runner = TaskRunner(self)
        self._runner.records.connect(lambda records: self._show(records[0]))
        self._runner.ended.connect(lambda failure: self._show(None if failure else self.pixels))
        self._step = 0
        self._soon = QTimer(self, interval=_WAIT_MILLISECONDS, singleShot=True)
        self._soon.timeout.connect(self._begin)

    def sizeHint(self) -> QSize:
        return QSize(COLUMNS * 44, ROWS * 44)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # A scroll area does not call `heightForWidth`, so the height is set for each width.
        self.setFixedHeight(round(ROWS * self._side(event.size().width()) + (ROWS - 1) * _GAP))

    def show_for(self, source: str, amounts: AugmentationParams, *, again: bool = False) -> None:
        """Show images of this data set changed by `amounts`; `again`: with new random numbers."""
        self._step += again
        self._wanted = (source, amounts, self._step)
        self._soon.start()

    def _begin(self) -> None:
        source, amounts, step = self._wanted

        def augment(control: TaskControl) -> np.ndarray | None:
            images = _some_images(self._dataset_cache, source, control.progress)
            return _changed(images, amounts, step) if images.ndim == 4 else None

        self._runner.start_latest(single_record(augment))

    def _show(self, pixels: np.ndarray | None) -> None:
        self.pixels = pixels
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        palette = self.palette()
        image = QImage() if self.pixels is None else ink_image(self.pixels, palette)
        width, height = image.width() // COLUMNS, image.height() // ROWS
        size = QSizeF(width, height).scaled(self.tile(0, 0).size(), Qt.AspectRatioMode.KeepAspectRatio)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            for y, x in np.ndindex(ROWS, COLUMNS):
                tile, shape = self.tile(y, x), QRectF(QPointF(), size)
                painter.fillRect(tile, palette.color(QPalette.ColorRole.Base))
                shape.moveCenter(tile.center())
                painter.drawImage(shape, image.copy(x * width, y * height, width, height))

    def tile(self, row: int, column: int) -> QRectF:
        """The rectangle of an image in the widget."""
        side = self._side(self.width())
        return QRectF(column * (side + _GAP), row * (side + _GAP), side, side)

    def _side(self, width: int) -> float:
        return (min(width, _MAX_WIDTH) - (COLUMNS - 1) * _GAP) / COLUMNS


def _changed(images: np.ndarray, amounts: AugmentationParams, step: int) -> np.ndarray:
    """uint8 (rows · h, columns · w): `images`, and below each the results of augmentation in `step`."""
    out = augmented(np.concatenate([images] * ROWS), amounts, 0, step)
    out[:COLUMNS] = images
    height, width = images.shape[1:3]
    grid = out.reshape(ROWS, COLUMNS, height, width).transpose(0, 2, 1, 3)
    return grid.reshape(ROWS * height, COLUMNS * width)


def _some_images(dataset_cache: DatasetCache, source: str, progress: Progress) -> np.ndarray:
    """uint8 (columns, h, w, 1): images of the data set; float32 (columns, values) if its examples are no images.

    Built-in digits are drawn anew unless they are in memory.
    """
    dataset: Dataset | None = dataset_cache.get_if_loaded(source)
    if dataset is None and source == builtin.NAME:
        return builtin.draw(COLUMNS, 1)[0].inputs
    return (dataset or dataset_cache.get(source, progress)).train.inputs[:COLUMNS]


class AugmentationSection(QWidget):
    """Collapsed at first; the preview is computed only while it is visible."""

    def __init__(self, fields: dict[str, Field], dataset_cache: DatasetCache) -> None:
        super().__init__()
        self._fields = fields
        self._source = ""
        self.preview = AugmentationPreview(dataset_cache)
        body = self._make_body()
        tip = self.tr(
            "Changes each training image a little, differently each time, so that the network does not memorize it."
        )
        self.button = named(CollapsibleButton(self.tr("Au&gmentation"), body), "augmentationButton", tip=tip)
        self.button.unfolded.connect(self._refresh)
        column(self.button, body, owner=self, spacing=4)
        for field in fields.values():
            field.changed.connect(self._refresh)

    def set_source(self, source: str) -> None:
        """Set the data set whose images the preview shows."""
        if source != self._source:
            self._source = source
            self._refresh()

    def amounts(self) -> AugmentationParams | None:
        """The values of the fields, or None while one is not valid."""
        try:
            return AugmentationParams(**{name: field.value() for name, field in self._fields.items()})
        except InputError:
            return None

    def choose(self, amounts: AugmentationParams, checked: bool = False) -> None:
        for name, value in amounts._asdict().items():
            self._fields[name].show_value(value)

    def _make_body(self) -> QWidget:
        body, tr = QWidget(), self.tr
        kinds = (
            (tr("None"), "noAugmentation", tr("Train on the images as they are."), AugmentationParams()),
            (tr("Light"), "lightAugmentation", tr("Small changes, which hardly harm any digit."), LIGHT),
            (tr("Strong"), "strongAugmentation", tr("Large changes, for long training."), STRONG),
        )
        amounts = [button(text, name, tip, partial(self.choose, of)) for text, name, tip, of in kinds]
        for made in amounts:
            made.setMinimumWidth(40)
        text = tr("Original images, and two random changes of each.")
        what = label(text, "augmentationNote", "muted")
        tip = tr("Show other random changes by the same amounts.")
        again = button(tr("Again"), "againButton", tip, lambda: self._refresh(again=True))
        form = form_of(self._fields.values(), {})
        column(row(*amounts), self.preview, row((what, 1), again), form, owner=body, spacing=6)
        return body

    def _refresh(self, *, again: bool = False) -> None:
        amounts = self.amounts()
        if self.button.isChecked() and amounts is not None and self._source:
            self.preview.show_for(self._source, amounts, again=again)
