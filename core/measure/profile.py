"""A profile says how the time of a training step divides among the operators, on any device.

A profile trains a network of its own, so ordinary training is not slowed down. It runs some steps
as training does, and the same steps with each operator timed: it waits for the device before and
after each call. On a device that queues its work or records its steps, the times of the operators
therefore add up to more than a step takes.
"""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.data.dataset import Dataset
from core.measure.machine_load import MachineLoad
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.training.checks import check_host_memory, check_run
from core.training.run_settings import RunSettings
from core.training.train_step import TrainStep, first_checkpoint
from core.training.trainer import epoch_order
from kernels.device import JOINED_OPERATORS, OPERATORS, Device

# Maximum number of steps between two records, and the seconds between them where steps are slow.
CHUNK = 10
CHUNK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class OperatorTime:
    """One operator in the mean step. `share`: its part of the time of all operators.

    `spread`: half the distance of the quartiles of its time in a step, in seconds.
    """

    name: str
    calls: float
    seconds: float
    share: float
    spread: float = 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """Means over `steps` steps so far. `step_seconds`: of a step without timing of its operators.

    `operators`: the one with the longest time first. `warning`: a sentence if the machine was busy.
    `skipped`: the share of the pixels that are blank, if products skip them.
    """

    steps: int
    step_seconds: float
    operators: tuple[OperatorTime, ...]
    warning: str = ""
    skipped: float = 0.0


def iter_profile(
    settings: RunSettings, dataset: Dataset, device: Device, steps: int = 200
) -> Generator[Profile]:
    """Profile `steps` steps of `run` on `device`, which the caller opens and closes; yields the
    means so far.

    Each step has one batch, also if the run has groups.
    """
    network = check_run(settings, dataset.input_shape, dataset.outputs, dataset.kind)
    settings = settings.change(group=1, workers=1)
    if device.memory_info() is None:
        check_host_memory(settings, network, len(dataset.train))
    times: dict[str, list[float]] = {}
    load = MachineLoad()

    def timed_call(name: str, operator: Operator, arguments: tuple[Any, ...]) -> None:
        device.synchronize()
        start = perf_counter()
        operator(*arguments)
        device.synchronize()
        times.setdefault(name, []).append(perf_counter() - start)

    with (
        closing(StepRunner(settings, dataset, device)) as plain,
        closing(
            StepRunner(settings, dataset, InstrumentedDevice(device, timed_call))
        ) as instrumented,
    ):
        times.clear()  # of the preparation
        seconds = {plain: 0.0, instrumented: 0.0}
        done = 0
        count = 1
        while done < steps:
            count = min(count, steps - done)
            for runner in seconds:
                for _ in range(count):
                    runner.synchronize()
                    start = perf_counter()
                    runner.run(1)
                    runner.synchronize()
                    seconds[runner] += perf_counter() - start
            done += count
            # Slow steps are reported one by one, so that there is progress to see and a chance to
            # stop.
            count = max(1, min(CHUNK, int(CHUNK_SECONDS / (sum(seconds.values()) / done))))
            operators = _operator_times(times, done)
            step_seconds = seconds[plain] / done
            yield Profile(done, step_seconds, operators, load.warning(), device.skipped)


def _operator_times(times: dict[str, list[float]], steps: int) -> tuple[OperatorTime, ...]:
    """`times`: seconds of every call in `steps` steps."""
    total = sum(map(sum, times.values()))
    operators = []
    for name, values in times.items():
        low, high = np.percentile(np.reshape(values, (steps, -1)).sum(axis=1), (25, 75))
        seconds = sum(values)
        operators.append(
            OperatorTime(
                name, len(values) / steps, seconds / steps, seconds / total, float(high - low) / 2
            )
        )
    return tuple(sorted(operators, key=lambda operator: -operator.seconds))


class StepRunner:
    """Runs the steps of a training from its initial parameters, whole batches of the first epoch
    again and again.

    `device`: a device, or a wrapper of it that does not record steps.
    """

    def __init__(self, settings: RunSettings, dataset: Dataset, device: Any) -> None:
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        parameters = initial_parameters(network, settings.initialization, settings.seed)
        split = dataset.train
        self._device = device
        with np.errstate(all="ignore"):
            start = first_checkpoint(settings, parameters)
            self.train_step = TrainStep(settings, dataset, device, start)
            device.write(self.train_step.rate, np.array([settings.learning_rate], np.float32))
        device.write(self.train_step.order, epoch_order(settings.seed, 0, len(split)))
        self.synchronize = device.synchronize
        self._position = self._end = len(split) - len(split) % self.train_step.examples

    def run(self, steps: int) -> None:
        """Queue this many steps. They continue where the last call ended; after the last batch
        comes the first.
        """
        while steps:
            if self._position >= self._end:
                self._position = 0
                self.train_step.set_position(0, 0)
            count = min(steps, (self._end - self._position) // self.train_step.examples)
            with np.errstate(all="ignore"):
                self._position = self.train_step.run(self._position, count)
            steps -= count

    def parameters(self) -> np.ndarray:
        """A copy of all parameters in host memory, float32 (parameters,)."""
        return np.array(self._device.download(self.train_step.parameters))

    def close(self) -> None:
        self.train_step.close()


Operator = Callable[..., None]
# Called with the operator's name, the operator and its arguments; it has to call the operator
# itself.
Callback = Callable[[str, Operator, tuple[Any, ...]], None]


class InstrumentedDevice:
    """Passes each operator call to `callback`; all other attributes are those of `device`.

    Steps are not recorded, since a recorded step calls no operators.
    """

    def __init__(
        self, device: Device, callback: Callback = lambda _, call, given: call(*given)
    ) -> None:
        self._device = device
        self._callback = callback

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._device, name)
        if name not in OPERATORS | JOINED_OPERATORS:
            return attribute

        def operator(*arguments: object) -> None:
            self._callback(name, attribute, arguments)

        # Stored as an attribute, so that the next access does not come here.
        setattr(self, name, operator)
        return operator

    def record(self, step: Callable[[], None]) -> Callable[[], None]:
        """Returns `step` itself."""
        return step
