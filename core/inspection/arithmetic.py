"""The arithmetic of one output of a layer, with its numbers."""

from dataclasses import dataclass

import numpy as np

from core.inspection.inspector import Inspector
from core.inspection.weight_images import filter_images
from core.network.layers.batch_norm import BatchNorm
from core.network.layers.convolution import Convolution
from core.network.layers.max_pool import MaxPool
from core.network.parameters import LayerParameters, views
from kernels.normalization import EPSILON
from kernels.padding import zeros_before


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """One output y = f(z), z = Σ `products` + `others` + `bias`.

    `inputs`, `weights`, `products`: float32 (height, width), of one channel of the input; NaN where there is no number.
    `others`: sum of the products of the other channels. Where the layer has no weights they are None, and y is the
    largest of the inputs, or the only one. Batch normalization γ (x - μ) / √(v + ε) + β, with the running mean μ and
    variance v, has the single weight γ / √(v + ε) and the bias β - μ · γ / √(v + ε).
    """

    inputs: np.ndarray
    weights: np.ndarray | None
    products: np.ndarray | None
    others: float
    bias: float
    z: float
    y: float


def arithmetic(
    inspector: Inspector,
    x: np.ndarray,
    layer: int,
    unit: int,
    row: int = 0,
    column: int = 0,
    channel: int = 0,
) -> Arithmetic:
    """The arithmetic of an output for the input x, (*input shape), uint8 or float.

    unit: unit or map of the layer; row, column: in the map; channel: of the layer's input.
    """
    model = inspector.model
    outputs = [output[0] for output in inspector.outputs(x[None])]
    below = (x / np.float32(255) if x.dtype == np.uint8 else x) if layer == 0 else outputs[layer - 1]
    kind, params = model.network.layers[layer], views(model.network, model.parameters)[layer]
    y = float(outputs[layer][row, column, unit] if outputs[layer].ndim == 3 else outputs[layer][unit])
    if params is None:
        if isinstance(kind, MaxPool):
            size = kind.block
            block = below[row * size : (row + 1) * size, column * size : (column + 1) * size, unit]
        else:
            block = np.atleast_2d(below[row, column, unit] if below.ndim == 3 else below[unit])
        return Arithmetic(block, None, None, 0.0, 0.0, y, y)
    if isinstance(kind, BatchNorm):
        return _normalized(
            np.atleast_2d(below[row, column, unit] if below.ndim == 3 else below[unit]), params, unit, y
        )
    if isinstance(kind, Convolution):
        patch = _patch(below, kind, row, column)
        return _weighted(patch, params, params.weights[..., unit], unit, channel, y)
    if below.ndim == 3:
        return _weighted(below, params, params.weights[:, unit].reshape(below.shape), unit, channel, y)
    columns = np.stack([below, params.weights[:, unit]], axis=1)
    inputs, weights = filter_images(columns, below.shape)
    bias, z = float(params.biases[unit]), float(below @ params.weights[:, unit] + params.biases[unit])
    return Arithmetic(inputs, weights, inputs * weights, 0.0, bias, z, y)


def _normalized(x: np.ndarray, params: LayerParameters, unit: int, y: float) -> Arithmetic:
    """x: (1, 1), the number that is normalized."""
    assert params.means is not None
    assert params.variances is not None
    weight = params.weights[unit] / np.sqrt(params.variances[unit] + np.float32(EPSILON))
    product, bias = x * weight, float(params.biases[unit] - params.means[unit] * weight)
    return Arithmetic(x, np.atleast_2d(weight), product, 0.0, bias, float(product[0, 0]) + bias, y)


def _weighted(
    patch: np.ndarray, params: LayerParameters, weights: np.ndarray, unit: int, channel: int, y: float
) -> Arithmetic:
    """patch, weights: (height, width, channels)."""
    products = patch * weights
    total, bias = float(products.sum(dtype=np.float64)), float(params.biases[unit])
    others = total - float(products[:, :, channel].sum(dtype=np.float64))
    return Arithmetic(
        patch[:, :, channel], weights[:, :, channel], products[:, :, channel], others, bias, total + bias, y
    )


def _patch(image: np.ndarray, layer: Convolution, row: int, column: int) -> np.ndarray:
    """(size, size, channels): what the filter sees at this position; 0 outside of the image."""
    size, stride = layer.size, layer.stride
    height, width, channels = image.shape
    patch = np.zeros((size, size, channels), np.float32)
    top = row * stride - zeros_before(height, size, stride, layer.padding)
    left = column * stride - zeros_before(width, size, stride, layer.padding)
    rows = slice(max(top, 0), min(top + size, height))
    columns = slice(max(left, 0), min(left + size, width))
    patch[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = image[
        rows, columns
    ]
    return patch
