"""The parameters of a network: one flat array, first the weights of all layers, then the biases of all layers.

With one array an update, a copy and an average are one operation each, and L2 applies to the leading elements. Behind
the biases are the running means and variances of batch normalization. They are not trained by the loss, but they belong
to what a network is: so every checkpoint, model, average and best epoch has them.
"""

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from kernels.device import Array

if TYPE_CHECKING:
    from core.network.network import Network


@dataclass(frozen=True, slots=True)
class LayerParameters:
    """Views into the flat array: `weights` in the layer's weight shape, `biases` (outputs,).

    `means`, `variances`: running statistics of the inputs, (outputs,); None for a layer without them.
    """

    weights: Array
    biases: Array
    means: Array | None = None
    variances: Array | None = None


def views(network: "Network", flat: Array) -> tuple[LayerParameters | None, ...]:
    """Views of `flat`, (parameters,), for each layer; None for a layer without parameters.

    `flat` is a NumPy array or an array of a device.
    """
    layers: list[LayerParameters | None] = []
    weight, bias, statistic = 0, network.weight_count, network.trained_count
    for layer, shape in zip(network.layers, network.weight_shapes, strict=True):
        if shape is None:
            layers.append(None)
            continue
        size, outputs = prod(shape), shape[-1]
        weights, biases = flat[weight : weight + size].reshape(shape), flat[bias : bias + outputs]
        weight, bias = weight + size, bias + outputs
        if layer.has_statistics:
            middle, end = statistic + outputs, statistic + 2 * outputs
            layers.append(LayerParameters(weights, biases, flat[statistic:middle], flat[middle:end]))
            statistic = end
        else:
            layers.append(LayerParameters(weights, biases))
    return tuple(layers)
