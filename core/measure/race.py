"""A race trains the same run on the same data on several devices or with several numbers of workers.

Contestants take turns, a record at a time, and the one whose clock is furthest behind goes next: so all move
along one axis of time, though each clock runs only while its contestant computes, alone and with its own
thread limits. Closing the generator ends them all.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass

from core.data.dataset import Dataset
from core.errors import InputError
from core.training.loop import iter_training
from core.training.records import EpochDone, Finished, Record, StepsDone, TrainingControl
from core.training.run import Run
from kernels.device import Device
from kernels.registry import DeviceUnavailable, open_device


@dataclass(frozen=True, slots=True)
class Contestant:
    """A device by its name, and how many workers share out the batches of a group on it."""

    device: str
    workers: int = 1


@dataclass(frozen=True, slots=True)
class RaceResult:
    """How far a contestant has come. `score`: of its last evaluation, None before the first."""

    contestant: Contestant
    images: int  # learnt from so far
    seconds: float  # of its own clock
    score: float | None
    seconds_to_target: float | None

    @property
    def images_per_second(self) -> float:
        return self.images / self.seconds if self.seconds else 0.0


@dataclass(frozen=True, slots=True)
class RaceProgress:
    """What the training of one contestant tells, and how far it has come with it."""

    contestant: Contestant
    event: Record
    standing: RaceResult


@dataclass(frozen=True, slots=True)
class RaceFinished:
    """The last record: all standings, the fastest first."""

    standings: tuple[RaceResult, ...]


def iter_race(
    run: Run, dataset: Dataset, contestants: tuple[Contestant, ...], check: Callable[[], None] = lambda: None
) -> Iterator[RaceProgress | RaceFinished]:
    """Race `run` on two or more `contestants`; each is given its own `workers`, all else is the run's.

    `check` is called within evaluations: what it raises ends the race.

    Raises InputError, on the first record, where a device is not to be had or a run cannot be shared out.
    """
    if len(set(contestants)) < max(2, len(contestants)):
        raise InputError(
            "A race needs at least two different contestants: choose another device or worker count."
        )
    # Every run is checked before the first device is opened.
    runs = [run.change(workers=contestant.workers) for contestant in contestants]
    with ExitStack() as stack:
        lanes = []
        for contestant, its_run in zip(contestants, runs, strict=True):
            device = stack.enter_context(closing(_open(contestant.device)))
            records = stack.enter_context(
                closing(iter_training(its_run, dataset, device, TrainingControl(check=check)))
            )
            lanes.append(_Lane(contestant, records, len(dataset.train)))
        racing = list(lanes)
        while racing:
            lane = min(racing, key=lambda lane: lane.seconds)
            event = lane.advance()
            yield RaceProgress(lane.contestant, event, lane.standing())
            if isinstance(event, Finished):
                racing.remove(lane)
        yield RaceFinished(rank([lane.standing() for lane in lanes]))


class _Lane:
    """One contestant's training under way."""

    def __init__(self, contestant: Contestant, records: Iterator[Record], images: int) -> None:
        self.contestant = contestant
        self.seconds = 0.0
        self._records, self._images_an_epoch = records, images
        self._epochs, self._position = 0, 0
        self._score: float | None = None
        self._to_target: float | None = None

    def advance(self) -> Record:
        event = next(self._records)
        self.seconds = event.seconds
        if isinstance(event, StepsDone):
            self._position, self._images_an_epoch = event.position, event.images
        elif isinstance(event, EpochDone):
            self._epochs, self._position, self._score = event.epoch, 0, event.test_score
        else:
            self._to_target = event.seconds_to_target
        return event

    def standing(self) -> RaceResult:
        images = self._epochs * self._images_an_epoch + self._position
        return RaceResult(self.contestant, images, self.seconds, self._score, self._to_target)


def rank(standings: list[RaceResult]) -> tuple[RaceResult, ...]:
    """The fastest learner first."""
    return tuple(sorted(standings, key=lambda standing: -standing.images_per_second))


def _open(name: str) -> Device:
    try:
        return open_device(name)
    except DeviceUnavailable as reason:
        raise InputError("{device} cannot race: {reason}", device=name, reason=reason) from None
