"""The thesis's ladder: one training step in six variants, from naive kernels to the captured graph.

Each variant really trains: before it is timed, its parameters after some steps are compared with those of the CPU.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from core.bench import published
from core.bench.cuda.context import Context, open_card
from core.bench.rows import Chart, Note, Row, Table
from core.measure.profile import InstrumentedDevice
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.training.presets import find_preset
from core.training.run_settings import RunSettings
from core.training.train_step import TrainStep
from core.training.trainer import epoch_order
from kernels.device import Device
from kernels.registry import open_device

if TYPE_CHECKING:
    from core.bench.cuda.ladder_step import NaiveStep

NUMBA, KERNEL, NEVER = "numba transposes", "own transposes", "NT and TN kernels"
PINNED = "pinned, two streams"
LAUNCHES, CAPTURED = "the program's kernels", "the captured step"

# The variants with the thesis's naive kernels, and how these get a transposed operand.
_NAIVE: dict[str, Any] = {NUMBA: "numba", KERNEL: "kernel", NEVER: "never", PINNED: "never"}

# Timings of a variant; the row has their median.
_TIMINGS = 3


def iter_ladder(context: Context) -> Iterator[Row | Note]:
    yield Note(
        f"Naive kernels in blocks of {context.options.block} x {context.options.block} threads (--block). Numba's "
        "transpose compiles a kernel each time it is called. An epoch of a slow variant is scaled from the steps that "
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
                    row = _measure(context, name, batch, block, trained, first)
                except Exception as error:
                    yield context.failed(name, error)
                    continue
                if name == NUMBA:
                    first = row.values["seconds"]
                yield row


def thesis_run(context: Context, batch: int) -> RunSettings:
    """The thesis's run, as in the preset, with this batch size and the network for the bench's data."""
    return find_preset("thesis").settings.change(
        network=context.network, batch_size=batch, schedule="constant", seed=context.options.seed
    )


def _measure(
    context: Context, name: str, batch: int, block: int, trained: dict[str, np.ndarray], first: float | None
) -> Row:
    """Train and time the variant `name`; `block`: side of the square blocks of naive kernels."""
    run, images = thesis_run(context, batch), len(context.data.train)
    steps = context.scale.checked_steps
    if not trained:
        # The same steps on the CPU, in float32 as well: the results differ by rounding.
        with closing(open_device("vectorized")) as device:
            cpu = ProgramStep(context, run, device, device)
            trained["start"] = cpu.parameters()
            cpu.run(steps)
            trained["after"] = cpu.parameters()
    with ExitStack() as stack:
        variant = make_variant(context, name, batch, block, stack)
        variant.run(steps)
        variant.synchronize()
        difference = _difference(variant.parameters(), trained["after"], trained["start"])
        epoch_steps = -(-images // batch)
        seconds, measured = _seconds_per_step(variant, epoch_steps, context.scale.variant_seconds)
    return Row("ladder", {
        "variant": name, "batch_size": batch, "block": block if name in _NAIVE else None,
        "seconds": seconds * epoch_steps, "measured": measured, "of": epoch_steps,
        "speed_up": first / (seconds * epoch_steps) if first else None,
        "published": published.THESIS_LADDER.get((name, batch)), "difference": difference,
    })  # fmt: skip


def make_variant(
    context: Context, name: str, batch: int, block: int, stack: ExitStack
) -> "NaiveStep | ProgramStep":
    """A variant with the run's initial parameters; `stack` closes what it opens."""
    run = thesis_run(context, batch)
    # The naive variants do not use the device's arrays and streams, but it selects the card and frees its memory.
    device = stack.enter_context(closing(open_card()))
    if name in _NAIVE:
        from core.bench.cuda.ladder_step import NaiveStep, PinnedStep

        kind = PinnedStep if name == PINNED else NaiveStep
        return stack.enter_context(closing(kind(run, context.data, block, _NAIVE[name])))
    step_device: Any = device if name == CAPTURED else InstrumentedDevice(device)
    return stack.enter_context(closing(ProgramStep(context, run, device, step_device)))


def _seconds_per_step(
    variant: "NaiveStep | ProgramStep", epoch_steps: int, budget: float
) -> tuple[float, int]:
    """(median seconds per step, number of measured steps), with as many steps as `budget` seconds allow."""

    def timed(steps: int) -> float:
        start = perf_counter()
        variant.run(steps)
        variant.synchronize()
        return (perf_counter() - start) / steps

    estimate = timed(1)
    estimate = min(estimate, timed(max(1, min(epoch_steps, int(budget / 10 / estimate)))))
    steps = max(1, min(epoch_steps, int(budget / _TIMINGS / estimate)))
    return median(timed(steps) for _ in range(_TIMINGS)), steps * _TIMINGS


def _difference(parameters: np.ndarray, expected: np.ndarray, start: np.ndarray) -> float:
    """Distance of `parameters` from `expected`, relative to the distance of `expected` from `start`."""
    change = np.linalg.norm(expected.astype(float) - start)
    return float(np.linalg.norm(parameters.astype(float) - expected) / change) if change else float("nan")


class ProgramStep:
    """The program's step on `device`; `step_device` is the device, or a wrapper of it that does not record steps."""

    def __init__(self, context: Context, settings: RunSettings, device: Device, step_device: Any) -> None:
        split = context.data.train
        network = parse(settings.network, context.data.input_shape, context.data.outputs)
        flat = initial_parameters(network, settings.initialization, settings.seed)
        self._device = device
        self.train_step = TrainStep(
            settings, network, split, "classes", step_device, flat, np.zeros((0, flat.size), np.float32)
        )
        self._end = len(split) - len(split) % self.train_step.examples
        device.write(self.train_step.order, epoch_order(settings.seed, 0, len(split)))
        device.write(self.train_step.rate, np.array([settings.learning_rate], np.float32))
        self._position = 0
        self.train_step.set_position(0, 0)

    def run(self, steps: int) -> None:
        """Queue this many steps. They continue where the last call ended; after the last batch comes the first."""
        while steps:
            if self._position >= self._end:
                self._position = 0
                self.train_step.set_position(0, 0)
            examples = self.train_step.examples
            count = min(steps, (self._end - self._position) // examples)
            self._position = self.train_step.run(self._position, count)
            steps -= count

    def synchronize(self) -> None:
        self._device.synchronize()

    def parameters(self) -> np.ndarray:
        """A copy of all parameters in host memory, float32 (parameters,)."""
        return self._device.download(self.train_step.parameters)

    def close(self) -> None:
        self.train_step.close()


LADDER = Table(
    "ladder",
    "An epoch of the thesis's network in each variant of its ladder",
    (
        ("variant", "variant"), ("batch_size", "images a batch"), ("block", "block's side"),
        ("seconds", "seconds an epoch"), ("published", "seconds, thesis"),
        ("speed_up", "speed-up over the first"), ("measured", "steps measured"), ("of", "of an epoch's"),
        ("difference", "relative difference from the CPU"),
    ),
    Chart("batch_size", "seconds", ("variant", "block"), x_log=True, y_log=True, published={"seconds": "published"}),
)  # fmt: skip
