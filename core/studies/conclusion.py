"""What runs that differ in one setting have shown: which value learned best, and what is wrong with
the others.

Only what the curves show is judged; the words are the window's. `judge` compares groups of runs,
and the functions below it say the same of a single run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import sqrt
from operator import itemgetter
from statistics import fmean, variance
from typing import Any, Literal

from core.data.dataset import Dataset
from core.errors import InputError
from core.inference.model_file import load_model
from core.inspection.health import Finding, main_fault
from core.runs.comparison import by_values, differing, varied
from core.runs.library import RunEntry, RunLibrary
from core.runs.names import short_value
from core.studies.spec import StudySpec
from core.studies.study import StudyRun
from core.training.checks import has_learned
from core.training.records import Epoch, best_epoch

# A network that has overfitted reads most training images, and so many more of them than of the
# test images.
MANY = 0.9
BY_HEART = 0.03
# The last epoch's loss as a share of that before, below which training is far from its end.
FALLING = 0.97
# The fall of the test score from one epoch to the next, at the least, that is no chance.
JUMP = 0.01
JUMP_R2 = 0.02
MOST_TIMES = 2  # as many epochs, to which runs can be compared
_WITHOUT_RESULT: tuple[Literal["diverged", "pruned"], ...] = ("diverged", "pruned")
WIDE = 3  # times the spread of the best value's repetitions: more depends on the random start
ERRORS = 2  # standard errors, within which a difference may be chance
RATE = "learning_rate"
SEED = "seed"

Judgement = Literal[
    "best",
    "alone",  # there is nothing to compare it with
    "as good",  # the difference may be chance
    "seed",  # only the random start differs
    "not trained",
    "failed",
    "diverged",
    "pruned",  # a study ended it early
    "nothing",  # about as good as guessing
    "not begun",  # a rate below the best one, after which the network still guesses
    "too large: nothing",
    "too large: jumps",  # a rate above the best one: the curve goes up and down
    "too large: spread",  # a rate above the best one: the repetitions differ widely
    "jumps",
    "spread",
    "by heart",  # it overfits more than the best one
    "too slow",  # a rate below the best one that still learns
    "still learning",
    "less",
]


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of a comparison with the same values but for the seed.

    value: of the setting that is compared; None where several are. keeps_best: the runs keep the
    parameters of their best epoch.
    """

    name: str
    runs: tuple[StudyRun, ...]
    value: Any = None
    keeps_best: bool = False

    @property
    def last(self) -> list[Epoch]:
        """The epoch whose parameters each run has kept, of those that have one: the last, or the
        best.
        """
        kept = (run.best if self.keeps_best else run.epochs[-1] for run in self.runs if run.epochs)
        return [epoch for epoch in kept if epoch is not None]

    @property
    def scores(self) -> list[float]:
        return [epoch.test_score for epoch in self.last]

    @property
    def score(self) -> float:
        """The mean of the test scores; minus infinity without any."""
        return fmean(self.scores) if self.scores else float("-inf")

    @property
    def spread(self) -> float:
        """The difference between the best and the worst repetition."""
        return max(self.scores) - min(self.scores) if self.scores else 0.0

    @property
    def variance(self) -> float:
        """The variance of the score of one repetition; 0 without repetitions."""
        return variance(self.scores) if len(self.scores) > 1 else 0.0

    def has(self, state: str) -> bool:
        return any(run.state == state for run in self.runs)

    @property
    def gap(self) -> float:
        """How many more of the training images than of the test images are read; 0 for values."""
        gaps = [
            each.train_score - each.test_score for each in self.last if each.train_score is not None
        ]
        return fmean(gaps) if gaps else 0.0

    def learns_nothing(self, dataset: Dataset) -> bool:
        """Whether the result is about that of guessing."""
        return not has_learned(self.score, dataset.test, dataset.kind)

    @property
    def still_learns(self) -> bool:
        """Whether more epochs would help."""
        return self.score < 1 and any(still_learns(run.epochs) for run in self.runs)

    def jumps(self, dataset: Dataset) -> bool:
        """Whether the test score of a run falls between two epochs by more than chance."""
        falls = [fall for run in self.runs for fall in _falls(run.epochs)]
        least = JUMP if dataset.kind == "classes" else JUMP_R2
        return max(falls, default=0.0) > max(
            least, ERRORS * chance_error(self.score, self.score, dataset)
        )


def groups_of(spec: StudySpec, runs: Sequence[StudyRun]) -> list[Group]:
    """The runs of a comparison by their values; of a comparison of seeds each run is a group."""
    names = [name for name in spec.vary if name != SEED] or [SEED]
    found: dict[str, list[StudyRun]] = {}
    for run in runs:
        values: dict[str, Any] = run.values
        found.setdefault(
            ", ".join(short_value(name, values.get(name)) for name in names), []
        ).append(run)
    groups = []
    for name, members in found.items():
        value = members[0].values.get(names[0]) if len(names) == 1 else None
        keeps_best = spec.plan_of(members[0].values).settings.patience is not None
        groups.append(Group(name, tuple(members), value, keeps_best))
    return groups


def groups_of_runs(entries: Sequence[RunEntry], histories: Sequence[list[Epoch]]) -> list[Group]:
    """Runs of the library by their values, or by the seed where nothing else differs."""
    names = [name for name in differing(entries) if name != "device"]
    own = varied(entries)
    epochs = {entry.id: history for entry, history in zip(entries, histories, strict=True)}
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    groups = []
    for title, members in by_values(entries):
        runs = []
        for entry in members:
            values = {name: entry.value_of(name) for name in names}
            runs.append(_run_of(entry, numbers[entry.id], values, epochs[entry.id]))
        value = members[0].value_of(own[0]) if len(own) == 1 else None
        keeps_best = members[0].info.plan.settings.patience is not None
        groups.append(Group(title, tuple(runs), value, keeps_best))
    return groups


def _run_of(entry: RunEntry, number: int, values: dict[str, Any], epochs: list[Epoch]) -> StudyRun:
    """A run of the library as one of a comparison."""
    best = best_epoch(epochs)
    loss = best.validation_loss if best else None
    state = entry.state
    # The program was killed: nobody writes the end of this run any more.
    if state == "running" and not entry.is_training():
        state = "stopped"
    return StudyRun(number, values, entry.id, state, epochs, loss=loss)


def setting_of(groups: Sequence[Group]) -> str:
    """The one setting in which the groups differ, beside the seed; empty where they differ in
    several.
    """
    names = [*(groups[0].runs[0].values if groups else ())]
    # A comparison of seeds differs in nothing else.
    own = [name for name in names if name != SEED] or names
    return own[0] if len(own) == 1 else ""


@dataclass(frozen=True, slots=True)
class SameEpoch:
    """What of a comparison can be judged: its runs at the same epoch.

    groups: without runs in training, up to `epoch`. epoch: the last that all runs have; 0 where all
    have ended and some kept the parameters of their best epoch: each is judged at the epoch that it
    has kept. shortest, longest: the runs with the fewest and the most epochs, with the names of
    their groups; None without any epoch. training: the names of groups with runs in training.
    stopped: those of groups with a stopped run, and after which epoch.
    """

    groups: list[Group]
    epoch: int = 0
    shortest: tuple[str, int] | None = None
    longest: tuple[str, int] | None = None
    training: tuple[str, ...] = ()
    stopped: tuple[tuple[str, int], ...] = ()

    @property
    def is_comparable(self) -> bool:
        """Whether no run has learned for more than MOST_TIMES as long as another."""
        if self.shortest is None or self.longest is None:
            return True
        return self.longest[1] <= MOST_TIMES * self.shortest[1]

    @property
    def is_cut(self) -> bool:
        """Whether a run has more epochs than those that are judged."""
        return self.longest is not None and 0 < self.epoch < self.longest[1]


def at_same_epoch(groups: Sequence[Group]) -> SameEpoch:
    """The groups as far as they can be compared.

    Runs that diverged or were ended early have no result to compare, so they shorten no others.
    """
    training = tuple(group.name for group in groups if group.has("running"))
    left = []
    for group in groups:
        members = tuple(run for run in group.runs if run.state != "running")
        if members:
            left.append(replace(group, runs=members))
    named = [(group, run) for group in left for run in group.runs if run.epochs]
    stopped = tuple((group.name, len(run.epochs)) for group, run in named if run.state == "stopped")
    named = [(group, run) for group, run in named if run.state not in _WITHOUT_RESULT]
    if not named:
        return SameEpoch(left, training=training, stopped=stopped)
    has_ended = all(run.has_ended for _, run in named)
    at_kept = has_ended and any(group.keeps_best for group, _ in named)
    reached = []
    for group, run in named:
        kept = run.best if at_kept and group.keeps_best else run.epochs[-1]
        reached.append((group.name, kept.epoch if kept else 0))
    shortest = min(reached, key=itemgetter(1))
    longest = max(reached, key=itemgetter(1))
    if not at_kept:
        left = [_until(group, shortest[1]) for group in left]
    return SameEpoch(left, 0 if at_kept else shortest[1], shortest, longest, training, stopped)


def _until(group: Group, epoch: int) -> Group:
    """The group up to this epoch, whose parameters count."""
    members = tuple(
        replace(run, epochs=[each for each in run.epochs if each.epoch <= epoch])
        for run in group.runs
    )
    # The best epoch of the whole run may lie after this one.
    return replace(group, runs=members, keeps_best=False)


def highest_of(groups: Sequence[Group]) -> tuple[str, Epoch] | None:
    """The highest test score of any epoch of runs that do not train, with the name of its group;
    None without any.
    """
    found = []
    for group in groups:
        for run in group.runs:
            if run.state != "running":
                found += [(group.name, epoch) for epoch in run.epochs]
    return max(found, key=lambda each: each[1].test_score, default=None)


def judge(groups: Sequence[Group], setting: str, dataset: Dataset) -> list[tuple[Group, Judgement]]:
    """What the curves show of each group: the best one first, then by the score; those without a
    result at the end.

    setting: in which they differ, empty for several.
    """
    ranked = sorted((group for group in groups if group.last), key=lambda group: -group.score)
    whole = [group for group in ranked if not any(map(group.has, _WITHOUT_RESULT))]
    # The best of those that guess is no recommendation.
    best = whole[0] if whole and not whole[0].learns_nothing(dataset) else None
    judged: list[tuple[Group, Judgement]] = []
    for group in ranked:
        judgement = _judge_one(group, best, setting, dataset)
        if group is best and len(groups) == 1:
            judgement = "alone"
        judged.append((group, judgement))
    for group in groups:
        if not group.last:
            missing: Judgement = "not trained"
            if group.has("diverged"):
                missing = "diverged"
            elif group.has("fault"):
                missing = "failed"
            judged.append((group, missing))
    return judged


def _judge_one(group: Group, best: Group | None, setting: str, dataset: Dataset) -> Judgement:
    """What the curves show of a group that has a result. best: None where no group has learned."""
    is_lower = False
    is_higher = False
    if setting == RATE and best is not None:
        is_lower = group.value < best.value
        is_higher = group.value > best.value
    for state in _WITHOUT_RESULT:
        if group.has(state):
            return state
    if group.learns_nothing(dataset):
        if is_lower:
            return "not begun"
        return "too large: nothing" if is_higher else "nothing"
    if setting == SEED:
        return "seed"
    assert best is not None
    if group is best:
        return "best"
    jumps = group.jumps(dataset)
    is_wide = _is_wide(group, best)
    # Wide repetitions overlap with everything: that is what is wrong with them.
    if not is_wide and may_be_chance(group, best, dataset):
        return "as good"
    # Before the others: a rate that is too large explains what they say.
    if is_higher and (jumps or is_wide):
        return "too large: jumps" if jumps else "too large: spread"
    if is_wide:
        return "spread"
    if learns_by_heart(group.last[0], len(dataset.test)) and group.gap > best.gap + JUMP:
        return "by heart"
    if jumps and not best.jumps(dataset):
        return "jumps"
    if group.still_learns:
        return "too slow" if is_lower else "still learning"
    return "less"


def _is_wide(group: Group, best: Group) -> bool:
    """Whether the repetitions differ by much more than those of the best value."""
    return group.spread > max(2 * JUMP, WIDE * best.spread)


def may_be_chance(group: Group, best: Group, dataset: Dataset) -> bool:
    """Whether the repetitions, or without any the size of the test set, do not tell the two
    apart.
    """
    repeated = [each for each in (group, best) if len(each.scores) > 1]
    if not repeated:
        return best.score - group.score <= ERRORS * chance_error(group.score, best.score, dataset)
    # Repetitions that overlap do not tell the two apart, whatever their means are.
    if len(repeated) == 2 and max(group.scores) >= min(best.scores):
        return True
    # One repetition tells nothing of its spread: that of the other is taken.
    spare = max(each.variance for each in repeated)
    squared_errors = ((each.variance or spare) / len(each.scores) for each in (group, best))
    return best.score - group.score <= ERRORS * sqrt(sum(squared_errors))


def findings_of(groups: Sequence[Group], dataset: Dataset) -> dict[str, Finding | None]:
    """What is wrong inside of the networks that have learned nothing, by the names of their
    groups.
    """
    findings: dict[str, Finding | None] = {}
    for group in groups:
        if not group.last or not group.learns_nothing(dataset):
            continue
        run = group.runs[0]
        path = RunLibrary().folder_of(run.id).model_path
        try:
            findings[group.name] = main_fault(
                load_model(path), dataset, diverged=run.state == "diverged"
            )
        except (InputError, OSError):
            # The model may have been deleted since; the conclusion stands without it.
            findings[group.name] = None
    return findings


# -- one run ---------------------------------------------------------------------------------------


def chance_error(first: float, second: float, dataset: Dataset) -> float:
    """The standard error of the difference of two accuracies on the test set; 0 for values."""
    return _accuracy_error(first, second, len(dataset.test)) if dataset.kind == "classes" else 0.0


def _accuracy_error(first: float, second: float, examples: int) -> float:
    # Not below 0: a score may be R² of less than 0, or above 1 by rounding.
    return sqrt(sum(max(score * (1 - score), 0.0) for score in (first, second)) / examples)


def differ_by_chance(first: float, second: float, examples: int) -> bool:
    """Whether two accuracies on so many test images differ by no more than chance."""
    return abs(first - second) < ERRORS * _accuracy_error(first, second, examples)


def learns_by_heart(last: Epoch, examples: int) -> bool:
    """Whether a network reads most training images, and clearly fewer of so many test images."""
    if last.train_score is None or last.train_score <= MANY:
        return False
    # That of the test score alone: a score of 0 adds none.
    error = _accuracy_error(last.test_score, 0.0, examples)
    return last.train_score - last.test_score > max(BY_HEART, ERRORS * error)


def still_learns(epochs: Sequence[Epoch]) -> bool:
    """Whether the losses of the training and of the test images still fall at the end."""
    if len(epochs) < 2:
        return False
    last = epochs[-1]
    before = epochs[-2]
    return (
        last.train_loss < FALLING * before.train_loss
        and last.test_loss < FALLING * before.test_loss
    )


def _falls(epochs: Sequence[Epoch]) -> list[float]:
    """By how much the test score falls from each epoch to the next; negative where it rises."""
    scores = [epoch.test_score for epoch in epochs]
    return [before - after for before, after in pairwise(scores)]
