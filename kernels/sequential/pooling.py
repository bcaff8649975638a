"""Max pooling and its gradient in plain loops (LeCun et al. 1998 averaged; maxima: Ranzato et al. 2007)."""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled, compiled_operator
from kernels.sequential.activations import derivative


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
    """Max pooling over blocks of size x size pixels. Rows and columns that fill no block are left out."""

    @compiled_operator
    def max_pool(x: np.ndarray, size: int, out: np.ndarray) -> None:
        """out (n, h // size, w // size, maps) = the largest number of each block of x (n, h, w, maps)."""
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

    def max_pool_gradient(
        self, x: np.ndarray, y: np.ndarray, grad_y: np.ndarray, size: int, activation: str, out: np.ndarray
    ) -> None:
        """The gradient by z of the layer below, out (n, h, w, maps); x = f(z) is its output, y = max_pool(x).

        Derivation: y is the maximum of its block, so ∂y/∂x is 1 at the maximum and 0 elsewhere in the block, and the
        chain rule passes grad_y on to the maximum only. Each of several equal maxima gets the full grad_y. Outside of
        all blocks the gradient is 0. Multiplying by f'(x) gives the gradient by z.
        """
        _gradient(x, y, grad_y, size, CODES[activation], out)
