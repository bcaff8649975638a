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
from math import cos, exp, inf, log, log1p, pi
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
from kernels.compiled import compiled
from kernels.device import Array, Device
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
        network,
        ACTIVATION,
        TrainedCTC(),
        device,
        parameters,
        BATCH,
        gradient=gradient,
        effects=effects,
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


# -- the loss ------------------------------------------------------------------------------------


@compiled
def _log_of_sum(a: float, b: float) -> float:
    """log(e^a + e^b)."""
    high = max(a, b)
    # -inf - -inf would be NaN. Without the larger one in front, exp could overflow or vanish.
    return high if high == -inf else high + log1p(exp(min(a, b) - high))


@compiled
def _extended(target: np.ndarray, nothing: int) -> np.ndarray:
    """The classes of a line with "nothing" before, between and behind them."""
    count = 0
    while count < target.shape[0] and target[count] >= 0:
        count += 1
    symbols = np.full(2 * count + 1, nothing, np.int64)
    for i in range(count):
        symbols[2 * i + 1] = target[i]
    return symbols


@compiled
def _reads(z: np.ndarray, symbols: np.ndarray) -> bool:
    """Whether the best path, the largest answer of each column, gives the classes of a line."""
    nothing = z.shape[1] - 1
    before = nothing
    found = 0
    for t in range(z.shape[0]):
        answer = np.argmax(z[t])
        # Repeated answers count once, unless "nothing" stands between them.
        if answer not in (before, nothing):
            if 2 * found + 1 >= symbols.shape[0] or symbols[2 * found + 1] != answer:
                return False
            found += 1
        before = answer
    return 2 * found + 1 == symbols.shape[0]


@compiled
def _log_paths(logs: np.ndarray, symbols: np.ndarray) -> np.ndarray:
    """(t, s): log of the summed probability of the first t + 1 columns over all paths that end in
    symbol s: α of the paper.
    """
    columns = logs.shape[0]
    count = symbols.shape[0]
    paths = np.full((columns, count), -inf)
    paths[0, 0] = logs[0, symbols[0]]
    # A path begins with "nothing" or with the first class.
    if count > 1:
        paths[0, 1] = logs[0, symbols[1]]
    for t in range(1, columns):
        for s in range(count):
            total = paths[t - 1, s]
            if s > 0:
                total = _log_of_sum(total, paths[t - 1, s - 1])
            # Two equal classes need "nothing" between them, and no class may be left out.
            if s > 1 and symbols[s] != symbols[s - 2]:
                total = _log_of_sum(total, paths[t - 1, s - 2])
            paths[t, s] = total + logs[t, symbols[s]]
    return paths


@compiled
def _loop_ctc(
    z: np.ndarray, targets: np.ndarray, line: int, results: np.ndarray, out: np.ndarray
) -> None:
    """The gradient of one line, out[line], and its loss and whether it is read, results[line]."""
    lines, columns, units = z.shape
    logs = np.empty((columns, units))  # of the softmax
    for t in range(columns):
        top = z[line, t, np.argmax(z[line, t])]
        total = 0.0
        for o in range(units):
            total += exp(z[line, t, o] - top)
        for o in range(units):
            logs[t, o] = z[line, t, o] - top - log(total)
    symbols = _extended(targets[line], units - 1)
    before = _log_paths(logs, symbols)
    # The same sums from the right: those of the reversed line.
    behind = _log_paths(logs[::-1], symbols[::-1])[::-1, ::-1]
    whole = before[-1, -1]
    if symbols.shape[0] > 1:
        whole = _log_of_sum(whole, before[-1, -2])
    results[line, 0] = -whole
    results[line, 1] = _reads(z[line], symbols)
    if whole == -inf:  # no path: the classes need more columns
        out[line] = 0
        return
    for t in range(columns):
        for o in range(units):
            out[line, t, o] = exp(logs[t, o]) / lines
        for s in range(symbols.shape[0]):
            o = symbols[s]
            # Both sums have the answer of this column as a factor.
            through = before[t, s] + behind[t, s] - logs[t, o]
            out[line, t, o] -= exp(through - whole) / lines


class TrainedCTC(CTC):
    """The loss of lines whose answers have no known place (connectionist temporal classification,
    Graves et al. 2006).

    A path takes one answer of each column t; it reads as its answers with repeated ones once and
    without "nothing". With p[t] = softmax(z[t]) its probability is the product of its p[t, o], and
    E = -log p(targets), p(targets) the sum over all paths that read so.

    Derivation: such a path goes through the symbols l = (nothing, target 1, nothing, target 2, ...,
    nothing) from left to right. From one column to the next it stays, goes on by one, or by two
    where the symbol between is "nothing" and those around it differ. So α[t, s], the sum over all
    beginnings that are in symbol s at column t, is p[t, l[s]] · (α[t-1, s] + α[t-1, s-1] + α[t-1,
    s-2], the last where it is allowed), and β[t, s], the same from right to left, is computed alike
    from the reversed line. α[t, s] · β[t, s] / p[t, l[s]] is the sum over all paths through s at t,
    since both contain p[t, l[s]]; over all s it is p(targets). A path is linear in the p of its
    symbol at t, so ∂p(targets)/∂p[t, o] · p[t, o] = γ[t, o], the sum over the s with l[s] = o. With
    the derivative of the softmax, ∂E/∂z[t, o] = p[t, o] - γ[t, o] / p(targets). All of it is
    computed in logarithms, for the products of many p are too small for a float.
    """

    def compute(
        self, device: Device, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        """Add the summed loss and the lines that the best path reads to `metrics`, and write the
        gradient by z of the mean loss to `out`; both are (n, 1, columns, o).
        """
        shape = len(y), -1, y.shape[-1]
        results = np.empty((len(y), 2))
        for line in range(len(y)):
            _loop_ctc(y.reshape(shape), targets, line, results, out.reshape(shape))
        metrics += results.sum(axis=0)


if __name__ == "__main__":
    main()
