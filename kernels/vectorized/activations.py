"""Bias, activation and derivative, applied in place to the result of a matrix product, in vector lanes.

Sigmoid and tanh use NumPy's exp and tanh, which are computed in vector registers; Numba's are not.
"""

import numpy as np

from kernels.activations import CLIPPED_LEAKY_RELU, CODES, LEAK, LEAKY_RELU, RELU, SIGMOID, TANH
from kernels.compiled import compiled_fast


@compiled_fast
def add_bias(out: np.ndarray, b: np.ndarray, code: int) -> None:
    """out (n, o) = f(out + b (o,)) for the piecewise linear activations.

    For sigmoid the result is the exponent -(out + b), for tanh the argument out + b.
    """
    zero, one, leak = out.dtype.type(0), out.dtype.type(1), out.dtype.type(LEAK)
    rows, units = out.shape
    for n in range(rows):
        if code == RELU:
            for o in range(units):
                z = out[n, o] + b[o]
                out[n, o] = zero if z < zero else z
        elif code == LEAKY_RELU:
            for o in range(units):
                z = out[n, o] + b[o]
                out[n, o] = leak * z if z < zero else z
        elif code == CLIPPED_LEAKY_RELU:
            for o in range(units):
                z = out[n, o] + b[o]
                high = one + leak * (z - one) if z > one else z
                out[n, o] = leak * z if z < zero else high
        elif code == SIGMOID:
            for o in range(units):
                out[n, o] = -(out[n, o] + b[o])
        else:
            for o in range(units):
                out[n, o] += b[o]


@compiled_fast
def one_over_one_plus(out: np.ndarray) -> None:
    """out (n, o) = 1 / (1 + out)."""
    one = out.dtype.type(1)
    for n in range(out.shape[0]):
        for o in range(out.shape[1]):
            out[n, o] = one / (one + out[n, o])


@compiled_fast
def multiply_by_derivative(out: np.ndarray, y: np.ndarray, code: int) -> None:
    """out (n, o) = out ⊙ f'(y (n, o))."""
    zero, one, leak = out.dtype.type(0), out.dtype.type(1), out.dtype.type(LEAK)
    rows, units = out.shape
    for n in range(rows):
        if code == RELU:
            for o in range(units):
                out[n, o] = out[n, o] if y[n, o] > zero else zero
        elif code == LEAKY_RELU:
            for o in range(units):
                out[n, o] *= leak if y[n, o] < zero else one
        elif code == CLIPPED_LEAKY_RELU:
            for o in range(units):
                outside = (y[n, o] < zero) | (y[n, o] > one)
                out[n, o] *= leak if outside else one
        elif code == SIGMOID:
            for o in range(units):
                out[n, o] *= y[n, o] * (one - y[n, o])
        elif code == TANH:
            for o in range(units):
                out[n, o] *= one - y[n, o] * y[n, o]


def bias_and_activate(out: np.ndarray, b: np.ndarray, activation: str) -> None:
    """out (n, o) = f(out + b (o,)), in place."""
    code = CODES[activation]
    add_bias(out, b, code)
    if code == TANH:
        np.tanh(out, out)
    elif code == SIGMOID:
        # exp of a large argument is infinite, and 1 / (1 + inf) is the right 0.
        with np.errstate(over="ignore"):
            np.exp(out, out)
        one_over_one_plus(out)


def times_derivative(out: np.ndarray, y: np.ndarray, activation: str) -> None:
    """out (n, o) *= f'(y (n, o)), in place."""
    if activation != "linear":
        multiply_by_derivative(out, y, CODES[activation])
