"""What one person answered in a lab: predictions, answers to questions and attempts; in the window,
and as a file.

The same JSON file keeps the progress and is handed in (`core.labs.answers_file`). It is readable,
and holds nothing but what is documented here.

What is kept here can always be written and read again: an attempt keeps about a hundred of its
epochs, whatever the pupil does.
"""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.json_text import JsonObject
from core.labs.attempt import Attempt, Given, KernelAnswer, Prediction
from core.labs.blocks.block import Part
from core.labs.blocks.exercise import ExerciseBlock, TrainedBlock
from core.labs.blocks.kernel import KernelBlock
from core.labs.blocks.predict import PredictBlock, WriteValue
from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.lab import Lab, LabStep, Parts
from core.text import Sentence, format_bytes
from core.version import VERSION as PROGRAM_VERSION
from core.workshop.checker.trace import Verdict

FORMAT = "digitlab-answers"
VERSION = 1
MAX_BYTES = 8_000_000
"""Of a file that is read. What `Answers` holds takes less; earlier versions wrote all epochs of an
attempt.
"""
MAX_ATTEMPTS = 500
MAX_TRIES = 50
MAX_SOURCE = 50_000  # characters of a kernel
MAX_ROWS = 100
"""Epochs that are kept of an attempt."""
FEW_ROWS = 5
"""Epochs that are kept of the oldest attempts where there are many."""
ALL_ROWS = 5000
"""Epochs that are kept of all attempts together."""


@dataclass(slots=True)
class Answers:
    """One person's answers to one lab. `step`: where the person is, from 0. `begun`: the runs that
    were started, by their ids: what was predicted of them is fixed."""

    lab: Lab
    name: str = ""
    step: int = 0
    predictions: dict[str, Prediction] = field(default_factory=dict)
    tries: dict[str, list[str]] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    kernels: dict[str, KernelAnswer] = field(default_factory=dict)
    begun: list[str] = field(default_factory=list)

    def copy(self) -> "Answers":
        """Answers that may be changed without changing these."""
        # `answer` appends to these lists: a shallow copy would change with them.
        tries = {name: [*texts] for name, texts in self.tries.items()}
        return replace(
            self,
            predictions=dict(self.predictions),
            tries=tries,
            attempts=[*self.attempts],
            kernels=dict(self.kernels),
            begun=[*self.begun],
        )

    def is_done(self, part: Part) -> bool:
        """Whether the person did what the part asks; texts ask nothing."""
        return part.is_done(self.given(part))

    def given(self, part: Part) -> Given:
        """What the person gave at the part."""
        return Given(
            self.predictions.get(part.id),
            self.tries.get(part.id, ()),
            self.attempts_of(part),
            self.kernels.get(part.id),
        )

    @property
    def shown_step(self) -> LabStep:
        return self.lab.steps[self.step]

    @property
    def is_named(self) -> bool:
        """Whether there is a name, where seed or constants follow from it."""
        return bool(self.name) or not self.lab.varies

    def may_run(self, run: ExerciseBlock) -> bool:
        """Whether the predictions about the run are made: what it shows would give them away."""
        parts = self.lab.parts
        before = Parts(parts[: parts.index(run)])
        made = all(
            self.is_done(part)
            for part in before.predictions
            if self.lab.predicted_run(part) in (run, None)
        )
        return made and self.is_named

    def begin(self, run: RunBlock) -> None:
        """The run is started: it shows what was to be predicted."""
        if not self.has_begun(run):
            self.begun.append(run.id)

    def has_begun(self, run: RunBlock) -> bool:
        return run.id in self.begun or bool(self.attempts_of(run))

    def is_fixed(self, part: PredictBlock) -> bool:
        """Whether the prediction is made and cannot be changed any more."""
        run = self.lab.predicted_run(part)
        return self.is_done(part) and (run is None or self.has_begun(run))

    def may_change(self, part: PredictBlock) -> bool:
        """Whether the person may still predict something else."""
        # Without a run nothing shows what was predicted, so that nothing fixes it.
        return self.lab.predicted_run(part) is None or not self.is_fixed(part)

    def has_predicted(self, step: LabStep) -> bool:
        """Whether the predictions that the step asks for are made."""
        made = all(map(self.is_done, step.parts.predictions))
        return made and self.is_named

    def may_leave(self, step: LabStep) -> bool:
        """Whether the predictions of the step are made and its runs begun: later steps say what
        comes out.
        """
        # Begun is enough: whoever ended a run early has seen what it shows.
        return self.has_predicted(step) and all(map(self.has_begun, step.parts.runs))

    def may_try(self, step: LabStep) -> bool:
        """Whether a run with other settings gives no answer away: all predictions are fixed, or the
        step has a task.
        """
        if self.task_of(step) is not None:
            return self.has_predicted(step)
        return all(map(self.is_fixed, self.lab.parts.predictions))

    def task_of(self, step: LabStep) -> TrainedBlock | None:
        """The first task that the person sees in the step."""
        return next((part for part in self.visible(step).trained if part.is_task), None)

    def missing(self) -> list[ExerciseBlock]:
        """What the person has not done, in the order of the lab."""
        return [part for part in self.lab.parts.exercises if not self.is_done(part)]

    def visible(self, step: LabStep) -> Parts:
        """The parts of the step that the person may see now: what stands after a run is hidden
        until it has run.
        """
        shown: list[Part] = []
        done = True
        for part in step.parts:
            if part.hidden != "teacher" and (done or part.hidden != "reveal"):
                shown.append(part)
                done = done and self.is_done(part)
            # What follows may say what is still to be predicted.
            if part.hides_rest and not self.is_done(part):
                break
        return Parts(shown)

    def attempts_of(self, part: Part) -> list[Attempt]:
        return [self.attempts[place] for place in self.places_of(part.id)]

    def places_of(self, part: str) -> list[int]:
        """The places of the attempts at a part in `attempts`."""
        return [place for place, attempt in enumerate(self.attempts) if attempt.part == part]

    def attempt_of(self, run: RunBlock, variant: int) -> Attempt | None:
        """The newest attempt at this variant of the run."""
        # Attempts stand in the order in which they were made.
        return next(
            (each for each in reversed(self.attempts_of(run)) if each.variant == variant), None
        )

    def predict(self, part: PredictBlock, value: object) -> None:
        """Keep what the person says at the part; None takes it back. Raises InputError for what it
        does not ask for, or once the run that was predicted was seen."""
        if not self.may_change(part):
            raise InputError("The run was made: a prediction cannot be changed afterwards.")
        if value is None:
            self.predictions.pop(part.id, None)
            return
        self.keep(part, value)

    def keep(self, part: ExerciseBlock, value: object) -> None:
        """Keep what the person says at the part. Raises InputError for what it does not ask for."""
        # Checked before it is kept: what is kept can always be written and read again.
        checked = part.checked(value)
        part.check_kept(checked)
        self.predictions[part.id] = checked

    def answer(self, part: QuestionBlock, text: str) -> None:
        """Keep an answer."""
        tries = self.tries.setdefault(part.id, [])
        tries.append(text)
        del tries[1 : 1 - MAX_TRIES]  # the first one counts

    def add(self, attempt: Attempt) -> None:
        """Keep an attempt with some of its epochs. Where there are too many attempts, the one that
        is needed least goes."""
        self.attempts.append(_thinned(self.lab, attempt, MAX_ROWS))
        if len(self.attempts) > MAX_ATTEMPTS:
            del self.attempts[_dispensable(self)]
        # Many attempts with their rows would make the file larger than is read.
        _thin_oldest(self)

    def keep_kernel(self, part: KernelBlock, source: str, verdict: Verdict) -> None:
        """Keep a kernel that was checked, unless a better one is kept: an experiment takes away
        nothing.

        Raises InputError for one that is too long to hand in.
        """
        if len(source) > MAX_SOURCE:
            template = "The kernel is too long to hand in: at most {most:,} characters."
            raise InputError(template, most=MAX_SOURCE)
        self.keep_best(
            part.id, KernelAnswer(source, sorted({fault.kind for fault in verdict.faults}))
        )

    def keep_best(self, name: str, checked: KernelAnswer) -> None:
        """Keep the kernel of the part of this name, unless a better one is kept."""
        kept = self.kernels.get(name)
        if kept is None or checked.points >= kept.points:
            self.kernels[name] = checked

    def comparison(self, part: PredictBlock, write: WriteValue) -> Sentence | None:
        """What was expected and what came out, in a sentence; None before both are there.

        `write(value, quantity)`: the value as a text.
        """
        expected = self.predictions.get(part.id)
        run = self.lab.predicted_run(part)
        if expected is None or (run is not None and not self.is_done(run)):
            return None
        attempt = self.attempt_of(run, part.variant) if run is not None else None
        return part.compare(expected, attempt, write)

    def as_dict(self) -> JsonObject:
        trained = {attempt.part for attempt in self.attempts}
        # An attempt says by itself that its run was begun.
        begun = [name for name in self.begun if name not in trained]
        values = {
            "format": FORMAT,
            "version": VERSION,
            "program": PROGRAM_VERSION,
            "lab": {"title": self.lab.title, "digest": self.lab.digest},
            "name": self.name,
            "step": self.step,
            "predictions": self.predictions,
            "questions": self.tries,
            "attempts": [asdict(attempt) for attempt in self.attempts],
        }
        if begun:
            values["begun"] = begun
        if self.kernels:
            values["kernels"] = {name: asdict(kernel) for name, kernel in self.kernels.items()}
        return values

    def save(self, path: Path) -> None:
        """Write the file. Raises InputError where that fails."""
        # NaN is no JSON: better an error here than a file that others cannot read.
        text = json.dumps(self.as_dict(), indent=1, ensure_ascii=False, allow_nan=False)
        # A name may hold half of a character of UTF-16, which cannot be encoded.
        content = (text + "\n").encode(errors="replace")
        # A larger file would be refused when it is read again.
        if len(content) > MAX_BYTES:
            text = "The answers take {size}; at most {most} can be kept."
            raise InputError(text, size=format_bytes(len(content)), most=format_bytes(MAX_BYTES))
        write_atomically(path, content)


def _dispensable(answers: Answers) -> int:
    """The place of the oldest attempt, but the best one, at the part with the most attempts."""
    counts = Counter(attempt.part for attempt in answers.attempts)
    part = answers.lab.trained_part(max(counts, key=counts.__getitem__))
    places = answers.places_of(part.id)
    # The best one is never given up: it is what is marked.
    best = part.best(answers.attempts_of(part))
    is_best = next(place for place in places if answers.attempts[place] is best)
    return next(place for place in places if place != is_best)


def _thinned(lab: Lab, attempt: Attempt, most: int) -> Attempt:
    """The attempt with about `most` epochs, and those after which the lab asks for a number of this
    run.
    """
    if len(attempt.epochs) <= most:
        return attempt
    # A predicted number is compared with that of its epoch.
    asked = lab.predictions_of(lab.trained_part(attempt.part))
    return attempt.thinned(most, [part.epoch for part in asked if part.epoch is not None])


def _thin_oldest(answers: Answers) -> None:
    excess = sum(len(attempt.epochs) for attempt in answers.attempts) - ALL_ROWS
    for place, attempt in enumerate(answers.attempts):
        if excess <= 0:
            return
        thinned = _thinned(answers.lab, attempt, FEW_ROWS)
        answers.attempts[place] = thinned
        excess -= len(attempt.epochs) - len(thinned.epochs)
