"""The records that a training run yields, and the checkpoints that they carry."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.errors import InputError

Reason = Literal["epochs", "target-accuracy", "target-error", "patience", "diverged", "stopped", "fault"]


@dataclass(frozen=True, slots=True)
class RateChange:
    """From `step` on, counted from 0, the run trains with `learning_rate`; None: with the schedule's again."""

    step: int
    learning_rate: float | None


def rate_changes_text(changes: tuple[RateChange, ...]) -> str:
    """JSON: a list of [step, learning rate or null]."""
    return json.dumps([(change.step, change.learning_rate) for change in changes])


def parse_rate_changes(text: str) -> tuple[RateChange, ...]:
    """Reads what `rate_changes_text` writes. Raises ValueError or TypeError for other contents."""
    changes = []
    for step, rate in json.loads(text):
        if type(step) is not int or step < 0 or not (rate is None or 0 < float(rate) < float("inf")):
            raise ValueError(f"“{str((step, rate))[:40]}” is no change of the learning rate")
        changes.append(RateChange(step, None if rate is None else float(rate)))
    return tuple(changes)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a run needs to continue, as arrays in host memory that are never changed: any thread may read them.

    The order of images, dropout and augmentation follow from (seed, epoch, step), so no random state is kept.
    `iter_training(..., checkpoint=...)` continues a run; `core.runs.folder` stores checkpoints in files.
    """

    parameters: np.ndarray  # float32 (parameters,): all weights in layer order, then all biases
    optimizer_state: np.ndarray  # float32 (0 to 2, parameters): momentum's v, or Adam's m and v
    step: int  # steps done since the start
    epoch: int  # epochs completed
    position: int  # images trained on in the current epoch
    seconds: float  # of training so far, without evaluation
    best_loss: float  # lowest validation loss so far; infinite without validation
    best_epoch: int
    best_parameters: np.ndarray | None  # of that epoch, when patience is set
    epoch_metrics: tuple[float, float] = (0.0, 0.0)  # loss and correct answers, summed over the current epoch
    rate_changes: tuple[RateChange, ...] = ()  # that the user made during the run, in order
    temperature: float = (
        1.0  # of the probabilities, fitted at the end of a run; see core.training.calibration
    )


@dataclass(frozen=True, slots=True)
class StepsDone:
    """A chunk of steps. `loss` and `score` are means over its images, computed while training on them."""

    step: int
    epoch: int  # the current epoch, from 1
    position: int  # images trained on in it
    images: int  # images in an epoch
    loss: float
    score: float | None  # accuracy; None for regression
    learning_rate: float
    seconds: float
    images_per_second: float
    step_metrics: np.ndarray  # float64 (steps, 3): images, summed loss and correct answers of each step
    checkpoint: Checkpoint | None
    rate_change: RateChange | None = None  # made before these steps


@dataclass(frozen=True, slots=True)
class EpochDone:
    """An epoch with its evaluation. A score is the accuracy for classes, R² for regression."""

    epoch: int
    step: int
    seconds: float  # of training so far, without evaluation
    epoch_seconds: float  # of this epoch's training; after a checkpoint, of the rest of it
    train_loss: float  # mean over the epoch, computed while training
    train_score: float | None
    test_loss: float
    test_score: float
    validation_loss: float | None
    images_per_second: float
    learning_rate: float
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Finished:
    """The last record. `checkpoint.parameters` are the result: those of the best epoch if patience is set."""

    reason: Reason
    advice: str  # what to change if the run diverged or did not learn, else empty
    test_loss: float
    test_score: float
    seconds: float
    seconds_to_target: float | None
    checkpoint: Checkpoint


Record = StepsDone | EpochDone | Finished


def _never_cancel() -> None:
    """Default callback: never cancels."""


@dataclass(slots=True)
class TrainingControl:
    """What the caller of a run can change while it runs. Read before each chunk of steps; any thread may set it.

    `check` is called during evaluations, which take long on a slow device; an exception that it raises ends the run.
    """

    # A rate to train with from now on; "schedule": the schedule's; None: no change.
    learning_rate: float | Literal["schedule"] | None = None
    chunk: int | None = None  # steps in the next chunk; None: as many as take a few dozen milliseconds
    checkpoint_seconds: float = float("inf")  # maximum age of the last checkpoint; 0: one in each record
    check: Callable[[], None] = _never_cancel


SCHEDULE = "schedule"
_MAX_CHANGES = 1000


def parse_planned_rates(text: str) -> tuple[RateChange, ...]:
    """The changes that `text` describes, by ascending step. Raises InputError, with the setting's name."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    changes: dict[int, RateChange] = {}
    for part in parts[:_MAX_CHANGES]:
        step, _, rate = part.partition(":")
        try:
            change = RateChange(int(step), None if rate.strip() == SCHEDULE else float(rate))
        except (ValueError, OverflowError):
            raise _error(part) from None
        rate_is_valid = change.learning_rate is None or 0 < change.learning_rate < float("inf")
        if not 0 <= change.step < 1 << 31 or not rate_is_valid:
            raise _error(part)
        changes[change.step] = change
    return tuple(changes[step] for step in sorted(changes))


def format_planned_rates(changes: Iterable[RateChange]) -> str:
    """The text that `parse_planned_rates` reads back exactly."""
    return ", ".join(
        f"{change.step}:{SCHEDULE if change.learning_rate is None else repr(change.learning_rate)}"
        for change in changes
    )


def _error(part: str) -> InputError:
    return InputError(
        "{setting} {part}: write a step, a colon and the rate from that step on, such as 300:0.01, or "
        "300:schedule for the schedule's rate.",
        setting="rate_changes", part=part,
    )  # fmt: skip
