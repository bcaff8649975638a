"""The parameters of a network: one flat array, first the weights of all layers, then the biases of all layers.

With one array an update, a copy and an average are one operation each, and L2 applies to the leading elements.
"""

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from kernels.device import Array

if TYPE_CHECKING:
    from core.network.network import Network


@dataclass(frozen=True, slots=True)
class LayerParameters:
    """Views into the flat array: `weights` in the layer's weight shape, `biases` (outputs,)."""

    weights: Array
    biases: Array


def views(network: "Network", flat: Array) -> tuple[LayerParameters | None, ...]:
    """Views of `flat`, (parameters,), for each layer; None for a layer without parameters.

    `flat` is a NumPy array or an array of a device.
    """
    layers: list[LayerParameters | None] = []
    weight, bias = 0, network.weight_count
    for shape in network.weight_shapes:
        if shape is None:
            layers.append(None)
            continue
        size, outputs = prod(shape), shape[-1]
        layers.append(
            LayerParameters(flat[weight : weight + size].reshape(shape), flat[bias : bias + outputs])
        )
        weight, bias = weight + size, bias + outputs
    return tuple(layers)
