"""An independent computation of a network in float64 with plain NumPy, and numerical gradients of
it.
"""

from math import prod

import numpy as np

from core.inference.model_file import Model
from core.network.losses import find_loss
from core.network.network import Network
from core.network.notation import parse
from kernels.device import sides


def activate(z, name):
    if name == "sigmoid":
        return 1 / (1 + np.exp(-z))
    if name == "tanh":
        return np.tanh(z)
    if name == "relu":
        return np.maximum(z, 0)
    if name == "leaky-relu":
        return np.where(z < 0, 0.01 * z, z)
    if name == "clipped-leaky-relu":
        return np.where(z < 0, 0.01 * z, np.where(z > 1, 1 + 0.01 * (z - 1), z))
    if name == "gelu":
        return 0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))
    assert name == "linear"
    return z


def split(network: Network, parameters):
    """(weights, biases) of each layer, None for those without; of batch normalization scale, shift,
    mean, variance.
    """
    weight, bias, result = 0, sum(prod(s) for s in network.weight_shapes if s), []
    statistic = bias + sum(s[-1] for s in network.weight_shapes if s)
    for layer, shape in zip(network.layers, network.weight_shapes, strict=True):
        if shape is None:
            result.append(None)
            continue
        result.append(
            (
                parameters[weight : weight + prod(shape)].reshape(shape),
                parameters[bias : bias + shape[-1]],
            )
        )
        weight, bias = weight + prod(shape), bias + shape[-1]
        if layer.title == "Batch normalization":
            statistics = parameters[statistic : statistic + 2 * shape[-1]].reshape(2, -1)
            result[-1] = (*result[-1], *statistics)
            statistic += 2 * shape[-1]
    return result


def forward(model: Model, inputs):
    """The output of each layer for inputs (n, *input shape) in 0..1, as float64."""
    network = model.network
    names = network.activations(model.activation, find_loss(model.loss, model.kind))
    x, outputs = inputs.astype(float), []
    for layer, name, own in zip(
        network.layers, names, split(network, model.parameters.astype(float)), strict=True
    ):
        if layer.title == "Dense":
            x = activate(x.reshape(len(x), -1) @ own[0] + own[1], name)
        elif layer.title == "Convolution":
            x = activate(convolve(x, own[0], layer) + own[1], name)
        elif layer.title == "Batch normalization":
            scale, shift, mean, variance = own
            x = activate(scale * (x - mean) / np.sqrt(variance + 1e-5) + shift, name)
        elif layer.title in ("Pooling", "Average pooling"):
            (k, m), (n, h, w, c) = sides(layer.block), x.shape
            blocks = x[:, : h // k * k, : w // m * m].reshape(n, h // k, k, w // m, m, c)
            reduction = np.max if layer.title == "Pooling" else np.mean
            x = reduction(blocks, axis=(2, 4))
        else:
            assert layer.title == "Dropout"
        outputs.append(x)
    return outputs


def convolve(x, w, layer):
    x = padded(x, layer)
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[:2], axis=(1, 2))
    return np.einsum("nijcae,aeco->nijo", windows[:, :: layer.stride, :: layer.stride], w)


def padded(x, layer):
    """Images with the zeros that "same" padding adds: as many before as behind, or one more
    behind; of "beside" the columns.
    """
    zeros = []
    for side, k in zip(x.shape[1:3], sides(layer.size), strict=True):
        needed = max((-(-side // layer.stride) - 1) * layer.stride + k - side, 0)
        zeros.append((needed // 2, needed - needed // 2))
    padded_sides = {"same": (True, True), "valid": (False, False), "beside": (False, True)}
    kept = [z if on else (0, 0) for z, on in zip(zeros, padded_sides[layer.padding], strict=True)]
    return np.pad(x, ((0, 0), *kept, (0, 0)))


def gradient(model, image, score, step=1e-5):
    """The gradient of `score(outputs)` by the pixels of one image, by central differences."""
    result = np.zeros(image.size)
    for k in range(image.size):
        values = []
        for sign in (1, -1):
            moved = image.astype(float).ravel().copy()
            moved[k] += sign * step
            values.append(score(forward(model, moved.reshape(1, *image.shape))))
        result[k] = (values[0] - values[1]) / (2 * step)
    return result.reshape(image.shape)


def make_model(
    text,
    shape=(8, 8, 1),
    outputs=3,
    *,
    activation="tanh",
    loss="cross-entropy",
    seed=0,
    kind="classes",
):
    network = parse(text, shape, outputs)
    rng = np.random.default_rng(seed)
    parameters = (0.5 * rng.standard_normal(network.parameter_count)).astype(np.float32)
    parameters[network.trained_count :] = np.abs(parameters[network.trained_count :]) + 0.1
    classes = tuple("abcdefghij"[:outputs]) if kind == "classes" else ()
    return Model(network, activation, loss, kind, classes, parameters)
