"""Training of a dense network as a plain NumPy loop: what the benchmarks compare the engine with."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from time import perf_counter

import numpy as np

from core.data.dataset import Dataset
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.run_settings import RunSettings

_ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda z: np.maximum(z, 0),
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
}
# From the activation's value, not from its argument.
_DERIVATIVES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda a: a > 0,
    "sigmoid": lambda a: a * (1 - a),
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
        split, self._run, self._limits = dataset.train, settings, limits
        self._classes = dataset.kind == "classes"
        self._inputs = split.inputs.reshape(len(split), -1).astype(np.float32)
        self._targets = split.answers
        if self._classes:
            self._inputs /= np.float32(255)
            self._targets = np.eye(dataset.outputs, dtype=np.float32)[split.answers]
        network = parse(settings.network, dataset.input_shape, dataset.outputs)
        parameters = initial_parameters(network, settings.initialization, settings.seed)
        self.layers = [(layer.weights, layer.biases) for layer in views(network, parameters) if layer]
        self._rng = np.random.default_rng(settings.seed)

    def __call__(self) -> float:
        size, group = self._run.batch_size, self._run.group
        start = perf_counter()
        with self._limits(), np.errstate(all="ignore"):
            order = self._rng.permutation(len(self._inputs))
            batches = [order[first : first + size] for first in range(0, len(order), size)]
            for first in range(0, len(batches), group):
                self._update([self._gradients(batch) for batch in batches[first : first + group]])
        return perf_counter() - start

    def _gradients(self, batch: np.ndarray) -> list[np.ndarray]:
        """Gradients of the weights and biases of each layer, from the last layer to the first."""
        activation, derivative = _ACTIVATIONS[self._run.activation], _DERIVATIVES[self._run.activation]
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
