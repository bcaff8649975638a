"""Fields: the widgets of the form, one for each setting, and the previews of the schedule and of
augmentation.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QPoint,
    QPointF,
    QSize,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QPaintEvent,
    QPen,
    QPolygonF,
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

from core.errors import InputError
from core.training.run_settings import MAX_COUNT, RunSettings, Setting
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
from gui.widgets.shapes import smooth_painter
from gui.widgets.theme import theme
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

    def __init__(self, setting: Setting) -> None:
        super().__init__()
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
        # A comma beside a point, or a second one, separates thousands: as a point it would change
        # the number.
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text

    def show_value(self, value: Any) -> None:
        self.edit.setText("" if value is None else editable(value))
        self._show_beginning()

    def remember(self) -> Callable[[], None]:
        # The text and not the value, which a wrong text has not.
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


def field_label(field: Field, letter: str = "", kind: type[QLabel] = QLabel) -> QLabel:
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


def form_of(fields: Iterable[Field]) -> QFormLayout:
    """A form with a row for each field."""
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setVerticalSpacing(5)
    form.setHorizontalSpacing(10)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for field in fields:
        form.addRow(field_label(field), field)
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
        # A line needs two points.
        rates = np.repeat(self.rates, 2 if len(self.rates) == 1 else 1)
        width = self.width() - 2 * _MARGIN
        height = self.height() - 2 * _MARGIN
        xs = _MARGIN + np.linspace(0, width, len(rates))
        ys = _MARGIN + (1 - rates / rates.max()) * height
        with smooth_painter(self) as painter:
            painter.setPen(colors.line)
            painter.drawLine(_MARGIN, _MARGIN + height, _MARGIN + width, _MARGIN + height)
            painter.setPen(QPen(QColor(colors.train if self.isEnabled() else colors.muted), 2))
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(xs, ys, strict=True)]))


class AugmentationForm(QWidget):
    """How the images are varied; the window of the data shows some of them."""

    def __init__(self, fields: dict[str, Field]) -> None:
        super().__init__()
        self._fields = fields
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
        text = tr(
            "Changes each training image a little, differently each time, so that the network "
            "does not memorize it. View ▸ Data… shows the images so changed."
        )
        what = make.label(text, "augmentationNote", "muted")
        editors = [*fields.values()]
        column(
            row(*amounts, (what, 1), spacing=8),
            row(form_of(editors[:3]), form_of(editors[3:]), spacing=24),
            None,
            owner=self,
            spacing=8,
        )

    def choose(self, amounts: AugmentationParams, checked: bool = False) -> None:
        for name, value in amounts._asdict().items():
            self._fields[name].show_value(value)
