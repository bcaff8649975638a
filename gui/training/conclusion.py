"""What a run or a comparison has shown: one sentence, and what to do next as buttons."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset import Dataset
from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.inspection.health import (
    Finding,
    HealthMeter,
    diagnose,
    relative_change,
    starting_parameters,
)
from core.progress import Progress
from core.runs.comparison import short_value
from core.runs.library import RunLibrary
from core.studies.spec import StudySpec
from core.studies.study import StudyRun
from core.training.records import Epoch
from gui.background.task_runner import TaskControl, TaskRunner
from gui.text import count, number, percent
from gui.widgets.make import FlowLayout, button, column, label
from gui.widgets.plots.live_plot import FIRST_OTHER, MAX_OTHERS, OtherCurve
from gui.words import explain

Link = tuple[str, str, str]  # what `asked` is emitted with, text and tooltip of a button
# A network that has overfitted reads most training images, and so many more of them than of the test images.
MANY, BY_HEART = 0.9, 0.03
# The last epoch's training loss as a share of that before, below which training is far from its end.
FALLING = 0.97
GUESSES = 2  # times the share of right guesses: a network that reads fewer has learned nothing


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conclusion", text)


class Conclusion(QWidget):
    """Hidden until there is something to say. `asked`: the key of a link was pressed."""

    asked = Signal(str)
    found = Signal(object)  # the most important Finding about the network of the run that has ended

    def __init__(self) -> None:
        super().__init__()
        self.text = label("", "conclusionText", selectable=True)
        self._links = FlowLayout(spacing=6)
        self._shown_links: list[Link] = []
        column(self.text, self._links, owner=self, spacing=4)
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(lambda records: records[-1]())
        self.hide()

    def say(self, text: str, links: Sequence[Link] = ()) -> None:
        """Show a sentence with these links; an empty text hides both."""
        self.text.setText(text.replace(" %", "\N{NO-BREAK SPACE}%"))
        self.text.setToolTip(explain(text))
        self.setVisible(bool(text))
        if [*links] == self._shown_links:  # buttons that are replaced cannot be pressed
            return
        self._shown_links = [*links]
        while item := self._links.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for key, title, tip in links:
            name = "conclusion" + key.partition(":")[0].capitalize()
            self._links.addWidget(button(title, name, tip, lambda *_, key=key: self.asked.emit(key)))

    def clear(self) -> None:
        """Say nothing more, also not of what is being examined."""
        self._runner.cancel(discard=True)
        self.say("")

    def conclude_run(
        self, text: str, links: Sequence[Link], model: Model, dataset: Dataset, diverged: bool
    ) -> None:
        """Show `text`, and add what is wrong inside of the network, if anything is."""
        self.say(text, links)

        def examine(control: TaskControl) -> Generator[Callable[[], None]]:
            if finding := examined(model, dataset, diverged=diverged):
                yield lambda: self._add(finding, text, links)

        self._runner.start_latest(examine)

    def _add(self, finding: Finding, text: str, links: Sequence[Link]) -> None:
        self.say(_tr("{text} Inside: {finding}.").format(text=text, finding=finding_text(finding)), links)
        self.found.emit(finding)

    def conclude_study(
        self, spec: StudySpec, groups: "list[Group]", load: Callable[[str, Progress | None], Dataset]
    ) -> None:
        """Say which value learned best, and what is wrong with those that did not; of a long study, where it is."""
        tip = _tr("Show the runs of this study, with all their numbers.")
        links: list[Link] = [("studies", _tr("Show in Studies"), tip)]
        if not any(group.last for group in groups) or len(groups) > MAX_OTHERS:
            self.say(_tr("The runs of {study} are compared in Studies.").format(study=spec.name), links)
            return

        def examine(control: TaskControl) -> Generator[Callable[[], None]]:
            source = str(groups[0].runs[0].values.get("data", spec.plan.data))
            dataset = load(source, control.progress)
            findings: dict[str, Finding | None] = {}
            for group in groups:
                if group.learns_nothing(dataset):
                    run = group.runs[0]
                    path = RunLibrary().folder_of(run.id).model_path
                    try:
                        diverged = run.state == "diverged"
                        findings[group.name] = examined(load_model(path), dataset, diverged=diverged)
                    except (InputError, OSError):
                        findings[group.name] = None
            text, best = comparison_text(groups, dataset, findings)
            if best is not None:
                title = _tr("Use {value}").format(value=best.name)
                tip = _tr("Show the settings with this value at the left.")
                links.insert(0, (f"use:{best.runs[0].number}", title, tip))
            yield lambda: self.say(text, links)

        self._runner.start_latest(examine)


def examined(model: Model, dataset: Dataset, *, diverged: bool = False) -> Finding | None:
    """The most important fault of the network; None if there is none."""
    meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
    first = starting_parameters(model)
    change = None if first is None else relative_change(model.network, first, model.parameters)
    start = None if first is None else meter.measure(first)
    return next(iter(diagnose(meter.measure(model.parameters), start, change, diverged=diverged)), None)


def finding_text(finding: Finding) -> str:
    """The finding as a part of a sentence."""
    templates = {
        "not-finite": _tr("the numbers are no longer finite"), "alike": _tr("all units of layer {layer} are alike"),
        "dead": _tr("{share} % of the units of layer {layer} are dead"),
        "saturated": _tr("{share} % of the units of layer {layer} are saturated"),
        "vanishing": _tr("the gradient vanishes before layer {layer}"),
        "exploding": _tr("the gradient explodes in layer {layer}"),
        "shrunk": _tr("the weights of layer {layer} have shrunk to {share} %"),
        "slow": _tr("the weights have hardly changed"),
    }  # fmt: skip
    if finding.kind == "dead" and finding.values["share"] == "100":
        return _tr("all units of layer {layer} are dead").format(**finding.values)
    return templates[finding.kind].format(**finding.values)


def run_text(last: Epoch, examples: int, before: tuple[str, float] | None) -> str:
    """What a run has reached. examples: of the test split; before: the name and the score of the run before."""
    classes = last.train_score is not None
    if not classes:
        text = _tr("It explains {score} of the variance of the test values (R²).").format(
            score=number(last.test_score)
        )
    else:
        wrong = mistakes(last.test_score, examples)
        text = _tr("{score} of {n} test images read right, {wrong} wrong.").format(
            score=percent(last.test_score), n=count(examples), wrong=count(wrong)
        )
    if before is not None:
        name, score = before
        points = abs(last.test_score - score)
        change = _tr("{n} points") if classes else "{n}"
        change = change.format(n=number(100 * points if classes else points, 2))
        more = _tr("That is {change} more than the run before ({name}).")
        fewer = _tr("That is {change} less than the run before ({name}).")
        same = _tr("That is what the run before reached ({name}).")
        chosen = same if points < 1e-9 else more if last.test_score > score else fewer
        text += " " + chosen.format(change=change, name=name)
    if (
        last.train_score is not None
        and last.train_score - last.test_score > BY_HEART
        and last.train_score > MANY
    ):
        more = _tr("Of its training images it reads {score}: it learns them by heart (overfitting).")
        text += " " + more.format(score=percent(last.train_score))
    return text


def mistakes(score: float, examples: int) -> int:
    """How many test images are read wrong."""
    return round((1 - score) * examples)


# -- comparisons ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of a comparison with the same values but for the seed."""

    name: str
    runs: tuple[StudyRun, ...]

    @property
    def last(self) -> list[Epoch]:
        """The last epoch of each run that has one."""
        return [run.epochs[-1] for run in self.runs if run.epochs]

    @property
    def score(self) -> float:
        """The mean of the last test scores; minus infinity without any."""
        scores = [epoch.test_score for epoch in self.last]
        return sum(scores) / len(scores) if scores else float("-inf")

    def learns_nothing(self, dataset: Dataset) -> bool:
        """Whether the result is about that of guessing."""
        least = GUESSES / len(dataset.classes) if dataset.kind == "classes" else 0.05
        return self.score < least

    @property
    def still_learns(self) -> bool:
        """Whether the training loss still falls at the end."""
        return any(
            len(run.epochs) > 1 and run.epochs[-1].train_loss < FALLING * run.epochs[-2].train_loss
            for run in self.runs
        )

    def curve(self, quantity: str, factor: float, series: int) -> OtherCurve:
        """The mean of a quantity over the runs by epoch, with a band from the lowest to the highest."""
        points, band = [], []
        for epochs in zip(*(run.epochs for run in self.runs if run.epochs), strict=False):
            values = [factor * float(getattr(epoch, quantity)) for epoch in epochs]
            points.append((float(epochs[0].epoch), sum(values) / len(values)))
            band.append((float(epochs[0].epoch), min(values), max(values)))
        return OtherCurve(self.name, tuple(points), series, band=tuple(band) if len(self.runs) > 1 else ())


def groups_of(spec: StudySpec, runs: Sequence[StudyRun]) -> list[Group]:
    """The runs of a comparison by their values; of a comparison of seeds each run is a group."""
    names = [name for name in spec.vary if name != "seed"] or ["seed"]
    found: dict[str, list[StudyRun]] = {}
    for run in runs:
        values: dict[str, Any] = run.values
        found.setdefault(", ".join(short_value(name, values.get(name)) for name in names), []).append(run)
    return [Group(name, tuple(members)) for name, members in found.items()]


def comparison_curves(groups: Sequence[Group], quantity: str, factor: float) -> list[OtherCurve]:
    return [group.curve(quantity, factor, _SERIES[k % len(_SERIES)]) for k, group in enumerate(groups)]


_SERIES = (0, 1, FIRST_OTHER, 3, 4, 5)


def comparison_text(
    groups: Sequence[Group], dataset: Dataset, findings: dict[str, Finding | None]
) -> tuple[str, Group | None]:
    """The sentence, and the best group; None if none has learned. findings: of those that have learned nothing."""
    classes = dataset.kind == "classes"
    ranked = sorted((group for group in groups if group.last), key=lambda group: -group.score)
    if not ranked:
        return _tr("No run has completed an epoch."), None

    def result(group: Group) -> str:
        scores = [epoch.test_score for epoch in group.last]
        shown = (lambda score: percent(score, 1)) if classes else (lambda score: f"R² {number(score, 3)}")
        text = shown(group.score)
        return _tr("{mean} ({low} to {high})").format(mean=text, low=shown(min(scores)), high=shown(max(scores))) if (
            len(scores) > 1
        ) else text  # fmt: skip

    best: Group | None = None if ranked[0].learns_nothing(dataset) else ranked[0]
    parts = []
    for group in ranked:
        if group.learns_nothing(dataset):
            finding = findings.get(group.name)
            text = _tr("{value} learns nothing: {reason}") if finding else _tr("{value} learns nothing")
            parts.append(text.format(value=group.name, reason=finding_text(finding) if finding else ""))
        elif group is best:
            parts.append(_tr("{value} learns best: {result}").format(value=group.name, result=result(group)))
        elif best and _is_like(group, best, dataset):
            parts.append(_tr("{value} is as good: {result}").format(value=group.name, result=result(group)))
        elif group.still_learns:
            text = _tr("{value} is too slow: {result}, and still learning")
            parts.append(text.format(value=group.name, result=result(group)))
        else:
            parts.append(_tr("{value}: {result}").format(value=group.name, result=result(group)))
    text = "; ".join(parts) + "."
    return text[:1].upper() + text[1:], best


def _is_like(group: Group, best: Group, dataset: Dataset) -> bool:
    """Whether the difference is within the repetitions or, without any, two standard errors of the accuracy."""
    low = min(epoch.test_score for epoch in best.last)
    if len(best.last) > 1:
        return max(epoch.test_score for epoch in group.last) >= low
    if dataset.kind != "classes":
        return False
    variance = sum(each.score * (1 - each.score) for each in (group, best)) / max(len(dataset.test), 1)
    return bool(best.score - group.score < 2 * variance**0.5)
