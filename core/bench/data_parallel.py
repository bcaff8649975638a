"""Data-parallel training on the CPU: speed-up against points, against workers and group, R² against epochs.

The network, data and method are the coursework's (preset `coursework`). Its epochs are timed by turns with those
of one worker and of a plain NumPy loop of the same method, so that a busy moment hits all alike.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from core.bench import machine, published
from core.bench.clock import by_turns, ratio, seconds_of
from core.bench.epochs import Epochs
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.data.dataset import Split
from core.data.functions import load_function
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.loop import iter_training
from core.training.presets import find_preset
from core.training.records import EpochDone
from core.training.run import Run
from kernels.registry import open_device

DEVICE = "vectorized"
SIDES = (50, 100, 200, 300, 400, 500, 600)
QUICK_SIDES = (50, 100, 200)
GROUPS = tuple((p, k * p) for p in (2, 4, 8) for k in (1, 2, 4))
QUICK_GROUPS = ((2, 2), (2, 4), (2, 8))
# Points learnt from, all rounds of one timing together.
POINTS, QUICK_POINTS = 2_000_000, 240_000


def iter_rows(options: Options) -> Iterator[Row | Note]:
    run = find_preset("coursework").run.change(seed=options.seed)
    workers = max(2, min(machine.cores(), run.group))
    yield Note(
        f"{workers} threads that share nothing do {machine_gain(workers):.2f} times the work of one on this machine "
        "just now: more than that no speed-up can be."
    )
    for side in QUICK_SIDES if options.quick else SIDES:
        yield _points(run, side, workers, options)
    for processes, group in QUICK_GROUPS if options.quick else GROUPS:
        if processes <= machine.cores():
            yield _group(run.change(group=group), processes, options)
    if options.quick:
        yield Note("R² against epochs and points takes some minutes: run without --quick.")
        return
    yield from _quality(run, options.check)


def machine_gain(threads: int, rounds: int = 7) -> float:
    """How many times the work of one thread `threads` do at once: matrix products of a batch, each its own."""
    rng = np.random.default_rng(0)
    arrays = [
        [rng.standard_normal(shape, np.float32) for shape in ((256, 128), (128, 128))] for _ in range(threads)
    ]

    def work(place: int) -> None:
        x, w = arrays[place]
        out = np.empty_like(x)
        for _ in range(200):
            np.matmul(x, w, out=out)

    with open_device(DEVICE).worker().limits(), ThreadPoolExecutor(threads) as pool:
        alone, together = by_turns(
            [
                partial(seconds_of, lambda: work(0)),
                partial(seconds_of, lambda: list(pool.map(work, range(threads)))),
            ],
            rounds,
        )
    return threads * ratio(together, alone)


def _points(run: Run, side: int, workers: int, options: Options) -> Row:
    one, many, plain = _epoch_times(run, f"rastrigin:{side}", (1, workers), options, True)
    return Row("points", {
        "points": side * side, "workers": workers, "numpy_seconds": median(plain), "one_seconds": median(one),
        "many_seconds": median(many), "speed_up": ratio(many, one), "over_numpy": ratio(one, plain),
        "published": published.COURSEWORK_SPEED_UP.get(side * side),
    })  # fmt: skip


def _group(run: Run, workers: int, options: Options) -> Row:
    one, many = _epoch_times(run, "rastrigin:200", (1, workers), options, False)
    return Row("groups", {
        "workers": str(workers), "group": run.group, "seconds": median(many), "speed_up": ratio(many, one),
        "published": published.COURSEWORK_GROUPS.get((workers, run.group)),
    })  # fmt: skip


def _epoch_times(
    run: Run, name: str, worker_counts: tuple[int, ...], options: Options, with_numpy: bool
) -> list[list[float]]:
    """Seconds of epochs by turns: with each number of workers, and by the NumPy loop."""
    data = load_function(name)
    rounds = max(5, min(100, (QUICK_POINTS if options.quick else POINTS) // len(data.train)))
    with ExitStack() as stack:
        clocked: list[Callable[[], float]] = [
            stack.enter_context(closing(Epochs(run.change(workers=workers), data, DEVICE, options.check)))
            for workers in worker_counts
        ]
        if with_numpy:
            loop = NumpyLoop(run, data.train)
            loop()
            clocked.append(loop)
        return by_turns(clocked, rounds)


def _quality(run: Run, check: Callable[[], None]) -> Iterator[Row]:
    """R² as the epochs go by, for each number of points: the longest part."""
    epochs = sorted({epochs for epochs, _ in published.COURSEWORK_R2})
    for side in (200, 300, 400):
        data = load_function(f"rastrigin:{side}")
        own = run.change(epochs=epochs[-1], workers=min(machine.cores(), run.group))
        with closing(open_device(DEVICE)) as device, closing(iter_training(own, data, device)) as records:
            for record in records:
                check()
                if isinstance(record, EpochDone) and record.epoch in epochs:
                    yield Row("quality", {
                        "epochs": record.epoch, "points": str(len(data.train)), "r2": record.test_score,
                        "published": published.COURSEWORK_R2.get((record.epoch, len(data.train))),
                    })  # fmt: skip


class NumpyLoop:
    """The method as the coursework wrote it, in plain NumPy with float32 and one BLAS thread: the yardstick."""

    def __init__(self, run: Run, split: Split) -> None:
        self._run, self._split = run, split
        network = parse(run.network, split.inputs.shape[1:], split.answers.shape[1])
        flat = initial_parameters(network, run.initialization, run.seed)
        self._layers = [(layer.weights, layer.biases) for layer in views(network, flat) if layer]
        self._rng = np.random.default_rng(run.seed)
        self._limits = open_device(DEVICE).worker().limits

    def __call__(self) -> float:
        """Seconds of one epoch."""
        size, group = self._run.batch_size, self._run.group
        begun = perf_counter()
        with self._limits():
            order = self._rng.permutation(len(self._split))
            inputs, answers = self._split.inputs[order], self._split.answers[order]
            starts = range(0, len(order), size)
            for first in range(0, len(starts), group):
                gradients = [
                    self._gradients(inputs[at : at + size], answers[at : at + size])
                    for at in starts[first : first + group]
                ]
                self._update(gradients)
        return perf_counter() - begun

    def _gradients(self, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of ½ (output - y)², mean over the batch: of each layer's weights and biases."""
        (w1, b1), (w2, b2), (w3, b3) = self._layers
        a1 = _sigmoid(x @ w1 + b1)
        a2 = _sigmoid(a1 @ w2 + b2)
        d3 = (a2 @ w3 + b3 - y) / np.float32(len(x))
        d2 = d3 @ w3.T * (a2 * (1 - a2))
        d1 = d2 @ w2.T * (a1 * (1 - a1))
        return [x.T @ d1, d1.sum(0), a1.T @ d2, d2.sum(0), a2.T @ d3, d3.sum(0)]

    def _update(self, gradients: list[list[np.ndarray]]) -> None:
        step = np.float32(self._run.learning_rate / self._run.group)
        parameters = [array for layer in self._layers for array in layer]
        for place, array in enumerate(parameters):
            array -= step * np.sum([found[place] for found in gradients], axis=0)


def _sigmoid(z: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-z))


_POINTS = (
    ("points", "points"), ("workers", "workers"), ("numpy_seconds", "seconds an epoch, NumPy loop"),
    ("one_seconds", "seconds, 1 worker"), ("many_seconds", "seconds, workers"), ("speed_up", "speed-up"),
    ("over_numpy", "1 worker over NumPy"), ("published", "speed-up, coursework (8 cores)"),
)  # fmt: skip
_GROUPS = (
    ("workers", "workers"), ("group", "batches a group"), ("seconds", "seconds an epoch"),
    ("speed_up", "speed-up"), ("published", "speed-up, coursework"),
)  # fmt: skip
_QUALITY = (("epochs", "epochs"), ("points", "points"), ("r2", "R²"), ("published", "R², coursework"))

BENCH = Bench(
    "data-parallel",
    "Data-parallel training: workers that share out the batches of a group",
    (
        Table("points", "Speed-up against points, 2-128-128-1, group 8, batch 256 (coursework, table 5.2)", _POINTS,
              Chart("points", "speed_up", x_log=True, published="published")),
        Table("groups", "Speed-up against workers and group, 40,000 points (coursework, table 5.3)", _GROUPS,
              Chart("group", "speed_up", ("workers",), published="published")),
        Table("quality", "R² against epochs and points (coursework, tables 2.1 and 4.1)", _QUALITY,
              Chart("epochs", "r2", ("points",), published="published")),
    ),
    iter_rows,
)  # fmt: skip
