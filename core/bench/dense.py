"""Training of a dense and of a convolutional network against PyTorch, alternating in one run: on
the cores, and on a graphics card where there is one. Also measured for 784-512-10 in batches of
100: JAX where it is installed, and the same method as a NumPy loop.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from functools import partial, reduce
from statistics import median
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from core.bench.rows import Bench, Note, Options, Row, Rows, Table
from core.bench.timing import (
    SPREAD_COLUMN,
    Epochs,
    Timed,
    Times,
    alternate,
    noise_images,
    speed_ratio,
    spread,
)
from core.bench.torch_process import start_jax, start_torch
from core.data.dataset import Dataset
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.run_settings import RunSettings
from kernels.host import processor_count
from kernels.registry import probe

RUN = RunSettings(network="784-512-10", batch_size=100, learning_rate=0.1)

# The devices that are compared, and what PyTorch calls them.
_DEVICES = {"vectorized": "cpu", "cuda": "cuda"}
TORCH = "PyTorch"
TORCH_GRAPH = "PyTorch, captured graph"
JAX = "JAX, compiled epoch"
NUMPY = "NumPy loop"


def iter_rows(options: Options) -> Rows:
    images = options.sizes.dense_images
    settings = RUN.change(seed=options.seed)

    def numpy_loop() -> NumpyLoop:
        loop = NumpyLoop(settings, noise_images(images, options.seed), _all_cores)
        loop()
        return loop

    yield from _iter_epochs(
        settings, "dense", images, options.sizes.dense_rounds, options, numpy_loop
    )


def _iter_epochs(
    settings: RunSettings,
    network: str,
    images: int,
    rounds: int,
    options: Options,
    numpy_loop: Callable[[], Timed] | None = None,
) -> Rows:
    """Rows of the table `epoch` for each device: this program, PyTorch and on the processor the
    NumPy loop.

    They alternate for `rounds` rounds. `network`: as in `torch_script.py`.
    """
    data = noise_images(images, options.seed)
    for device in [name for name in _DEVICES if name in options.devices] or ["vectorized"]:
        is_card = device == "cuda"
        if is_card and not (info := probe(device)).available:
            yield Note(info.reason)
            continue
        with ExitStack() as stack:
            torch, note = start_torch(options, _DEVICES[device], network, images, stack)
            yield note
            ours = stack.enter_context(closing(Epochs(settings, data, device, options.check)))
            # Once beforehand, so that nothing is prepared while it is timed.
            ours()
            programs: dict[str, Timed] = {device: ours}
            if numpy_loop and not is_card:
                programs[NUMPY] = numpy_loop()
            if torch:
                programs[TORCH] = partial(torch.ask, f"eager {images}")
            if torch and is_card:
                programs[TORCH_GRAPH] = partial(torch.ask, f"graph {images}")
                programs[TORCH_GRAPH]()  # it is captured now
            if network == "dense" and (jax := start_jax(options, _DEVICES[device], images, stack)):
                programs[JAX] = partial(jax.ask, "scan")
                programs[JAX]()  # it is compiled now
            times = alternate(programs, rounds)
        for name, seconds in times.items():
            values = _values(name, device, images, seconds, times)
            if numpy_loop is None:
                del values["over_numpy"]
            yield Row("epoch", values)


def _values(
    name: str, device: str, images: int, seconds: list[float], times: Times
) -> dict[str, object]:
    def over(other: str) -> float | None:
        return speed_ratio(seconds, times[other]) if other in times and other != name else None

    return {
        "contestant": name if name == device or device == "vectorized" else f"{name}, {device}",
        "images": images,
        "seconds": median(seconds),
        "least_seconds": min(seconds),
        "over_torch": over(TORCH),
        "over_numpy": over(NUMPY),
        "spread": spread(seconds),
    }


def _all_cores() -> AbstractContextManager[object]:
    """Lets BLAS use as many threads as there are cores; the device keeps it to one."""
    return threadpool_limits(processor_count(), "blas")


_COLUMNS = {
    "contestant": "program",
    "images": "images",
    "seconds": "seconds",
    "least_seconds": "least seconds",
    "over_torch": "times as fast as PyTorch",
    "over_numpy": "times as fast as the NumPy loop",
    **SPREAD_COLUMN,
}

BENCH = Bench(
    "dense",
    (Table("epoch", "An epoch of 784-512-10, batch 100, ReLU, cross-entropy, SGD", _COLUMNS),),
    iter_rows,
)

# Each with its derivative, from the activation's value, not from its argument.
_ACTIVATIONS: dict[
    str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[np.ndarray], np.ndarray]]
] = {
    "relu": (lambda z: np.maximum(z, 0), lambda a: a > 0),
    "sigmoid": (lambda z: 1 / (1 + np.exp(-z)), lambda a: a * (1 - a)),
}


class NumpyLoop:
    """SGD in float32 NumPy on dense layers with relu or sigmoid; calling it trains one epoch and
    returns seconds.

    The loss is cross-entropy after softmax for classes and half the squared error for regression,
    so that the gradient at the output is (output - target) / batch size in both. The gradients of
    `run.group` batches are averaged for one update. Images are scaled to 0..1 beforehand. `limits`
    makes a context manager that holds during an epoch, such as a limit of BLAS threads.
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
        self.layers = [
            (layer.weights, layer.biases) for layer in views(network, parameters) if layer
        ]
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
            # Without the largest, exp of a large output would be infinite.
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
        # In the order of the gradients, which begin at the last layer.
        parameters = [array for layer in reversed(self.layers) for array in layer]
        for index, array in enumerate(parameters):
            array -= step * reduce(np.add, (batch[index] for batch in gradients))


CONVOLUTION_RUN = RunSettings(
    network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, learning_rate=0.01
)


def iter_convolution_rows(options: Options) -> Rows:
    # Parts of an epoch in many rounds: all its steps are equal, and a busy moment affects few of
    # the rounds.
    sizes = options.sizes
    settings = CONVOLUTION_RUN.change(seed=options.seed)
    yield from _iter_epochs(settings, "convolution", sizes.cnn_images, sizes.rounds, options)


CONVOLUTION = Bench(
    "convolution",
    (
        Table(
            "epoch",
            f"{CONVOLUTION_RUN.network}, batch 100, ReLU, SGD",
            {key: text for key, text in _COLUMNS.items() if key != "over_numpy"},
        ),
    ),
    iter_convolution_rows,
)
