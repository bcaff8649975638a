"""Max pooling and its gradient in plain loops: the readable oracle."""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.sequential.activations import derivative


@compiled
def _max_pool(x: np.ndarray, size: int, out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    largest = x[n, i * size, j * size, o]
                    for a in range(size):
                        for c in range(size):
                            value = x[n, i * size + a, j * size + c, o]
                            # NaN is kept, so that a run that diverges shows it.
                            if value > largest or value != value:
                                largest = value
                    out[n, i, j, o] = largest


@compiled
def _gradient(
    x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: int, code: int, out: np.ndarray
) -> None:
    images, height, width, maps = x.shape
    _, rows, columns, _ = y.shape
    for n in range(images):
        for row in range(height):
            for column in range(width):
                i, j = row // size, column // size
                for o in range(maps):
                    value = x[n, row, column, o]
                    if i < rows and j < columns and value == y[n, i, j, o]:
                        out[n, row, column, o] = grad_y[n, i, j, o] * derivative(value, code)
                    else:
                        out[n, row, column, o] = 0


class PoolingOperators:
    def max_pool(self, x: np.ndarray, size: int, out: np.ndarray) -> None:
        _max_pool(x, size, out)

    def max_pool_gradient(
        self, x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: int, activation: str, out: np.ndarray
    ) -> None:
        _gradient(x, y, grad_y, size, CODES[activation], out)
