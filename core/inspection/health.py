"""Measures a network's weights, activations and gradients, layer by layer, for a few training examples."""

from dataclasses import dataclass
from math import prod

import numpy as np

from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.losses import find_loss
from core.network.parameters import views
from kernels.activations import ACTIVATIONS
from kernels.vectorized.device import Vectorized

EXAMPLES = 128
"""Training examples that are measured."""
SAMPLE = 4000
"""Values of each kind that are kept of a layer for its histograms."""
_EDGE = 0.02  # a sigmoid closer than this to its limits is saturated; its derivative is then a twelfth of the largest
_MOSTLY = 0.5  # share of the examples for which a unit has to be saturated


@dataclass(frozen=True, slots=True)
class LayerHealth:
    """A layer with weights. `layer`: its index. `weights`, `outputs`, `gradients`: at most SAMPLE values of each.

    `gradients`: of the loss by the weights. `dead`: share of the units, or maps, whose output is 0 for all examples,
    where the activation is ReLU. `saturated`: share of the units of a sigmoid or tanh that are at a limit for most
    examples. Both are None for other activations. `alike`: whether all units compute the same.
    `weight_size`, `gradient_size`: root mean squares; `delta_size`: root mean square over units and examples of the
    gradient by the sums z, for a map of the norm over its positions.
    """

    layer: int
    activation: str
    weights: np.ndarray
    outputs: np.ndarray
    gradients: np.ndarray
    dead: float | None
    saturated: float | None
    alike: bool
    weight_size: float
    gradient_size: float
    delta_size: float


@dataclass(frozen=True, slots=True)
class Health:
    """`layers`: those with weights. `loss`, `score`: mean over the examples; the score is None for regression."""

    layers: tuple[LayerHealth, ...]
    loss: float
    score: float | None

    @property
    def finite(self) -> bool:
        """Whether all numbers are finite."""
        sizes = [size for params in self.layers for size in (params.weight_size, params.gradient_size)]
        return bool(np.isfinite([self.loss, *sizes]).all())


class HealthMeter:
    """Measures the networks of a run, which differ in their parameters alone. One thread uses it.

    inputs, answers: the first EXAMPLES of them are used. Dropout and augmentation are off.
    """

    def __init__(self, model: Model, inputs: np.ndarray, answers: np.ndarray) -> None:
        self._model, self._answers = model, answers[:EXAMPLES]
        inputs = inputs[:EXAMPLES]
        self._gradient = np.zeros(model.network.parameter_count, np.float32)
        self._loss = find_loss(model.loss, model.kind)
        self._activations = model.network.activations(model.activation, self._loss)
        self._batch = ForwardBackward(
            model.network, model.activation, self._loss, Vectorized(threads=1), model.parameters, len(inputs),
            gradient=self._gradient,
        )  # fmt: skip
        scale = np.float32(1 / 255) if inputs.dtype == np.uint8 else np.float32(1)
        np.multiply(inputs.reshape(self._batch.inputs.shape), scale, out=self._batch.inputs)

    def measure(self, parameters: np.ndarray) -> Health:
        """The health with `parameters`, float32 (parameters,)."""
        metrics, examples = np.zeros(2), len(self._answers)
        with np.errstate(all="ignore"):
            self._batch.bind(parameters)
            self._batch.forward()
            self._batch.loss(self._answers, metrics)
            self._batch.backward(np.zeros(2, np.int32))
            layer_params = views(self._model.network, parameters)
            layer_gradients = views(self._model.network, self._gradient)
            layers = tuple(
                self._layer(index, params.weights, params.biases, gradient.weights)
                for index, (params, gradient) in enumerate(zip(layer_params, layer_gradients, strict=True))
                if params is not None and gradient is not None
            )
        score = float(metrics[1]) / examples if self._model.kind == "classes" else None
        return Health(layers, float(metrics[0]) / examples, score)

    def _layer(
        self, index: int, weights: np.ndarray, biases: np.ndarray, gradients: np.ndarray
    ) -> LayerHealth:
        activation, outputs = self._activations[index], self._batch.outputs[index]
        delta = np.asarray(self._batch.grad_zs[index])
        by_unit = np.moveaxis(outputs, -1, 0).reshape(outputs.shape[-1], -1)
        flat = weights.reshape(-1, weights.shape[-1])
        return LayerHealth(
            layer=index,
            activation=activation,
            weights=_sample(weights),
            outputs=_sample(outputs),
            gradients=_sample(gradients),
            dead=float((by_unit.max(axis=1) <= 0).mean()) if ACTIVATIONS[activation].can_die else None,
            saturated=_saturated(by_unit, activation),
            # The scales of batch normalization are 1 at the start; its units differ by what they normalize.
            alike=weights.ndim > 1
            and flat.shape[1] > 1
            and bool((flat == flat[:, :1]).all() and (biases == biases[0]).all()),
            weight_size=_size(weights),
            gradient_size=_size(gradients),
            delta_size=_size(delta) * prod(delta.shape[1:-1]) ** 0.5,
        )


def _saturated(by_unit: np.ndarray, activation: str) -> float | None:
    """The share of the rows of (units, values) that are at a limit of the activation for most values."""
    limits = ACTIVATIONS[activation].limits
    if limits is None:
        return None
    low, high = limits
    edge = _EDGE * (high - low)
    at_limit = (by_unit < low + edge) | (by_unit > high - edge)
    return float((at_limit.mean(axis=1) >= _MOSTLY).mean())


def _sample(values: np.ndarray) -> np.ndarray:
    """At most SAMPLE values at equal distances, a copy."""
    flat = values.reshape(-1)
    return flat[:: max(1, -(-flat.size // SAMPLE))].copy()


def _size(values: np.ndarray) -> float:
    """The root of the mean square."""
    return float(np.sqrt(np.mean(values.astype(np.float64) ** 2)))
