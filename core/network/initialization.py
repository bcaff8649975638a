"""The random parameters from which training starts."""

from collections.abc import Callable
from math import prod, sqrt

import numpy as np

from core.network.network import Network

# First number of the random stream's key, after the seed: no two uses of a seed share a stream.
_STREAM = 0

_Draw = Callable[[np.random.Generator, tuple[int, ...], int, int], np.ndarray]


def _he(rng: np.random.Generator, shape: tuple[int, ...], inputs: int, outputs: int) -> np.ndarray:
    """He et al. 2015: normal with variance 2 / inputs, which keeps the variance of signals through
    ReLU layers.
    """
    return rng.standard_normal(shape) * sqrt(2 / inputs)


def _glorot(
    rng: np.random.Generator, shape: tuple[int, ...], inputs: int, outputs: int
) -> np.ndarray:
    """Glorot, Bengio 2010: uniform on ± sqrt(6 / (inputs + outputs)), for sigmoid and tanh."""
    bound = sqrt(6 / (inputs + outputs))
    return rng.uniform(-bound, bound, shape)


def _uniform(
    rng: np.random.Generator, shape: tuple[int, ...], inputs: int, outputs: int
) -> np.ndarray:
    """Uniform on ± 1 / sqrt(inputs)."""
    bound = 1 / sqrt(inputs)
    return rng.uniform(-bound, bound, shape)


def _normal(
    rng: np.random.Generator, shape: tuple[int, ...], inputs: int, outputs: int
) -> np.ndarray:
    """Standard normal, for layers of all sizes."""
    return rng.standard_normal(shape)


_DRAWS: dict[str, _Draw] = {
    "he": _he,
    "glorot": _glorot,
    "uniform": _uniform,
    "normal": _normal,
    "normal-weights": _normal,
}

# These draw the biases from the distribution of the weights; with the others, biases start at 0.
_RANDOM_BIASES = ("uniform", "normal")


def initial_parameters(network: Network, initialization: str, seed: int) -> np.ndarray:
    """float32 (parameters,): all weights, all biases, then running means 0 and variances 1; the
    same for the same seed.

    `initialization` is a value of the setting of this name. A convolution's filter of k x k pixels
    has k·k·c inputs, and each of its inputs contributes to k·k·maps outputs.
    """
    rng = np.random.default_rng([seed, _STREAM])
    draw = _DRAWS[initialization]
    weights = []
    biases = []
    statistics = []
    for layer, shape in zip(network.layers, network.weight_shapes, strict=True):
        if shape is None:
            continue
        if layer.has_statistics:
            statistics += [np.zeros(shape[-1]), np.ones(shape[-1])]
        if layer.initial_weight is not None:
            weights.append(np.full(prod(shape), layer.initial_weight))
            biases.append(np.zeros(shape[-1]))
            continue
        inputs = prod(shape[:-1])
        units = shape[-1]
        # The rows and columns of a convolution's filter; of a dense layer prod(()) = 1.
        outputs = units * prod(shape[:-2])
        weights.append(draw(rng, shape, inputs, outputs).ravel())
        random = initialization in _RANDOM_BIASES
        biases.append(draw(rng, (units,), inputs, outputs) if random else np.zeros(units))
    return np.concatenate(weights + biases + statistics).astype(np.float32)
