"""Fields: the widgets of the form, one for each setting, and the previews of the schedule and of
augmentation.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from core.data import builtin
from core.data.dataset import Dataset
from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.network.forward_backward import augmented
from core.progress import Progress
from core.training.run_settings import MAX_COUNT, RunSettings, Setting
from gui.background.task_runner import TaskControl, TaskRunner, single_record
from gui.text import choice_title, editable, help_text, label, number
from gui.widgets import make
from gui.widgets.basics import (
    PaintedWidget,
    QuietComboBox,
    QuietSpinBox,
    mark_wrong,
    named,
    with_role,
)
from gui.widgets.make import button, column, fill, row
from gui.widgets.messages import note, set_message
from gui.widgets.theme import ink_image, theme
from gui.words import explain, with_words
from kernels.augmentation import LIGHT, STRONG, AugmentationParams

EDITOR_HEIGHT = 24  # pixels
_UNLIMITED = 16777215  # pixels: Qt's most for the width of a widget


class Field(QWidget):
    """The editor of one setting. `changed` is emitted whenever the user or the program changes its
    content.
    """

    changed = Signal()
    suffix = "Edit"

    def __init__(self, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting = setting
        self.editor = self.make_editor()
        first, *others = setting.name.split("_")
        name = first + "".join(word.capitalize() for word in others) + self.suffix
        title = ", ".join(filter(None, (label(setting), setting.unit)))
        named(self.editor, name, title, help_text(setting))
        self.editor.setMinimumHeight(EDITOR_HEIGHT)
        self.editor.setAccessibleDescription(help_text(setting))
        self.error = note("error", f"{name}Error")
        line = row((self.editor, 1))
        if setting.unit:
            unit = with_role(QLabel(QCoreApplication.translate("Setting", setting.unit)), "muted")
            line.addWidget(unit)
        column(line, self.error, owner=self, spacing=2)

    def make_editor(self) -> QWidget:
        raise NotImplementedError

    def raw(self) -> Any:
        """The content of the editor, unchecked."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def remember(self) -> Callable[[], None]:
        """A function that shows the present content again, be it valid or not."""
        return partial(self.show_value, self.raw())

    def value(self) -> Any:
        """The checked value; raises InputError."""
        return self.setting.check(self.raw())

    def holds(self, value: Any) -> bool:
        """Whether the editor's content is valid and equal to `value`."""
        try:
            return self.value() == value
        except InputError:
            return False

    def show_error(self, text: str) -> None:
        """Show `text` below the editor and mark the editor; an empty text removes both."""
        set_message(self.error, text)
        mark_wrong(self.editor, bool(text))
        self.editor.setAccessibleDescription(text or help_text(self.setting))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            mark_wrong(self.editor, bool(self.error.text()))


class ChoiceField(Field):
    suffix = "Box"

    def make_editor(self) -> QWidget:
        self.box = QuietComboBox()
        titles = ((choice, choice_title(self.setting, choice)) for choice in self.setting.choices)
        fill(self.box, ((choice, title, explain(title)) for choice, title in titles))
        self.box.currentIndexChanged.connect(self.changed)
        return self.box

    def raw(self) -> str:
        return self.box.currentData()

    def show_value(self, value: Any) -> None:
        self.box.choose(str(value))


class IntegerField(Field):
    """For an optional setting, `minimum - 1` means None."""

    suffix = "Box"

    def make_editor(self) -> QWidget:
        self.box = QuietSpinBox()
        minimum = int(self.setting.minimum or 0)
        self.box.setRange(minimum - self.setting.optional, int(self.setting.maximum or MAX_COUNT))
        self.box.setAccelerated(True)
        if self.setting.optional:
            self.box.setSpecialValueText(self.tr("off"))
        self.box.valueChanged.connect(self.changed)
        return self.box

    def raw(self) -> int | None:
        is_off = self.setting.optional and self.box.value() == self.box.minimum()
        return None if is_off else self.box.value()

    def show_value(self, value: Any) -> None:
        self.box.setValue(self.box.minimum() if value is None else min(value, self.box.maximum()))


class TextField(Field):
    def make_editor(self) -> QWidget:
        self.edit = QLineEdit()
        self.edit.textChanged.connect(self.changed)
        return self.edit

    def raw(self) -> str | None:
        return self.edit.text()

    def show_value(self, value: Any) -> None:
        self.edit.setText(str(value))


class NumberField(TextField):
    """Accepts a decimal comma as well as a decimal point. An empty text of an optional setting
    means None.
    """

    def make_editor(self) -> QWidget:
        editor = super().make_editor()
        if self.setting.optional:
            self.edit.setPlaceholderText(self.tr("off"))
        self.edit.editingFinished.connect(self._show_beginning)
        return editor

    def _show_beginning(self) -> None:
        """Scroll to the first digit: the last ones of a long number alone would be read as another
        number.
        """
        self.edit.setCursorPosition(0)

    def raw(self) -> str | None:
        text = self.edit.text().strip()
        if not text and self.setting.optional:
            return None
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text

    def show_value(self, value: Any) -> None:
        self.edit.setText("" if value is None else editable(value))
        self._show_beginning()

    def remember(self) -> Callable[[], None]:
        return partial(self.edit.setText, self.edit.text())


class FlagField(Field):
    suffix = "Check"

    def make_editor(self) -> QWidget:
        self.check = QCheckBox()
        self.check.toggled.connect(self.changed)
        return self.check

    def raw(self) -> bool:
        return self.check.isChecked()

    def show_value(self, value: Any) -> None:
        self.check.setChecked(bool(value))


KINDS: dict[str, type[Field]] = {
    "choice": ChoiceField,
    "integer": IntegerField,
    "number": NumberField,
    "text": TextField,
    "flag": FlagField,
}


def label_of(editor: QWidget, made: QLabel) -> QLabel:
    """The label, whose mnemonic focuses `editor`."""
    made.setBuddy(editor)
    return made


def field_label(field: Field, letter: str, kind: type[QLabel] = QLabel) -> QLabel:
    """The label of a field; Alt and `letter` move the focus to the editor."""
    text = label(field.setting)
    position = text.lower().find(letter.lower()) if letter else -1
    made = kind(text if position < 0 else f"{text[:position]}&{text[position:]}")
    made.setToolTip(with_words(help_text(field.setting), label(field.setting)))
    return label_of(field.editor, made)


class Cell(QWidget):
    """A caption with its editor: above it in the settings line, or left of it on the page of all
    settings.

    `wished`: pixels, or the width of the caption above where that is more.
    """

    def __init__(self, caption: QLabel, editor: QWidget) -> None:
        super().__init__()
        self.caption = caption
        self._editor = editor
        self.wished = 0  # what the parts ask for
        self._box = column((caption, 3), (editor, 4), owner=self, spacing=2)

    def fit(self, width: int, *, grows: bool = False, beside: bool = False) -> None:
        """Have this width; grows: and what is free in the line, until the editor shows its text as
        a whole. beside: the caption is left of the editor.
        """
        self.caption.setWordWrap(beside)
        across = QBoxLayout.Direction.LeftToRight
        self._box.setDirection(across if beside else QBoxLayout.Direction.TopToBottom)
        self.caption.setMaximumWidth(width * 3 // 7 if beside else _UNLIMITED)
        self.wished = width if beside else max(width, self.caption.sizeHint().width())
        most = max(self.wished, self._editor.sizeHint().width()) if grows else self.wished
        self.setMinimumWidth(self.wished)
        self.setMaximumWidth(most)
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Expanding if grows else policy.Fixed, policy.Preferred)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wished = super().sizeHint()
        return QSize(self.wished or wished.width(), wished.height())


def form_of(fields: Iterable[Field], letters: Mapping[str, str]) -> QFormLayout:
    """A form with a row for each field; letters: for the key that focuses it, by the name of the
    setting.
    """
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setVerticalSpacing(5)
    form.setHorizontalSpacing(10)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for field in fields:
        form.addRow(field_label(field, letters.get(field.setting.name, "")), field)
    return form


HEIGHT = 40  # pixels
_MARGIN = 3  # pixels
_MAX_POINTS = 400


class SchedulePreview(PaintedWidget):
    """A line from the first epoch to the last, on a linear axis from 0. The tooltip names the rate
    at the pointer.
    """

    def __init__(self) -> None:
        super().__init__("schedulePreview", self.tr("Learning rate of each epoch"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_schedule(None)

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def show_schedule(self, settings: RunSettings | None) -> None:
        """Draw the schedule of these settings; nothing for None."""
        end = settings.epochs if settings else 0
        text = ""
        self.epochs = np.linspace(0, end - 1, min(end, _MAX_POINTS)).round().astype(int)
        self.rates = np.array([settings.rate_of(int(epoch)) for epoch in self.epochs if settings])
        if settings:
            first = number(self.rates[0], 3)
            last = number(self.rates[-1], 3)
            text = self.tr("{first} in epoch 1, {last} in epoch {epochs}")
            text = text.format(first=first, last=last, epochs=end)
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def tip_at(self, point: QPoint) -> str:
        if not len(self.rates):
            return ""
        fraction = (point.x() - _MARGIN) / max(self.width() - 2 * _MARGIN, 1)
        index = round(min(max(fraction, 0), 1) * (len(self.epochs) - 1))
        epoch = int(self.epochs[index]) + 1
        rate = number(self.rates[index], 3)
        text = self.tr("Epoch {epoch}: learning rate {rate}").format(epoch=epoch, rate=rate)
        return f"{text}\n{self.toolTip()}"

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.rates):
            return
        colors = theme().colors
        rates = np.repeat(self.rates, 2 if len(self.rates) == 1 else 1)
        width = self.width() - 2 * _MARGIN
        height = self.height() - 2 * _MARGIN
        xs = _MARGIN + np.linspace(0, width, len(rates))
        ys = _MARGIN + (1 - rates / rates.max()) * height
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.drawLine(_MARGIN, _MARGIN + height, _MARGIN + width, _MARGIN + height)
            painter.setPen(QPen(QColor(colors.train if self.isEnabled() else colors.muted), 2))
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(xs, ys, strict=True)]))


ROWS, COLUMNS = 3, 6
_WAIT_MILLISECONDS = 150
_MAX_WIDTH = 480
_PREVIEW_WIDTH = 270
_TILE_GAP = 2  # pixels between two images, so that strokes at an edge do not touch


class AugmentationPreview(QWidget):
    """A grid of images: the unchanged ones in the first row, and below each its augmented versions.

    It is computed in a background thread, because the compiler has to be loaded and perhaps a data
    set to be read.
    """

    def __init__(self, dataset_cache: DatasetCache) -> None:
        super().__init__()
        tip = self.tr(
            "Top row: unchanged images. Below: two random changes of each, as in a training step."
        )
        named(self, "augmentationPreview", self.tr("Augmented training images"), tip)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._dataset_cache = dataset_cache
        # The grid, uint8 (rows · 28, columns · 28); None before.
        self.pixels: np.ndarray | None = None
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
        self.setFixedHeight(round(ROWS * self._side(event.size().width()) + (ROWS - 1) * _TILE_GAP))

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
        width = image.width() // COLUMNS
        height = image.height() // ROWS
        size = QSizeF(width, height).scaled(
            self.tile(0, 0).size(), Qt.AspectRatioMode.KeepAspectRatio
        )
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            for y, x in np.ndindex(ROWS, COLUMNS):
                tile = self.tile(y, x)
                shape = QRectF(QPointF(), size)
                painter.fillRect(tile, palette.color(QPalette.ColorRole.Base))
                shape.moveCenter(tile.center())
                painter.drawImage(shape, image.copy(x * width, y * height, width, height))

    def tile(self, row: int, column: int) -> QRectF:
        side = self._side(self.width())
        return QRectF(column * (side + _TILE_GAP), row * (side + _TILE_GAP), side, side)

    def _side(self, width: int) -> float:
        return (min(width, _MAX_WIDTH) - (COLUMNS - 1) * _TILE_GAP) / COLUMNS


def _changed(images: np.ndarray, amounts: AugmentationParams, step: int) -> np.ndarray:
    """uint8 (rows · h, columns · w): `images`, and below each the results of augmentation in
    `step`.
    """
    out = augmented(np.concatenate([images] * ROWS), amounts, 0, step)
    out[:COLUMNS] = images
    height, width = images.shape[1:3]
    grid = out.reshape(ROWS, COLUMNS, height, width).transpose(0, 2, 1, 3)
    return grid.reshape(ROWS * height, COLUMNS * width)


def _some_images(dataset_cache: DatasetCache, source: str, progress: Progress) -> np.ndarray:
    """uint8 (columns, h, w, 1): images of the data set; float32 (columns, values) if its examples
    are no images.

    Built-in digits are drawn anew unless they are in memory.
    """
    dataset: Dataset | None = dataset_cache.get_if_loaded(source)
    if dataset is None and source == builtin.NAME:
        return builtin.draw(COLUMNS, 1)[0].inputs
    return (dataset or dataset_cache.get(source, progress)).train.inputs[:COLUMNS]


class AugmentationForm(QWidget):
    """How the images are varied; the preview is computed only while it is visible."""

    def __init__(self, fields: dict[str, Field], dataset_cache: DatasetCache) -> None:
        super().__init__()
        self._fields = fields
        self._source = ""
        self.preview = AugmentationPreview(dataset_cache)
        self._make_body()
        for field in fields.values():
            field.changed.connect(self._refresh)

    def set_source(self, source: str) -> None:
        if source != self._source:
            self._source = source
            self._refresh()

    def amounts(self) -> AugmentationParams | None:
        """The values of the fields, or None while one is not valid."""
        try:
            return AugmentationParams(
                **{name: field.value() for name, field in self._fields.items()}
            )
        except InputError:
            return None

    def choose(self, amounts: AugmentationParams, checked: bool = False) -> None:
        for name, value in amounts._asdict().items():
            self._fields[name].show_value(value)

    def _make_body(self) -> None:
        tr = self.tr
        kinds = (
            (
                tr("None"),
                "noAugmentation",
                tr("Train on the images as they are."),
                AugmentationParams(),
            ),
            (
                tr("Light"),
                "lightAugmentation",
                tr("Small changes, which hardly harm any digit."),
                LIGHT,
            ),
            (tr("Strong"), "strongAugmentation", tr("Large changes, for long training."), STRONG),
        )
        amounts = [
            button(text, name, tip, partial(self.choose, of)) for text, name, tip, of in kinds
        ]
        tip = tr("Show other random changes by the same amounts.")
        again = button(tr("Again"), "againButton", tip, lambda: self._refresh(again=True))
        text = tr(
            "Changes each training image a little, differently each time, so that the network "
            "does not memorize it."
        )
        what = make.label(text, "augmentationNote", "muted")
        presets = row(*amounts, again, None, spacing=8)
        fields = [*self._fields.values()]
        self.preview.setFixedWidth(_PREVIEW_WIDTH)
        forms = form_of(fields[:3], {}), form_of(fields[3:], {})
        column(
            row(
                (column(presets, row(*forms, spacing=24), what, None, spacing=6), 1),
                self.preview,
                spacing=24,
            ),
            None,
            owner=self,
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _refresh(self, *, again: bool = False) -> None:
        amounts = self.amounts()
        if self.isVisible() and amounts is not None and self._source:
            self.preview.show_for(self._source, amounts, again=again)
