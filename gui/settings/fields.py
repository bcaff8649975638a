"""A field is the widget of one setting, with its error in words below it."""

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from core.errors import InputError
from core.training.settings import Setting
from gui.text import help_text, label, number, sentence
from gui.widgets.basics import QuietComboBox, QuietSpinBox, add_items, note, set_message, set_style_property


class Field(QWidget):
    """`changed` fires whenever the person or the program changes what stands in it; `problem`: what is wrong."""

    changed = Signal()
    suffix = "Edit"

    def __init__(self, setting: Setting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting = setting
        self.problem = ""
        self.editor = self.make_editor()
        first, *rest = setting.name.split("_")
        self.editor.setObjectName(first + "".join(word.capitalize() for word in rest) + self.suffix)
        self.editor.setAccessibleName(label(setting))
        self.editor.setAccessibleDescription(help_text(setting))
        self.editor.setToolTip(help_text(setting))
        self.error = note("error", self.editor.objectName() + "Error")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.editor)
        column.addWidget(self.error)

    def make_editor(self) -> QWidget:
        raise NotImplementedError

    def raw(self) -> Any:
        """What stands in the field, before any check."""
        raise NotImplementedError

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def value(self) -> Any:
        """The checked value; an InputError shows in the field and is raised."""
        try:
            value = self.setting.check(self.raw())
        except InputError as input_error:
            self.show_error(sentence(input_error, option=label(self.setting)))
            raise
        self.show_error("")
        return value

    def holds(self, value: Any) -> bool:
        """Whether what stands in it comes to `value`."""
        try:
            return self.value() == value
        except InputError:
            return False

    def show_error(self, text: str) -> None:
        self.problem = text
        set_message(self.error, text)
        set_style_property(self.editor, "wrong", bool(text))
        self.editor.setAccessibleDescription(text or help_text(self.setting))


class ChoiceField(Field):
    suffix = "Box"

    def make_editor(self) -> QWidget:
        self.box = QuietComboBox()
        add_items(self.box, [(choice, choice, "") for choice in self.setting.choices])
        self.box.currentIndexChanged.connect(self.changed)
        return self.box

    def raw(self) -> str:
        return self.box.currentData()

    def show_value(self, value: Any) -> None:
        self.box.choose(str(value))


class IntegerField(Field):
    """Where the setting is optional, one below its least stands for none."""

    suffix = "Box"

    def make_editor(self) -> QWidget:
        self.box = QuietSpinBox()
        least = int(self.setting.least or 0)
        self.box.setRange(least - 1 if self.setting.optional else least, int(self.setting.most or 10**8))
        self.box.setAccelerated(True)
        if self.setting.optional:
            self.box.setSpecialValueText(self.tr("off"))
        self.box.valueChanged.connect(self.changed)
        return self.box

    def raw(self) -> int | None:
        off = self.setting.optional and self.box.value() == self.box.minimum()
        return None if off else self.box.value()

    def show_value(self, value: Any) -> None:
        self.box.setValue(self.box.minimum() if value is None else value)


class NumberField(Field):
    """Takes the decimal comma and the decimal point alike."""

    def make_editor(self) -> QWidget:
        self.edit = QLineEdit()
        if self.setting.optional:
            self.edit.setPlaceholderText(self.tr("off"))
        self.edit.textChanged.connect(self.changed)
        return self.edit

    def raw(self) -> str | None:
        text = self.edit.text().strip()
        if not text and self.setting.optional:
            return None
        return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text

    def show_value(self, value: Any) -> None:
        self.edit.setText("" if value is None else number(value, 10))


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
    "flag": FlagField,
}


def field_label(field: Field, letter: str = "") -> QLabel:
    """The setting's label, underlined at `letter`, which with Alt brings the focus to the field."""
    text = label(field.setting)
    at = text.lower().find(letter.lower()) if letter else -1
    made = QLabel(text if at < 0 else f"{text[:at]}&{text[at:]}")
    made.setBuddy(field.editor)
    made.setToolTip(help_text(field.setting))
    return made
