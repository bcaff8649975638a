"""Sums, differences and products element by element, and the plain matrix product, in plain loops."""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
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
def _dot(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    rows, inner = x.shape
    columns = y.shape[1]
    for n in range(rows):
        for o in range(columns):
            out[n, o] = 0
        for i in range(inner):
            for o in range(columns):
                out[n, o] += x[n, i] * y[i, o]


@compiled
def _activate(z: np.ndarray, code: int, out: np.ndarray) -> None:
    for k in range(z.size):
        out[k] = activations.activate(z[k], code)


class ElementwiseOperators:
    def add(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        _add(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    def subtract(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        _subtract(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    def multiply(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        _multiply(x.reshape(-1), y.reshape(-1), out.reshape(-1))

    def dot(self, x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
        _dot(x, y, out)

    def activate(self, z: np.ndarray, activation: str, out: np.ndarray) -> None:
        _activate(z.reshape(-1), CODES[activation], out.reshape(-1))
