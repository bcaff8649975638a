"""Pooling and its gradients in plain loops (means: LeCun et al. 1998; maxima: Ranzato et al.
2007).
"""

import numpy as np

from kernels.activations import CODES
from kernels.compiled import compiled
from kernels.device import Size, sides
from kernels.sequential.activations import derivative


@compiled
def _gradient(
    x: np.ndarray,
    y: np.ndarray,
    grad_y: np.ndarray,
    size: tuple[int, int],
    code: int,
    out: np.ndarray,
) -> None:
    images, height, width, maps = x.shape
    _, rows, columns, _ = y.shape
    for n in range(images):
        for row in range(height):
            for column in range(width):
                i, j = row // size[0], column // size[1]
                for o in range(maps):
                    value = x[n, row, column, o]
                    if i < rows and j < columns and value == y[n, i, j, o]:
                        out[n, row, column, o] = grad_y[n, i, j, o] * derivative(value, code)
                    else:
                        out[n, row, column, o] = 0


@compiled
def _average_gradient(
    x: np.ndarray, grad_y: np.ndarray, size: tuple[int, int], code: int, out: np.ndarray
) -> None:
    images, height, width, maps = x.shape
    _, rows, columns, _ = grad_y.shape
    for n in range(images):
        for row in range(height):
            for column in range(width):
                i, j = row // size[0], column // size[1]
                for o in range(maps):
                    if i < rows and j < columns:
                        share = grad_y[n, i, j, o] / (size[0] * size[1])
                        out[n, row, column, o] = share * derivative(x[n, row, column, o], code)
                    else:
                        out[n, row, column, o] = 0


@compiled
def _max_pool(x: np.ndarray, size: tuple[int, int], out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    largest = x[n, i * size[0], j * size[1], o]
                    for a in range(size[0]):
                        for c in range(size[1]):
                            value = x[n, i * size[0] + a, j * size[1] + c, o]
                            # NaN is kept, so that a run that diverges shows it.
                            if value > largest or value != value:
                                largest = value
                    out[n, i, j, o] = largest


@compiled
def _average_pool(x: np.ndarray, size: tuple[int, int], out: np.ndarray) -> None:
    images, rows, columns, maps = out.shape
    for n in range(images):
        for i in range(rows):
            for j in range(columns):
                for o in range(maps):
                    # 0.0 would make it a sum in float64.
                    total = x.dtype.type(0)
                    for a in range(size[0]):
                        for c in range(size[1]):
                            total += x[n, i * size[0] + a, j * size[1] + c, o]
                    out[n, i, j, o] = total / (size[0] * size[1])


class PoolingOperators:
    """Pooling over blocks of `size`, k x l pixels. Rows and columns that fill no block are left
    out.
    """

    def max_pool(self, x: np.ndarray, size: Size, out: np.ndarray) -> None:
        """out (n, h // k, w // l, maps) = the largest number of each block of x (n, h, w, maps)."""
        _max_pool(x, sides(size), out)

    def max_pool_gradient(
        self,
        x: np.ndarray,
        y: np.ndarray,
        grad_y: np.ndarray,
        size: Size,
        activation: str,
        out: np.ndarray,
    ) -> None:
        """The gradient by z of the layer below, out (n, h, w, maps); x = f(z) is its output, y =
        max_pool(x).

        Derivation: y is the maximum of its block, so ∂y/∂x is 1 at the maximum and 0 elsewhere in
        the block, and the chain rule passes grad_y on to the maximum only. Each of several equal
        maxima gets the full grad_y. Outside of all blocks the gradient is 0. Multiplying by f'(x)
        gives the gradient by z.
        """
        _gradient(x, y, grad_y, sides(size), CODES[activation], out)

    def average_pool(self, x: np.ndarray, size: Size, out: np.ndarray) -> None:
        """out (n, h // k, w // l, maps) = the mean of each block of x (n, h, w, maps)."""
        _average_pool(x, sides(size), out)

    def average_pool_gradient(
        self, x: np.ndarray, grad_y: np.ndarray, size: Size, activation: str, out: np.ndarray
    ) -> None:
        """The gradient by z of the layer below, out (n, h, w, maps); x = f(z) is its output, y =
        average_pool(x).

        Derivation: y = Σ x / kl over the block, so ∂y/∂x = 1 / kl for each of its elements,
        which are in no other block: ∂E/∂x = grad_y / kl. Outside of all blocks it is 0.
        Multiplying by f'(x) gives the gradient by z.
        """
        _average_gradient(x, grad_y, sides(size), CODES[activation], out)
