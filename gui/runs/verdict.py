"""What a comparison of runs has shown, in words; and its curves with the bands of repetitions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import Qt

from core.data.dataset import Dataset
from core.inspection.health import Finding
from core.studies.conclusion import Group, Judgement, SameEpoch, at_same_epoch, highest_of, judge
from gui.text import count, finding_fact, number, percent, translator
from gui.widgets.plots.other_curves import OtherCurve
from gui.widgets.plots.series import line_styles, run_series
from gui.words import in_plain_words

_tr = translator("Conclusion")

_IN_TRAINING = {"test_loss": 1, "test_score": 2}  # what a `Point` has of a quantity


def series_of(group: Group) -> int:
    """The index of the color of a group in all plots: that of its first run."""
    return run_series(min(run.id for run in group.runs))


def comparison_curve(group: Group, quantity: str, factor: float, style: Qt.PenStyle) -> OtherCurve:
    """The mean of a quantity over the runs by epoch, with a band from the lowest to the highest;
    before the first epoch, the first run's in training.
    """
    points = []
    band = []
    # As far as all repetitions are: a mean of fewer would jump.
    for epochs in zip(*(run.epochs for run in group.runs if run.epochs), strict=False):
        found = [getattr(epoch, quantity) for epoch in epochs]
        if None in found:
            continue
        values = [factor * float(value) for value in found]
        points.append((float(epochs[0].epoch), sum(values) / len(values)))
        band.append((float(epochs[0].epoch), min(values), max(values)))
    if not points and quantity in _IN_TRAINING:
        column = _IN_TRAINING[quantity]
        points = [(point[0], factor * point[column]) for point in group.runs[0].begun]
    shown = tuple(band) if len(group.runs) > 1 else ()
    return OtherCurve(group.name, tuple(points), series_of(group), style, shown)


def comparison_curves(groups: Sequence[Group], quantity: str, factor: float) -> list[OtherCurve]:
    styles = line_styles([series_of(group) for group in groups])
    return [
        comparison_curve(group, quantity, factor, style)
        for group, style in zip(groups, styles, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison has shown.

    best: the group to use, as far as it was judged; None if there is none. parts: what is said of
    each group, the best one first; of all of them, a text without a group. epoch: the one at which
    all are judged; 0 for the best epoch of each, or without a verdict.
    """

    best: Group | None
    parts: list[tuple[Group | None, str]]
    epoch: int = 0

    @property
    def text(self) -> str:
        """All of it as one sentence."""
        text = "; ".join(part for _, part in self.parts) + "."
        if self.epoch:
            text = _tr("After epoch {n}: {text}").format(n=count(self.epoch), text=text)
        return text[:1].upper() + text[1:]


def plain_groups(groups: Sequence[Group], notations: Collection[str]) -> list[Group]:
    """The groups with words for these networks in their names."""
    names = in_plain_words([group.name for group in groups], notations)
    return [replace(group, name=name) for group, name in zip(groups, names, strict=True)]


def verdict_of(
    groups: Sequence[Group], setting: str, dataset: Dataset, findings: Mapping[str, Finding | None]
) -> Verdict:
    """Judge groups of runs by their curves.

    setting: in which the groups differ, empty for several. findings: of those that have learned
    nothing.
    """
    same = at_same_epoch(groups)
    remarks: list[tuple[Group | None, str]] = [(None, text) for text in _remarks(same)]
    left = same.groups
    if not any(group.last for group in left) and not any(group.has("diverged") for group in left):
        return Verdict(None, [(None, _tr("no run has completed an epoch")), *remarks])
    if not same.is_comparable:
        return Verdict(None, [(None, _too_different(same)), *remarks])
    judged = judge(left, setting, dataset)
    best = next((group for group, judgement in judged if judgement in ("best", "alone")), None)
    seeds = [group for group, judgement in judged if judgement == "seed"]
    parts: list[tuple[Group | None, str]] = []
    if seeds:
        parts.append((None, _seeds_text(seeds, dataset)))
    for group, judgement in judged:
        if judgement != "seed":
            result = result_text(group, dataset, names_epoch=not same.epoch) if group.last else ""
            parts.append((group, _group_text(group, judgement, result, findings.get(group.name))))
    if same.is_cut and (highest := highest_of(groups)):
        name, epoch = highest
        text = _tr("the highest so far: {value}, {score} after epoch {n}")
        score = score_text(epoch.test_score, dataset)
        parts.append((None, text.format(value=name, score=score, n=count(epoch.epoch))))
    return Verdict(best, parts + remarks, same.epoch)


def _too_different(same: SameEpoch) -> str:
    """Why runs that learned for so different numbers of epochs are not judged."""
    assert same.shortest
    assert same.longest
    text = _tr(
        "{longest} has learned for {most} epochs, {shortest} for {least}: too different to say "
        "which is best"
    )
    (shortest, least), (longest, most) = same.shortest, same.longest
    return text.format(longest=longest, most=count(most), shortest=shortest, least=count(least))


def _remarks(same: SameEpoch) -> list[str]:
    """What is said of runs that are not at their end."""
    remarks = []
    if same.stopped:
        each = _tr("{value} after epoch {n}")
        stopped = ", ".join(each.format(value=name, n=count(epoch)) for name, epoch in same.stopped)
        remarks.append(_tr("stopped: {values}").format(values=stopped))
    if same.training:
        remarks.append(
            _tr("in training, so left out: {values}").format(values=", ".join(same.training))
        )
    return remarks


def _group_text(group: Group, judgement: Judgement, result: str, finding: Finding | None) -> str:
    """What is said of a group, as a part of a sentence. result: its score; empty without any."""
    templates: dict[Judgement, str] = {
        "best": _tr("{value} learns best: {result}"),
        "alone": _tr("{value}: {result}"),
        "as good": _tr("{value} is as good within chance: {result}"),
        "not trained": _tr("{value} has not been trained"),
        "failed": _tr("{value} could not be trained"),
        "diverged": _tr("{value} diverges: its numbers grow beyond all limits"),
        "pruned": _tr("{value} was ended early"),
        "nothing": _tr("{value} learns nothing"),
        "not begun": _tr("{value} is too slow: {result}, it has hardly begun to learn"),
        "too large: nothing": _tr("{value} is too large: it learns nothing"),
        "too large: jumps": _tr("{value} is too large: {result}, it jumps from epoch to epoch"),
        "too large: spread": _tr("{value} is too large: {result}, its runs differ widely"),
        "jumps": _tr("{value} jumps from epoch to epoch: {result}"),
        "spread": _tr("{value} depends on the random start: {result}"),
        "by heart": _tr(
            "{value} learns more by heart: {result}, and {train} of the training images"
        ),
        "too slow": _tr("{value} is too slow: {result}, and still learning"),
        "still learning": _tr("{value} is still learning: {result}"),
        "less": _tr("{value} reaches less: {result}"),
    }
    if judgement == "best" and group.still_learns:
        templates["best"] = _tr("{value} learns best: {result}, and still learns")
    train = [epoch.train_score for epoch in group.last if epoch.train_score is not None]
    mean = percent(sum(train) / len(train)) if train else ""
    text = templates[judgement].format(value=group.name, result=result, train=mean)
    if finding and judgement in ("nothing", "too large: nothing"):
        text = _tr("{text}, {reason}").format(text=text, reason=finding_fact(finding))
    return text


def _seeds_text(groups: Sequence[Group], dataset: Dataset) -> str:
    """What is said of runs that differ in the random start only: none of them is better."""
    every = Group(
        "", tuple(run for group in groups for run in group.runs), keeps_best=groups[0].keeps_best
    )
    if len(groups) == 1:
        return f"{groups[0].name}: {result_text(every, dataset)}"
    text = _tr("only the random start differs, so this is chance: {result}")
    return text.format(result=result_text(every, dataset))


def score_text(score: float, dataset: Dataset) -> str:
    """A score as tables and curves show it."""
    return percent(score) if dataset.kind == "classes" else f"R² {number(score)}"


def result_text(group: Group, dataset: Dataset, *, names_epoch: bool = False) -> str:
    """The score of a group, or with repetitions `90.70 % (89.90 % to 91.20 %)`."""
    scores = group.scores
    text = score_text(group.score, dataset)
    if len(scores) > 1:
        low = score_text(min(scores), dataset)
        high = score_text(max(scores), dataset)
        return _tr("{mean} ({low} to {high})").format(mean=text, low=low, high=high)
    if names_epoch:
        return _tr("{score} after epoch {n}").format(score=text, n=count(group.last[0].epoch))
    return text
