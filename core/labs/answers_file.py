"""The file of answers: read from the home of a person who goes on, and from the folder that a class
has handed in.

Files come from strangers: whatever is in one, reading it ends with answers or with one sentence.
Numbers that no run can reach are refused.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from core.errors import InputError
from core.files.atomic import move
from core.files.input_file import read_input
from core.files.json_text import JsonObject, json_object
from core.files.lock import locked
from core.files.log import logger
from core.files.paths import data_folder
from core.files.reasons import READ_ERRORS, reason_of
from core.labs.answers import (
    FORMAT,
    MAX_ATTEMPTS,
    MAX_BYTES,
    MAX_SOURCE,
    VERSION,
    Answers,
)
from core.labs.attempt import CURVE, LARGEST, Attempt, KernelAnswer
from core.labs.blocks.block import Part
from core.labs.blocks.exercise import TrainedBlock
from core.labs.lab import Lab
from core.labs.repeats import other_plan
from core.training.run_settings import RunSettings
from core.workshop.checker.trace import KINDS

_KIND = "a file of answers that this program saved"
_MAX_TEXT = 500
_MAX_TRIES = 1000  # of earlier versions
_MAX_SECONDS = 1e9
_LOWEST_LOSS = -1e-3  # a loss of 0 may be rounded to less
_LOSSES = ("train_loss", "test_loss", "validation_loss")
_SCORES = ("train_score", "test_score")
_LOCK_SECONDS = 2.0
_DIGEST = re.compile(r"[0-9a-f]{32}")
_MAX_LABS = 1000  # whose titles are looked at
Value = TypeVar("Value")
Asked = TypeVar("Asked", bound=Part)


def read_answers(path: Path, lab: Lab) -> Answers:
    """The answers in the file at `path`. Raises InputError where it is damaged, or of another lab
    or version of it.
    """
    return _read_answers(path, _AnswersReader(lab))


def _read_answers(path: Path, reader: "_AnswersReader") -> Answers:
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        return reader.read(json_object(content, FORMAT, "hold answers"), path)
    # It says already which lab it is of; the sentence below would call the file damaged.
    except OtherAnswersError:
        raise
    except (*READ_ERRORS, InputError) as error:
        text = "{path} cannot be read as answers ({reason}): choose {kind}."
        raise InputError(text, path=path.name, reason=reason_of(error), kind=_KIND) from None


class OtherAnswersError(InputError):
    """Answers that are not for this lab or this version of the program."""


def named_lab(path: Path) -> tuple[str, str] | None:
    """Title and digest of the lab that a file of answers names; None where it names none."""
    try:
        lab = json.loads(read_input(path, MAX_BYTES, _KIND))["lab"]
        title = lab["title"]
        digest = lab["digest"]
    # The file is a stranger's: its JSON may have any form, and lists may lie deep in lists.
    except (InputError, OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return (title, digest) if isinstance(title, str) and isinstance(digest, str) else None


class _AnswersReader:
    """Reads the values of a file of answers. Its methods raise ValueError or InputError for what is
    no answer.

    `is_earlier`: the file is of an earlier text of the lab. Then answers that no longer fit are
    left out and counted in `misfits`.
    """

    def __init__(self, lab: Lab, is_earlier: bool = False) -> None:
        self.misfits = 0
        self._lab = lab
        self._is_earlier = is_earlier
        self._answers = Answers(lab)

    def read(self, values: JsonObject, path: Path) -> Answers:
        answers = self._answers
        self._check_head(values, path)
        answers.name = _checked(values["name"], str)[:100]
        # An earlier text of the lab may have had more steps.
        answers.step = min(max(_checked(values.get("step", 0), int), 0), len(self._lab.steps) - 1)
        for name, value in _checked(values["predictions"], dict).items():
            self._keep(self._read_prediction, name, value)
        begun = _checked(values.get("begun", []), list)
        # Read from the lab, so that nothing is kept that the lab does not know.
        answers.begun = [run.id for run in self._lab.parts.runs if run.id in begun]
        for name, tries in _checked(values["questions"], dict).items():
            self._keep(self._read_tries, name, tries)
        attempts = _checked(values["attempts"], list)
        # Before they are read: each one is checked number by number.
        if len(attempts) > MAX_ATTEMPTS:
            raise ValueError(f"it has more than {MAX_ATTEMPTS} attempts")
        for attempt in attempts:
            self._keep(self._read_attempt, attempt)
        for name, value in _checked(values.get("kernels", {}), dict).items():
            self._keep(self._read_kernel, name, value)
        return answers

    def _check_head(self, values: JsonObject, path: Path) -> None:
        version = values.get("version")
        # `isinstance` would take true and false for versions.
        if type(version) is not int:
            raise ValueError("it does not say its version")
        if version != VERSION:
            text = (
                "{path} is of version {version} of the format; this program reads version {known}."
            )
            raise OtherAnswersError(text, path=path.name, version=version, known=VERSION)
        title = _checked(values["lab"]["title"], str)
        digest = _checked(values["lab"]["digest"], str)
        if digest == self._lab.digest or self._is_earlier:
            return
        if title == self._lab.title:
            raise OtherAnswersError("{path} is of another version of this lab.", path=path.name)
        raise OtherAnswersError("{path} is of another lab: {title}.", path=path.name, title=title)

    def _keep(self, read: Callable[..., None], *values: object) -> None:
        """Read one answer, or leave it out where it no longer fits."""
        try:
            read(*values)
        except (ValueError, InputError):
            if not self._is_earlier:
                raise
            self.misfits += 1

    def _read_prediction(self, name: str, value: object) -> None:
        self._answers.predictions[name] = _part(name, self._lab.parts.exercises).checked(value)

    def _read_tries(self, name: str, tries: object) -> None:
        known = {choice.text for choice in _part(name, self._lab.parts.questions).choices}
        texts = [str(text) for text in _checked(tries, list)]
        if len(texts) > _MAX_TRIES or not known.issuperset(texts):
            raise ValueError(f"its answers to “{name[:40]}” are none of the lab's")
        self._answers.tries[name] = texts

    def _read_kernel(self, name: str, value: object) -> None:
        _part(name, self._lab.parts.kernels)
        kernel = KernelAnswer(**_checked(value, dict))
        _checked(kernel.source, str, longest=MAX_SOURCE)
        if not set(KINDS).issuperset(_checked(kernel.faults, list)):
            raise ValueError("the faults of a kernel are unknown")
        self._answers.kernels[name] = kernel

    def _read_attempt(self, values: Any) -> None:
        # Named here: the constructor's own error would name the function, not the file's value.
        unknown = _checked(values, dict).keys() - Attempt.__dataclass_fields__.keys()
        if unknown:
            raise ValueError(
                f"an attempt has a value “{min(unknown)[:40]}”, which this version does not know"
            )
        attempt = Attempt(**values)
        part = _part(_checked(attempt.part, str), self._lab.parts.trained)
        if not 0 <= _checked(attempt.variant, int) < len(part.variants):
            raise ValueError("it has an attempt at a run that the lab does not have")
        # Before the settings are used: until here they may be anything.
        _check_attempt(attempt)
        # An attempt at what the lab asked before proves nothing of what it asks now.
        if self._is_earlier and not _is_asked(part, attempt, self._answers.name):
            raise ValueError("it has an attempt with other settings than the lab gives")
        epochs = [[epoch, *map(_float, numbers)] for epoch, *numbers in attempt.epochs]
        self._answers.add(replace(attempt, epochs=epochs))


def _part(name: str, parts: Iterable[Asked]) -> Asked:
    """The one of this name among the parts."""
    for part in parts:
        if part.id == name:
            return part
    raise ValueError(f"it answers “{name[:40]}”, which the lab does not ask")


def _is_asked(part: TrainedBlock, attempt: Attempt, name: str) -> bool:
    """Whether the lab gives these settings to the person of this name.

    The window trains 784-16-10 where a lab says 16.
    """
    given = part.plans(name)[attempt.variant]
    if other_plan(part, attempt.plan, given):
        return False
    settings = attempt.plan.settings
    network = given.settings.network
    # The hyphens keep 16 from being found in 116.
    same_network = f"-{network}-" in f"-{settings.network}-"
    return part.is_task or (same_network and settings.change(network=network) == given.settings)


def _check_attempt(attempt: Attempt) -> None:
    """Raise ValueError unless the numbers of the attempt are those of a run."""
    for text in (attempt.data, attempt.device, attempt.digest, attempt.arithmetic, attempt.program):
        _checked(text, str)
    settings = RunSettings.from_dict(_checked(attempt.settings, dict))
    if _checked(attempt.score, int, float) > 1:
        raise ValueError("it has a result of more than 100 %")
    if not 0 <= _checked(attempt.seconds, int, float) <= _MAX_SECONDS:
        raise ValueError(f"it has a run of {attempt.seconds:.6g} s")
    if _checked(attempt.parameters, int) < 1:
        raise ValueError("it has a network without parameters")
    _check_epochs(_checked(attempt.epochs, list), settings.epochs)
    if attempt.epochs and not attempt.is_regression and attempt.score < 0:
        raise ValueError("it has a result of less than 0 %")


def _check_epochs(rows: list[Any], most: int) -> None:
    """Raise ValueError unless the rows are epochs of one run that has at most so many."""
    before = 0
    for row in rows:
        if len(_checked(row, list)) != len(CURVE):
            raise ValueError("an epoch has other numbers")
        numbers = dict(zip(CURVE, row, strict=True))
        epoch = _checked(numbers.pop("epoch"), int)
        # Rows may be left out, so epochs rise but need not follow each other.
        if not before < epoch <= most:
            raise ValueError("its epochs are not those of a run")
        before = epoch
        for loss in [numbers[name] for name in _LOSSES]:
            if loss is not None and _checked(loss, int, float) < _LOWEST_LOSS:
                raise ValueError("an epoch has a loss of less than 0")
        for score in [numbers[name] for name in _SCORES]:
            if score is not None and _checked(score, int, float) > 1:
                raise ValueError("an epoch has a result of more than 100 %")
        # Only R² is not measured on the training data.
        is_regression = numbers["train_score"] is None
        needed = [numbers["train_loss"], numbers["test_loss"], numbers["test_score"]]
        if None in needed or is_regression != (rows[0][CURVE.index("train_score")] is None):
            raise ValueError("an epoch lacks a number")
        if not is_regression and min(numbers["train_score"], numbers["test_score"]) < 0:
            raise ValueError("an epoch has a result of less than 0 %")


def _float(value: float | None) -> float | None:
    return value if value is None else float(value)


_MISSING = {str: "a text", int: "a number", list: "a list", dict: "a table"}


def _checked(value: object, *kinds: type, longest: int = _MAX_TEXT) -> Any:
    """The value, which has one of these types: a number that is not too large, a text of at most
    `longest` characters."""
    # By the exact type: true is a number to `isinstance`.
    is_good = type(value) in kinds and not (isinstance(value, str) and len(value) > longest)
    if not is_good or (isinstance(value, int | float) and not -LARGEST <= value <= LARGEST):
        raise ValueError(f"{_MISSING[kinds[0]]} is missing, too long or too large")
    return value


def answers_path(lab: Lab) -> Path:
    """Where the window keeps the answers to a lab: a file for each text of it."""
    # By the text: answers never meet a lab that asks something else.
    return data_folder() / "labs" / f"{lab.digest[:32]}.json"


@dataclass(frozen=True, slots=True)
class EarlierAnswers:
    """What fits of the answers to an earlier text of a lab, which stay in the file at `path`.
    `misfits`: how many answers do not."""

    answers: Answers
    misfits: int
    path: Path


def earlier_answers(lab: Lab) -> EarlierAnswers | None:
    """The newest answers to an earlier text of the lab, which had the same title; None where there
    are none.
    """
    # Files that were put aside have a longer name; they are not taken up again.
    files = [
        path for path in answers_path(lab).parent.glob("*.json") if _DIGEST.fullmatch(path.stem)
    ]
    for path in sorted(files, key=lambda path: path.stat().st_mtime_ns, reverse=True)[:_MAX_LABS]:
        named = named_lab(path)
        if named is None or named[0] != lab.title:
            continue
        reader = _AnswersReader(lab, is_earlier=True)
        try:
            answers = _read_answers(path, reader)
        except InputError as error:
            logger.warning("%s", error)
            continue
        given = (
            answers.predictions,
            answers.tries,
            answers.attempts,
            answers.kernels,
            answers.begun,
        )
        if reader.misfits or any(given):
            return EarlierAnswers(answers, reader.misfits, path)
    return None


def kept_answers(lab: Lab) -> Answers:
    """The answers to the lab that are kept, those to an earlier text where there are no others. No
    file is changed.
    """
    try:
        return read_answers(answers_path(lab), lab)
    except InputError:
        # A file that is there but damaged is no reason to show older answers.
        earlier = None if os.path.lexists(answers_path(lab)) else earlier_answers(lab)
    return earlier.answers if earlier is not None else Answers(lab)


class ProgressFile:
    """Where the window keeps a person's answers to a lab, for as long as the lab is open.

    Other windows may have the same lab open. `write` adds what they have written since the last
    time, so that nothing is lost; of a prediction that both made, the one that is written later
    stays. A file that cannot be read is never overwritten but moved, and `moved` is its new path.
    Where the text of the lab has changed, the answers begin with those that fit of the `earlier`
    ones, whose file stays as it is.
    """

    def __init__(self, lab: Lab) -> None:
        self.path = answers_path(lab)
        self.moved: Path | None = None
        self.earlier: EarlierAnswers | None = None
        self._lab = lab
        self._kept = Answers(lab)  # what this window and the file had in common last
        self._seen: tuple[int, ...] | None = None  # the state of the file then

    def read(self) -> Answers:
        """The answers that were kept; empty ones where there are none. Raises InputError where the
        file can neither be read nor be moved."""
        # Asked before `_read`, which moves a file that cannot be read.
        is_new = not os.path.lexists(self.path)
        answers = self._read() or Answers(self._lab)
        self._remember(answers)
        self.earlier = earlier_answers(self._lab) if is_new else None
        return self.earlier.answers if self.earlier is not None else answers

    def write(self, answers: Answers) -> bool:
        """Write the answers, with what other windows have written since; returns whether there was
        any.

        Raises InputError where that fails.
        """
        with locked(self.path.with_suffix(".lock"), _LOCK_SECONDS):
            # Unchanged since: reading the whole file again would find what is known.
            theirs = self._read() if self._state() != self._seen else None
            if theirs is not None:
                _add_changes(answers, self._kept, theirs)
            answers.save(self.path)
            self._remember(answers)
        return theirs is not None

    def begin_again(self) -> Path | None:
        """Put the file aside; returns its new path, or None where there is no file. Raises
        InputError.
        """
        with locked(self.path.with_suffix(".lock"), _LOCK_SECONDS):
            aside = self._put_aside("before") if os.path.lexists(self.path) else None
            self._remember(Answers(self._lab))
        return aside

    def _read(self) -> Answers | None:
        """The answers in the file; None where there is none, or none that can be read, which is
        moved.
        """
        if not os.path.lexists(self.path):
            return None
        try:
            return read_answers(self.path, self._lab)
        except InputError as error:
            logger.warning("%s", error)
            self.moved = self._put_aside("unreadable")
            return None

    def _put_aside(self, why: str) -> Path:
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for number in count(1):
            ending = f"-{number}" if number > 1 else ""
            path = self.path.with_name(f"{self.path.stem}-{why}-{stamp}{ending}.json")
            # `lexists`: a link that leads nowhere takes the name too.
            if not os.path.lexists(path):
                break
        move(self.path, path)
        return path

    def _remember(self, answers: Answers) -> None:
        # A copy: the window goes on changing its own.
        self._kept = answers.copy()
        self._seen = self._state()

    def _state(self) -> tuple[int, ...] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        # All three: a clock may stand still between two writes, and each write makes a new file.
        return status.st_mtime_ns, status.st_size, status.st_ino


def _add_changes(ours: Answers, kept: Answers, theirs: Answers) -> None:
    """Make `ours` what is in `theirs`, with what `ours` has changed since both were as in
    `kept`.
    """
    ours.predictions = theirs.predictions | _changed(ours.predictions, kept.predictions)
    begun = [name for name in ours.begun if name not in kept.begun]
    ours.begun = list(dict.fromkeys([*theirs.begun, *begun]))
    new_kernels = _changed(ours.kernels, kept.kernels)
    ours.kernels = dict(theirs.kernels)
    for name, kernel in new_kernels.items():
        ours.keep_best(name, kernel)
    for name in ours.tries.keys() | theirs.tries.keys():
        added = ours.tries.get(name, [])[len(kept.tries.get(name, ())) :]
        ours.tries[name] = theirs.tries.get(name, []) + added
    known = {_identity(attempt) for attempt in kept.attempts}
    new = [attempt for attempt in ours.attempts if _identity(attempt) not in known]
    # A new list: adding ours must not change theirs.
    ours.attempts = [*theirs.attempts]
    for attempt in new:
        # By `add`: both together may be more than is kept.
        ours.add(attempt)
    # A name that was not changed here gives way to the one that the other window has.
    if ours.name == kept.name:
        ours.name = theirs.name


def _changed(values: dict[str, Value], before: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if before.get(name) != value}


def _identity(attempt: Attempt) -> tuple[str, int, str, float]:
    """What two attempts have in common only where they are the same run."""
    return attempt.part, attempt.variant, attempt.digest, attempt.seconds
