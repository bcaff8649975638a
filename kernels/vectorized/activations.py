"""Bias, activation and derivative, applied in place to the result of a matrix product, in vector lanes.

Sigmoid and tanh use NumPy's exp and tanh, which are computed in vector registers; Numba's are not.
"""

import numpy as np

from kernels.activations import CLIPPED_LEAKY_RELU, CODES, LEAK, LEAKY_RELU, RELU, SIGMOID, TANH
from kernels.compiled import compiled_fast


@compiled_fast
def add_bias(out: np.ndarray, b: np.ndarray, code: int, first: int, last: int) -> None:
    """out = f(out + b) in the columns `first` .. `last` for the piecewise linear activations.

    For sigmoid the result is the exponent -(out + b), for tanh the argument out + b.
    """
    zero, one, leak = out.dtype.type(0), out.dtype.type(1), out.dtype.type(LEAK)
    biases = b[first:last]
    for n in range(out.shape[0]):
        # A view: the compiler cannot tell that `first` + o is not negative, and would not use vector lanes.
        row = out[n, first:last]
        for o in range(biases.size):
            row[o] += biases[o]
        if code == RELU:
            for o in range(biases.size):
                row[o] = zero if row[o] < zero else row[o]
        elif code == LEAKY_RELU:
            for o in range(biases.size):
                row[o] = leak * row[o] if row[o] < zero else row[o]
        elif code == CLIPPED_LEAKY_RELU:
            for o in range(biases.size):
                high = one + leak * (row[o] - one) if row[o] > one else row[o]
                row[o] = leak * row[o] if row[o] < zero else high
        elif code == SIGMOID:
            for o in range(biases.size):
                row[o] = -row[o]


@compiled_fast
def one_over_one_plus(out: np.ndarray, first: int, last: int) -> None:
    """out = 1 / (1 + out) in the columns `first` .. `last`."""
    one = out.dtype.type(1)
    for n in range(out.shape[0]):
        row = out[n, first:last]
        for o in range(row.size):
            row[o] = one / (one + row[o])


@compiled_fast
def multiply_by_derivative(out: np.ndarray, y: np.ndarray, code: int, first: int, last: int) -> None:
    """out = out ⊙ f'(y) in the columns `first` .. `last`."""
    zero, one, leak = out.dtype.type(0), out.dtype.type(1), out.dtype.type(LEAK)
    for n in range(out.shape[0]):
        row, answers = out[n, first:last], y[n, first:last]
        if code == RELU:
            for o in range(row.size):
                value = row[o]
                row[o] = value if answers[o] > zero else zero
        elif code == LEAKY_RELU:
            for o in range(row.size):
                row[o] *= leak if answers[o] < zero else one
        elif code == CLIPPED_LEAKY_RELU:
            for o in range(row.size):
                outside = (answers[o] < zero) | (answers[o] > one)
                row[o] *= leak if outside else one
        elif code == SIGMOID:
            for o in range(row.size):
                row[o] *= answers[o] * (one - answers[o])
        elif code == TANH:
            for o in range(row.size):
                row[o] *= one - answers[o] * answers[o]


def bias_and_activate(out: np.ndarray, b: np.ndarray, activation: str) -> None:
    """out (n, o) = f(out + b (o,)), in place."""
    code = CODES[activation]
    add_bias(out, b, code, 0, out.shape[1])
    if code == TANH:
        np.tanh(out, out)
    elif code == SIGMOID:
        # exp of a large argument is infinite, and 1 / (1 + inf) is the right 0.
        with np.errstate(over="ignore"):
            np.exp(out, out)
        one_over_one_plus(out, 0, out.shape[1])


def times_derivative(out: np.ndarray, y: np.ndarray, activation: str) -> None:
    """out (n, o) *= f'(y (n, o)), in place."""
    if activation != "linear":
        multiply_by_derivative(out, y, CODES[activation], 0, out.shape[1])
