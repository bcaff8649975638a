"""Sums, differences and products of elements, the matrix product and the activations, in plain
loops.
"""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled, compiled_operator
from kernels.sequential import activations


@compiled
def _add(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    for k in range(x.size):
        out[k] = x[k] + y[k % y.size]


@compiled
def _subtract(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    for k in range(x.size):
        out[k] = x[k] - y[k % y.size]


@compiled
def _multiply(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    for k in range(x.size):
        out[k] = x[k] * y[k % y.size]


@compiled
def _activate(z: np.ndarray, code: int, out: np.ndarray) -> None:
    for k in range(z.size):
        out[k] = activations.activate(z[k], code)


@compiled
def _multiply_by_derivative(y: np.ndarray, code: int, out: np.ndarray) -> None:
    for k in range(y.size):
        out[k] *= activations.derivative(y[k], code)


class ElementwiseOperators:
    """Operators for users who compute step by step; a network has them inside of its layers.

    A y with fewer elements than x is repeated, so that a row is added to every row and a number to
    all elements.
    """

    def add(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        """out[k] = x[k] + y[k mod size of y], over flat arrays."""
        _add(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    def subtract(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        """out[k] = x[k] - y[k mod size of y], over flat arrays."""
        _subtract(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    def multiply(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        """out[k] = x[k] · y[k mod size of y], over flat arrays."""
        _multiply(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    @compiled_operator
    def dot(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        """The matrix product: out (n, o) = x (n, i) · y (i, o)."""
        rows, inner = x.shape
        columns = y.shape[1]
        for n in range(rows):
            for o in range(columns):
                out[n, o] = 0
            for i in range(inner):
                for o in range(columns):
                    out[n, o] += x[n, i] * y[i, o]

    def activate(self, z: np.ndarray, activation: str, out: np.ndarray) -> None:
        """out = f(z), element by element; `out` may be z."""
        _activate(z.reshape(-1), CODES[activation], out.reshape(-1))

    def multiply_by_derivative(self, y: np.ndarray, activation: str, out: np.ndarray) -> None:
        """The chain rule for y = f(z): with ∂E/∂y in `out`, ∂E/∂z = ∂E/∂y ⊙ f'(z)."""
        _multiply_by_derivative(y.reshape(-1), CODES[activation], out.reshape(-1))
