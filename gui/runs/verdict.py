"""What a comparison of runs has shown, in words; and its curves with the bands of repetitions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

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
from core.runs.library import RunLibrary
from core.studies.conclusion import Group, Judgement, judge, until_same_epoch
from gui.text import count, finding_fact, number, percent
from gui.widgets.plots.other_curves import OtherCurve
from gui.words import in_plain_words

_SERIES = (0, 1, 2, 3, 4, 5)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Conclusion", text)


def series_of(index: int) -> int:
    """The index of the color of a group in all plots."""
    return _SERIES[index % len(_SERIES)]


def examined(model: Model, dataset: Dataset, *, diverged: bool = False) -> Finding | None:
    """The most important fault of the network; None if there is none."""
    meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
    first = starting_parameters(model)
    change = None if first is None else relative_change(model.network, first, model.parameters)
    start = None if first is None else meter.measure(first)
    return next(iter(diagnose(meter.measure(model.parameters), start, change, diverged=diverged)), None)


def comparison_curve(group: Group, quantity: str, factor: float, series: int) -> OtherCurve:
    """The mean of a quantity over the runs by epoch, with a band from the lowest to the highest."""
    points = []
    band = []
    for epochs in zip(*(run.epochs for run in group.runs if run.epochs), strict=False):
        values = [factor * float(getattr(epoch, quantity)) for epoch in epochs]
        points.append((float(epochs[0].epoch), sum(values) / len(values)))
        band.append((float(epochs[0].epoch), min(values), max(values)))
    shown = tuple(band) if len(group.runs) > 1 else ()
    return OtherCurve(group.name, tuple(points), series, band=shown)


def comparison_curves(groups: Sequence[Group], quantity: str, factor: float) -> list[OtherCurve]:
    series = map(series_of, range(len(groups)))
    return [
        comparison_curve(group, quantity, factor, each) for group, each in zip(groups, series, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison has shown.

    best: the group to use; None if there is none. parts: what is said of each group, the best one first; of runs that
    differ in the random start only, one text without a group. stopped: the last epoch that all runs have, where some
    were stopped; else 0.
    """

    best: Group | None
    parts: list[tuple[Group | None, str]]
    stopped: int = 0

    @property
    def text(self) -> str:
        """All of it as one sentence."""
        text = "; ".join(part for _, part in self.parts) + "."
        if not self.stopped:
            return text[:1].upper() + text[1:]
        return _tr("Stopped: so far, after epoch {n}, {text}").format(n=count(self.stopped), text=text)


def plain_groups(groups: Sequence[Group], notations: Collection[str]) -> list[Group]:
    """The groups with words for these networks in their names."""
    names = in_plain_words([group.name for group in groups], notations)
    return [replace(group, name=name) for group, name in zip(groups, names, strict=True)]


def verdict_of(
    groups: Sequence[Group], setting: str, dataset: Dataset, findings: Mapping[str, Finding | None]
) -> Verdict:
    """Judge groups of runs by their curves.

    setting: in which the groups differ, empty for several. findings: of those that have learned nothing.
    """
    groups, stopped = until_same_epoch(groups)
    if not any(group.last for group in groups) and not any(group.has("diverged") for group in groups):
        return Verdict(None, [(None, _tr("no run has completed an epoch"))])
    judged = judge(groups, setting, dataset)
    best = next((group for group, judgement in judged if judgement in ("best", "alone")), None)
    seeds = [group for group, judgement in judged if judgement == "seed"]
    parts: list[tuple[Group | None, str]] = []
    if seeds:
        parts.append((None, _seeds_text(seeds, dataset)))
    for group, judgement in judged:
        if judgement != "seed":
            parts.append((group, _group_text(group, judgement, dataset, findings.get(group.name))))
    return Verdict(best, parts, stopped)


def findings_of(groups: Sequence[Group], dataset: Dataset) -> dict[str, Finding | None]:
    """What is wrong inside of the networks that have learned nothing, by the names of their groups."""
    findings: dict[str, Finding | None] = {}
    for group in groups:
        if not group.last or not group.learns_nothing(dataset):
            continue
        run = group.runs[0]
        path = RunLibrary().folder_of(run.id).model_path
        try:
            findings[group.name] = examined(load_model(path), dataset, diverged=run.state == "diverged")
        except (InputError, OSError):
            findings[group.name] = None
    return findings


def _group_text(group: Group, judgement: Judgement, dataset: Dataset, finding: Finding | None) -> str:
    """What is said of a group, as a part of a sentence."""
    templates: dict[Judgement, str] = {
        "best": _tr("{value} learns best: {result}"),
        "alone": _tr("{value}: {result}"),
        "as good": _tr("{value} is as good within chance: {result}"),
        "not trained": _tr("{value} has not been trained"),
        "failed": _tr("{value} could not be trained"),
        "diverged": _tr("{value} diverges: its numbers grow beyond all limits"),
        "nothing": _tr("{value} learns nothing"),
        "not begun": _tr("{value} is too slow: {result}, it has hardly begun to learn"),
        "too large: nothing": _tr("{value} is too large: it learns nothing"),
        "too large: jumps": _tr("{value} is too large: {result}, it jumps from epoch to epoch"),
        "too large: spread": _tr("{value} is too large: {result}, its runs differ widely"),
        "jumps": _tr("{value} jumps from epoch to epoch: {result}"),
        "spread": _tr("{value} depends on the random start: {result}"),
        "by heart": _tr("{value} learns more by heart: {result}, and {train} of the training images"),
        "too slow": _tr("{value} is too slow: {result}, and still learning"),
        "still learning": _tr("{value} is still learning: {result}"),
        "less": _tr("{value} reaches less: {result}"),
    }
    if judgement == "best" and group.still_learns:
        templates["best"] = _tr("{value} learns best: {result}, and still learns")
    train = [epoch.train_score for epoch in group.last if epoch.train_score is not None]
    mean = percent(sum(train) / len(train), 1) if train else ""
    result = result_text(group, dataset) if group.last else ""
    text = templates[judgement].format(value=group.name, result=result, train=mean)
    if finding and judgement in ("nothing", "too large: nothing"):
        text = _tr("{text}, {reason}").format(text=text, reason=finding_fact(finding))
    return text


def _seeds_text(groups: Sequence[Group], dataset: Dataset) -> str:
    """What is said of runs that differ in the random start only: none of them is better."""
    every = Group("", tuple(run for group in groups for run in group.runs), keeps_best=groups[0].keeps_best)
    if len(groups) == 1:
        return f"{groups[0].name}: {result_text(every, dataset)}"
    text = _tr("only the random start differs, so this is chance: {result}")
    return text.format(result=result_text(every, dataset))


def result_text(group: Group, dataset: Dataset) -> str:
    """The score of a group: `90.7 %`, or with repetitions `90.7 % (89.9 % to 91.2 %)`."""

    def shown(score: float) -> str:
        return percent(score, 1) if dataset.kind == "classes" else f"R² {number(score, 3)}"

    if len(group.scores) < 2:
        return shown(group.score)
    text = _tr("{mean} ({low} to {high})")
    return text.format(mean=shown(group.score), low=shown(min(group.scores)), high=shown(max(group.scores)))
