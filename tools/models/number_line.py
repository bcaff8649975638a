"""Trains the network that reads numbers, and writes it.

    python -m tools.models.number_line --strokes FILE.unipen.gz [--without 26-30] [--out FILE]

It learns from lines that `tools.models.lines` composes of built-in digits, of the digits of all
writers of FILE but those that are left out, and of MNIST's training images. The parameters are the
mean of those of the last steps. `tools.models.strings` measures it.
"""

import argparse
import multiprocessing
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from math import cos, pi
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np

from core.data.dataset import Split
from core.data.sources import load_dataset
from core.data.synthetic.pen import ShapeModel
from core.drawing.line import ROWS
from core.inference.model_file import Model, models_folder
from core.network.forward_backward import ForwardBackward, TrainingEffects
from core.network.initialization import initial_parameters
from core.network.losses import CTC
from core.network.network import Network
from core.network.notation import parse
from core.reading.line_reader import LINE_CLASSES, LINE_MODEL
from core.text import format_percent
from kernels.device import Device
from kernels.registry import open_cpu_device
from tools.models.lines import WIDTH, LineComposer, Mix, packed
from tools.models.pen_data import PenDigit, read, writer_numbers
from tools.models.shape_model import build

NETWORK = "16C5-BN-MP2-48C3-BN-MP2x1-64C3-BN-MP2x1-96C3x5:beside-BN-64C1x3-BN-12C1"
ACTIVATION = "relu"
LEAST_RATE = 0.02  # of the rate, at the end
WARMING_UP = 100  # steps in which the rate grows
DECAY = 1e-4
BATCH = 16
AVERAGED = 0.15
"""The network has the mean of the parameters of this last share of the steps."""

PROCESSES = 2
AVERAGED_EVERY = 16
"""The lines are divided among so many processes, which average their parameters after so many steps
of each.
"""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the training: `steps` of each process with `lines` in all."""

    seed: int
    lines: int
    steps: int
    rate: float
    mix: Mix = field(default_factory=Mix)


STAGES = (
    Stage(seed=1, lines=296_000, steps=40_000, rate=0.003),
    # More of what is hard: digits that touch or are linked, and what is no digit.
    Stage(
        seed=2,
        lines=80_000,
        steps=8_000,
        rate=0.001,
        mix=Mix(
            mnist=0.2,
            lengths=(0.12, 0.38, 0.2, 0.15, 0.08, 0.07),
            modes=(0.16, 0.34, 0.30, 0.08, 0.12),
            others=0.12,
            alone=0.08,
        ),
    ),
    # Still more that touch: of pictures they were the hardest.
    Stage(
        seed=3,
        lines=160_000,
        steps=12_000,
        rate=0.001,
        mix=Mix(
            mnist=0.22,
            lengths=(0.1, 0.45, 0.18, 0.13, 0.07, 0.07),
            modes=(0.12, 0.48, 0.22, 0.08, 0.10),
            others=0.10,
            alone=0.08,
        ),
    ),
)

_AT_ONCE = 4_000
_SHOWN = 500  # steps between two lines of progress


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tools.models.number_line",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--strokes", type=Path, required=True, metavar="FILE", help="a UNIPEN file")
    parser.add_argument("--without", metavar="LIST", help="leave these writers out, such as 26-30")
    parser.add_argument("--out", type=Path, default=models_folder() / f"{LINE_MODEL}.safetensors")
    options = parser.parse_args()
    left_out = writer_numbers(options.without) if options.without else set()
    pen = [digit for digit in read(options.strokes) if digit.writer not in left_out]
    # The shapes of the built-in digits come from all writers.
    train(pen, build(pen) if left_out else None).save(options.out)


def train(pen: list[PenDigit], shapes: ShapeModel | None) -> Model:
    """The network that has learned from lines with the digits of `pen`, with those of MNIST and
    with built-in digits of `shapes`; None: of those that come with the program.
    """
    network = parse(NETWORK, (ROWS, WIDTH, 1), len(LINE_CLASSES) + 1, by_column=True)
    parameters = initial_parameters(network, "he", STAGES[0].seed)
    for stage in STAGES:
        parameters = _trained(stage, network, pen, shapes, parameters)
    classes = (*LINE_CLASSES, "nothing")
    return Model(network, ACTIVATION, "ctc", "classes", classes, parameters, LINE_MODEL, {}, None)


def _trained(
    stage: Stage,
    network: Network,
    pen: list[PenDigit],
    shapes: ShapeModel | None,
    start: np.ndarray,
) -> np.ndarray:
    """The mean of the last parameters of a stage."""
    context = multiprocessing.get_context("spawn")
    together = context.RawArray("f", PROCESSES * len(start))
    mean = context.RawArray("d", len(start))
    barrier = context.Barrier(PROCESSES)
    processes = []
    for rank in range(PROCESSES):
        arguments = (stage, rank, network, pen, shapes, start, together, mean, barrier)
        processes.append(context.Process(target=_train_some, args=arguments))
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return np.array(mean, np.float32)


def _train_some(
    stage: Stage,
    rank: int,
    network: Network,
    pen: list[PenDigit],
    shapes: ShapeModel | None,
    start: np.ndarray,
    together: Any,
    mean: Any,
    barrier: Barrier,
) -> None:
    """Compose lines, learn from them, and average with the other processes; the first one writes
    the mean of the last parameters to `mean`.
    """
    lines = _lines(stage, rank, pen, shapes)
    own = np.frombuffer(together, np.float32).reshape(PROCESSES, -1)
    sums = np.zeros(len(start))
    count = 0
    with closing(open_cpu_device(1)) as device:
        for step, parameters in iter_steps(stage, network, lines, device, start, shows=rank == 0):
            if (step + 1) % AVERAGED_EVERY:
                continue
            own[rank] = parameters
            barrier.wait()
            parameters[:] = own.mean(axis=0)
            barrier.wait()
            if step >= (1 - AVERAGED) * stage.steps:
                sums += parameters
                count += 1
    if rank == 0:
        np.frombuffer(mean)[:] = sums / count


def _lines(stage: Stage, rank: int, pen: list[PenDigit], shapes: ShapeModel | None) -> Split:
    """The lines of one of the processes."""
    rng = np.random.default_rng((stage.seed, rank))
    composer = LineComposer(pen, load_dataset("mnist").train, rng, shapes, stage.mix)
    parts = [packed(composer.lines(_AT_ONCE)) for _ in range(stage.lines // PROCESSES // _AT_ONCE)]
    images, targets = map(np.concatenate, zip(*parts, strict=True))
    return Split(images, targets)


def iter_steps(
    stage: Stage,
    network: Network,
    lines: Split,
    device: Device,
    start: np.ndarray,
    *,
    shows: bool,
) -> Iterator[tuple[int, np.ndarray]]:
    """Trains with Adam and a decay of the weights; yields each step's number and the parameters
    after it.
    """
    parameters = device.upload(start.copy())
    gradient = device.empty(parameters.shape)
    means, squares = (np.zeros_like(start) for _ in range(2))
    counters = device.upload(np.zeros(2, np.int32))
    metrics = np.zeros(2)
    rate = np.zeros(1, np.float32)
    share = np.array([0.1], np.float32)  # of a batch in the running means of its statistics
    trained = network.trained_count
    weights = network.weight_count
    rng = np.random.default_rng(stage.seed)
    order = np.zeros(0, np.int64)
    effects = TrainingEffects(stage.seed)
    batch = ForwardBackward(
        network, ACTIVATION, CTC(), device, parameters, BATCH, gradient=gradient, effects=effects
    )
    for step in range(stage.steps):
        if len(order) < BATCH:
            order = rng.permutation(len(lines))
        chosen, order = np.split(order, [BATCH])
        rate[0] = _rate(step, stage)
        batch.inputs[:] = lines.inputs[chosen] / np.float32(255)
        batch.forward(counters)
        batch.loss(lines.targets[chosen], metrics)
        batch.backward(counters)
        parameters[:weights] *= 1 - rate[0] * DECAY
        device.adam(
            parameters[:trained],
            gradient[:trained],
            means[:trained],
            squares[:trained],
            rate,
            counters,
            0.0,
            weights,
        )
        device.sgd(parameters[trained:], gradient[trained:], share, 0.0, 0)
        counters[1] += 1
        yield step, parameters
        if shows and (step + 1) % _SHOWN == 0:
            loss, right = metrics / (_SHOWN * BATCH)
            print(
                f"{step + 1} of {stage.steps}: loss {loss:.3f}, {format_percent(right)}", flush=True
            )
            metrics[:] = 0


def _rate(step: int, stage: Stage) -> float:
    cosine = (1 + cos(pi * step / stage.steps)) / 2
    return stage.rate * min(1.0, (step + 1) / WARMING_UP) * (LEAST_RATE + (1 - LEAST_RATE) * cosine)


if __name__ == "__main__":
    main()
