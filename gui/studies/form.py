"""The form of a comparison: what it varies, and its name."""

import itertools
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import isfinite

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolButton, QWidget

from core.data.functions import is_function
from core.data.sources import list_sources
from core.errors import InputError
from core.network.notation import parse_typed, with_hidden_units
from core.runs.plan import RunPlan
from core.studies import spec as studies
from core.studies.spec import HIDDEN_UNITS, VARIED, Given, StudySpec, Value
from core.studies.study import study_names
from core.training.run_settings import BY_NAME, SETTINGS, RunSettings
from gui.runs.rows import setting_title
from gui.text import help_text, label, sentence
from gui.widgets.make import FlowLayout, button, column, combo, edit, labeled, spin
from gui.widgets.messages import note, set_message
from gui.widgets.plots.other_curves import MAX_OTHERS

DATA = "data"
SEED = "seed"
_BY_TENS = (
    "learning_rate",
    "l1",
    "l2",
)  # those of which the present value is compared with ten times as much
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


class VariationRow(QWidget):
    """`changed` is emitted after an edit, `removed` when the row is to go."""

    changed = Signal()
    removed = Signal()

    def __init__(self, name: str, given: Given, base: Callable[[], RunPlan | None]) -> None:
        super().__init__()
        tr = self.tr
        self._base = base
        data = (DATA, tr("Data set"), tr("Names or paths of data sets."))
        settings = ((each.name, label(each), help_text(each)) for each in (HIDDEN_UNITS, *SETTINGS))
        tip = tr("The setting in which the runs differ.")
        self.setting_box = combo(
            "studySetting", tr("Setting"), tip, (data, *settings), characters=11
        )
        tip = tr("Values with commas between them, or with semicolons.")
        self.values_edit = edit("studyValues", tr("Values"), tip, self.changed)
        self.values_edit.setMinimumWidth(110)
        self.values_edit.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        tip = tr("Do not vary this setting.")
        self.remove_button = button("✕", "studyRemove", tip, self.removed, kind=QToolButton)
        self.remove_button.setAutoRaise(True)
        # By default a click does not give a QToolButton the focus.
        self.remove_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.error = _keeping_place(note("error", "studyRowError"))
        editors = FlowLayout(
            self.setting_box,
            self.values_edit,
            self.remove_button,
            spacing=6,
        )
        column(editors, self.error, owner=self, spacing=2)
        self.show_given(name, given)
        self.setting_box.currentIndexChanged.connect(self._on_setting)

    @property
    def name(self) -> str:
        """The setting, or `data`."""
        return str(self.setting_box.currentData())

    def given(self) -> list[Value]:
        """The values; texts that are no numbers stay texts."""
        text = self.values_edit.text()
        # Changes of the rate have commas in themselves.
        parts = text.split(";" if ";" in text or self.name == "rate_changes" else ",")
        return [self._value(part.strip()) for part in parts if part.strip()]

    def problem(self, base: RunPlan | None) -> str:
        """What is wrong with the row, in words; empty if nothing is. base: of the runs; None: on
        several data sets.
        """
        given = self.given()
        if not given:
            return self.tr("Write at least one value.")
        try:
            values = studies.parse_variation(self.name, given)
            if self.name == DATA:
                return next(filter(None, map(self._data_problem, values)), "")
            network = base.parsed if base and self.name == "network" else None
            if network:
                for value in values:
                    parse_typed(str(value), network.input_shape, network.outputs)
            if self.name == HIDDEN_UNITS.name and base:
                with_hidden_units(base.settings.network, 1)
        except InputError as error:
            return sentence(error)
        return ""

    def _data_problem(self, name: Value) -> str:
        here = {source.name for source in list_sources() if source.available}
        if is_function(str(name)) or set(str(name).split("+")) <= here or os.path.exists(str(name)):
            return ""
        text = self.tr("{name} is no data set on this machine: write one of {names}, or a path.")
        return text.format(name=name, names=", ".join(sorted(here)))

    def show_given(self, name: str, given: Given) -> None:
        """Show this setting with these values, of a range all of them."""
        # What the program chooses is no edit of the person.
        with QSignalBlocker(self.setting_box):
            self.setting_box.choose(name)
        shown = studies.parse_variation(name, given) if isinstance(given, dict) else given
        values = [*map(_plain, shown)]
        # A value with a comma, such as a path, would be read as two.
        between = "; " if any("," in value for value in values) else ", "
        self.values_edit.setText(between.join(values))
        title = self.tr("Do not vary {setting}").format(setting=self.setting_box.currentText())
        self.remove_button.setAccessibleName(title)

    def _on_setting(self) -> None:
        with QSignalBlocker(self.values_edit):
            self.show_given(self.name, values_around(self._base(), self.name))
        self.values_edit.setFocus()
        self.changed.emit()

    def _value(self, text: str) -> Value:
        setting = VARIED.get(self.name)
        if setting is None or setting.kind in ("text", "choice"):
            return text
        return _FLAGS.get(text.lower(), text) if setting.kind == "flag" else _number(text)


def _keeping_place(message: QLabel) -> QLabel:
    """`message` with its room also while it is hidden: a click that follows an error would miss
    what has moved.
    """
    policy = message.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    message.setSizePolicy(policy)
    return message


def _plain(value: Value) -> str:
    """The value as it is typed: `true`, `0.00003`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        # 0.00003 rather than 3e-05, with a point in all languages: commas are between values.
        return np.format_float_positional(value, trim="0")
    return str(value)


def choices_of(name: str) -> list[Value]:
    """All values of a setting that has few; else empty."""
    setting = VARIED.get(name)
    if setting is None:
        return []
    return [False, True] if setting.kind == "flag" else [*setting.choices]


def _number(text: str) -> Value:
    """The number that the text is, else the text, which the check of the setting then names."""
    for kind in (int, float):
        with suppress(ValueError, OverflowError):  # a whole number of 310 digits is no float
            value = kind(text)
            return value if isfinite(value) else text.strip()
    return text.strip()


def values_around(plan: RunPlan | None, name: str) -> list[Value]:
    """Values to compare at first: all choices of a setting, or its present number with some around
    it.

    plan: with the present settings; None: they are not valid, so the defaults are taken.
    """
    setting = VARIED.get(name)
    if choices := choices_of(name):
        return choices
    if name == DATA:
        return [plan.data] if plan else []
    if name == HIDDEN_UNITS.name:
        return [16, 64, 256]
    value = getattr(plan.settings if plan else RunSettings(), name, None)
    if setting is None or value is None:
        return []
    if setting.kind == "text":
        return [value] if value else []
    factor = 10 if name in _BY_TENS else 4
    if setting.kind == "integer":
        return [
            max(int(value) // factor, int(setting.minimum or 0)),
            int(value),
            int(value) * factor,
        ]
    if not value:
        return [0, 0.0001, 0.001]
    # Rounded: a tenth of 0.3 would be 0.030000000000000002.
    values = [round(value * k, 12) for k in (1 / factor, 1, factor)]
    # The largest numbers there are have none ten times as large.
    return [int(each) if each == int(each) else each for each in values if isfinite(each)]


# What is varied next.
_NEXT = (
    "learning_rate",
    HIDDEN_UNITS.name,
    "batch_size",
    "optimizer",
    "activation",
    "network",
    SEED,
    DATA,
)


class StudyEditor(QWidget):
    """What a comparison varies. `changed` is emitted after an edit."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self.rows: list[VariationRow] = []
        self._base: RunPlan | None = None  # the settings of all runs
        self._suggested_name = ""
        self.name_error = _keeping_place(note("error", "studyNameError"))
        self.repeats = spin(
            "compareRepeats",
            tr("Repetitions"),
            tr(
                "Train each value so often, from other random weights: the band is from the worst "
                "to the best."
            ),
            1,
            MAX_OTHERS,
            1,
            self.changed,
        )
        self.add_button = button(
            tr("&Add a setting"),
            "studyAdd",
            tr("Vary one more setting: all combinations are trained."),
            self._add_next,
        )
        self.count_note = _keeping_place(note(name="compareCount"))
        self._rows = column(spacing=5)
        repeats = labeled(tr("Re&petitions"), self.repeats)
        self.name_edit = edit(
            "studyName",
            tr("Name"),
            tr("The name under which the comparison is kept."),
            slot=self.changed,
        )
        column(
            self._rows,
            FlowLayout(repeats, self.add_button, spacing=16),
            self.count_note,
            labeled(tr("&Name"), self.name_edit, grows=True),
            self.name_error,
            owner=self,
            spacing=8,
        )

    # -- what is shown -----------------------------------------------------------------------------

    def show_new(self, name: str, base: RunPlan) -> None:
        """Show a new comparison of the setting `name`, with values around that of the settings."""
        self._base = base
        self._fill({name: values_around(base, name)})

    def show_like(self, spec: StudySpec) -> None:
        """Show a new comparison that varies what this study does."""
        self._base = spec.plan
        self._fill(tomllib.loads(spec.text)["vary"])

    def _fill(self, vary: dict[str, Given]) -> None:
        # A copy: taking a row out changes the list.
        for row in [*self.rows]:
            self._take_out(row)
        with QSignalBlocker(self):
            for name, given in vary.items():
                self._add(name, given)
        self.changed.emit()

    def _add(self, name: str, given: Given) -> VariationRow:
        row = VariationRow(name, given, lambda: self._base)
        row.changed.connect(self.changed)
        row.removed.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._rows.addWidget(row)
        self._show_remove_buttons()
        return row

    def _add_next(self) -> None:
        varied = {row.name for row in self.rows}
        name = next((name for name in _NEXT if name not in varied), "epochs")
        row = self._add(name, values_around(self._base, name))
        row.setting_box.setFocus()
        self.changed.emit()

    def _take_out(self, row: VariationRow) -> None:
        self.rows.remove(row)
        self._rows.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._show_remove_buttons()

    def _show_remove_buttons(self) -> None:
        """The only setting cannot be removed: another can be chosen in its place."""
        for row in self.rows:
            row.remove_button.setVisible(len(self.rows) > 1)

    def _remove(self, row: VariationRow) -> None:
        self._take_out(row)
        # The button that had the focus is gone with its row.
        self.add_button.setFocus()
        self.changed.emit()

    # -- what it means -----------------------------------------------------------------------------

    def spec(self, base: RunPlan) -> StudySpec:
        """The study as it is in the form. Raises InputError where it is not valid."""
        vary = {row.name: row.given() for row in self.rows}
        _check_rows(self.rows, vary, base)
        # Seeds that are varied by a row are repetitions already.
        if self.repeats.value() > 1 and SEED not in vary:
            vary[SEED] = _seeds(base.settings.seed, self.repeats.value())
        self._suggest_name(vary)
        name = self.name_edit.text().strip()
        self._check_name(name)
        # By way of the text: what is trained is what a saved file would describe.
        return studies.parse_study(studies.study_text(name, base, vary), name)

    def _suggest_name(self, vary: dict[str, list[Value]]) -> None:
        """Name the comparison by what it varies, as long as nobody has given it a name."""
        if self.name_edit.text() != self._suggested_name:
            return
        titles = [setting_title(name) for name in vary if name != SEED or len(vary) == 1]
        values = [given for name, given in vary.items() if name != SEED]
        name = " ".join(
            titles[:1] if len(titles) == 1 else [titles[0], *(each.lower() for each in titles[1:3])]
        )
        if len(titles) == 1 and values:
            name = self.tr("{setting} ({n} values)", None, len(values[0])).format(
                setting=name, n=len(values[0])
            )
        # The characters that a study's name may have; room is left for a number.
        self._suggested_name = free_name(re.sub(r"[^\w .()+-]", " ", name)[:50])
        with QSignalBlocker(self.name_edit):
            self.name_edit.setText(self._suggested_name)

    def _check_name(self, name: str) -> None:
        # Without capitals: the name is a file's, and some systems do not tell them apart.
        taken = name.lower() in {known.lower() for known in study_names()}
        text = self.tr(
            "There is a comparison “{name}” already: give this one another name."
        ).format(name=name)
        set_message(self.name_error, text if taken else "")
        if taken:
            raise InputError("{text}", text=text)


def _check_rows(rows: Sequence[VariationRow], vary: Mapping[str, Given], base: RunPlan) -> None:
    """Say what is wrong with each row below it. Raises InputError with the first of that."""
    problems = [row.problem(None if DATA in vary else base) for row in rows]
    for row, problem in zip(rows, problems, strict=True):
        set_message(row.error, problem)
    if problem := next(filter(None, problems), ""):
        raise InputError("{text}", text=problem)
    names = [row.name for row in rows]
    if twice := next((name for name in vary if names.count(name) > 1), ""):
        raise InputError("{name} is varied twice: remove one of the rows.", name=twice)


def _seeds(first: int, count: int) -> list[Value]:
    """So many seeds, from this one on."""
    most = BY_NAME[SEED].maximum
    assert most is not None
    return [int(first % most) + k for k in range(count)]


def free_name(name: str) -> str:
    """The name, or with a number if a study has it."""
    taken = {known.lower() for known in study_names()}
    numbered = (f"{name} {k}" for k in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if each.lower() not in taken)
