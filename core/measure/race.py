"""A race trains the same run on the same data on several devices or with several numbers of workers.

Contestants on the processor take turns of one record each; the one whose clock is furthest behind goes next, so
that all advance along one time axis. A clock runs only while its contestant computes, alone and with its own
thread limits. Contestants with memory of their own, such as graphics cards, run at the same time, each in a thread
of its own. Closing the generator ends all.
"""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from queue import SimpleQueue
from statistics import median
from threading import Event, Thread

from core.data.dataset import Dataset
from core.errors import InputError
from core.measure.machine_load import MachineLoad
from core.progress import Cancelled, Check
from core.training.records import EpochDone, Finished, Record, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import DeviceUnavailable, device_spec, open_device


@dataclass(frozen=True, slots=True)
class Contestant:
    """The name of a device, and the number of workers that share the batches of a group on it."""

    device: str
    workers: int = 1


@dataclass(frozen=True, slots=True)
class RaceResult:
    """The progress of a contestant. `score`: of its last evaluation, None before the first.

    `speeds`: images a second in each completed repetition.
    """

    contestant: Contestant
    images: int = 0  # trained on so far in this repetition
    seconds: float = 0.0  # of its own clock
    score: float | None = None
    seconds_to_target: float | None = None
    speeds: tuple[float, ...] = ()

    @property
    def images_per_second(self) -> float:
        """The median of the completed repetitions; in the first one, the speed so far."""
        if self.speeds:
            return median(self.speeds)
        return self.images / self.seconds if self.seconds else 0.0

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


@dataclass(frozen=True, slots=True)
class RaceFinished:
    """The last record. `warning`: a sentence if the machine was busy."""

    warning: str = ""


def iter_race(
    settings: RunSettings,
    dataset: Dataset,
    contestants: tuple[Contestant, ...],
    check: Check = lambda: None,
    repetitions: int = 1,
) -> Generator[RaceProgress | RaceFinished]:
    """Race `settings` on two or more `contestants`; each has its own number of workers, all else is the run's.

    `check` is called within evaluations; an exception that it raises ends the race. The first `next` raises
    InputError where a device is not available or the run's group is too small for the workers.
    """
    if len(set(contestants)) < max(2, len(contestants)):
        raise InputError(
            "A race needs at least two different contestants: choose another device or worker count."
        )
    # Every run is checked before the first device is opened.
    runs = {contestant: settings.change(workers=contestant.workers) for contestant in contestants}
    load = MachineLoad()
    speeds: dict[Contestant, tuple[float, ...]] = {}
    for repetition in range(1, repetitions + 1):
        on_host = [contestant for contestant in contestants if device_spec(contestant.device).on_host]
        groups = [on_host, *([contestant] for contestant in contestants if contestant not in on_host)]
        stop = Event()
        sources = [
            _iter_turns({each: runs[each] for each in group}, dataset, check, stop)
            for group in groups
            if group
        ]
        with closing(_merged(sources, stop)) as turns:
            for record, result in turns:
                known = speeds.get(result.contestant, ())
                if isinstance(record, Finished):
                    known = speeds[result.contestant] = (*known, result.images_per_second)
                yield RaceProgress(record, replace(result, speeds=known), repetition)
    yield RaceFinished(load.warning())


def rank(results: list[RaceResult]) -> tuple[RaceResult, ...]:
    """The contestant with most images a second first."""
    return tuple(sorted(results, key=lambda result: -result.images_per_second))


_Turn = tuple[Record, RaceResult]


def _iter_turns(
    runs: dict[Contestant, RunSettings], dataset: Dataset, check: Check, stop: Event
) -> Generator[_Turn]:
    """Train all `runs` by turns in one thread, which also opens and closes their devices."""

    def check_or_stop() -> None:
        if stop.is_set():
            raise Cancelled
        check()

    with ExitStack() as stack:
        lanes: dict[RaceResult, Iterator[Record]] = {}
        for contestant, run in runs.items():
            try:
                device = stack.enter_context(closing(open_device(contestant.device)))
            except DeviceUnavailable as reason:
                raise InputError(
                    "The device {device} cannot race: {reason}", device=contestant.device, reason=reason
                ) from None
            control = TrainingControl(check=check_or_stop)
            training = iter_training(run, dataset, device, control)
            lanes[RaceResult(contestant)] = stack.enter_context(closing(training))
        while lanes:
            result = min(lanes, key=lambda result: result.seconds)
            records = lanes.pop(result)
            record = next(records)
            if isinstance(record, StepsDone):
                images = (record.epoch - 1) * record.images + record.position
                result = replace(result, seconds=record.seconds, images=images)
            elif isinstance(record, EpochDone):
                result = replace(result, seconds=record.seconds, score=record.test_score)
            else:
                result = replace(result, seconds=record.seconds, seconds_to_target=record.seconds_to_target)
            if not isinstance(record, Finished):
                lanes[result] = records
            yield record, result


def _merged(sources: list[Generator[_Turn]], stop: Event) -> Generator[_Turn]:
    """The items of all `sources`, each advanced in a thread of its own if there are several."""
    if len(sources) == 1:
        yield from sources[0]
        return
    queue: SimpleQueue[_Turn | BaseException | None] = SimpleQueue()

    def produce(source: Generator[_Turn]) -> None:
        try:
            with closing(source):
                for item in source:
                    if stop.is_set():
                        break
                    queue.put(item)
        except BaseException as error:
            queue.put(error)
        queue.put(None)

    threads = [Thread(target=produce, args=(source,), daemon=True) for source in sources]
    for thread in threads:
        thread.start()
    try:
        running = len(threads)
        while running:
            item = queue.get()
            if item is None:
                running -= 1
            elif isinstance(item, BaseException):
                raise item
            else:
                yield item
    finally:
        stop.set()
        for thread in threads:
            thread.join()
