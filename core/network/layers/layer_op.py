"""The operators of one layer on a device, over arrays for one batch size."""

from dataclasses import dataclass
from math import prod
from typing import Any

from core.network.parameters import LayerParameters
from kernels.device import Array, Device


@dataclass
class LayerOp:
    """Forward pass and gradients of one layer. Each layer kind derives its own class.

    With z the layer's weighted sums and f its activation, the output is y = f(z). Gradients between layers are
    taken with respect to z: `grad_z` = dL/dz, where L is the mean loss of the batch. A layer therefore multiplies
    the gradient that it passes down by the derivative of the activation of the layer *below*, which produced `x`.
    """

    layer: Any
    device: Device
    x: Array
    """Input, (n, *input shape): the activated output of the layer below, or the network's input."""
    y: Array
    """Output, (n, *output shape)."""
    activation: str
    """Activation of this layer; "linear" for kinds without one."""
    input_activation: str
    """Activation of the layer that produced `x`; "linear" for the network's input."""
    index: int
    """Position of the layer in the network, from 0."""
    seed: int | None
    """Seed of random effects while training; None outside of training."""

    def __post_init__(self) -> None:
        """A kind may replace `x` and `y` by other views here."""

    def forward(self, parameters: Any, counters: Array) -> None:
        """Compute `y` from `x`. `parameters`: the layer's LayerParameters, None for a kind without weights.

        `counters`: the device's counters of steps, from which dropout draws; see `kernels.device`.
        """
        raise NotImplementedError

    def parameter_gradient(self, parameters: Any, grad_z: Array, out: LayerParameters) -> None:
        """Write dL/d(weights) and dL/d(biases) into `out`. Called before `input_gradient`, for kinds with weights.

        A kind with running statistics also writes their difference to those of the batch, see `TrainStep`.
        """
        raise NotImplementedError

    def input_gradient(self, parameters: Any, grad_z: Array, counters: Array, out: Array) -> None:
        """Write dL/dz of the layer below, (n, *input shape), into `out`."""
        raise NotImplementedError


def flat(array: Array) -> Array:
    """A view of the same examples as rows: (n, h, w, c) as (n, h·w·c)."""
    return array.reshape(array.shape[0], prod(array.shape[1:])) if len(array.shape) > 2 else array
