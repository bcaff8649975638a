"""What one person answered in a lab: predictions, answers to questions and attempts; in the window, and as a file.

The same JSON file keeps the progress and is handed in (`core.labs.answers_file`). It is readable, and holds nothing
but what is documented here.

What is kept here can always be written and read again: an attempt keeps about a hundred of its epochs, whatever the
pupil does.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from math import inf, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from core.data import functions
from core.errors import InputError
from core.files.atomic import write_atomically
from core.labs import lab as labs
from core.runs.plan import RunPlan
from core.text import Sentence, format_bytes, format_percent, format_r2
from core.training.records import Epoch, Finished
from core.training.run_settings import RunSettings
from core.version import VERSION as PROGRAM_VERSION
from core.workshop.checker.trace import WARNINGS, Verdict
from kernels.host import arithmetic

FORMAT = "digitlab-answers"
VERSION = 1
MAX_BYTES = 8_000_000
"""Of a file that is read. What `Answers` holds takes less; earlier versions wrote all epochs of an attempt."""
MAX_ATTEMPTS = 500
MAX_TRIES = 50
MAX_POINTS = 2  # of a kernel
MAX_SOURCE = 50_000  # characters of a kernel
MAX_CURVE = 1000  # points of a predicted curve
MAX_ROWS, FEW_ROWS, ALL_ROWS = 100, 5, 5000
"""Epochs that are kept of an attempt; of the oldest attempts where there are many; of all attempts together."""
LARGEST = 1e100
"""Of all numbers; a network that diverges has larger losses for a moment."""
Point = tuple[float, float]
Prediction = str | float | list[Point]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run that a person made for the part `part`. `variant`: which of the part's runs, from 0.

    `settings`: those that differ from the defaults. `epochs`: rows with the numbers of CURVE, in the order of the
    epochs; of many epochs some are left out. `score`: on the data of a task that names its own, else that of the last
    epoch. `digest`: SHA-256 of the parameters at the end, as little-endian float32. `arithmetic`, `program`: what
    computed it, as of `kernels.host.arithmetic`, and the version; empty in files of earlier versions.
    """

    part: str
    variant: int
    settings: dict[str, Any]
    data: str
    device: str
    epochs: list[list[float | None]]
    score: float
    seconds: float
    parameters: int
    digest: str
    arithmetic: str = ""
    program: str = ""

    @property
    def plan(self) -> RunPlan:
        return RunPlan(RunSettings(**self.settings), self.data, self.device)

    @property
    def is_regression(self) -> bool:
        """Whether it learned targets: then its scores are R², and there are none of the training data."""
        return bool(self.epochs) and all(row[CURVE.index("train_score")] is None for row in self.epochs)

    @property
    def result(self) -> str:
        is_r2 = self.is_regression or self.score < 0
        return format_r2(self.score) if is_r2 else format_percent(self.score)

    @property
    def epochs_done(self) -> int:
        return int(self.epochs[-1][0] or 0) if self.epochs else 0

    @property
    def is_complete(self) -> bool:
        """Whether the run went as far as its settings say. One that diverged did not."""
        settings = self.plan.settings
        if self.epochs_done == settings.epochs:
            return True
        if not self.epochs:
            return False
        last = dict(zip(CURVE, self.epochs[-1], strict=True))
        by_score = (
            settings.target_accuracy is not None and (last["test_score"] or 0) >= settings.target_accuracy
        )
        by_loss = settings.target_error is not None and (last["train_loss"] or 0) <= settings.target_error
        return by_score or by_loss or settings.patience is not None

    def thinned(self, most: int, needed: Iterable[int] = ()) -> "Attempt":
        """The attempt with about `most` of its epochs, evenly spaced: the first, the last, the best and the `needed`
        ones among them."""
        if len(self.epochs) <= most:
            return self
        places = {*np.linspace(0, len(self.epochs) - 1, most - 1).round().astype(int).tolist()}
        scores = [row[CURVE.index("test_score")] or 0.0 for row in self.epochs]
        places.add(scores.index(max(scores)))
        wanted = {*needed}
        places |= {place for place, row in enumerate(self.epochs) if row[0] in wanted}
        return replace(self, epochs=[self.epochs[place] for place in sorted(places)])

    def values(self, quantity: str) -> list[Point]:
        """(epoch, value) of the epochs that are kept and have the quantity."""
        column = CURVE.index(labs.QUANTITIES[quantity])
        factor = 100 if self.shown_as(quantity).endswith("accuracy") else 1
        values = ((float(row[0] or 0), row[column]) for row in self.epochs)
        return [(epoch, value * factor) for epoch, value in values if value is not None]

    def shown_as(self, quantity: str) -> str:
        """The quantity, or "r2" for an accuracy where it is R²."""
        return "r2" if self.is_regression and quantity.endswith("accuracy") else quantity


@dataclass(frozen=True, slots=True)
class KernelAnswer:
    """The best kernel that a person checked, of several equally good ones the last.

    `faults`: kinds that the check found, with warnings; never trusted when it is marked: the kernel is checked again.
    """

    source: str
    faults: list[str]

    @property
    def points(self) -> int:
        """0: with faults; 1: right, but a count is worse than the par; 2: right."""
        if any(kind not in WARNINGS for kind in self.faults):
            return 0
        return 1 if "par" in self.faults else MAX_POINTS

    @property
    def result(self) -> str:
        if self.points == 0:
            return f"wrong: {', '.join(self.faults)}"
        return "right, par missed" if self.points == 1 else "right"


CURVE = ("epoch", "train_loss", "train_score", "test_loss", "test_score", "validation_loss")


def attempt_of(
    part: labs.ExerciseBlock,
    variant: int,
    plan: RunPlan,
    epochs: Sequence[Epoch],
    finished: Finished,
    score: float,
) -> Attempt:
    """The attempt that a run with these records was; `score`: the one that counts for the part."""
    parameters = finished.checkpoint.parameters
    return Attempt(
        part=part.id,
        variant=variant,
        settings=plan.settings.changed(),
        data=plan.data,
        device=plan.device,
        epochs=[[_bounded(name, getattr(epoch, name)) for name in CURVE] for epoch in epochs],
        score=_bounded("test_score", score) or 0.0,
        seconds=finished.seconds,
        parameters=parameters.size,
        digest=hashlib.sha256(np.ascontiguousarray(parameters, dtype="<f4").tobytes()).hexdigest(),
        arithmetic=arithmetic(),
        program=PROGRAM_VERSION,
    )


def _bounded(name: str, value: float | None) -> float | None:
    """The number as it can be written: near divergence a loss may be infinite, and R² minus infinite."""
    if value is None or -LARGEST <= value <= LARGEST:
        return value
    return -LARGEST if name.endswith("score") else LARGEST


@dataclass(slots=True)
class Answers:
    """One person's answers to one lab. `step`: where the person is, from 0. `begun`: the runs that were started, by
    their ids: what was predicted of them is fixed."""

    lab: labs.Lab
    name: str = ""
    step: int = 0
    predictions: dict[str, Prediction] = field(default_factory=dict)
    tries: dict[str, list[str]] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    kernels: dict[str, KernelAnswer] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)

    def copy(self) -> "Answers":
        """Answers that may be changed without changing these."""
        tries = {name: [*texts] for name, texts in self.tries.items()}
        kept = dict(self.predictions), tries, [*self.attempts], dict(self.kernels), [*self.begun]
        return Answers(self.lab, self.name, self.step, *kept)

    def is_done(self, part: labs.Part) -> bool:
        """Whether the person did what the part asks; texts ask nothing."""
        if isinstance(part, labs.PredictBlock):
            return part.id in self.predictions
        if isinstance(part, labs.QuestionBlock):
            right = {choice.text for choice in part.choices if choice.right}
            return bool(self.tries.get(part.id)) and self.tries[part.id][-1] in right
        if isinstance(part, labs.RunBlock):
            return {attempt.variant for attempt in self.attempts_of(part)} >= {*range(len(part.variants))}
        if isinstance(part, labs.TaskBlock):
            return any(self.meets(part, attempt) for attempt in self.attempts_of(part))
        if isinstance(part, labs.KernelBlock):
            return part.id in self.kernels and self.kernels[part.id].points == MAX_POINTS
        return True

    @property
    def is_named(self) -> bool:
        """Whether there is a name, where seed or constants follow from it."""
        return bool(self.name) or not self.lab.varies

    def may_run(self, run: labs.ExerciseBlock) -> bool:
        """Whether the predictions about the run are made: what it shows would give them away."""
        exercises = self.lab.exercises()
        before = [part for part in exercises[: exercises.index(run)] if isinstance(part, labs.PredictBlock)]
        made = all(self.is_done(part) for part in before if labs.predicted_run(self.lab, part) in (run, None))
        return made and self.is_named

    def begin(self, run: labs.RunBlock) -> None:
        """The run is started: it shows what was to be predicted."""
        if not self.has_begun(run):
            self.begun.append(run.id)

    def has_begun(self, run: labs.RunBlock) -> bool:
        return run.id in self.begun or bool(self.attempts_of(run))

    def is_fixed(self, part: labs.PredictBlock) -> bool:
        """Whether the prediction is made and cannot be changed any more."""
        run = labs.predicted_run(self.lab, part)
        return self.is_done(part) and (run is None or self.has_begun(run))

    def has_predicted(self, step: labs.Step) -> bool:
        """Whether the predictions that the step asks for are made."""
        made = all(self.is_done(part) for part in step.parts if isinstance(part, labs.PredictBlock))
        return made and self.is_named

    def may_leave(self, step: labs.Step) -> bool:
        """Whether the predictions of the step are made and its runs begun: later steps say what comes out."""
        runs = [part for part in step.parts if isinstance(part, labs.RunBlock)]
        return self.has_predicted(step) and all(map(self.has_begun, runs))

    def may_try(self, step: labs.Step) -> bool:
        """Whether a run with other settings gives no answer away: all predictions are fixed, or the step has a task."""
        if any(isinstance(part, labs.TaskBlock) for part in self.visible(step)):
            return self.has_predicted(step)
        return all(
            self.is_fixed(part) for part in self.lab.exercises() if isinstance(part, labs.PredictBlock)
        )

    def missing(self) -> list[labs.ExerciseBlock]:
        """What the person has not done, in the order of the lab."""
        return [part for part in self.lab.exercises() if not self.is_done(part)]

    def visible(self, step: labs.Step) -> list[labs.Part]:
        """The parts of the step that the person may see now: what stands after a run is hidden until it has run."""
        shown: list[labs.Part] = []
        done = True
        for part in step.parts:
            hidden = part.hidden if isinstance(part, labs.Text) else ""
            if hidden != "teacher" and (done or hidden != "reveal"):
                shown.append(part)
                done = done and self.is_done(part)
            if isinstance(part, labs.RunBlock) and not self.is_done(part):
                break
        return shown

    def attempts_of(self, part: labs.ExerciseBlock) -> list[Attempt]:
        return [attempt for attempt in self.attempts if attempt.part == part.id]

    def attempt_of(self, run: labs.RunBlock, variant: int) -> Attempt | None:
        """The newest attempt at this variant of the run."""
        return next((each for each in reversed(self.attempts_of(run)) if each.variant == variant), None)

    def predict(self, part: labs.PredictBlock, value: Prediction) -> None:
        """Keep a prediction. Raises InputError for one that the part does not ask for, or once the run was seen."""
        run = labs.predicted_run(self.lab, part)
        if run is not None and self.has_begun(run) and part.id in self.predictions:
            raise InputError("The run was made: a prediction cannot be changed afterwards.")
        checked = checked_prediction(part, value)
        low, high = _limits(part)
        if isinstance(checked, float) and not low <= checked <= high:
            raise number_error(part)
        self.predictions[part.id] = checked

    def answer(self, part: labs.QuestionBlock, text: str) -> Sentence:
        """Keep an answer; returns the reply to it."""
        choice = next(each for each in part.choices if each.text == text)
        tries = self.tries.setdefault(part.id, [])
        tries.append(text)
        del tries[1 : 1 - MAX_TRIES]  # the first one counts
        return Sentence("{reply}", {"reply": choice.reply}) if choice.reply else Sentence("Right.")

    def ranked(self, part: labs.ExerciseBlock) -> list[Attempt]:
        """The attempts at the part, first the one that is shown for it: of a task those that meet it come before
        others, then a better score decides, then which was first."""

        def rank(attempt: Attempt) -> tuple[bool, float]:
            return isinstance(part, labs.TaskBlock) and self.meets(part, attempt), attempt.score

        return sorted(self.attempts_of(part), key=rank, reverse=True)

    def best_of(self, part: labs.ExerciseBlock) -> Attempt | None:
        """The attempt that is shown for the part."""
        return next(iter(self.ranked(part)), None)

    def add(self, attempt: Attempt) -> None:
        """Keep an attempt with some of its epochs. Where there are too many attempts, the one that is needed least
        goes."""
        self.attempts.append(self._thinned(attempt, MAX_ROWS))
        if len(self.attempts) > MAX_ATTEMPTS:
            del self.attempts[self._dispensable()]
        self._thin_oldest()

    def _dispensable(self) -> int:
        """The place of the oldest attempt, but the best one, at the part with the most attempts."""
        counts = Counter(attempt.part for attempt in self.attempts)
        part = self.lab.part(max(counts, key=counts.__getitem__))
        assert part is not None
        places = [place for place, attempt in enumerate(self.attempts) if attempt.part == part.id]
        best = self.best_of(part)
        is_best = next(place for place in places if self.attempts[place] is best)
        return next(place for place in places if place != is_best)

    def _thinned(self, attempt: Attempt, most: int) -> Attempt:
        """The attempt with about `most` epochs, and those after which the lab asks for a number of this run."""
        if len(attempt.epochs) <= most:
            return attempt
        run = self.lab.part(attempt.part)
        asked = labs.predictions_of(self.lab, run) if isinstance(run, labs.RunBlock) else []
        return attempt.thinned(most, [part.epoch for part in asked if part.epoch is not None])

    def _thin_oldest(self) -> None:
        excess = sum(len(attempt.epochs) for attempt in self.attempts) - ALL_ROWS
        for place, attempt in enumerate(self.attempts):
            if excess <= 0:
                return
            self.attempts[place] = self._thinned(attempt, FEW_ROWS)
            excess -= len(attempt.epochs) - len(self.attempts[place].epochs)

    def keep_kernel(self, part: labs.KernelBlock, source: str, verdict: Verdict) -> None:
        """Keep a kernel that was checked, unless a better one is kept: an experiment takes away nothing.

        Raises InputError for one that is too long to hand in.
        """
        if len(source) > MAX_SOURCE:
            template = "The kernel is too long to hand in: at most {most:,} characters."
            raise InputError(template, most=MAX_SOURCE)
        self.keep_best(part.id, KernelAnswer(source, sorted({fault.kind for fault in verdict.faults})))

    def keep_best(self, name: str, checked: KernelAnswer) -> None:
        """Keep the kernel of the part of this name, unless a better one is kept."""
        kept = self.kernels.get(name)
        if kept is None or checked.points >= kept.points:
            self.kernels[name] = checked

    def meets(self, task: labs.TaskBlock, attempt: Attempt) -> bool:
        """Whether the attempt reaches all goals. A run that broke off, because it diverged, reaches none."""
        return all(met for _, met in self.goals(task, attempt).values()) and attempt.is_complete

    def goals(self, task: labs.TaskBlock, attempt: Attempt) -> dict[str, tuple[float | None, bool]]:
        """The value that was reached and whether it is enough, for each goal of the task by its name."""
        last = dict(zip(CURVE, attempt.epochs[-1], strict=True)) if attempt.epochs else {}
        reached = {
            "test_accuracy_at_least": attempt.score * 100, "parameters_at_most": float(attempt.parameters),
            "seconds_at_most": attempt.seconds, "epochs_at_most": last.get("epoch"),
            "test_loss_at_most": last.get("test_loss"),
        }  # fmt: skip
        found = {}
        for name, limit in task.goals.items():
            value, (sign, _) = reached[name], labs.GOALS[name]
            found[name] = value, value is not None and value * sign >= limit * sign
        return found

    def expected_before(self, run: labs.RunBlock) -> list[labs.PredictBlock]:
        """What was to be predicted of the run in the steps before its own."""
        here = next(step.parts for step in self.lab.steps if run in step.parts)
        return [part for part in labs.predictions_of(self.lab, run) if part not in here]

    def was_right(self, part: labs.PredictBlock) -> bool | None:
        """Whether the choice was the right one; None for what is only more or less near."""
        return self.predictions.get(part.id) == part.right if part.right else None

    def comparison(self, part: labs.PredictBlock, write: Callable[[float, str], str]) -> Sentence | None:
        """What was expected and what came out, in a sentence; None before both are there.

        `write(value, quantity)`: the value as a text.
        """
        expected = self.predictions.get(part.id)
        run = labs.predicted_run(self.lab, part)
        if expected is None or (run is not None and not self.is_done(run)):
            return None
        if isinstance(expected, str):
            if not part.right:
                return None
            same = expected == part.right
            found = "You expected “{expected}”; it is “{right}”."
            template = "You expected “{expected}”, and so it is." if same else found
            return Sentence(template, {"expected": expected, "right": part.right})
        attempt = self.attempt_of(run, part.variant) if run is not None else None
        real = attempt.values(part.quantity) if attempt is not None else []
        if attempt is None or not real:
            return None
        quantity = attempt.shown_as(part.quantity)
        if isinstance(expected, float):
            epoch = part.epoch or real[-1][0]
            value = min(real, key=lambda point: abs(point[0] - epoch))[1]
            texts = {"expected": write(expected, quantity), "value": write(value, quantity)}
            return Sentence("You expected {expected}; it was {value}.", texts)
        return _compare_curves(expected, real, quantity, write)

    def as_dict(self) -> dict[str, Any]:
        trained = {attempt.part for attempt in self.attempts}
        begun = [name for name in self.begun if name not in trained]
        return {
            "format": FORMAT, "version": VERSION, "program": PROGRAM_VERSION,
            "lab": {"title": self.lab.title, "digest": self.lab.digest},
            "name": self.name, "step": self.step, "predictions": self.predictions, "questions": self.tries,
            "attempts": [asdict(attempt) for attempt in self.attempts],
            **({"begun": begun} if begun else {}),
            **({"kernels": {name: asdict(each) for name, each in self.kernels.items()}} if self.kernels else {}),
        }  # fmt: skip

    def save(self, path: Path) -> None:
        """Write the file. Raises InputError where that fails."""
        text = json.dumps(self.as_dict(), indent=1, ensure_ascii=False, allow_nan=False)
        content = (text + "\n").encode(errors="replace")
        if len(content) > MAX_BYTES:
            size, most = format_bytes(len(content)), format_bytes(MAX_BYTES)
            raise InputError("The answers take {size}; at most {most} can be kept.", size=size, most=most)
        write_atomically(path, content)


def checked_prediction(part: labs.PredictBlock, value: Any) -> Prediction:
    """The prediction as it is kept. Raises InputError for one of another kind."""
    if part.kind == "choice":
        if value in part.choices:
            return str(value)
    elif part.kind == "number":
        if _is_number(value):
            return float(value)
    elif isinstance(value, list | tuple) and 2 <= len(value) <= MAX_CURVE:
        if not all(isinstance(point, list | tuple) and len(point) == 2 for point in value):
            raise InputError("The prediction {id} must be {kind}.", id=part.id, kind=_CURVE)
        points = [(float(x), float(y)) for x, y in value if _is_number(x) and _is_number(y)]
        if len(points) == len(value) and all(before < after for (before, _), (after, _) in pairwise(points)):
            return points
    raise InputError("The prediction {id} must be {kind}.", id=part.id, kind=_PREDICTIONS[part.kind])


def _limits(prediction: labs.PredictBlock) -> tuple[float, float]:
    """The least and the greatest number that may be predicted, as far as the lab's data are known before a run."""
    data = prediction.setup.plan.data
    if not prediction.quantity.endswith("accuracy"):
        return 0.0, inf
    has_targets = functions.is_function(data) or data.lower().endswith((".csv", ".tsv"))
    return (-inf, 1.0) if has_targets else (0.0, 100.0)  # R², or percent


def number_error(part: labs.PredictBlock) -> InputError:
    """Says which numbers may be predicted."""
    low, high = _limits(part)
    if isfinite(low) and isfinite(high):
        return InputError("Type a number from {low:g} to {high:g}.", low=low, high=high)
    if isfinite(low):
        return InputError("Type a number of {low:g} or more.", low=low)
    return InputError("Type a number of at most {high:g}.", high=high)


_CURVE = "a curve of at least two points"
_PREDICTIONS = {"choice": "one of its choices", "number": "a number", "curve": _CURVE}
_LARGEST_PREDICTION = 1e15


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= _LARGEST_PREDICTION


def _compare_curves(
    expected: Iterable[Point], real: Sequence[Point], quantity: str, write: Callable[[float, str], str]
) -> Sentence:
    """Where the curves differ most, and whether the drawn one settled too late or too early."""
    drawn = np.array(sorted(expected))
    epochs, values = np.array(real).T
    inside = (epochs >= drawn[0, 0]) & (epochs <= drawn[-1, 0])
    at = epochs[inside] if inside.any() else epochs[-1:]
    guess = np.interp(at, drawn[:, 0], drawn[:, 1])
    truth = np.interp(at, epochs, values)
    worst = int(np.argmax(abs(guess - truth)))
    texts = {
        "expected": write(float(guess[worst]), quantity), "value": write(float(truth[worst]), quantity),
        "epoch": f"{at[worst]:g}",
    }  # fmt: skip
    first = "You expected {expected} after epoch {epoch}; it was {value}."
    if abs(guess - truth).max() <= 0.05 * max(float(np.ptp(truth)), abs(float(truth[-1])), 1e-9):
        return Sentence("Your curve is close: {expected} after epoch {epoch}, where it was {value}.", texts)
    late = _settled(at, guess) - _settled(at, truth)
    if abs(late) <= ((at[-1] - at[0]) / 5 if len(at) > 1 else 1):
        return Sentence(first, texts)
    remark = " Your curve moved for too long." if late > 0 else " Your curve settled too early."
    return Sentence(first + remark, texts)


def _settled(at: np.ndarray, values: np.ndarray) -> float:
    """The epoch from which on a curve stays within a tenth of its whole change from its last value."""
    limit = 0.1 * float(np.ptp(values))
    far = np.flatnonzero(abs(values - values[-1]) > limit)
    return float(at[min(far[-1] + 1, len(at) - 1)]) if far.size else float(at[0])
