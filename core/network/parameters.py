"""The parameters of a network: one flat array, first the weights of all layers, then the biases of
all layers.

With one array an update, a copy and an average are one operation each, and L2 applies to the
leading elements. Behind the biases are the running means and variances of batch normalization. They
are not trained by the loss, but they belong to what a network is: so every checkpoint, model,
average and best epoch has them.

Images are stored as (height, width, channels), filters as (size, size, channels, maps) and dense
weights as (inputs, units). PyTorch and ONNX use (channels, height, width), (maps, channels, size,
size) and (units, inputs). The inputs of a dense layer after an image are in the order of that
image's elements.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from core.network.layers import Shape
from core.network.layers.layer import LayerParameters
from core.network.network import Network
from kernels.device import Array

Arrays = tuple[np.ndarray, ...]
"""Weights and biases of a layer; of batch normalization also the running means and variances."""


def views(network: Network, flat: Array) -> tuple[LayerParameters | None, ...]:
    """Views of `flat`, (parameters,), for each layer; None for a layer without parameters.

    `flat` is a NumPy array or an array of a device.
    """
    layers: list[LayerParameters | None] = []
    weight = 0
    bias = network.weight_count
    statistic = network.trained_count
    for layer, shape in zip(network.layers, network.weight_shapes, strict=True):
        if shape is None:
            layers.append(None)
            continue
        size = prod(shape)
        outputs = shape[-1]
        weights = flat[weight : weight + size].reshape(shape)
        biases = flat[bias : bias + outputs]
        weight += size
        bias += outputs
        if layer.has_statistics:
            middle = statistic + outputs
            end = statistic + 2 * outputs
            layers.append(
                LayerParameters(weights, biases, flat[statistic:middle], flat[middle:end])
            )
            statistic = end
        else:
            layers.append(LayerParameters(weights, biases))
    return tuple(layers)


def channels_first(network: Network, parameters: np.ndarray) -> list[Arrays | None]:
    """The arrays of each layer as PyTorch arranges them; None for a layer without parameters."""
    layers: list[Arrays | None] = []
    for shape, layer in zip(network.shapes, views(network, parameters), strict=False):
        if layer is None:
            layers.append(None)
            continue
        weights = layer.weights
        if weights.ndim == 4:
            weights = weights.transpose(3, 2, 0, 1)
        # Batch normalization: one number for each channel, in the same order everywhere.
        elif weights.ndim == 1:
            pass
        # PyTorch flattens an image channels first.
        elif len(shape) == 3:
            weights = (
                weights.reshape(*shape, -1).transpose(3, 2, 0, 1).reshape(weights.shape[1], -1)
            )
        else:
            weights = weights.T
        statistics = (
            () if layer.means is None or layer.variances is None else (layer.means, layer.variances)
        )
        layers.append((np.ascontiguousarray(weights), layer.biases, *statistics))
    return layers


def stored_weights(weights: np.ndarray, shape: Shape) -> np.ndarray:
    """The weights of one layer, arranged as in PyTorch, as DigitLab stores them.

    `shape`: of the layer's input, (features,) or (height, width, channels).
    """
    if weights.ndim == 4:
        return weights.transpose(2, 3, 1, 0)
    # Batch normalization: one number for each channel.
    if weights.ndim == 1:
        return weights
    if len(shape) == 3:
        height, width, channels = shape
        return (
            weights.reshape(-1, channels, height, width)
            .transpose(2, 3, 1, 0)
            .reshape(-1, len(weights))
        )
    return weights.T


def flat_parameters(network: Network, layers: Sequence[Arrays]) -> np.ndarray:
    """float32 (parameters,) from the arrays, arranged as in PyTorch, of the layers that have
    parameters.
    """
    shapes = [
        shape
        for shape, weights in zip(network.shapes[:-1], network.weight_shapes, strict=True)
        if weights is not None
    ]
    weights = [
        stored_weights(arrays[0], shape).ravel()
        for arrays, shape in zip(layers, shapes, strict=True)
    ]
    biases = [arrays[1].ravel() for arrays in layers]
    statistics = [array.ravel() for arrays in layers for array in arrays[2:]]
    return np.concatenate([*weights, *biases, *statistics]).astype(np.float32, copy=False)
