"""Sums, differences and products of elements by NumPy, the matrix product by its BLAS."""

import numpy as np

from kernels.activations import ACTIVATIONS, CODES, by_code
from kernels.compiled import compiled_fast, compiled_part
from kernels.vectorized.activations import SIGMOID, TANH
from kernels.vectorized.thread_pool import Pooled

_activate = compiled_fast(by_code(
    "activate_flat(z, out, code)", """
for k in range(z.size):
    out[k] = f(z[k], out.dtype.type)
""", [compiled_part(cls.value) for cls in ACTIVATIONS.values()],
))  # fmt: skip


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
        if code == TANH:
            np.tanh(z, out)
        elif code == SIGMOID:
            np.negative(z, out)
            # exp of a large argument is infinite, and 1 / (1 + inf) is the right 0.
            with np.errstate(over="ignore"):
                np.exp(out, out)
            np.add(out, 1, out)
            np.reciprocal(out, out)
        else:
            _activate(z.reshape(-1), out.reshape(-1), code)


def _rows(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x, y and out as rows as long as y, so that NumPy repeats y."""
    return x.reshape(-1, y.size), y.reshape(1, -1), out.reshape(-1, y.size)
