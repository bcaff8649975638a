"""The dialog that compares several values of a setting: a study of the settings at the left, shown in the plot."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QWidget

from core.errors import InputError
from core.runs.plan import RunPlan
from core.studies.spec import VARIED, Given, StudySpec, parse_study, study_text
from core.studies.study import require_optuna
from core.training.run_settings import BY_NAME
from gui.studies.form import VariationRow, choices_of
from gui.text import sentence
from gui.widgets.basics import PrimaryButton, named, note, set_message
from gui.widgets.make import button, column, label, labeled, row, spin
from gui.widgets.plots.live_plot import MAX_OTHERS


def values_around(plan: RunPlan, name: str) -> Given:
    """Values to compare at first: all choices of a setting, or its present number with some around it."""
    setting = VARIED.get(name)
    value = getattr(plan.settings, name, None)
    if choices := choices_of(name):
        return choices
    if setting is None or value is None or setting.kind == "text":
        return [plan.data] if name == "data" else [value or 16, 64, 256]
    factor = 10 if name == "learning_rate" else 4
    if setting.kind == "integer":
        return [max(int(value) // factor, int(setting.minimum or 0)), int(value), int(value) * factor]
    values = [round(value * k, 12) for k in (1 / factor, 1, factor)] if value else [0, 0.0001, 0.001]
    return [int(each) if each == int(each) else each for each in values]


class CompareDialog(QDialog):
    """`accepted_study` is emitted with the study to train. study: its name."""

    accepted_study = Signal(object)  # StudySpec

    def __init__(self, plan: RunPlan, name: str, study: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "compareDialog")
        tr = self.tr
        self.setWindowTitle(tr("Compare"))
        self._plan, self._name = plan, study
        self.row = VariationRow(name, values_around(plan, name))
        self.row.kind_box.hide()
        self.row.remove_button.hide()
        self.row.setting_box.currentIndexChanged.connect(self._on_setting)
        self.row.changed.connect(self._check)
        tip = tr(
            "Train each value so often, from other random weights: the band is from the worst to the best."
        )
        self.repeats = spin("compareRepeats", tr("Repetitions"), tip, 1, MAX_OTHERS, 1, self._check)
        self.count_note = note(name="compareCount")
        start, cancel = tr("&Train side by side"), tr("Cancel")
        tip = tr("Train all of them by turns, and show their curves in one plot.")
        self.start = button(start, "compareStart", tip, self._accept, kind=PrimaryButton)
        self.start.setDefault(True)
        text = tr("All else is as set at the left. The runs are kept as a study.")
        column(
            label(tr("Which values?"), role="title"), self.row, labeled(tr("Re&petitions"), self.repeats),
            label(text, role="muted"), self.count_note, None,
            row(None, button(cancel, "compareCancel", tr("Compare nothing."), self.reject), self.start),
            owner=self, spacing=8,
        ).setContentsMargins(16, 12, 16, 12)  # fmt: skip
        self.resize(480, 240)
        self._check()
        self.row.values_edit.setFocus()
        self.row.values_edit.selectAll()

    def _on_setting(self) -> None:
        self.row.show_given(self.row.name, values_around(self._plan, self.row.name))

    def spec(self) -> StudySpec:
        """The study as it is in the dialog. Raises InputError where it is not valid."""
        require_optuna()
        if problem := self.row.problem(self._plan):
            raise InputError("{text}", text=problem)
        vary: dict[str, Given] = {self.row.name: self.row.given()}
        if self.repeats.value() > 1 and self.row.name != "seed":
            first = self._plan.settings.seed % (BY_NAME["seed"].maximum or 1)
            vary["seed"] = [int(first) + k for k in range(self.repeats.value())]
        spec = parse_study(study_text(self._name, self._plan, vary), self._name)
        if spec.runs > MAX_OTHERS:
            template = "These are {n} runs: at most {most} are trained side by side."
            raise InputError(template, n=spec.runs, most=MAX_OTHERS)
        return spec

    def _check(self) -> None:
        try:
            text, valid = self.tr("{n} runs.").format(n=self.spec().runs), True
        except InputError as error:
            text, valid = sentence(error), False
        set_message(self.count_note, text)
        self.start.setEnabled(valid)

    def _accept(self) -> None:
        self.accepted_study.emit(self.spec())
        self.accept()
