"""The activations and their derivatives for one number, as CUDA kernels use them.

The ends of products are made for one activation each: what a thread does 64 times should be short. Elsewhere
the code is an argument, the same for all threads, so that its branches cost next to nothing. Comparisons are
written so that NaN passes through.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numba import float32

from kernels.activations import CLIPPED_LEAKY_RELU, LEAK, LEAKY_RELU, LINEAR, RELU, SIGMOID, TANH
from kernels.cuda.toolkit import inlined

_LEAK = np.float32(LEAK)


@inlined
def activate(z: Any, code: int) -> Any:
    """f(z) for the activation with this code, float32."""
    if code == RELU:
        return float32(0) if z < float32(0) else z
    if code == SIGMOID:
        return float32(1) / (float32(1) + float32(math.exp(-z)))
    if code == TANH:
        # By exp(-2|z|) - 1, which neither overflows nor loses digits near 0, and is short enough to repeat.
        fall = float32(math.expm1(float32(-2) * abs(z)))
        size = -fall / (float32(2) + fall)
        return -size if z < float32(0) else size
    if code == LEAKY_RELU:
        return _LEAK * z if z < float32(0) else z
    if code == CLIPPED_LEAKY_RELU:
        if z < float32(0):
            return _LEAK * z
        return float32(1) + _LEAK * (z - float32(1)) if z > float32(1) else z
    return z


@inlined
def derivative(y: Any, code: int) -> Any:
    """f'(z) written in y = f(z), float32."""
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
def bias_and_activate(code: int) -> Any:
    """The end of a forward product: f(total + bias[column])."""

    @inlined
    def finish(total: Any, bias: Any, row: int, column: int) -> Any:
        return activate(total + bias[column], code)

    return finish


@cache
def bend(code: int) -> Any:
    """The end of an input gradient: total · f'(y[row, column]); y is not read for the linear activation."""
    if code == LINEAR:
        return identity

    @inlined
    def finish(total: Any, y: Any, row: int, column: int) -> Any:
        return total * derivative(y[row, column], code)

    return finish


@inlined
def identity(total: Any, nothing: Any, row: int, column: int) -> Any:
    """The end of a weight gradient: nothing is left to do."""
    return total
