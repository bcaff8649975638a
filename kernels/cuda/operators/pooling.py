"""Max pooling and its gradient: one thread per element of the output."""

from typing import Any

from numba import float32

from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import cuda, divide, kernel, require_float32


@kernel()
def _max_pool(x, size, out, elements):  # noqa: ANN001, ANN202 - compiled
    """out (n, h // size, w // size, maps) = largest of each size x size block of x (n, h, w, maps).

    `elements` is the size of `out`.
    """
    index = cuda.grid(1)
    if index < elements:
        pixel, o = divide(index, out.shape[3])
        row, j = divide(pixel, out.shape[2])
        n, i = divide(row, out.shape[1])
        largest = x[n, i * size, j * size, o]
        for a in range(size):
            for c in range(size):
                value = x[n, i * size + a, j * size + c, o]
                # NaN is kept, so that divergence is visible.
                if value > largest or value != value:
                    largest = value
        out[n, i, j, o] = largest


@kernel()
def _max_pool_gradient(x, y, grad_y, size, code, out, elements):  # noqa: ANN001, ANN202 - compiled
    """out (n, h, w, maps) = grad_y · f'(x) where x is the maximum y of its block, else 0.

    A thread computes one element of `out`, of size `elements`, so that no two threads add to one element.
    """
    index = cuda.grid(1)
    if index < elements:
        pixel, o = divide(index, x.shape[3])
        image_row, column = divide(pixel, x.shape[2])
        n, row = divide(image_row, x.shape[1])
        i, _ = divide(row, size)
        j, _ = divide(column, size)
        value = x[n, row, column, o]
        gradient = float32(0)
        if i < y.shape[1] and j < y.shape[2] and value == y[n, i, j, o]:
            gradient = grad_y[n, i, j, o] * derivative(value, code)
        out[n, row, column, o] = gradient


class PoolingOperators(OperatorGroup):
    """Max pooling, see `kernels.device.Device`."""

    def max_pool(self, x: Any, size: int, out: Any) -> None:
        require_float32(x, out)
        self._launch_per_element(_max_pool, out.size, (x, size, out, out.size), (x,), (out,))

    def max_pool_gradient(self, x: Any, y: Any, grad_y: Any, size: int, activation: str, out: Any) -> None:
        require_float32(x, y, grad_y, out)
        arguments = (x, y, grad_y, size, CODES[activation], out, out.size)
        self._launch_per_element(_max_pool_gradient, out.size, arguments, (x, y, grad_y), (out,))
