"""The form of a study: what it varies, and how it chooses the runs."""

from contextlib import suppress
from math import isfinite

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from core.errors import InputError
from core.runs.plan import RunPlan
from core.studies.spec import (
    MAX_RUNS,
    MAX_VALUES,
    SAMPLERS,
    Given,
    Range,
    StudySpec,
    Value,
    Values,
    Variation,
    parse_study,
    study_text,
)
from core.training.run_settings import BY_NAME, SETTINGS
from gui.text import help_text, label
from gui.widgets import make
from gui.widgets.basics import QuietComboBox, QuietSpinBox, named, note, set_message
from gui.widgets.flow_layout import FlowLayout, labeled

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
        make.fill(self.setting_box, items)
        self.setting_box.setToolTip(self.tr("The setting in which the runs differ."))
        self.setting_box.setMinimumContentsLength(11)
        self.kind_box = named(QuietComboBox(), "studyKind")
        self.kind_box.setAccessibleName(self.tr("List or range"))
        make.fill(self.kind_box, [
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
        self.setLayout(FlowLayout(
            self.setting_box, self.kind_box, self.values_edit, self.low_edit, self._to, self.high_edit,
            self.count_box, self.remove_button, spacing=6,
        ))  # fmt: skip
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
        with suppress(ValueError, OverflowError):  # a whole number of 310 digits is no float
            value = kind(text)
            return value if isfinite(value) else text.strip()
    return text.strip()


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# What a new study varies at first, and what is added next.
_FIRST: tuple[tuple[str, Given], ...] = (("learning_rate", [0.03, 0.1, 0.3]),)
_NEXT = ("batch_size", "optimizer", "activation", "network", "seed", DATA)


class StudyEditor(QWidget):
    """`changed` is emitted after an edit."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[VariationRow] = []
        self.base_note = note(name="studyBase")
        self.name_edit = named(QLineEdit(), "studyName")
        self.name_edit.setToolTip(self.tr("The name under which the study is kept."))
        self.sampler_box = named(QuietComboBox(), "studySampler")
        titles, tips = self._sampler_titles(), self._sampler_tips()
        make.fill(self.sampler_box, zip(SAMPLERS, titles, tips, strict=True))
        self.sampler_box.setMinimumContentsLength(14)
        self.sampler_box.setToolTip(self.tr("How the values of each run are chosen."))
        self.runs_box = self._number("studyRuns", MAX_RUNS, 24, self.tr("How many runs are trained."))
        self.runs_box.setMinimum(1)
        self.seed_box = self._number(
            "studySeed", 2**31 - 1, 0, self.tr("The seed of the random choice: the same seed chooses the same runs.")
        )  # fmt: skip
        self.prune_check = named(QCheckBox(self.tr("End &bad runs early")), "studyPrune")
        self.prune_check.setToolTip(
            self.tr(
                "End a run whose validation loss is worse than the median of the others at the same epoch."
            )
        )
        self.add_button = named(QPushButton(self.tr("&Add a setting")), "studyAdd")
        self.add_button.setToolTip(self.tr("Vary one more setting."))
        self.count_note = note(name="studyRunCount")
        self._rows = QVBoxLayout()
        self._rows.setSpacing(5)
        self._runs = labeled(self.tr("R&uns"), self.runs_box)
        how = FlowLayout(
            labeled(self.tr("&Name"), self.name_edit), labeled(self.tr("&Choice"), self.sampler_box),
            self._runs, labeled(self.tr("See&d"), self.seed_box), self.prune_check, spacing=10,
        )  # fmt: skip
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 6, 2, 2)
        column.setSpacing(8)
        column.addWidget(self.base_note)
        column.addLayout(self._rows)
        column.addLayout(FlowLayout(self.add_button))
        column.addLayout(how)
        column.addWidget(self.count_note)
        self.add_button.clicked.connect(self._add_next)
        self.name_edit.textChanged.connect(self.changed)
        self.sampler_box.currentIndexChanged.connect(self._on_sampler)
        for box in (self.runs_box, self.seed_box):
            box.valueChanged.connect(self.changed)
        self.prune_check.toggled.connect(self.changed)
        self.reset()

    def _sampler_titles(self) -> tuple[str, ...]:
        return self.tr("all combinations"), self.tr("random"), self.tr("learns from the runs before")

    def _sampler_tips(self) -> tuple[str, ...]:
        return (
            self.tr("A grid: every combination of the values."),
            self.tr("Each run has random values."),
            self.tr(
                "Tree-structured Parzen estimator (TPE): values near those of good runs are more likely."
            ),
        )

    def _number(self, name: str, most: int, value: int, tip: str) -> QuietSpinBox:
        box = named(QuietSpinBox(), name)
        box.setRange(0, most)
        box.setValue(value)
        box.setToolTip(tip)
        return box

    # -- what is shown ------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Show what a new study varies at first."""
        self._fill(dict(_FIRST), "grid", 24, False, 0)

    def show_spec(self, spec: StudySpec) -> None:
        """Show an existing study."""
        with QSignalBlocker(self.name_edit):
            self.name_edit.setText(spec.name)
        vary = {name: given_of(variation) for name, variation in spec.vary.items()}
        self._fill(vary, spec.sampler, spec.runs, spec.prune, spec.seed)
        self.show_base(spec.plan, existing=True)
        self.show_count(spec)

    def show_base(self, base: RunPlan | None, *, existing: bool = False) -> None:
        """Say what the runs have in common; None: the settings of the window are not valid."""
        if base is None:
            set_message(self.base_note, self.tr("Correct the settings at the left first."))
            return
        names = ("network", "optimizer", "learning_rate", "batch_size", "epochs")
        parts = [] if any(row.name == DATA for row in self.rows) else [base.data]
        varied = {row.name for row in self.rows}
        parts += [
            f"{label(BY_NAME[name]).lower()} {getattr(base.settings, name)}"
            for name in names
            if name not in varied
        ]
        text = self.tr("All runs have these settings: {settings}, device {device}.")
        if not existing:
            text = self.tr("All runs have the settings at the left: {settings}, device {device}.")
        set_message(self.base_note, text.format(settings=", ".join(parts), device=base.device))

    def show_count(self, spec: StudySpec | None) -> None:
        """Show how many runs the study has; None hides it."""
        text = self.tr("Runs: {n}; a part of the training images is kept aside to compare them.")
        set_message(self.count_note, text.format(n=spec.runs) if spec else "")

    def _fill(self, vary: dict[str, Given], sampler: str, runs: int, prune: bool, seed: int) -> None:
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        with QSignalBlocker(self):
            for name, given in vary.items():
                self._add(name, given)
            self.sampler_box.choose(sampler)
            self.runs_box.setValue(runs)
            self.prune_check.setChecked(prune)
            self.seed_box.setValue(seed)
            self._on_sampler()

    def _add(self, name: str, given: Given) -> VariationRow:
        row = VariationRow(name, given)
        row.show_grid(self.sampler_box.currentData() == "grid")
        row.changed.connect(self.changed)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._rows.addWidget(row)
        return row

    def _add_next(self) -> None:
        varied = {row.name for row in self.rows}
        name = next((name for name in (*dict(_FIRST), *_NEXT) if name not in varied), "epochs")
        setting = BY_NAME.get(name)
        row = self._add(name, [*setting.choices] if setting else [])
        row.setting_box.setFocus()
        self.changed.emit()

    def _remove(self, row: VariationRow) -> None:
        self.rows.remove(row)
        self._rows.removeWidget(row)
        row.hide()
        row.deleteLater()
        self.add_button.setFocus()
        self.changed.emit()

    def _on_sampler(self) -> None:
        is_grid = self.sampler_box.currentData() == "grid"
        self._runs.setVisible(not is_grid)
        for row in self.rows:
            row.show_grid(is_grid)
        self.changed.emit()

    # -- what it means ------------------------------------------------------------------------------------

    def spec(self, base: RunPlan) -> StudySpec:
        """The study as it is in the form. Raises InputError where it is not valid."""
        names = [row.name for row in self.rows]
        for name in names:
            if names.count(name) > 1:
                raise InputError("{name} is varied twice: remove one of the rows.", name=name)
        name = self.name_edit.text().strip()
        text = study_text(
            name,
            base,
            {row.name: row.given() for row in self.rows},
            sampler=str(self.sampler_box.currentData()),
            runs=self.runs_box.value(),
            prune=self.prune_check.isChecked(),
            seed=self.seed_box.value(),
        )
        return parse_study(text, name)
