"""An independent computation of a network in float64 with plain NumPy, and numerical gradients of
it.
"""

from math import prod

import numpy as np

from core.inference.model_file import Model
from core.network.losses import find_loss
from core.network.network import Network
from core.network.notation import parse


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
            k = layer.block
            n, h, w, c = x.shape
            blocks = x[:, : h // k * k, : w // k * k].reshape(n, h // k, k, w // k, k, c)
            reduction = np.max if layer.title == "Pooling" else np.mean
            x = reduction(blocks, axis=(2, 4))
        else:
            assert layer.title == "Dropout"
        outputs.append(x)
    return outputs


def convolve(x, w, layer):
    k = w.shape[0]
    x = padded(x, k, layer)
    windows = np.lib.stride_tricks.sliding_window_view(x, (k, k), axis=(1, 2))
    return np.einsum("nijcae,aeco->nijo", windows[:, :: layer.stride, :: layer.stride], w)


def padded(x, k, layer):
    """Images with the zeros that "same" padding adds: as many before as behind, or one more
    behind.
    """
    if layer.padding == "valid":
        return x
    zeros = [(0, 0)]
    for side in x.shape[1:3]:
        needed = max((-(-side // layer.stride) - 1) * layer.stride + k - side, 0)
        zeros.append((needed // 2, needed - needed // 2))
    return np.pad(x, (*zeros, (0, 0)))


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
