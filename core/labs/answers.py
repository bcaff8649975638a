"""What one person answered in a lab: predictions, answers to questions and attempts; in the window, and as a file.

The same JSON file keeps the progress and is handed in. It is readable, and holds nothing but what is documented here.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.paths import data_folder
from core.labs import lab as labs
from core.runs.plan import RunPlan
from core.text import Sentence, format_r2
from core.training.records import Epoch, Finished
from core.training.run_settings import RunSettings
from core.version import VERSION as PROGRAM_VERSION
from kernels.workshop.trace import KINDS, WARNINGS, Verdict

FORMAT = "digitlab-answers"
VERSION = 1
MAX_BYTES = 2_000_000
MAX_ATTEMPTS = 500
MAX_TRIES = 1000
MAX_POINTS = 2  # of a kernel
MAX_SOURCE = 50_000  # characters of a kernel
_MAX_POINTS = 1000  # of a curve, and epochs of an attempt
_MAX_TEXT = 500
_KIND = "a file of answers that this program saved"
Point = tuple[float, float]
Prediction = str | float | list[Point]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A run that a person made for the part `part`. `variant`: which of the part's runs, from 0.

    `settings`: those that differ from the defaults. `epochs`: a row an epoch with the numbers of CURVE. `score`: on the
    data of a task that names its own, else that of the last epoch. `digest`: SHA-256 of the parameters at the end, as
    little-endian float32.
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

    @property
    def plan(self) -> RunPlan:
        return RunPlan(RunSettings(**self.settings), self.data, self.device)

    @property
    def is_regression(self) -> bool:
        """Whether it learned targets: then its scores are R², and there are none of the training data."""
        return bool(self.epochs) and all(row[CURVE.index("train_score")] is None for row in self.epochs)

    @property
    def result(self) -> str:
        return format_r2(self.score) if self.is_regression else f"{self.score:.2%}"

    def values(self, quantity: str) -> list[Point]:
        """(epoch, value) of all epochs that have the quantity."""
        column = CURVE.index(labs.QUANTITIES[quantity])
        factor = 100 if self.shown_as(quantity).endswith("accuracy") else 1
        values = ((float(row[0] or 0), row[column]) for row in self.epochs)
        return [(epoch, value * factor) for epoch, value in values if value is not None]

    def shown_as(self, quantity: str) -> str:
        """The quantity, or "r2" for an accuracy where it is R²."""
        return "r2" if self.is_regression and quantity.endswith("accuracy") else quantity


@dataclass(frozen=True, slots=True)
class KernelAnswer:
    """The kernel that a person checked last. `faults`: kinds that the check found, with warnings; never trusted when
    it is marked: the kernel is checked again."""

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


def answers_path(lab: labs.Lab) -> Path:
    """Where the window keeps the answers to a lab."""
    return data_folder() / "labs" / f"{lab.digest[:32]}.json"


def attempt_of(
    part: labs.ExerciseBlock,
    variant: int,
    plan: RunPlan,
    epochs: Sequence[Epoch],
    finished: Finished,
    score: float,
) -> Attempt:
    """The attempt that a run with these records was; `score`: the one that counts for the part."""
    rows = [[getattr(epoch, name) for name in CURVE] for epoch in epochs]
    parameters = finished.checkpoint.parameters
    digest = hashlib.sha256(np.ascontiguousarray(parameters, dtype="<f4").tobytes()).hexdigest()
    settings, data, device = plan.settings.changed(), plan.data, plan.device
    seconds, count = finished.seconds, parameters.size
    return Attempt(part.id, variant, settings, data, device, rows, score, seconds, count, digest)


@dataclass(slots=True)
class Answers:
    """One person's answers to one lab. `step`: where the person is, from 0."""

    lab: labs.Lab
    name: str = ""
    step: int = 0
    predictions: dict[str, Prediction] = field(default_factory=dict)
    tries: dict[str, list[str]] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    kernels: dict[str, KernelAnswer] = field(default_factory=dict)

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

    def may_leave(self, step: labs.Step) -> bool:
        """Whether the predictions of the step are made: later steps may say what comes out."""
        made = all(self.is_done(part) for part in step.parts if isinstance(part, labs.PredictBlock))
        return made and self.is_named

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
        if run is not None and self.attempts_of(run) and part.id in self.predictions:
            raise InputError("The run was made: a prediction cannot be changed afterwards.")
        self.predictions[part.id] = _checked_prediction(part, value)

    def answer(self, part: labs.QuestionBlock, text: str) -> Sentence:
        """Keep an answer; returns the reply to it."""
        choice = next(each for each in part.choices if each.text == text)
        self.tries.setdefault(part.id, []).append(text)
        del self.tries[part.id][:-MAX_TRIES]
        return Sentence("{reply}", {"reply": choice.reply}) if choice.reply else Sentence("Right.")

    def add(self, attempt: Attempt) -> None:
        """Keep an attempt; the oldest goes where there are too many."""
        self.attempts.append(attempt)
        del self.attempts[:-MAX_ATTEMPTS]

    def keep_kernel(self, part: labs.KernelBlock, source: str, verdict: Verdict) -> None:
        """Keep a kernel that was checked. Raises InputError for one that is too long to hand in."""
        if len(source) > MAX_SOURCE:
            template = "The kernel is too long to hand in: at most {most:,} characters."
            raise InputError(template, most=MAX_SOURCE)
        self.kernels[part.id] = KernelAnswer(source, sorted({fault.kind for fault in verdict.faults}))

    def meets(self, task: labs.TaskBlock, attempt: Attempt) -> bool:
        return all(met for _, met in self.goals(task, attempt).values())

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

    def comparisons(self, run: labs.RunBlock, write: Callable[[float, str], str]) -> Iterator[Sentence]:
        """What was expected of the run and what came out, of the predictions in the steps before."""
        here = next(step.parts for step in self.lab.steps if run in step.parts)
        before = (part for part in labs.predictions_of(self.lab, run) if part not in here)
        return filter(None, (self.comparison(part, write) for part in before))

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
        return {
            "format": FORMAT, "version": VERSION, "program": PROGRAM_VERSION,
            "lab": {"title": self.lab.title, "digest": self.lab.digest},
            "name": self.name, "step": self.step, "predictions": self.predictions, "questions": self.tries,
            "attempts": [asdict(attempt) for attempt in self.attempts],
            **({"kernels": {name: asdict(each) for name, each in self.kernels.items()}} if self.kernels else {}),
        }  # fmt: skip

    def save(self, path: Path) -> None:
        """Write the file. Raises InputError where that fails."""
        text = json.dumps(self.as_dict(), indent=1, ensure_ascii=False, allow_nan=False)
        write_atomically(path, (text + "\n").encode(errors="replace"))


def read_answers(path: Path, lab: labs.Lab) -> Answers:
    """The answers in the file at `path`. Raises InputError where it is damaged, or of another lab or version of it."""
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        return _parse(json.loads(content), lab, path)
    except (ValueError, LookupError, TypeError, RecursionError, OverflowError, InputError) as error:
        if isinstance(error, InputError) and error.template.startswith("{path} is of"):
            raise
        raise InputError("{path} cannot be read as answers ({reason}): choose {kind}.",
                         path=path.name, reason=" ".join(str(error).split())[:150], kind=_KIND) from None  # fmt: skip


def _parse(values: Any, lab: labs.Lab, path: Path) -> Answers:
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError("it does not hold answers")
    if values.get("version") != VERSION:
        raise InputError("{path} is of version {version} of the format; this program reads version {known}.",
                         path=path.name, version=values.get("version"), known=VERSION)  # fmt: skip
    title, digest = (_checked(values["lab"][key], str) for key in ("title", "digest"))
    if digest != lab.digest:
        if title == lab.title:
            raise InputError("{path} is of another version of this lab.", path=path.name)
        raise InputError("{path} is of another lab: {title}.", path=path.name, title=title)
    answers = Answers(lab, _checked(values["name"], str)[:100])
    answers.step = min(max(_checked(values.get("step", 0), int), 0), len(lab.steps) - 1)
    for name, value in _checked(values["predictions"], dict).items():
        answers.predictions[name] = _checked_prediction(_part(lab, name, labs.PredictBlock), value)
    for name, tries in _checked(values["questions"], dict).items():
        known = {choice.text for choice in _part(lab, name, labs.QuestionBlock).choices}
        answers.tries[name] = [str(text) for text in _checked(tries, list)]
        if len(tries) > MAX_TRIES or not known.issuperset(answers.tries[name]):
            raise ValueError(f"its answers to “{name[:40]}” are none of the lab's")
    if len(attempts := _checked(values["attempts"], list)) > MAX_ATTEMPTS:
        raise ValueError(f"it has more than {MAX_ATTEMPTS} attempts")
    answers.attempts = [_parse_attempt(each, lab) for each in attempts]
    for name, value in _checked(values.get("kernels", {}), dict).items():
        _part(lab, name, labs.KernelBlock)
        answers.kernels[name] = kernel = KernelAnswer(**_checked(value, dict))
        _checked(kernel.source, str, longest=MAX_SOURCE)
        if not set(KINDS).issuperset(_checked(kernel.faults, list)):
            raise ValueError("the faults of a kernel are unknown")
    return answers


def _parse_attempt(values: Any, lab: labs.Lab) -> Attempt:
    attempt = Attempt(**_checked(values, dict))
    part = _part(lab, _checked(attempt.part, str), labs.RunBlock, labs.TaskBlock)
    if not 0 <= _checked(attempt.variant, int) < len(getattr(part, "variants", [part])):
        raise ValueError("it has an attempt at a run that the lab does not have")
    for text in (attempt.data, attempt.device, attempt.digest):
        _checked(text, str)
    RunSettings.from_dict(_checked(attempt.settings, dict))
    for number in (attempt.score, attempt.seconds, attempt.parameters):
        _checked(number, int, float)
    if attempt.score > 1:
        raise ValueError("it has a result of more than 100 %")
    if len(_checked(attempt.epochs, list)) > _MAX_POINTS:
        raise ValueError("it has too many epochs")
    for row in attempt.epochs:
        if len(row) != len(CURVE):
            raise ValueError("an epoch has other numbers")
        for value in row:
            _checked(value, int, float, type(None))
    return attempt


def _part(lab: labs.Lab, name: str, *kinds: type) -> Any:
    """The lab's part of this name and one of these kinds."""
    if not isinstance(part := lab.part(name), kinds):
        raise ValueError(f"it answers “{name[:40]}”, which the lab does not ask")
    return part


def _checked_prediction(part: labs.PredictBlock, value: Any) -> Prediction:
    """The prediction as it is kept. Raises InputError for one of another kind."""
    if part.kind == "choice":
        if value in part.choices:
            return str(value)
    elif part.kind == "number":
        if type(value) in (int, float) and isfinite(value):
            return float(value)
    elif isinstance(value, list | tuple) and 2 <= len(value) <= _MAX_POINTS:
        points = [(float(_checked(x, int, float)), float(_checked(y, int, float))) for x, y in value]
        if all(before < after for (before, _), (after, _) in pairwise(points)):
            return points
    raise InputError("The prediction {id} must be {kind}.", id=part.id, kind=_PREDICTIONS[part.kind])


_CURVE = "a curve of at least two points"
_PREDICTIONS = {"choice": "one of its choices", "number": "a number", "curve": _CURVE}


_MISSING = {str: "a text", int: "a number", list: "a list", dict: "a table"}


def _checked(value: Any, *kinds: type, longest: int = _MAX_TEXT) -> Any:
    """The value, which has one of these types: a finite number, a text of at most `longest` characters."""
    is_good = type(value) in kinds and not (isinstance(value, str) and len(value) > longest)
    if not is_good or (isinstance(value, int | float) and not isfinite(value)):
        raise ValueError(f"{_MISSING[kinds[0]]} is missing or too long")
    return value


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
