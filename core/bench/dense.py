"""Training of a dense and of a convolutional network against PyTorch on the same cores, alternating in one run.

Also measured for 784-512-10 in batches of 100: the same method as a plain NumPy loop, and its matrix products alone,
which are the lower limit for any program that uses this BLAS.
"""

import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from functools import partial, reduce
from statistics import median
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from core.bench.rows import Bench, Chart, Note, Options, Row, Table
from core.bench.timing import SPREAD_COLUMN, Epochs, Timed, alternate, noise_images, speed_ratio, spread
from core.bench.torch_process import TorchProcess, start_torch
from core.data.dataset import Dataset
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.run_settings import RunSettings
from kernels.host import processor_count
from kernels.installation import is_frozen

RUN = RunSettings(network="784-512-10", batch_size=100, learning_rate=0.1)
OURS = "vectorized"
TORCH = "PyTorch"
NUMPY = "NumPy loop"
PRODUCTS = "matrix products alone"


def iter_rows(options: Options) -> Iterator[Row | Note]:
    images = options.sizes.dense_images
    rounds = options.sizes.dense_rounds
    run = RUN.change(seed=options.seed)
    with ExitStack() as stack:
        torch, note = start_torch(options, "cpu", "dense", images, stack)
        yield note
        programs: dict[str, Timed] = {
            NUMPY: NumpyLoop(run, noise_images(images, options.seed), _all_cores),
            PRODUCTS: _products(images),
        }
        for warm_up in programs.values():
            warm_up()
        yield from iter_epochs(run, images, rounds, torch, options, programs)
        for growing in options.sizes.growth:
            for row in iter_epochs(run, growing, max(1, rounds // 2), torch, options):
                values = {key: row.values[key] for key in ("contestant", "images", "seconds")}
                yield Row("growth", values)
        if options.busy:
            yield from _iter_busy(run, images, max(2, rounds // 3), torch, options)


def _iter_busy(
    settings: RunSettings, images: int, rounds: int, torch: TorchProcess | None, options: Options
) -> Iterator[Row | Note]:
    """Rows of the table `busy`: epochs with and without a busy process on each core, alternating."""
    if is_frozen():
        yield Note("Busy processes need a Python interpreter: start the benchmark from the source code.")
        return
    quiet: dict[str, list[float]] = defaultdict(list)
    busy: dict[str, list[float]] = defaultdict(list)
    with _programs(settings, images, torch, options, {}) as timed:
        for _ in range(rounds):
            for times, load in ((quiet, nullcontext()), (busy, _busy_cores())):
                with load:
                    for name, seconds in alternate(timed, 1).items():
                        times[name] += seconds
    for name in quiet:
        yield Row(
            "busy",
            {
                "contestant": name,
                "images": images,
                "quiet_seconds": median(quiet[name]),
                "busy_seconds": median(busy[name]),
                "slowdown": speed_ratio(quiet[name], busy[name]),
            },
        )


@contextmanager
def _busy_cores() -> Iterator[None]:
    program = "import os, sys, threading\nthreading.Thread(target=lambda: (sys.stdin.read(), os._exit(0))).start()\n"
    processes = [
        subprocess.Popen([sys.executable, "-c", program + "while True: pass"], stdin=subprocess.PIPE)
        for _ in range(processor_count())
    ]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def iter_epochs(
    settings: RunSettings,
    images: int,
    rounds: int,
    torch: TorchProcess | None,
    options: Options,
    programs: dict[str, Timed] | None = None,
) -> Iterator[Row]:
    """Rows of the table `epoch`: this program, PyTorch and `programs`, alternating for `rounds` rounds."""
    with _programs(settings, images, torch, options, programs or {}) as timed:
        times = alternate(timed, rounds)
    for name, seconds in times.items():
        values = {
            "contestant": name,
            "images": images,
            "seconds": median(seconds),
            "least_seconds": min(seconds),
            "over_torch": speed_ratio(seconds, times[TORCH]) if torch and name != TORCH else None,
        }
        if NUMPY in times:
            values["over_numpy"] = speed_ratio(seconds, times[NUMPY]) if name != NUMPY else None
        values["spread"] = spread(seconds)
        yield Row("epoch", values)


@contextmanager
def _programs(
    settings: RunSettings, images: int, torch: TorchProcess | None, options: Options, others: dict[str, Timed]
) -> Iterator[dict[str, Timed]]:
    """This program, which has trained an epoch already, `others` and PyTorch."""
    with closing(Epochs(settings, noise_images(images, options.seed), OURS, options.check)) as ours:
        ours()
        timed: dict[str, Timed] = {OURS: ours, **others}
        yield timed if torch is None else {**timed, TORCH: partial(torch.ask, f"epoch eager 0 {images}")}


def _all_cores() -> AbstractContextManager[object]:
    """Lets BLAS use as many threads as there are cores; the device keeps it to one."""
    return threadpool_limits(processor_count(), "blas")


def _products(images: int) -> Timed:
    """An epoch of the five matrix products of a step by NumPy's BLAS and nothing else."""
    rng = np.random.default_rng(0)
    n = RUN.batch_size
    shapes = ((n, 784), (784, 512), (n, 512), (512, 10), (n, 10))
    x, w1, h, w2, d2 = (rng.standard_normal(shape, np.float32) for shape in shapes)
    pairs = [(x, w1), (h, w2), (h.T, d2), (d2, w2.T), (x.T, h)]
    products = [(a, b, np.empty((len(a), b.shape[1]), np.float32)) for a, b in pairs]

    def epoch() -> float:
        start = perf_counter()
        with _all_cores(), np.errstate(all="ignore"):  # Apple's products raise false warnings
            for _ in range(-(-images // n)):
                for a, b, out in products:
                    np.matmul(a, b, out=out)
        return perf_counter() - start

    return epoch


EPOCH_COLUMNS = (
    ("contestant", "program"),
    ("images", "images"),
    ("seconds", "seconds an epoch"),
    ("least_seconds", "least seconds"),
    ("over_torch", "times as fast as PyTorch"),
)
_NUMPY_COLUMN = ("over_numpy", "times as fast as the NumPy loop")

BENCH = Bench(
    "dense",
    (
        Table(
            "epoch",
            "784-512-10, batch 100, ReLU, cross-entropy, SGD",
            (*EPOCH_COLUMNS, _NUMPY_COLUMN, SPREAD_COLUMN),
            Chart("contestant", "seconds"),
        ),
        Table(
            "growth",
            "An epoch as the data grow",
            EPOCH_COLUMNS[:3],
            Chart("images", "seconds", ("contestant",)),
        ),
        Table(
            "busy",
            "An epoch beside a busy process on each core",
            (
                ("contestant", "program"),
                ("images", "images"),
                ("quiet_seconds", "seconds, quiet"),
                ("busy_seconds", "seconds, busy"),
                ("slowdown", "busy / quiet"),
            ),
        ),
    ),
    iter_rows,
)


# Each with its derivative, from the activation's value, not from its argument.
_ACTIVATIONS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]] = {
    "relu": (lambda z: np.maximum(z, 0), lambda a: a > 0),
    "sigmoid": (lambda z: 1 / (1 + np.exp(-z)), lambda a: a * (1 - a)),
}


class NumpyLoop:
    """SGD in float32 NumPy on dense layers with relu or sigmoid; calling it trains one epoch and returns seconds.

    The loss is cross-entropy after softmax for classes and half the squared error for regression, so that the
    gradient at the output is (output - target) / batch size in both. The gradients of `run.group` batches are
    averaged for one update. Images are scaled to 0..1 beforehand. `limits` makes a context manager that holds
    during an epoch, such as a limit of BLAS threads.
    """

    def __init__(
        self,
        settings: RunSettings,
        dataset: Dataset,
        limits: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:
        split = dataset.train
        self._run = settings
        self._limits = limits
        self._classes = dataset.kind == "classes"
        self._inputs = split.inputs.reshape(len(split), -1).astype(np.float32)
        self._targets = split.targets
        if self._classes:
            self._inputs /= np.float32(255)
            self._targets = np.eye(dataset.outputs, dtype=np.float32)[split.targets]
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        parameters = initial_parameters(network, settings.initialization, settings.seed)
        self.layers = [(layer.weights, layer.biases) for layer in views(network, parameters) if layer]
        self._rng = np.random.default_rng(settings.seed)

    def __call__(self) -> float:
        size = self._run.batch_size
        group = self._run.group
        start = perf_counter()
        with self._limits(), np.errstate(all="ignore"):
            order = self._rng.permutation(len(self._inputs))
            batches = [order[first : first + size] for first in range(0, len(order), size)]
            for first in range(0, len(batches), group):
                self._update([self._gradients(batch) for batch in batches[first : first + group]])
        return perf_counter() - start

    def _gradients(self, batch: np.ndarray) -> list[np.ndarray]:
        """Gradients of the weights and biases of each layer, from the last layer to the first."""
        activation, derivative = _ACTIVATIONS[self._run.activation]
        values = [self._inputs[batch]]
        for weights, biases in self.layers[:-1]:
            values.append(activation(values[-1] @ weights + biases))
        weights, biases = self.layers[-1]
        output = values[-1] @ weights + biases
        if self._classes:
            exponentials = np.exp(output - output.max(axis=1, keepdims=True))
            output = exponentials / exponentials.sum(axis=1, keepdims=True)
        delta = (output - self._targets[batch]) / np.float32(len(batch))
        gradients = [values[-1].T @ delta, delta.sum(axis=0)]
        for index in range(len(self.layers) - 2, -1, -1):
            delta = delta @ self.layers[index + 1][0].T * derivative(values[index + 1])
            gradients += [values[index].T @ delta, delta.sum(axis=0)]
        return gradients

    def _update(self, gradients: list[list[np.ndarray]]) -> None:
        step = np.float32(self._run.learning_rate / self._run.group)
        parameters = [array for layer in reversed(self.layers) for array in layer]
        for index, array in enumerate(parameters):
            array -= step * reduce(np.add, (batch[index] for batch in gradients))


CONVOLUTION_RUN = RunSettings(network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, learning_rate=0.01)


def iter_convolution_rows(options: Options) -> Iterator[Row | Note]:
    # Parts of an epoch in many rounds: all its steps are equal, and a busy moment affects few of the rounds.
    images = options.sizes.cnn_images
    rounds = options.sizes.rounds
    with ExitStack() as stack:
        torch, note = start_torch(options, "cpu", "convolution", images, stack)
        yield note
        yield from iter_epochs(CONVOLUTION_RUN.change(seed=options.seed), images, rounds, torch, options)


_CONVOLUTION_COLUMNS = (
    *((key, heading.removesuffix(" an epoch")) for key, heading in EPOCH_COLUMNS),
    SPREAD_COLUMN,
)

CONVOLUTION = Bench(
    "convolution",
    (
        Table(
            "epoch",
            f"{CONVOLUTION_RUN.network}, batch 100, ReLU, SGD",
            _CONVOLUTION_COLUMNS,
            Chart("contestant", "seconds"),
        ),
    ),
    iter_convolution_rows,
)
