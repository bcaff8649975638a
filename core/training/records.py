"""The records that a training run yields, the checkpoints that they carry, and the parameters kept
of them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, ClassVar, Literal

import numpy as np

from core.errors import InputError
from core.progress import Check, never_cancel

Reason = Literal[
    "epochs", "target-accuracy", "target-error", "patience", "diverged", "stopped", "fault"
]
"""Why a training ended. `fault`: an error ended it."""
COMPLETE = ("epochs", "target-accuracy", "target-error", "patience")
"""The reasons with which a run has learned all that its settings ask for."""

SCHEDULE = "schedule"
_MAX_CHANGES = 100_000


@dataclass(frozen=True, slots=True)
class RateChange:
    """From `step` on, counted from 0, the run trains with `learning_rate`; None: with the
    schedule's again.
    """

    step: int
    learning_rate: float | None


def format_rate_changes(changes: Iterable[RateChange]) -> str:
    """The text `300:0.01, 600:schedule`, as in the setting and in all files; `parse_rate_changes`
    reads it exactly.
    """
    return ", ".join(
        f"{change.step}:{SCHEDULE if change.learning_rate is None else repr(change.learning_rate)}"
        for change in changes
    )


def parse_rate_changes(text: str) -> tuple[RateChange, ...]:
    """The changes that `text` describes, by ascending step. Raises InputError, with the setting's
    name.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > _MAX_CHANGES:
        template = (
            "{setting}: {count:,} changes are too many, at most {most:,} can be made: leave some "
            "out."
        )
        raise InputError(template, setting="rate_changes", count=len(parts), most=_MAX_CHANGES)
    changes: dict[int, RateChange] = {}
    for part in parts:
        step, _, rate = part.partition(":")
        try:
            change = _checked_change(int(step), None if rate.strip() == SCHEDULE else float(rate))
        except (ValueError, OverflowError):
            raise InputError(
                "{setting} {part}: write a step, a colon and the rate from that step on, such as "
                "300:0.01, or 300:schedule for the schedule's rate.",
                setting="rate_changes",
                part=part,
            ) from None
        changes[change.step] = change
    return tuple(changes[step] for step in sorted(changes))


def read_rate_changes(stored: Any) -> tuple[RateChange, ...]:
    """The changes that a file holds: the text of `format_rate_changes`, or a form that earlier
    versions wrote.

    Those are a list, or its JSON text, of [step, rate] or of {"step", "learning_rate"}; a rate of
    null is the schedule's. Raises ValueError, TypeError or KeyError for other contents.
    """
    if isinstance(stored, str) and not stored.startswith("["):
        try:
            return parse_rate_changes(stored)
        except InputError as error:
            raise ValueError(str(error)) from None
    changes = []
    for change in json.loads(stored) if isinstance(stored, str) else stored:
        step, rate = (
            (change["step"], change["learning_rate"]) if isinstance(change, dict) else change
        )
        # Not isinstance: JSON's true is an int for Python.
        if type(step) is not int:
            raise ValueError(f"“{str(step)[:40]}” is no step")
        changes.append(_checked_change(step, None if rate is None else float(rate)))
    return tuple(changes)


def _checked_change(step: int, rate: float | None) -> RateChange:
    # The device counts steps in int32. NaN fails the comparison, too.
    if not 0 <= step < 1 << 31 or not (rate is None or 0 < rate < float("inf")):
        raise ValueError(f"“{step}: {rate}” is no change of the learning rate")
    return RateChange(step, rate)


@dataclass(frozen=True, slots=True)
class Epoch:
    """The numbers of an epoch with its evaluation. A score is the accuracy for classes, R² for
    regression.

    The fields are the columns of history.csv, and the names in JSON.
    """

    epoch: int  # from 1
    step: int  # steps since the start of the run
    seconds: float  # of training so far, without evaluation
    epoch_seconds: float  # of this epoch's training; after a checkpoint, of the rest of it
    train_loss: float  # mean over the epoch, computed while training
    train_score: float | None
    test_loss: float
    test_score: float
    validation_loss: float | None
    images_per_second: float
    learning_rate: float

    def is_better(self, other: "Epoch") -> bool:
        """Whether its validation loss is lower or, where there is no validation split, its test
        score higher.
        """
        if self.validation_loss is not None and other.validation_loss is not None:
            return self.validation_loss < other.validation_loss
        return self.test_score > other.test_score

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name, in the order of the columns."""
        return {name: getattr(self, name) for name in EPOCH_COLUMNS}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Epoch":
        """The epoch of numbers by name, or of their texts; an empty text is None.

        Raises ValueError, TypeError, KeyError or OverflowError for other contents.
        """
        numbers: dict[str, Any] = {
            name: _epoch_number(name, values[name]) for name in EPOCH_COLUMNS
        }
        return cls(**numbers)


EPOCH_COLUMNS: tuple[str, ...] = tuple(field.name for field in fields(Epoch))


def best_epoch(epochs: Sequence[Epoch]) -> Epoch | None:
    """The best of the epochs, the first one of equals; None without one."""
    best = None
    for epoch in epochs:
        if best is None or epoch.is_better(best):
            best = epoch
    return best


def _epoch_number(name: str, value: Any) -> float | None:
    if value is None or value == "":
        if name not in ("train_score", "validation_loss"):
            raise ValueError(f"{name} is empty")
        return None
    number = float(value)  # earlier versions wrote 4.0 for epoch 4 of a run that was continued
    if not isfinite(number):
        raise ValueError(f"{name} is {number}")
    return int(number) if name in ("epoch", "step") else number


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a run needs to continue, as arrays in host memory that are never changed: any thread
    may read them.

    The order of images, dropout and augmentation follow from (seed, epoch, step), so no random
    state is kept. `iter_training(..., checkpoint=...)` continues a run; `core.runs.folder` stores
    checkpoints in files.
    """

    parameters: np.ndarray  # float32 (parameters,): all weights in layer order, then all biases
    optimizer_state: np.ndarray  # float32 (0 to 2, parameters): momentum's v, or Adam's m and v
    step: int = 0  # steps done since the start
    epoch: int = 0  # epochs completed
    position: int = 0  # images trained on in the current epoch
    seconds: float = 0.0  # of training so far, without evaluation
    best_loss: float = float("inf")  # lowest validation loss so far; infinite without validation
    best_epoch: int = 0
    best_parameters: np.ndarray | None = None  # of that epoch, when patience is set
    # Loss and correct answers, summed over the current epoch.
    epoch_metrics: tuple[float, float] = (0.0, 0.0)
    rate_changes: tuple[RateChange, ...] = ()  # that the user made during the run, in order
    # Of the probabilities, fitted at the end of a run; see core.training.trainer.
    temperature: float = 1.0


@dataclass(frozen=True, slots=True)
class SeenStep:
    """What one step computed, copied from the device; n images of its batch, all if they are few.

    `inputs`: float32 (n, *input shape), as the network saw them, with augmentation. `targets`:
    int32 (n,) labels or float32 (n, outputs). `outputs`: of each layer, float32 (n, *output shape),
    the last one for cross-entropy before the softmax. `errors`: the gradient of each image's own
    loss by the sums of each layer, float32 (n, *output shape); None below the first layer with
    weights. `gradient`: float32 (parameters,), of the mean loss of the whole batch, with L1.
    """

    before: "Checkpoint"
    after: "Checkpoint"
    learning_rate: float
    images: np.ndarray  # int32 (n,): which of the training split
    inputs: np.ndarray
    targets: np.ndarray
    outputs: tuple[np.ndarray, ...]
    errors: tuple[np.ndarray | None, ...]
    gradient: np.ndarray


@dataclass(frozen=True, slots=True)
class StepsDone:
    """A chunk of steps. `loss` and `score` are means over its images, computed while training on
    them.
    """

    step: int
    epoch: int  # the current epoch, from 1
    position: int  # images trained on in it
    images: int  # images in an epoch
    loss: float
    score: float | None  # accuracy; None for regression
    learning_rate: float
    seconds: float
    images_per_second: float
    # Float64 (steps, 3): images, summed loss and correct answers of each step.
    step_metrics: np.ndarray
    checkpoint: Checkpoint | None
    rate_change: RateChange | None = None  # made before these steps
    seen: SeenStep | None = None  # where it was asked for, and the device has all of one batch

    context: ClassVar[None] = None  # the run has begun
    test_score: ClassVar[None] = None  # only an epoch is evaluated
    numbers: ClassVar[None] = None  # the epoch goes on
    reason: ClassVar[None] = None  # it is not the last record

    @property
    def steps(self) -> "StepsDone":
        """The record itself, which others have not."""
        return self


@dataclass(frozen=True, slots=True)
class EpochDone(Epoch):
    """An epoch has been trained and evaluated."""

    checkpoint: Checkpoint

    context: ClassVar[None] = None  # the run has begun
    steps: ClassVar[None] = None  # all of the epoch are done
    reason: ClassVar[None] = None  # it is not the last record

    @property
    def numbers(self) -> Epoch:
        """The epoch without its checkpoint, which can be kept for long."""
        return Epoch(*(getattr(self, name) for name in EPOCH_COLUMNS))


@dataclass(frozen=True, slots=True)
class Finished:
    """The last record. `checkpoint.parameters` are the result: those of the best epoch if patience
    is set.
    """

    reason: Reason
    advice: str  # what to change if the run diverged or did not learn, else empty
    test_loss: float
    test_score: float
    seconds: float
    seconds_to_target: float | None
    checkpoint: Checkpoint

    context: ClassVar[None] = None  # the run has begun
    steps: ClassVar[None] = None  # all of the run are done
    numbers: ClassVar[None] = None  # it ends the run, and no epoch


Record = StepsDone | EpochDone | Finished


@dataclass(slots=True)
class TrainingControl:
    """What the caller of a run can change while it runs. Read before each chunk of steps; any
    thread may set it.

    `check` is called during evaluations, which take long on a slow device; an exception that it
    raises ends the run.
    """

    # A rate to train with from now on; "schedule": the schedule's; None: no change.
    learning_rate: float | Literal["schedule"] | None = None
    # Steps in the next chunk; None: as many as take a few dozen milliseconds.
    chunk: int | None = None
    # Copy what a chunk of one step computes.
    look: bool = False
    # Maximum age of the last checkpoint; 0: one in each record.
    checkpoint_seconds: float = float("inf")
    # End the run after the next record, with an evaluation of what has been learned.
    stop: bool = False
    check: Check = never_cancel


# Pages of the window may hold those of two runs, so that the memory of a long session stays within
# 50 MB.
LIMIT_BYTES = 16_000_000
FILE_LIMIT_BYTES = 4_000_000
"""Of what a run's folder keeps: that of a small network for 18 epochs, of 784-512-10 for two; more
than that, none.
"""


class KeptParameters:
    """Keeps (epoch, parameters) in order. Above the limit every second epoch is dropped, but never
    the last.

    The arrays are those of the checkpoints, which never change, so keeping one copies nothing.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self._spacing = 1
        self._epochs: list[tuple[int, np.ndarray]] = []

    @property
    def epochs(self) -> tuple[tuple[int, np.ndarray], ...]:
        """(epoch, float32 (parameters,)) of each epoch that is kept."""
        return tuple(self._epochs)

    def add(self, epoch: int, parameters: np.ndarray) -> None:
        # The last one is kept until a later one comes, whether it fits the spacing or not.
        if self._epochs and self._epochs[-1][0] % self._spacing:
            del self._epochs[-1]
        self._epochs.append((epoch, parameters))
        while (
            len(self._epochs) > 2 and sum(array.nbytes for _, array in self._epochs) > self._limit
        ):
            self._spacing *= 2
            *earlier, last = self._epochs
            self._epochs = [kept for kept in earlier if kept[0] % self._spacing == 0] + [last]


BINS_PER_EPOCH = 100
# At the start, where curves change fast, a bin has at most this fraction of the images trained on
# so far.
START_FRACTION = 0.05

Point = tuple[float, float, float]
"""The end of a bin in epochs, and the mean loss and score of its images."""


class StepBins:
    """Bins of equal numbers of images, rounded up to whole steps."""

    def __init__(self) -> None:
        self._images = self._loss = self._correct = self._end = 0.0

    def add(self, record: StepsDone) -> list[Point]:
        """The bins that the steps of `record` complete."""
        points = []
        total = float(record.images)
        position = (
            (record.epoch - 1) * total + record.position - float(record.step_metrics[:, 0].sum())
        )
        for images, loss, correct in record.step_metrics.tolist():
            start = position - self._images
            position += images
            self._images += images
            self._loss += loss
            self._correct += correct
            self._end = position / total
            if self._images >= min(total / BINS_PER_EPOCH, START_FRACTION * start):
                points += self.unfinished()
                self._images = self._loss = self._correct = 0.0
        return points

    def unfinished(self) -> list[Point]:
        """The bin that is not complete yet, if it has any steps."""
        images = self._images
        return [(self._end, self._loss / images, self._correct / images)] if images else []
