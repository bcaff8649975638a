"""Timing for benchmarks: of a function, of several by turns, of training epochs; and the data to
train on.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter

import numpy as np

from core.bench.rows import Note, Options
from core.data.dataset import Dataset, Split
from core.data.sources import list_sources, load_dataset
from core.progress import Check, never_cancel
from core.training.records import EpochDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import Trainer
from kernels.registry import device_spec, open_device, probe

Work = Callable[[], object]
Timed = Callable[[], float]  # measures itself and returns seconds
Times = dict[str, list[float]]
"""The seconds of each round, by the names of what is timed."""


def seconds_of(work: Work) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def repeat(timed: Timed, budget: float, maximum: int = 200) -> list[float]:
    """Results of `timed`, called at least once, until they add up to `budget` seconds or `maximum`
    calls.
    """
    # Once at least, also where a single call takes longer than the budget.
    times = [timed()]
    while sum(times) < budget and len(times) < maximum:
        times.append(timed())
    return times


def alternate(programs: Mapping[str, Timed], rounds: int) -> Times:
    """Results of each function, called by turns for `rounds` rounds: a busy moment affects all of
    them alike.
    """
    times: Times = {name: [] for name in programs}
    for _ in range(rounds):
        for name, timed in programs.items():
            times[name].append(timed())
    return times


def spread(times: Sequence[float]) -> float | None:
    """Half the distance of the quartiles in percent of the median; None for fewer than three
    times.
    """
    if len(times) < 3:
        return None
    low, middle, high = quantiles(times, n=4, method="inclusive")
    return 50 * (high - low) / middle


def speed_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Median over the rounds of theirs / ours: how many times as fast `ours` is."""
    # Of the ratios of each round: both were measured in the same moment of the machine.
    return median(b / a for a, b in zip(ours, theirs, strict=True))


# The column that `spread` fills, for the tables of benchmarks.
SPREAD_COLUMN = {"spread": "spread, %"}


class Epochs:
    """A training whose epochs are timed one by one, without evaluation; everything is compiled
    before the first.

    `check` is called after each chunk of steps; an exception that it raises ends the epoch.
    `ended`: the epoch's evaluation, set after each call; None where the loss is not finite.
    """

    def __init__(
        self, settings: RunSettings, dataset: Dataset, device: str, check: Check = never_cancel
    ) -> None:
        self._device = open_device(device)
        try:
            self._trainer = Trainer(settings, dataset, self._device, None)
        except BaseException:
            # A training that does not fit into a card's memory must not keep a part of it.
            self._device.close()
            raise
        self._control = TrainingControl(check=check)
        self.ended: EpochDone | None = None

    def __call__(self) -> float:
        """Train one epoch; seconds of its shuffle and its steps, until the device has finished
        them.
        """
        trainer = self._trainer
        start = perf_counter()
        trainer.begin_epoch(self._control)
        while not trainer.epoch_complete():
            if trainer.run_chunk(self._control) is None:
                break
            self._control.check()
        # Before the evaluation, which is no part of an epoch.
        seconds = perf_counter() - start
        self.ended = trainer.end_epoch(self._control)
        return seconds

    def close(self) -> None:
        self._trainer.close()
        self._device.close()


def iter_available(options: Options, loops: bool = True) -> Generator[Note, None, list[str]]:
    """Yields the reason for each device of the options that does not work here; returns the names
    of the others.

    Without `loops`, plain loops are measured only when asked for alone, since they would take
    minutes.
    """
    names = options.devices
    infos = [
        probe(name)
        for name in names
        if loops or len(names) == 1 or not device_spec(name).is_reference
    ]
    for info in infos:
        if not info.available:
            yield Note(info.reason)
    return [info.name for info in infos if info.available]


def load_digits() -> tuple[Dataset, str]:
    """MNIST where it is installed, else the built-in digits; and a sentence that says which."""
    reason = (
        "MNIST is not installed (`data fetch mnist` downloads it; DIGITLAB_DATA names a folder "
        "that has it)"
    )
    try:
        if any(source.name == "mnist" and source.available for source in list_sources()):
            data = load_dataset("mnist")
            return data, f"On MNIST, {len(data.train):,} training images."
    except Exception as error:
        # A machine with a card may lack the package that reads MNIST's files.
        reason = f"MNIST could not be read ({error})"
    data = load_dataset("builtin")
    return data, f"{reason}: on the built-in digits instead, {len(data.train):,} training images."


def noise_images(count: int, seed: int = 0, test: int = 100) -> Dataset:
    """Random images of MNIST's shape with random labels: the time of a step does not depend on the
    values.
    """
    rng = np.random.default_rng(seed)
    training, tests = (
        Split(
            rng.integers(0, 256, (n, 28, 28, 1), np.uint8), rng.integers(0, 10, n).astype(np.int32)
        )
        for n in (count, test)
    )
    return Dataset("noise", "noise", "classes", tuple("0123456789"), training, tests)
