"""The thesis's ladder: one training step, from kernels that anyone writes first to the one that the program runs.

Every rung trains for real: before it is timed, its parameters after some steps are set beside the CPU's.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from core.bench import published
from core.bench.cuda.context import Context, open_card
from core.bench.rows import Chart, Note, Row, Table
from core.data.dataset import Split
from core.measure.instrumented_device import InstrumentedDevice
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.presets import find_preset
from core.training.run import Run
from core.training.train_step import TrainStep
from core.training.trainer import epoch_order
from kernels.device import Device
from kernels.registry import open_device

NUMBA, KERNEL, NEVER, PINNED = (
    "numba transposes",
    "own transposes",
    "NT and TN kernels",
    "pinned, two streams",
)
LAUNCHES, CAPTURED = "the program's kernels", "the captured step"

# Timings of a rung, of which the median counts.
_TIMINGS = 3


class Rung(Protocol):
    def run(self, steps: int) -> None:
        """Queue so many steps, from where the last call ended, around the epoch."""

    def synchronize(self) -> None:
        """Wait for them."""

    def parameters(self) -> np.ndarray:
        """A host copy, flat."""

    def close(self) -> None:
        """Give back what it holds."""


def iter_ladder(context: Context) -> Iterator[Row | Note]:
    yield Note(
        f"Naive kernels in blocks of {context.options.block} x {context.options.block} threads (--block). Numba's "
        "transpose compiles a kernel each time it is called. An epoch of a slow rung is scaled from the steps that "
        "were measured."
    )
    blocks = sorted({*context.scale.blocks, context.options.block})
    for batch in (context.scale.batch, context.scale.large_batch):
        first: float | None = None
        trained: dict[str, np.ndarray] = {}
        for name in (NUMBA, KERNEL, NEVER, PINNED, LAUNCHES, CAPTURED):
            for block in blocks if name == NEVER else [context.options.block]:
                context.check()
                try:
                    row = _climb(context, Setting(name, batch, block), trained, first)
                except Exception as error:
                    yield context.failed(name, error)
                    continue
                if name == NUMBA:
                    first = row.values["seconds"]
                yield row


@dataclass(frozen=True, slots=True)
class Setting:
    rung: str
    batch: int
    block: int

    @property
    def naive(self) -> bool:
        return self.rung not in (LAUNCHES, CAPTURED)


def thesis_run(context: Context, batch: int) -> Run:
    """The thesis's network and rate, as the preset has them, on the data that are here."""
    return find_preset("thesis").run.change(
        network=context.network, batch_size=batch, schedule="constant", seed=context.options.seed
    )


def _climb(context: Context, setting: Setting, trained: dict[str, np.ndarray], first: float | None) -> Row:
    run, split = thesis_run(context, setting.batch), context.data.train
    steps = context.scale.checked_steps
    if not trained:
        # What the CPU makes of the same steps; float32 as well, so it differs by rounding.
        with closing(open_device("vectorized")) as device:
            cpu = ProgramRung(context, run, device, device)
            trained["start"] = cpu.parameters()
            cpu.run(steps)
            trained["after"] = cpu.parameters()
    with ExitStack() as stack:
        rung = make_rung(context, setting, stack)
        rung.run(steps)
        rung.synchronize()
        apart = _apart(rung.parameters(), trained["after"], trained["start"])
        whole = -(-len(split) // setting.batch)
        seconds, measured = _seconds_a_step(rung, whole, context.scale.rung_seconds)
    return Row("ladder", {
        "rung": setting.rung, "batch_size": setting.batch, "block": setting.block if setting.naive else None,
        "seconds": seconds * whole, "measured": measured, "of": whole,
        "over_first": first / (seconds * whole) if first else None,
        "published": published.THESIS_LADDER.get((setting.rung, setting.batch)), "apart": apart,
    })  # fmt: skip


def make_rung(context: Context, setting: Setting, stack: ExitStack) -> "Rung":
    """A rung from the run's first parameters; what it opens is closed with `stack`."""
    run = thesis_run(context, setting.batch)
    # The naive rungs use none of the device's memory and streams, but it starts CUDA and ends it in order.
    device = stack.enter_context(closing(open_card()))
    if setting.naive:
        return stack.enter_context(closing(ThesisRung(context, run, setting)))
    seen: Any = device if setting.rung == CAPTURED else InstrumentedDevice(device)
    return stack.enter_context(closing(ProgramRung(context, run, device, seen)))


def _seconds_a_step(rung: Rung, whole: int, budget: float) -> tuple[float, int]:
    """Median seconds of a step, of timings of as many steps as there is time for; how many steps in all."""

    def timed(steps: int) -> float:
        begun = perf_counter()
        rung.run(steps)
        rung.synchronize()
        return (perf_counter() - begun) / steps

    guess = timed(1)
    guess = min(guess, timed(max(1, min(whole, int(budget / 10 / guess)))))
    steps = max(1, min(whole, int(budget / _TIMINGS / guess)))
    return median(timed(steps) for _ in range(_TIMINGS)), steps * _TIMINGS


def _apart(found: np.ndarray, expected: np.ndarray, start: np.ndarray) -> float:
    """How far `found` is from `expected`, as a share of the way that those went from `start`."""
    way = np.linalg.norm(expected.astype(float) - start)
    return float(np.linalg.norm(found.astype(float) - expected) / way) if way else float("nan")


class ThesisRung:
    """Batches gathered on the host from images that were scaled to float32 before, copied, computed."""

    def __init__(self, context: Context, run: Run, setting: Setting) -> None:
        from core.bench.cuda.ladder_step import NaiveStep, PinnedStep

        split = context.data.train
        self._batch = setting.batch
        self._inputs = split.inputs.reshape(len(split), -1).astype(np.float32) / np.float32(255)
        self._targets = np.eye(context.data.outputs, dtype=np.float32)[split.answers]
        self._order = epoch_order(run.seed, 0, len(split))
        self._place = 0
        network = parse(run.network, context.data.input_shape, context.data.outputs)
        flat = initial_parameters(network, run.initialization, run.seed)
        layers = [layer for layer in views(network, flat) if layer is not None]
        arrays = (layers[0].weights, layers[1].weights, layers[0].biases, layers[1].biases)
        make: dict[str, Callable[..., NaiveStep]] = {PINNED: PinnedStep}
        rest = {NUMBA: ("numba",), KERNEL: ("kernel",), NEVER: ("never",)}.get(setting.rung, ())
        self.step = make.get(setting.rung, NaiveStep)(
            arrays, run.activation, run.learning_rate, setting.batch, setting.block, *rest
        )

    def run(self, steps: int) -> None:
        for _ in range(steps):
            if self._place + self._batch > len(self._order):
                self._place = 0
            index = self._order[self._place : self._place + self._batch]
            self.step.learn(self._inputs, self._targets, index)
            self._place += self._batch

    def synchronize(self) -> None:
        self.step.synchronize()

    def parameters(self) -> np.ndarray:
        w1, w2, b1, b2 = self.step.parameters()
        return np.concatenate([w1.ravel(), w2.ravel(), b1, b2])

    def close(self) -> None:
        self.step.synchronize()


class ProgramRung:
    """The program's own step on `device`; `seen` is what the stepper sees of it."""

    def __init__(self, context: Context, run: Run, device: Device, seen: Any) -> None:
        split: Split = context.data.train
        network = parse(run.network, context.data.input_shape, context.data.outputs)
        flat = initial_parameters(network, run.initialization, run.seed)
        self._device = device
        self.train_step = TrainStep(
            run, network, split, "classes", seen, flat, np.zeros((0, flat.size), np.float32)
        )
        self._end = len(split) - len(split) % self.train_step.examples
        device.write(self.train_step.order, epoch_order(run.seed, 0, len(split)))
        device.write(self.train_step.rate, np.array([run.learning_rate], np.float32))
        self._place = 0
        self.train_step.set_position(0, 0)

    def run(self, steps: int) -> None:
        with self.train_step.limits():
            for _ in range(steps):
                if self._place >= self._end:
                    self._place = 0
                    self.train_step.set_position(0, 0)
                self._place = self.train_step.run(self._place, 1)

    def synchronize(self) -> None:
        self._device.synchronize()

    def parameters(self) -> np.ndarray:
        return self._device.download(self.train_step.parameters)

    def close(self) -> None:
        self.train_step.close()


LADDER = Table(
    "ladder",
    "An epoch of the thesis's network on each rung of its ladder",
    (
        ("rung", "rung"), ("batch_size", "images a batch"), ("block", "block's side"),
        ("seconds", "seconds an epoch"), ("published", "seconds, thesis"),
        ("over_first", "times as fast as the first"), ("measured", "steps measured"), ("of", "of an epoch's"),
        ("apart", "apart from the CPU's"),
    ),
    Chart("batch_size", "seconds", ("rung", "block"), x_log=True, y_log=True, published={"seconds": "published"}),
)  # fmt: skip
