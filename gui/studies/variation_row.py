"""A row of the form: one setting, and the values or the range that the runs take from it."""

from math import isfinite

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from core.studies.space import MAX_VALUES, Range, Value, Values, Variation
from core.studies.text import Given
from core.training.run_settings import BY_NAME, SETTINGS
from gui.text import help_text, label
from gui.widgets.basics import QuietComboBox, QuietSpinBox, add_items, named
from gui.widgets.flow_layout import FlowLayout

DATA = "data"
LIST, RANGE, LOGARITHMIC = "list", "range", "log"
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class VariationRow(QWidget):
    """`changed` is emitted after an edit, `removed` when the row is to go."""

    changed = Signal()
    removed = Signal()

    def __init__(self, name: str, given: Given, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setting_box = named(QuietComboBox(), "studySetting")
        self.setting_box.setAccessibleName(self.tr("Setting"))
        items = [(DATA, self.tr("Data set"), self.tr("Names or paths of data sets."))]
        items += [(setting.name, label(setting), help_text(setting)) for setting in SETTINGS]
        add_items(self.setting_box, items)
        self.setting_box.setToolTip(self.tr("The setting in which the runs differ."))
        self.setting_box.setMinimumContentsLength(11)
        self.kind_box = named(QuietComboBox(), "studyKind")
        self.kind_box.setAccessibleName(self.tr("List or range"))
        add_items(self.kind_box, [
            (LIST, self.tr("list"), self.tr("These values.")),
            (RANGE, self.tr("range"), self.tr("Numbers from the first to the second, evenly spaced.")),
            (LOGARITHMIC, self.tr("log range"), self.tr("Numbers spaced by equal factors, as for learning rates.")),
        ])  # fmt: skip
        self.kind_box.setToolTip(
            self.tr("A list of values, or a range of numbers; a log range is spaced by equal factors.")
        )
        self.values_edit = self._edit("studyValues", self.tr("Values"), 110)
        self.values_edit.setToolTip(self.tr("Values with commas between them, or with semicolons."))
        self.values_edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.low_edit = self._edit("studyFrom", self.tr("From"), 72)
        self.low_edit.setToolTip(self.tr("The smallest value of the range."))
        self.high_edit = self._edit("studyTo", self.tr("To"), 72)
        self.high_edit.setToolTip(self.tr("The largest value of the range."))
        self._to = QLabel(self.tr("to"))
        self.count_box = named(QuietSpinBox(), "studyCount")
        self.count_box.setRange(2, MAX_VALUES)
        self.count_box.setValue(3)
        self.count_box.setSuffix(self.tr(" values"))
        self.count_box.setAccessibleName(self.tr("Number of values"))
        self.count_box.setToolTip(self.tr("How many values of the range the grid takes."))
        self.remove_button = named(QToolButton(), "studyRemove")
        self.remove_button.setText("✕")
        self.remove_button.setAutoRaise(True)
        self.remove_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.remove_button.setAccessibleName(self.tr("Remove"))
        self.remove_button.setToolTip(self.tr("Do not vary this setting."))
        row = FlowLayout(6)
        for widget in (self.setting_box, self.kind_box, self.values_edit, self.low_edit, self._to, self.high_edit,
                       self.count_box, self.remove_button):  # fmt: skip
            row.addWidget(widget)
        self.setLayout(row)
        self._is_grid = True
        self.show_given(name, given)
        self.setting_box.currentIndexChanged.connect(self._on_setting)
        self.kind_box.currentIndexChanged.connect(self._on_kind)
        for edit in (self.values_edit, self.low_edit, self.high_edit):
            edit.textChanged.connect(self.changed)
        self.count_box.valueChanged.connect(self.changed)
        self.remove_button.clicked.connect(self.removed)

    def _edit(self, name: str, title: str, width: int) -> QLineEdit:
        edit = named(QLineEdit(), name)
        edit.setAccessibleName(title)
        edit.setMinimumWidth(width)
        if width < 100:
            edit.setMaximumWidth(width)
        return edit

    @property
    def name(self) -> str:
        """The setting, or `data`."""
        return str(self.setting_box.currentData())

    def given(self) -> Given:
        """What the row varies, as the file of a study gives it; texts that are no numbers stay texts."""
        if self.kind == LIST:
            text = self.values_edit.text()
            parts = text.split(";" if ";" in text or self.name == "rate_changes" else ",")
            return [self._value(part.strip()) for part in parts if part.strip()]
        given = {"from": _number(self.low_edit.text()), "to": _number(self.high_edit.text())}
        if self.kind == LOGARITHMIC:
            given["log"] = True
        if self._is_grid:
            given["count"] = self.count_box.value()
        return given

    @property
    def kind(self) -> str:
        return str(self.kind_box.currentData())

    def show_given(self, name: str, given: Given) -> None:
        """Show a setting with its values or its range."""
        with QSignalBlocker(self.setting_box), QSignalBlocker(self.kind_box):
            self.setting_box.choose(name)
            if isinstance(given, dict):
                self.kind_box.choose(LOGARITHMIC if given.get("log") else RANGE)
                self.low_edit.setText(str(given["from"]))
                self.high_edit.setText(str(given["to"]))
            else:
                self.kind_box.choose(LIST)
                values = [_text(value) for value in given]
                between = "; " if any("," in value for value in values) else ", "
                self.values_edit.setText(between.join(values))
        self._show_kind()

    def show_grid(self, is_grid: bool) -> None:
        """Show the number of values of a range, which only a grid needs."""
        self._is_grid = is_grid
        self._show_kind()

    def _on_setting(self) -> None:
        setting = BY_NAME.get(self.name)
        default = [*setting.choices] if setting and setting.choices else []
        if setting and setting.kind == "flag":
            default = ["false", "true"]
        with QSignalBlocker(self.values_edit), QSignalBlocker(self.kind_box):
            self.values_edit.setText(", ".join(default))
            self.kind_box.choose(LIST)
        self._show_kind()
        self.values_edit.setFocus()
        self.changed.emit()

    def _on_kind(self) -> None:
        self._show_kind()
        self.changed.emit()

    def _show_kind(self) -> None:
        setting = BY_NAME.get(self.name)
        is_list = self.kind == LIST
        self.kind_box.setEnabled(setting is not None and setting.kind in ("integer", "number"))
        self.values_edit.setVisible(is_list)
        for widget in (self.low_edit, self._to, self.high_edit):
            widget.setVisible(not is_list)
        self.count_box.setVisible(not is_list and self._is_grid)
        self.remove_button.setAccessibleName(
            self.tr("Do not vary {setting}").format(setting=self.setting_box.currentText())
        )

    def _value(self, text: str) -> Value:
        setting = BY_NAME.get(self.name)
        if setting is None or setting.kind in ("text", "choice"):
            return text
        if setting.kind == "flag":
            return _FLAGS.get(text.lower(), text)
        return _number(text)


def given_of(variation: Variation) -> Given:
    """What the file of a study would give for `variation`."""
    if isinstance(variation, Values):
        return [*variation.values]
    assert isinstance(variation, Range)
    return {"from": variation.low, "to": variation.high, "log": variation.logarithmic}


def _number(text: str) -> Value:
    """The number that the text is, else the text, which the check of the setting then names."""
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        return value if isfinite(value) else text
    return text.strip()


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
