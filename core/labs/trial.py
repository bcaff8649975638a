"""Trains what a part of a lab asks for, without a window: for `lab check` and for attempts that are
marked.
"""

from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import perf_counter

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.errors import InputError
from core.labs.attempt import Attempt, attempt_of
from core.runs.plan import RunContext, RunPlan
from core.runs.side_by_side import outcome_of
from core.runs.training import RunRecord, iter_run
from core.text import format_bytes
from core.training.checks import training_bytes
from core.training.records import EpochDone, Finished
from core.training.run_settings import RunSettings
from kernels.errors import DeviceError
from kernels.registry import (
    DeviceUnavailable,
    default_cpu_device,
    is_device_name,
    open_device,
    probe,
)

MAX_SECONDS = 300.0
"""How long a run of a lab may take, fifteen times as long as it should: a lab may come from a
stranger.
"""
_ESTIMATE_SECONDS = 2.0
"""After so long the share of the first epoch that is done says how long a run takes."""
MAX_BYTES = 500_000_000
MAX_MULTIPLY_ADDS = 20_000_000_000
MAX_WORKERS = 16
"""Limits of an attempt of somebody else: memory for training, multiply-adds for one step (seconds),
and threads.
"""


class TooLongError(InputError):
    """A run that was not made to its end. `seconds`: how long it would take, or that it has
    taken.
    """

    def __init__(self, template: str, seconds: float, most: float) -> None:
        super().__init__(
            template + ", at most {most} are allowed", time=about(seconds), most=about(most)
        )
        self.seconds = seconds


def about(seconds: float) -> str:
    """A time in one number: 40 s, 9 min, 3 h.

    >>> about(45), about(500), about(9000)
    ('45 s', '8 min', '2 h')
    """
    if seconds < 10:
        return f"{seconds:.1g} s"
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:,.0f} h"


class DataSets:
    """The data sets of a lab in `folder`, each loaded once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._loaded: dict[str, Dataset] = {}

    def of(self, plan: RunPlan) -> Dataset:
        """The data of a plan; raises InputError for those of another name than the lab has."""
        name = plan.within(self._folder).data
        if name not in self._loaded:
            self._loaded[name] = load_dataset(name)
        return self._loaded[name]

    def context(self, plan: RunPlan) -> RunContext:
        """The plan with its data and network. Raises InputError where they do not fit."""
        dataset = self.of(plan)
        return RunContext(
            plan, dataset, plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
        )


def check_limits(context: RunContext) -> None:
    """Raise InputError where the attempt of a stranger would take more memory, time a step or
    threads than it may.
    """
    settings = context.plan.settings
    need = training_bytes(settings, context.network, len(context.dataset.train))
    # Three times: forward, and backward for the inputs and for the weights.
    work = 3 * sum(context.network.multiply_adds) * settings.batch_size * settings.group
    if need > MAX_BYTES:
        raise InputError(
            "{network} would need {need} and is not run: at most {most} are allowed.",
            network=settings.network,
            need=format_bytes(need),
            most=format_bytes(MAX_BYTES),
        )
    if work > MAX_MULTIPLY_ADDS:
        raise InputError(
            "{network} would multiply {work:,} times for a step and is not run: at most {most:,} "
            "are allowed.",
            network=settings.network,
            work=work,
            most=MAX_MULTIPLY_ADDS,
        )
    if settings.workers > MAX_WORKERS:
        raise InputError(
            "{workers} worker threads are not run: at most {most} are allowed.",
            workers=settings.workers,
            most=MAX_WORKERS,
        )


@cache
def available_device(name: str) -> str:
    """The name of the device if this machine has it, else that of its best one without a card."""
    known = is_device_name(name) and name != "auto"
    return name if known and probe(name).available else default_cpu_device()


def score_of(on: str, context: RunContext, finished: Finished, data: DataSets) -> float:
    """The score that counts: on the data `on` that a task names for it, else that of the run.
    Raises InputError.
    """
    from core.training.evaluation import evaluate

    if not on:
        return finished.test_score
    settings = context.plan.settings
    learned = context.dataset
    tried = data.of(RunPlan(settings, on))
    if (tried.input_shape, tried.outputs, tried.kind) != (
        learned.input_shape,
        learned.outputs,
        learned.kind,
    ):
        raise InputError("The data {on} do not fit the network of the task.", on=on)
    parameters = finished.checkpoint.parameters
    # Closed also after an error: a device may hold threads and memory of a card.
    with closing(open_device(context.plan.device)) as device:
        return evaluate(context.network, settings, parameters, tried.test, device, tried.kind).score


def make_attempt(
    part: str,
    variant: int,
    plan: RunPlan,
    data: DataSets,
    on: str = "",
    seconds: float = MAX_SECONDS,
    kept: list[EpochDone] | None = None,
) -> Attempt:
    """Train the plan for the part of this id. `on`: data whose score counts. `kept`: gets the
    records of its epochs.

    Raises InputError where the plan cannot be trained, and TooLongError where it takes more than
    `seconds`, or would, as the first epoch shows.
    """
    dataset = data.of(plan)
    clock = _Clock(plan.settings, seconds)

    def watch(record: RunRecord) -> None:
        if record.numbers is not None:
            if kept is not None:
                kept.append(record)
            clock.check(record.epoch, 1.0)
        elif record.steps is not None:
            clock.check(record.epoch, record.position / record.images)

    try:
        with closing(iter_run(plan, dataset)) as records:
            outcome = outcome_of(records, watch)
        assert outcome.context is not None
        assert outcome.end is not None
        score = score_of(on, outcome.context, outcome.end, data)
    except (DeviceError, DeviceUnavailable) as error:
        raise InputError("{error}", error=error) from None
    return attempt_of(part, variant, outcome.context.plan, outcome.epochs, outcome.end, score)


@dataclass(frozen=True, slots=True)
class LabCheck:
    """How a lab is checked. `data`: of the lab."""

    data: DataSets
    trains: bool = True

    def has_device(self, plan: RunPlan) -> bool:
        """Whether this machine has the device of the plan."""
        return plan.device in ("auto", available_device(plan.device))


class _Clock:
    """Ends a training that takes, or would take, more than `seconds`."""

    def __init__(self, settings: RunSettings, seconds: float) -> None:
        self._epochs = settings.epochs
        self._seconds = seconds
        # With these a run may end after any epoch.
        ends_early = settings.patience or settings.target_accuracy or settings.target_error
        self._estimates = not ends_early
        self._begin = perf_counter()
        # When the first steps were done: before, code may be compiled.
        self._first: float | None = None

    def check(self, epoch: int, share: float) -> None:
        """Raise TooLongError in the first epoch where all would take too long, or at the end of the
        time.

        `share`: of the epoch that is done.
        """
        now = perf_counter()
        if now - self._begin > self._seconds:
            raise TooLongError("was ended after {time}", now - self._begin, self._seconds)
        if self._first is None:
            self._first = now
        elif self._estimates and epoch == 1:
            # A share of the first few milliseconds would estimate wildly.
            is_known = share == 1 or now - self._first > _ESTIMATE_SECONDS
            needed = (now - self._first) / share * self._epochs
            if is_known and needed > self._seconds:
                raise TooLongError("would take about {time}", needed, self._seconds)
