"""Sums, differences and products of elements by NumPy, the matrix product by its BLAS."""

import numpy as np

from kernels.activations import CLIPPED_LEAKY_RELU, CODES, LEAK, LEAKY_RELU, LINEAR, RELU, SIGMOID, TANH
from kernels.compiled import compiled_fast
from kernels.vectorized.thread_pool import Pooled


@compiled_fast
def _activate(z: np.ndarray, code: int, out: np.ndarray) -> None:
    """The piecewise linear activations over flat arrays."""
    zero, one, leak = out.dtype.type(0), out.dtype.type(1), out.dtype.type(LEAK)
    if code == RELU:
        for k in range(z.size):
            out[k] = zero if z[k] < zero else z[k]
    elif code == LEAKY_RELU:
        for k in range(z.size):
            out[k] = leak * z[k] if z[k] < zero else z[k]
    elif code == CLIPPED_LEAKY_RELU:
        for k in range(z.size):
            high = one + leak * (z[k] - one) if z[k] > one else z[k]
            out[k] = leak * z[k] if z[k] < zero else high


class ElementwiseOperators(Pooled):
    def add(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.add(*_rows(x, y, out))

    def subtract(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.subtract(*_rows(x, y, out))

    def multiply(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        np.multiply(*_rows(x, y, out))

    def dot(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        self.product(x, y, out)

    def activate(self, z: np.ndarray, activation: str, out: np.ndarray) -> None:
        code = CODES[activation]
        if code == LINEAR:
            np.copyto(out, z)
        elif code == TANH:
            np.tanh(z, out)
        elif code == SIGMOID:
            np.negative(z, out)
            # exp of a large argument is infinite, and 1 / (1 + inf) is the right 0.
            with np.errstate(over="ignore"):
                np.exp(out, out)
            np.add(out, 1, out)
            np.reciprocal(out, out)
        else:
            _activate(z.reshape(-1), code, out.reshape(-1))


def _rows(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, y and out as rows as long as y, so that NumPy repeats y."""
    return x.reshape(-1, y.size), y.reshape(1, -1), out.reshape(-1, y.size)
