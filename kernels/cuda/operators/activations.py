"""Activations and their derivatives for one float32, and the epilogues of matrix products that apply them.

Epilogues are compiled for one activation each, since a thread runs them up to 64 times. Other kernels take the
activation's code (`kernels.activations`) as an argument; it is the same for all threads, so its branches are cheap.
Comparisons are written so that NaN propagates.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numba import float32

from kernels.activations import CLIPPED_LEAKY_RELU, LEAK, LEAKY_RELU, LINEAR, RELU, SIGMOID, TANH
from kernels.cuda.toolkit import device_function

_LEAK = np.float32(LEAK)


@device_function
def activate(z: Any, code: int) -> Any:
    """f(z) of the activation with this code."""
    if code == RELU:
        return float32(0) if z < float32(0) else z
    if code == SIGMOID:
        return float32(1) / (float32(1) + float32(math.exp(-z)))
    if code == TANH:
        # tanh |z| = -e / (2 + e) with e = exp(-2|z|) - 1: no overflow, and no cancellation near 0.
        e = float32(math.expm1(float32(-2) * abs(z)))
        size = -e / (float32(2) + e)
        return -size if z < float32(0) else size
    if code == LEAKY_RELU:
        return _LEAK * z if z < float32(0) else z
    if code == CLIPPED_LEAKY_RELU:
        if z < float32(0):
            return _LEAK * z
        return float32(1) + _LEAK * (z - float32(1)) if z > float32(1) else z
    return z


@device_function
def derivative(y: Any, code: int) -> Any:
    """f'(z) of the activation with this code, computed from y = f(z)."""
    if code == RELU:
        return float32(1) if y > float32(0) else float32(0)
    if code == SIGMOID:
        return y * (float32(1) - y)
    if code == TANH:
        return float32(1) - y * y
    if code == LEAKY_RELU:
        return _LEAK if y < float32(0) else float32(1)
    if code == CLIPPED_LEAKY_RELU:
        return _LEAK if y < float32(0) or y > float32(1) else float32(1)
    return float32(1)


@cache
def bias_and_activation(code: int) -> Any:
    """Epilogue of a forward product: f(total + bias[column])."""

    @device_function
    def epilogue(total: Any, bias: Any, row: int, column: int) -> Any:
        return activate(total + bias[column], code)

    return epilogue


@cache
def times_derivative(code: int) -> Any:
    """Epilogue of an input gradient: total · f'(y[row, column]). With the linear activation y is not read."""
    if code == LINEAR:
        return identity

    @device_function
    def epilogue(total: Any, y: Any, row: int, column: int) -> Any:
        return total * derivative(y[row, column], code)

    return epilogue


@device_function
def identity(total: Any, unused: Any, row: int, column: int) -> Any:
    """Epilogue of a weight gradient: the total itself."""
    return total
