"""An epoch of 784-512-10 in batches of 100 against PyTorch on the same cores, by turns in one run.

Beside them the same method as a plain NumPy loop, and its matrix products alone: what no program on this BLAS
can go below.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from core.bench.clock import by_turns, ratio
from core.bench.epochs import Epochs, noise_images
from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.torch_process import TorchProcess, start_epochs
from core.data.dataset import Split
from core.training.run import Run

RUN = Run(network="784-512-10", batch_size=100, learning_rate=0.1)
OURS, TORCH, NUMPY, PRODUCTS = "vectorized", "PyTorch", "NumPy loop", "matrix products alone"
Clocked = Callable[[], float]
# Images and rounds by turns.
FULL, QUICK = (60_000, 15), (6_000, 5)
GROWTH, QUICK_GROWTH = (15_000, 30_000, 60_000), (3_000, 6_000)


def iter_rows(options: Options) -> Iterator[Row | Note]:
    images, rounds = QUICK if options.quick else FULL
    with ExitStack() as stack:
        torch, remark = start_epochs(options, "dense", images, stack)
        yield remark
        yield from _epoch(images, rounds, options.seed, torch)
        for growing in QUICK_GROWTH if options.quick else GROWTH:
            yield from _growth(growing, max(1, rounds // 2), options.seed, torch)


def _epoch(images: int, rounds: int, seed: int, torch: TorchProcess | None) -> Iterator[Row]:
    with closing(_ours(images, seed)) as ours:
        clocked: dict[str, Clocked] = {
            OURS: ours, NUMPY: NumpyLoop(noise_images(images, seed).train), PRODUCTS: Products(images)
        }  # fmt: skip
        for warm in clocked.values():
            warm()
        if torch is not None:
            clocked[TORCH] = partial(torch.ask, str(images))
        found = dict(zip(clocked, by_turns(list(clocked.values()), rounds), strict=True))
    for name, seconds in found.items():
        yield Row("epoch", {
            "contestant": name, "images": images, "seconds": median(seconds), "least_seconds": min(seconds),
            "over_torch": ratio(seconds, found[TORCH]) if TORCH in found and name != TORCH else None,
            "over_numpy": ratio(seconds, found[NUMPY]) if name != NUMPY else None,
        })  # fmt: skip


def _growth(images: int, rounds: int, seed: int, torch: TorchProcess | None) -> Iterator[Row]:
    with closing(_ours(images, seed)) as ours:
        clocked: dict[str, Clocked] = {OURS: ours}
        if torch is not None:
            clocked[TORCH] = partial(torch.ask, str(images))
        found = by_turns(list(clocked.values()), rounds)
    for name, seconds in zip(clocked, found, strict=True):
        yield Row("growth", {"contestant": name, "images": images, "seconds": median(seconds)})


def _ours(images: int, seed: int) -> Epochs:
    return Epochs(RUN.change(seed=seed), noise_images(images, seed), OURS)


class NumpyLoop:
    """The method in plain NumPy, float32, pixels scaled before: calling it gives an epoch's seconds."""

    def __init__(self, split: Split) -> None:
        self._rng = np.random.default_rng(0)
        self._inputs = split.inputs.reshape(len(split), -1).astype(np.float32) / np.float32(255)
        self._onehot = np.eye(10, dtype=np.float32)[split.answers]
        self._w1, self._w2 = (self._draw(784, 512), self._draw(512, 10))
        self._b1, self._b2 = np.zeros(512, np.float32), np.zeros(10, np.float32)

    def __call__(self) -> float:
        begun = perf_counter()
        order = self._rng.permutation(len(self._inputs))
        for first in range(0, len(order), RUN.batch_size):
            index = order[first : first + RUN.batch_size]
            self._step(self._inputs[index], self._onehot[index])
        return perf_counter() - begun

    def _step(self, x: np.ndarray, onehot: np.ndarray) -> None:
        hidden = np.maximum(x @ self._w1 + self._b1, 0)
        sums = hidden @ self._w2 + self._b2
        shares = np.exp(sums - sums.max(axis=1, keepdims=True))
        d2 = (shares / shares.sum(axis=1, keepdims=True) - onehot) / np.float32(len(x))
        d1 = d2 @ self._w2.T * (hidden > 0)
        rate = np.float32(RUN.learning_rate)
        self._w2 -= rate * (hidden.T @ d2)
        self._b2 -= rate * d2.sum(axis=0)
        self._w1 -= rate * (x.T @ d1)
        self._b1 -= rate * d1.sum(axis=0)

    def _draw(self, inputs: int, units: int) -> np.ndarray:
        return (self._rng.standard_normal((inputs, units)) * np.sqrt(2 / inputs)).astype(np.float32)


class Products:
    """The five products of a step by NumPy's BLAS, and nothing else: calling it gives an epoch's seconds."""

    def __init__(self, images: int) -> None:
        rng = np.random.default_rng(0)
        n = RUN.batch_size
        x, w1, h, w2, d2 = (
            rng.standard_normal(shape, np.float32)
            for shape in ((n, 784), (784, 512), (n, 512), (512, 10), (n, 10))
        )
        pairs = [(x, w1), (h, w2), (h.T, d2), (d2, w2.T), (x.T, h)]
        self._products = [(a, b, np.empty((len(a), b.shape[1]), np.float32)) for a, b in pairs]
        self._steps = -(-images // n)

    def __call__(self) -> float:
        begun = perf_counter()
        for _ in range(self._steps):
            for a, b, out in self._products:
                np.matmul(a, b, out=out)
        return perf_counter() - begun


_EPOCH = (
    ("contestant", "program"), ("images", "images"), ("seconds", "seconds an epoch"),
    ("least_seconds", "least seconds"), ("over_torch", "times as fast as PyTorch"),
    ("over_numpy", "times as fast as the NumPy loop"),
)  # fmt: skip
_GROWTH = (("contestant", "program"), ("images", "images"), ("seconds", "seconds an epoch"))

BENCH = Bench(
    "dense",
    "A dense network's epoch against PyTorch",
    (
        Table(
            "epoch", "784-512-10, batch 100, ReLU, cross-entropy, SGD", _EPOCH, Chart("contestant", "seconds")
        ),
        Table("growth", "An epoch as the data grow", _GROWTH, Chart("images", "seconds", ("contestant",))),
    ),
    iter_rows,
)
