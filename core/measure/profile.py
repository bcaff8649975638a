"""A profile says where the time of a step goes, operator by operator, on any device.

It is a training of its own, whose operators are timed one by one (the device is waited for before and after
each), beside the same steps run as training runs them. So normal training pays nothing for it. On a device that
queues its work or records its steps the operators' times add up to more than a step takes.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.data.dataset import Dataset
from core.measure.instrumented_device import InstrumentedDevice, Operator
from core.network.initialization import initial_parameters
from core.network.network import Network
from core.training.checks import check_run
from core.training.optimizers import OPTIMIZERS
from core.training.run import Run
from core.training.train_step import TrainStep
from kernels.device import Device

# Most steps between two records, and the seconds after which a record is due.
CHUNK = 10
CHUNK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class OperatorTime:
    """One operator in the mean step. `share` is of the time of all operators."""

    name: str
    calls: float
    seconds: float
    share: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Means over `steps` steps so far. `step_seconds`: of a step as training runs it, without timing."""

    steps: int
    step_seconds: float
    operators: tuple[OperatorTime, ...]  # the longest first


def iter_profile(run: Run, dataset: Dataset, device: Device, steps: int = 200) -> Iterator[Profile]:
    """Profile `steps` steps of `run` on `device`, which the caller opened and closes; a Profile now and then.

    One batch a step, whatever the run's group; the parameters stay at their first values.
    """
    network = check_run(run, dataset.input_shape, dataset.outputs, dataset.kind)
    run = run.change(group=1, workers=1)
    times: dict[str, list[float]] = {}

    def clocked(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
        device.synchronize()
        begun = perf_counter()
        operator(*arguments)
        device.synchronize()
        times.setdefault(name, []).append(perf_counter() - begun)

    plain, timed = (
        _train_step(run, network, dataset, d) for d in (device, InstrumentedDevice(device, clocked))
    )
    times.clear()
    with (
        closing(_Course(plain, len(dataset.train))) as normal,
        closing(_Course(timed, len(dataset.train))) as probed,
    ):
        done, count = 0, 1
        while done < steps:
            count = min(count, steps - done)
            normal.run(count, device)
            probed.run(count, device)
            done += count
            # Slow steps come one by one, so that there is something to see and a moment to stop.
            step_seconds = (normal.seconds + probed.seconds) / done
            count = max(1, min(CHUNK, int(CHUNK_SECONDS / step_seconds)))
            yield Profile(done, normal.seconds / done, _means(times, done))


def _train_step(run: Run, network: Network, dataset: Dataset, device: Any) -> TrainStep:
    parameters = initial_parameters(network, run.initialization, run.seed)
    state = OPTIMIZERS[run.optimizer].initial_state(parameters.size)
    with np.errstate(all="ignore"), device.limits():
        return TrainStep(run, network, dataset.train, dataset.kind, device, parameters, state)


def _means(times: dict[str, list[float]], steps: int) -> tuple[OperatorTime, ...]:
    total = sum(sum(values) for values in times.values())
    found = [
        OperatorTime(name, len(values) / steps, sum(values) / steps, sum(values) / total)
        for name, values in times.items()
    ]
    return tuple(sorted(found, key=lambda operator: -operator.seconds))


class _Course:
    """A stepper going round its data, whole batches only, with a clock."""

    def __init__(self, train_step: TrainStep, images: int) -> None:
        self._train_step, self._position = train_step, 0
        self._end = images - images % train_step.examples
        self.seconds = 0.0

    def run(self, steps: int, device: Device) -> None:
        for _ in range(steps):
            if self._position >= self._end:
                self._position = 0
            if not self._position:
                self._train_step.set_position(0, 0)
            device.synchronize()
            begun = perf_counter()
            with np.errstate(all="ignore"), self._train_step.limits():
                self._position = self._train_step.run(self._position, 1)
            device.synchronize()
            self.seconds += perf_counter() - begun

    def close(self) -> None:
        self._train_step.close()
