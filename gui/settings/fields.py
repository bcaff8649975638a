"""Fields: the widgets of the form, one for each setting, and the preview of the schedule."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from core.errors import InputError
from core.training.run_settings import RunSettings
from core.training.settings import MAX_COUNT, Setting
from gui.text import choice_title, editable, help_text, label, number
from gui.widgets.basics import (
    PaintedWidget,
    QuietComboBox,
    QuietSpinBox,
    mark_wrong,
    named,
    note,
    set_message,
    with_role,
)
from gui.widgets.make import button, column, fill, row
from gui.widgets.theme import theme
from gui.words import explain, with_words

EDITOR_HEIGHT = 24  # pixels


class Field(QWidget):
    """The editor of one setting. `changed` is emitted whenever the user or the program changes its content.

    compare_asked: several of its values are to be compared.
    """

    changed = Signal()
    compare_asked = Signal()
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
            unit.setMinimumWidth(unit.fontMetrics().horizontalAdvance("pixels/pixel"))
            line.addWidget(unit)
        tip = self.tr("Compare several values of this setting: {setting}.").format(setting=label(setting))
        self.compare_button = button("⋯", f"{name}Compare", tip, self.compare_asked, kind=QToolButton)
        self.compare_button.setAccessibleName(tip)
        self.compare_button.setAutoRaise(True)
        # The keyboard has the button Compare, which offers all settings.
        self.compare_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        line.addWidget(self.compare_button)
        column(line, self.error, owner=self, spacing=2)

    def make_editor(self) -> QWidget:
        raise NotImplementedError

    def raw(self) -> Any:
        """The content of the editor, unchecked."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

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
    """Accepts a decimal comma as well as a decimal point. An empty text of an optional setting means None."""

    def make_editor(self) -> QWidget:
        editor = super().make_editor()
        if self.setting.optional:
            self.edit.setPlaceholderText(self.tr("off"))
        return editor

    def raw(self) -> str | None:
        text = self.edit.text().strip()
        if not text and self.setting.optional:
            return None
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text

    def show_value(self, value: Any) -> None:
        self.edit.setText("" if value is None else editable(value))


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
    "choice": ChoiceField, "integer": IntegerField, "number": NumberField, "text": TextField, "flag": FlagField,
}  # fmt: skip


def label_of(editor: QWidget, made: QLabel) -> QLabel:
    """The label, whose mnemonic focuses `editor`."""
    made.setBuddy(editor)
    return made


def field_label(field: Field, letter: str) -> QLabel:
    """The label of a field; Alt and `letter` move the focus to the editor."""
    text = label(field.setting)
    position = text.lower().find(letter.lower()) if letter else -1
    made = QLabel(text if position < 0 else f"{text[:position]}&{text[position:]}")
    made.setToolTip(with_words(help_text(field.setting), label(field.setting)))
    return label_of(field.editor, made)


def form_of(fields: Iterable[Field], letters: Mapping[str, str]) -> QFormLayout:
    """A form with a row for each field; letters: for the key that focuses it, by the name of the setting."""
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
    """A line from the first epoch to the last, on a linear axis from 0. The tooltip names the rate at the pointer."""

    def __init__(self) -> None:
        super().__init__("schedulePreview", self.tr("Learning rate of each epoch"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_schedule(None)

    def sizeHint(self) -> QSize:
        return QSize(160, HEIGHT)

    def show_schedule(self, settings: RunSettings | None) -> None:
        """Draw the schedule of these settings; nothing for None."""
        end, text = settings.epochs if settings else 0, ""
        self.epochs = np.unique(np.linspace(0, end - 1, min(end, _MAX_POINTS)).round().astype(int))
        self.rates = np.array([settings.rate_of(int(epoch)) for epoch in self.epochs if settings])
        if settings:
            first, last = number(self.rates[0], 3), number(self.rates[-1], 3)
            text = self.tr("{first} in epoch 1, {last} in epoch {epochs}")
            text = text.format(first=first, last=last, epochs=end)
        self.setAccessibleDescription(text)
        self.setToolTip(text)
        self.update()

    def rate_at(self, x: float) -> str:
        """The epoch and its rate at `x` pixels from the left edge."""
        fraction = (x - _MARGIN) / max(self.width() - 2 * _MARGIN, 1)
        index = round(min(max(fraction, 0), 1) * (len(self.epochs) - 1))
        text, epoch = self.tr("Epoch {epoch}: learning rate {rate}"), int(self.epochs[index]) + 1
        return text.format(epoch=epoch, rate=number(self.rates[index], 3))

    def tip_at(self, point: QPoint) -> str:
        return f"{self.rate_at(point.x())}\n{self.toolTip()}" if len(self.rates) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self.rates):
            return
        colors, rates = theme().colors, np.repeat(self.rates, 2 if len(self.rates) == 1 else 1)
        width, height = self.width() - 2 * _MARGIN, self.height() - 2 * _MARGIN
        xs = _MARGIN + np.linspace(0, width, len(rates))
        ys = _MARGIN + (1 - rates / rates.max()) * height
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.line), 1))
            painter.drawLine(_MARGIN, _MARGIN + height, _MARGIN + width, _MARGIN + height)
            painter.setPen(QPen(QColor(colors.train if self.isEnabled() else colors.muted), 2))
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(xs, ys, strict=True)]))
