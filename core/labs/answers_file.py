"""The file of answers: read from the home of a person who goes on, and from the folder that a class has handed in.

Files come from strangers: whatever is in one, reading it ends with answers or with one sentence. Numbers that no run
can reach are refused.
"""

import json
import os
import time
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any, TypeVar

from core.errors import InputError
from core.files.atomic import move
from core.files.input_file import read_input
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
    KernelAnswer,
)
from core.labs.attempt import CURVE, LARGEST, Attempt
from core.labs.blocks.block import Part, of_kind
from core.labs.blocks.exercise import ExerciseBlock, TrainedBlock
from core.labs.blocks.kernel import KernelBlock
from core.labs.blocks.question import QuestionBlock
from core.labs.blocks.run import RunBlock
from core.labs.lab import Lab
from core.training.run_settings import RunSettings
from core.workshop.checker.trace import KINDS

_KIND = "a file of answers that this program saved"
_MAX_TEXT = 500
_MAX_TRIES = 1000  # of earlier versions
_MAX_SECONDS = 1e9
_LOWEST_LOSS = -1e-3  # a loss of 0 may be rounded to less
_LOCK_SECONDS = 2.0
Value = TypeVar("Value")
Asked = TypeVar("Asked", bound=Part)


def read_answers(path: Path, lab: Lab) -> Answers:
    """The answers in the file at `path`. Raises InputError where it is damaged, or of another lab or version of it."""
    content = read_input(path, MAX_BYTES, _KIND)
    try:
        return _parse(json.loads(content), lab, path)
    except OtherAnswersError:
        raise
    except (*READ_ERRORS, InputError) as error:
        reason = str(error) if isinstance(error, InputError) else reason_of(error)
        raise InputError("{path} cannot be read as answers ({reason}): choose {kind}.",
                         path=path.name, reason=reason, kind=_KIND) from None  # fmt: skip


class OtherAnswersError(InputError):
    """Answers that are not for this lab or this version of the program."""


def _parse(values: Any, lab: Lab, path: Path) -> Answers:
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError("it does not hold answers")
    version = values.get("version")
    if type(version) is not int:
        raise ValueError("it does not say its version")
    if version != VERSION:
        raise OtherAnswersError("{path} is of version {version} of the format; this program reads version {known}.",
                            path=path.name, version=version, known=VERSION)  # fmt: skip
    title, digest = (_checked(values["lab"][key], str) for key in ("title", "digest"))
    if digest != lab.digest:
        if title == lab.title:
            raise OtherAnswersError("{path} is of another version of this lab.", path=path.name)
        raise OtherAnswersError("{path} is of another lab: {title}.", path=path.name, title=title)
    answers = Answers(lab, _checked(values["name"], str)[:100])
    answers.step = min(max(_checked(values.get("step", 0), int), 0), len(lab.steps) - 1)
    for name, value in _checked(values["predictions"], dict).items():
        answers.predictions[name] = _part(lab, name, ExerciseBlock).checked(value)
    begun = _checked(values.get("begun", []), list)
    answers.begun = [part.id for part in of_kind(lab.parts(), RunBlock) if part.id in begun]
    for name, tries in _checked(values["questions"], dict).items():
        known = {choice.text for choice in _part(lab, name, QuestionBlock).choices}
        answers.tries[name] = [str(text) for text in _checked(tries, list)]
        if len(tries) > _MAX_TRIES or not known.issuperset(answers.tries[name]):
            raise ValueError(f"its answers to “{name[:40]}” are none of the lab's")
    if len(attempts := _checked(values["attempts"], list)) > MAX_ATTEMPTS:
        raise ValueError(f"it has more than {MAX_ATTEMPTS} attempts")
    for attempt in attempts:
        answers.add(_parse_attempt(attempt, lab))
    for name, value in _checked(values.get("kernels", {}), dict).items():
        _part(lab, name, KernelBlock)
        answers.kernels[name] = kernel = KernelAnswer(**_checked(value, dict))
        _checked(kernel.source, str, longest=MAX_SOURCE)
        if not set(KINDS).issuperset(_checked(kernel.faults, list)):
            raise ValueError("the faults of a kernel are unknown")
    return answers


def _parse_attempt(values: Any, lab: Lab) -> Attempt:
    names = Attempt.__dataclass_fields__.keys()
    if unknown := _checked(values, dict).keys() - names:
        raise ValueError(f"an attempt has a value “{min(unknown)[:40]}”, which this version does not know")
    attempt = Attempt(**values)
    part = _part(lab, _checked(attempt.part, str), TrainedBlock)
    if not 0 <= _checked(attempt.variant, int) < len(part.variants):
        raise ValueError("it has an attempt at a run that the lab does not have")
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
    return replace(attempt, epochs=[[epoch, *map(_float, numbers)] for epoch, *numbers in attempt.epochs])


def _check_epochs(rows: list[Any], most: int) -> None:
    """Raise ValueError unless the rows are epochs of one run that has at most so many."""
    for row in rows:
        if len(_checked(row, list)) != len(CURVE):
            raise ValueError("an epoch has other numbers")
        epoch, train_loss, train_score, test_loss, test_score, validation_loss = row
        _checked(epoch, int)
        for loss in (train_loss, test_loss, validation_loss):
            if loss is not None and _checked(loss, int, float) < _LOWEST_LOSS:
                raise ValueError("an epoch has a loss of less than 0")
        for score in (train_score, test_score):
            if score is not None and _checked(score, int, float) > 1:
                raise ValueError("an epoch has a result of more than 100 %")
        is_regression = train_score is None
        if None in (train_loss, test_loss, test_score) or is_regression != (rows[0][2] is None):
            raise ValueError("an epoch lacks a number")
        if not is_regression and min(train_score, test_score) < 0:
            raise ValueError("an epoch has a result of less than 0 %")
    epochs = [0, *(row[0] for row in rows)]
    if not all(before < after for before, after in pairwise(epochs)) or epochs[-1] > most:
        raise ValueError("its epochs are not those of a run")


def _float(value: float | None) -> float | None:
    return value if value is None else float(value)


def _part(lab: Lab, name: str, kind: type[Asked]) -> Asked:
    """The lab's part of this name and kind."""
    for part in of_kind(lab.parts(), kind):
        if part.id == name:
            return part
    raise ValueError(f"it answers “{name[:40]}”, which the lab does not ask")


_MISSING = {str: "a text", int: "a number", list: "a list", dict: "a table"}


def _checked(value: Any, *kinds: type, longest: int = _MAX_TEXT) -> Any:
    """The value, which has one of these types: a number that is not too large, a text of at most `longest`
    characters."""
    is_good = type(value) in kinds and not (isinstance(value, str) and len(value) > longest)
    if not is_good or (isinstance(value, int | float) and not -LARGEST <= value <= LARGEST):
        raise ValueError(f"{_MISSING[kinds[0]]} is missing, too long or too large")
    return value


def answers_path(lab: Lab) -> Path:
    """Where the window keeps the answers to a lab."""
    return data_folder() / "labs" / f"{lab.digest[:32]}.json"


class ProgressFile:
    """Where the window keeps a person's answers to a lab, for as long as the lab is open.

    Other windows may have the same lab open. `write` adds what they have written since the last time, so that nothing
    is lost; of a prediction that both made, the one that is written later stays. A file that cannot be read is never
    overwritten but moved, and `moved` is its new path.
    """

    def __init__(self, lab: Lab) -> None:
        self.path = answers_path(lab)
        self.moved: Path | None = None
        self._lab = lab
        self._kept = Answers(lab)  # what this window and the file had in common last
        self._seen: tuple[int, ...] | None = None  # the state of the file then

    def read(self) -> Answers:
        """The answers that were kept; empty ones where there are none. Raises InputError where the file can neither
        be read nor be moved."""
        answers = self._read() or Answers(self._lab)
        self._remember(answers)
        return answers

    def write(self, answers: Answers) -> bool:
        """Write the answers, with what other windows have written since; returns whether there was any.

        Raises InputError where that fails.
        """
        with locked(self.path.with_suffix(".lock"), _LOCK_SECONDS):
            theirs = self._read() if self._state() != self._seen else None
            if theirs is not None:
                _add_changes(answers, self._kept, theirs)
            answers.save(self.path)
            self._remember(answers)
        return theirs is not None

    def begin_again(self) -> Path | None:
        """Put the file aside; returns its new path, or None where there is no file. Raises InputError."""
        with locked(self.path.with_suffix(".lock"), _LOCK_SECONDS):
            aside = self._put_aside("before") if os.path.lexists(self.path) else None
            self._remember(Answers(self._lab))
        return aside

    def _read(self) -> Answers | None:
        """The answers in the file; None where there is none, or none that can be read, which is moved."""
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
            if not os.path.lexists(path):
                break
        move(self.path, path)
        return path

    def _remember(self, answers: Answers) -> None:
        self._kept = answers.copy()
        self._seen = self._state()

    def _state(self) -> tuple[int, ...] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


def _add_changes(ours: Answers, kept: Answers, theirs: Answers) -> None:
    """Make `ours` what is in `theirs`, with what `ours` has changed since both were as in `kept`."""
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
    ours.attempts = [*theirs.attempts]
    for attempt in new:
        ours.add(attempt)
    if ours.name == kept.name:
        ours.name = theirs.name


def _changed(values: dict[str, Value], before: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if before.get(name) != value}


def _identity(attempt: Attempt) -> tuple[str, int, str, float]:
    """What two attempts have in common only where they are the same run."""
    return attempt.part, attempt.variant, attempt.digest, attempt.seconds
