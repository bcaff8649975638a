"""A race trains the same run on the same data on several devices or with several numbers of
workers.

Contestants on the processor take turns of one record each; the one whose clock is furthest behind
goes next, so that all advance along one time axis. A clock runs only while its contestant computes,
alone and with its own thread limits. Contestants with memory of their own, such as graphics cards,
run at the same time, each in a thread of its own. Closing the generator ends all.
"""

from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Protocol

from core.data.dataset import Dataset
from core.errors import InputError
from core.measure.machine_load import MachineLoad
from core.progress import Check, never_cancel
from core.runs.plan import RunContext, RunPlan
from core.runs.side_by_side import Outcome, SideBySide, by_seconds, iter_at_once, iter_turns
from core.runs.training import DeviceNotice, RunRecord, iter_run
from core.training.records import Record, TrainingControl
from core.training.run_settings import RunSettings
from kernels.registry import DeviceUnavailable, device_spec


@dataclass(frozen=True, slots=True)
class Contestant:
    """The name of a device, and the number of workers that share the batches of a group on it."""

    device: str
    workers: int = 1


@dataclass(frozen=True, slots=True)
class RaceResult:
    """What a contestant has reached. `speeds`: images a second in each completed repetition."""

    contestant: Contestant
    outcome: Outcome
    speeds: tuple[float, ...] = ()

    @property
    def images_per_second(self) -> float:
        """The median of the completed repetitions; in the first one, the speed so far."""
        if self.speeds:
            return median(self.speeds)
        return self.outcome.images / self.outcome.seconds if self.outcome.seconds else 0.0

    @property
    def spread(self) -> float:
        """Difference of the fastest and the slowest repetition, as a fraction of the median."""
        return (max(self.speeds) - min(self.speeds)) / median(self.speeds) if self.speeds else 0.0


@dataclass(frozen=True, slots=True)
class RaceProgress:
    """A record of one contestant's training, and its progress. `repetition` counts from 1."""

    record: Record
    result: RaceResult
    repetition: int = 1

    def add_to(self, report: "RaceReport") -> None:
        report.add_progress(self)


@dataclass(frozen=True, slots=True)
class RaceFinished:
    """The last record. `warning`: a sentence if the machine was busy."""

    warning: str = ""

    def add_to(self, report: "RaceReport") -> None:
        report.warning = self.warning


class RaceReport(Protocol):
    """Takes what a race yields."""

    warning: str

    def add_progress(self, progress: RaceProgress) -> None: ...


def iter_race(
    settings: RunSettings,
    dataset: Dataset,
    contestants: tuple[Contestant, ...],
    check: Check = never_cancel,
    repetitions: int = 1,
) -> Generator[RaceProgress | RaceFinished]:
    """Race `settings` on two or more `contestants`; each has its own number of workers, all else is
    the run's.

    `check` is called within evaluations; an exception that it raises ends the race. The first
    `next` raises InputError where a device is not available or the run's group is too small for the
    workers.
    """
    if len(set(contestants)) < max(2, len(contestants)):
        raise InputError(
            "A race needs at least two different contestants: choose another device or worker "
            "count."
        )
    # Every run is checked before the first device is opened.
    plans = {
        contestant: RunPlan(
            settings.change(workers=contestant.workers), dataset.name, contestant.device
        )
        for contestant in contestants
    }
    load = MachineLoad()
    speeds: dict[Contestant, tuple[float, ...]] = {}
    on_host = [contestant for contestant in contestants if device_spec(contestant.device).on_host]
    groups = [on_host, *([contestant] for contestant in contestants if contestant not in on_host)]
    starts = [
        partial(_iter_turns, {each: plans[each] for each in group}, dataset)
        for group in groups
        if group
    ]
    for repetition in range(1, repetitions + 1):
        with closing(iter_at_once(starts, check)) as turns:
            for contestant, record, outcome in turns:
                known = speeds.get(contestant, ())
                result = RaceResult(contestant, outcome, known)
                if record.reason is not None:
                    known = speeds[contestant] = (
                        *known,
                        RaceResult(contestant, outcome).images_per_second,
                    )
                    result = RaceResult(contestant, outcome, known)
                yield RaceProgress(record, result, repetition)
    yield RaceFinished(load.warning())


def rank(results: list[RaceResult]) -> tuple[RaceResult, ...]:
    """The contestant with most images a second first."""
    return tuple(sorted(results, key=lambda result: -result.images_per_second))


def _iter_turns(
    plans: Mapping[Contestant, RunPlan], dataset: Dataset, check: Check
) -> Generator[tuple[Contestant, Record, Outcome]]:
    """Train all `plans` by turns in one thread, which also opens and closes their devices.

    All devices are opened before the first step: a training yields its context first.
    """
    trainings = SideBySide[Contestant](by_seconds)
    for contestant, plan in plans.items():
        trainings.add(contestant, _iter_training(plan, dataset, check))
    with closing(iter_turns(trainings)) as turns:
        for contestant, record in turns:
            if not isinstance(record, RunContext | DeviceNotice):
                yield contestant, record, trainings.outcomes[contestant]


def _iter_training(plan: RunPlan, dataset: Dataset, check: Check) -> Generator[RunRecord]:
    try:
        yield from iter_run(plan, dataset, control=TrainingControl(check=check))
    except DeviceUnavailable as reason:
        raise InputError(
            "The device {device} cannot race: {reason}", device=plan.device, reason=reason
        ) from None
