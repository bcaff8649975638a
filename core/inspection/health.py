"""Measures a network's weights, activations and gradients, and names what is wrong where it does
not learn.
"""

from dataclasses import dataclass
from math import prod
from typing import Literal

import numpy as np

from core.data.dataset import Dataset
from core.errors import InputError
from core.inference.model_file import Model
from core.network.forward_backward import ForwardBackward
from core.network.initialization import initial_parameters
from core.network.layers.layer import LayerParameters
from core.network.losses import find_loss
from core.network.network import Network
from core.network.parameters import views
from kernels.activations import ACTIVATIONS
from kernels.registry import open_cpu_device

EXAMPLES = 128  # training examples that are measured
SAMPLE = 4000  # values of each kind that are kept of a layer for its histograms
# A sigmoid closer than this to its limits is saturated; its derivative is then a twelfth of the
# largest.
_EDGE = 0.02
_MOSTLY = 0.5  # share of the examples for which a unit has to be saturated


@dataclass(frozen=True, slots=True)
class LayerHealth:
    """A layer with weights. `layer`: its index. `weights`, `outputs`, `gradients`: at most SAMPLE
    values of each.

    `gradients`: of the loss by the weights. `dead`: share of the units, or maps, whose output is 0
    for all examples, where the activation is ReLU. `saturated`: share of the units of a sigmoid or
    tanh that are at a limit for most examples. Both are None for other activations. `alike`:
    whether all units compute the same. `weight_size`, `gradient_size`: root mean squares;
    `delta_size`: root mean square over units and examples of the gradient by the sums z, for a map
    of the norm over its positions.
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
    """`layers`: those with weights. `loss`, `score`: mean over the examples; the score is None for
    regression.
    """

    layers: tuple[LayerHealth, ...]
    loss: float
    score: float | None

    @property
    def finite(self) -> bool:
        sizes = [(each.weight_size, each.gradient_size) for each in self.layers]
        return bool(np.isfinite(self.loss) and np.isfinite(sizes).all())


class HealthMeter:
    """Measures the networks of a run, which differ in their parameters alone. One thread uses it.

    inputs, targets: the first EXAMPLES of them are used. Dropout and augmentation are off.
    """

    def __init__(self, model: Model, inputs: np.ndarray, targets: np.ndarray) -> None:
        self._model = model
        self._targets = targets[:EXAMPLES]
        inputs = inputs[:EXAMPLES]
        self._gradient = np.zeros(model.network.parameter_count, np.float32)
        self._loss = find_loss(model.loss, model.kind)
        self._batch = ForwardBackward(
            model.network,
            model.activation,
            self._loss,
            open_cpu_device(1),
            model.parameters,
            len(inputs),
            gradient=self._gradient,
        )
        scale = np.float32(1 / 255) if inputs.dtype == np.uint8 else np.float32(1)
        np.multiply(inputs.reshape(self._batch.inputs.shape), scale, out=self._batch.inputs)

    def measure(self, parameters: np.ndarray) -> Health:
        """The health with `parameters`, float32 (parameters,)."""
        metrics = np.zeros(2)
        examples = len(self._targets)
        # Of a network that diverged; `finite` tells of it.
        with np.errstate(all="ignore"):
            self._batch.bind(parameters)
            self._batch.forward()
            self._batch.loss(self._targets, metrics)
            self._batch.backward(np.zeros(2, np.int32))
            layer_params = views(self._model.network, parameters)
            layer_gradients = views(self._model.network, self._gradient)
            layers = tuple(
                self._layer(index, params, gradient.weights)
                for index, (params, gradient) in enumerate(
                    zip(layer_params, layer_gradients, strict=True)
                )
                if params is not None and gradient is not None
            )
        score = float(metrics[1]) / examples if self._model.kind == "classes" else None
        return Health(layers, float(metrics[0]) / examples, score)

    def _layer(self, index: int, params: LayerParameters, gradients: np.ndarray) -> LayerHealth:
        weights = params.weights
        biases = params.biases
        activation = self._model.activations[index]
        outputs = self._batch.outputs[index]
        delta = np.asarray(self._batch.grad_zs[index])
        by_unit = np.moveaxis(outputs, -1, 0).reshape(outputs.shape[-1], -1)
        # The scales of batch normalization are 1 at the start; its units differ by what they
        # normalize.
        same_weights = weights.ndim > 1 and bool((weights == weights[..., :1]).all())
        return LayerHealth(
            layer=index,
            activation=activation,
            weights=_sample(weights),
            outputs=_sample(outputs),
            gradients=_sample(gradients),
            dead=float((by_unit.max(axis=1) <= 0).mean())
            if ACTIVATIONS[activation].can_die
            else None,
            saturated=_saturated(by_unit, activation),
            alike=len(biases) > 1 and same_weights and bool((biases == biases[0]).all()),
            weight_size=_size(weights),
            gradient_size=_size(gradients),
            delta_size=_size(delta) * prod(delta.shape[1:-1]) ** 0.5,
        )


def _saturated(by_unit: np.ndarray, activation: str) -> float | None:
    """The share of the rows of (units, values) that are at a limit of the activation for most
    values.
    """
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
    # In float64: the squares of large gradients overflow float32.
    return float(np.sqrt(np.mean(values.astype(np.float64) ** 2)))


Kind = Literal[
    "not-finite", "alike", "dead", "saturated", "vanishing", "exploding", "shrunk", "slow"
]

# The thresholds lie between the values of runs that learn and of runs that are known to fail; see
# the tests.
DEAD = SATURATED = 0.5  # share of a layer's units
VANISHING = 0.005  # size of the first layer's gradient by its sums, as a share of the last layer's
EXPLODING = 10.0
SHRUNK = 0.05  # size of the weights, as a share of that at the start
UNCHANGED = 0.001  # size of the change of the weights since the start, as a share of the weights
LEARNED = 0.95  # share of right answers above which only dead units are named
UNLEARNED = 0.9  # loss as a share of that of the start

_TEXTS: dict[Kind, tuple[str, str]] = {
    "not-finite": (
        "the numbers of the network are no longer finite",
        "Lower the learning rate, or choose other initial weights.",
    ),
    "alike": (
        "all units of layer {layer} compute the same",
        "They learn the same, too: start from random weights that differ, such as He's or "
        "Glorot's.",
    ),
    "dead": (
        "{share} of the units of layer {layer} are never active (dead)",
        "They learn nothing more: lower the learning rate and train again, or choose leaky ReLU.",
    ),
    "saturated": (
        "{share} of the units of layer {layer} are saturated",
        "They hardly learn: choose smaller initial weights (Glorot's), lower the learning rate, "
        "or choose ReLU.",
    ),
    "vanishing": (
        "the gradient vanishes: in layer {layer} it is {factor} times smaller than in the last one",
        "Choose ReLU or tanh in place of sigmoid, other initial weights, or fewer layers.",
    ),
    "exploding": (
        "the gradient explodes: in layer {layer} it is {factor} times larger than in the last one",
        "Choose smaller initial weights (He's), a lower learning rate, or fewer layers.",
    ),
    "shrunk": (
        "the weights of layer {layer} have shrunk to {share} of their size at the start",
        "Lower the L2 regularization.",
    ),
    "slow": (
        "the weights have hardly changed since the start, by {share}",
        "Raise the learning rate, or train longer.",
    ),
}
"""What is wrong, as a part of a sentence, and what to do about it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`layer`: index of the layer; None for the whole network. `values`: of the templates `fact`
    and `advice`.
    """

    kind: Kind
    layer: int | None
    values: dict[str, str]

    @property
    def fact(self) -> str:
        """English template of a part of a sentence that says what is wrong."""
        return _TEXTS[self.kind][0]

    @property
    def advice(self) -> str:
        """English template of a sentence that says what to do about it."""
        return _TEXTS[self.kind][1]


def relative_change(network: Network, start: np.ndarray, now: np.ndarray) -> float:
    """The norm of the change of all weights as a share of the norm of the weights at the start."""
    weights = network.weight_count
    before = float(np.linalg.norm(start[:weights]))
    return float(np.linalg.norm(now[:weights] - start[:weights])) / before if before else np.inf


def diagnose(
    now: Health, start: Health | None = None, change: float | None = None, *, diverged: bool = False
) -> list[Finding]:
    """What is wrong, the most important first; empty where nothing is.

    start: before the first step. change: see `relative_change`; None before the end of the first
    epoch. diverged: whether the run ended because its loss was not finite.
    """
    if diverged or not now.finite:
        return [_finding("not-finite", None)]
    if alike := [each.layer for each in now.layers if each.alike]:
        return [_finding("alike", alike[0])]
    if start is not None and (shrunk := _shrunk(now, start)):
        return shrunk
    findings = _inactive("dead", now.layers, DEAD)
    if now.score is None or now.score < LEARNED:
        # The outputs of a good network are near their limits, which says nothing.
        findings += _inactive("saturated", now.layers[:-1], SATURATED)
        # Behind dead or saturated units there is no gradient: that is the same fault.
        findings = findings or _gradient(now)
    if findings or start is None or change is None:
        return findings
    if change < UNCHANGED and now.loss > UNLEARNED * start.loss:
        findings.append(_finding("slow", None, share=f"{100 * change:.2g} %"))
    return findings


def _shrunk(now: Health, start: Health) -> list[Finding]:
    for after, before in zip(now.layers, start.layers, strict=True):
        if after.weight_size < SHRUNK * before.weight_size:
            share = f"{100 * after.weight_size / before.weight_size:.2g} %"
            return [_finding("shrunk", after.layer, share=share)]
    return []


def _inactive(kind: Kind, layers: tuple[LayerHealth, ...], least: float) -> list[Finding]:
    """The layers of which at least this share of the units is dead or saturated."""
    shares = [(each.layer, getattr(each, kind) or 0) for each in layers]
    return [
        _finding(kind, layer, share=f"{100 * share:.0f} %")
        for layer, share in shares
        if share >= least
    ]


def _gradient(now: Health) -> list[Finding]:
    first = now.layers[0]
    last = now.layers[-1]
    if first is last or not last.delta_size:
        return []
    ratio = first.delta_size / last.delta_size
    if ratio < VANISHING:
        return [_finding("vanishing", first.layer, factor=f"{1 / ratio:,.0f}" if ratio else "∞")]
    if ratio > EXPLODING:
        return [_finding("exploding", first.layer, factor=f"{ratio:,.0f}")]
    return []


def _finding(kind: Kind, layer: int | None, **values: str) -> Finding:
    if layer is not None:
        values["layer"] = str(layer + 1)
    return Finding(kind, layer, values)


def starting_parameters(model: Model) -> np.ndarray | None:
    """float32 (parameters,): those from which the model's training started; None where its settings
    are not known.

    They follow from the seed and the setting of the initial weights.
    """
    if not model.run_settings:
        return None
    try:
        settings = model.settings()
    except InputError:
        return None
    return initial_parameters(model.network, settings.initialization, settings.seed)


def main_fault(model: Model, dataset: Dataset, *, diverged: bool = False) -> Finding | None:
    """The most important fault of the network; None if there is none."""
    meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
    first = starting_parameters(model)
    change = None if first is None else relative_change(model.network, first, model.parameters)
    start = None if first is None else meter.measure(first)
    return next(
        iter(diagnose(meter.measure(model.parameters), start, change, diverged=diverged)), None
    )
