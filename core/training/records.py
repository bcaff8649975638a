"""The records that training yields: steps done, epochs done, finished; and the checkpoints they carry."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

Reason = Literal["epochs", "target-accuracy", "target-error", "patience", "diverged", "stopped", "fault"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that a run needs to go on, in host memory: immutable copies, safe to read from any thread.

    The order of images, dropout and augmentation follow from (seed, epoch, step), so no random state is kept.
    """

    parameters: np.ndarray  # float32 (parameters,): all weights in layer order, then all biases
    optimizer_state: np.ndarray  # float32 (0 to 2, parameters): momentum's v, or Adam's m and v
    step: int  # steps done since the start
    epoch: int  # epochs completed
    position: int  # images done in the epoch under way
    seconds: float  # of training so far, without evaluation
    best_loss: float  # least validation loss so far; infinite without validation
    best_epoch: int
    best_parameters: np.ndarray | None  # of that epoch, when patience is set
    epoch_metrics: tuple[float, float] = (0.0, 0.0)  # loss and right answers summed over the epoch under way


@dataclass(frozen=True, slots=True)
class StepsDone:
    """A chunk of steps. `loss` and `score` are means over its images, taken while they were learnt from."""

    step: int
    epoch: int  # the epoch under way, from 1
    position: int  # images done in it
    images: int  # images in an epoch
    loss: float
    score: float | None  # accuracy; None for regression
    learning_rate: float
    seconds: float
    images_per_second: float
    step_metrics: np.ndarray  # float64 (steps, 3): images, summed loss and correct answers of each step
    checkpoint: Checkpoint | None


@dataclass(frozen=True, slots=True)
class EpochDone:
    """An epoch with its evaluation. A score is the accuracy for classes, R² for regression."""

    epoch: int
    step: int
    seconds: float  # of training so far, without evaluation
    epoch_seconds: float  # of this epoch's training, or of what was left of it at a checkpoint
    train_loss: float  # mean over the epoch, taken while learning
    train_score: float | None
    test_loss: float
    test_score: float
    validation_loss: float | None
    images_per_second: float
    learning_rate: float
    checkpoint: Checkpoint


@dataclass(frozen=True, slots=True)
class Finished:
    """The last record. `checkpoint.parameters` are the result: the best epoch's where patience is set."""

    reason: Reason
    advice: str  # what to change, when the run diverged or learnt nothing; else empty
    test_loss: float
    test_score: float
    seconds: float
    seconds_to_target: float | None
    checkpoint: Checkpoint


Record = StepsDone | EpochDone | Finished


def _go_on() -> None:
    """Nobody wants the evaluation to end."""


@dataclass(slots=True)
class TrainingControl:
    """The caller's hands on the wheel; read before each chunk of steps, so any thread may set it.

    `check` is called within evaluations, which take long on a slow device: what it raises ends the training.
    """

    learning_rate: float | None = None  # None: the schedule's
    chunk: int | None = None  # steps in the next chunk; None: as many as fill a few dozen milliseconds
    checkpoint_seconds: float = float("inf")  # how old the last checkpoint may grow; 0: one in each record
    check: Callable[[], None] = _go_on
