"""The parameters of a network are one flat array, all weights first, then all biases, with a view a layer.

One array makes an update, a snapshot, an average one operation, and L2 a count: it pulls the weights only.
"""

from dataclasses import dataclass
from math import prod

from core.network.network import Network
from kernels.device import Array


@dataclass(frozen=True, slots=True)
class LayerParameters:
    """Views into the flat array: `weights` in the layer's shape, `biases` (units,)."""

    weights: Array
    biases: Array


def views(network: Network, flat: Array) -> tuple[LayerParameters | None, ...]:
    """One entry a layer, None where a layer learns nothing. `flat` is (parameters,), of NumPy or a device."""
    found: list[LayerParameters | None] = []
    weight, bias = 0, network.weight_count
    for shape in network.weight_shapes:
        if shape is None:
            found.append(None)
            continue
        size, units = prod(shape), shape[-1]
        found.append(LayerParameters(flat[weight : weight + size].reshape(shape), flat[bias : bias + units]))
        weight, bias = weight + size, bias + units
    return tuple(found)
