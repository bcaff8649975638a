"""Pooling and its gradients: one thread per element of the output."""

from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import cuda, divide, float32, kernel
from kernels.device import Array, Size, sides


@kernel()
def _max_pool(x, tall, wide, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h // tall, w // wide, maps) = largest of each tall x wide block of x (n, h, w,
    maps).
    """
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, out.shape[3])
        row, j = divide(pixel, out.shape[2])
        n, i = divide(row, out.shape[1])
        largest = x[n, i * tall, j * wide, o]
        for a in range(tall):
            for c in range(wide):
                value = x[n, i * tall + a, j * wide + c, o]
                # NaN is kept, so that divergence is visible.
                if value > largest or value != value:
                    largest = value
        out[n, i, j, o] = largest


@kernel()
def _max_pool_gradient(x, y, grad_y, tall, wide, code, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h, w, maps) = grad_y · f'(x) where x is the maximum y of its block, else 0.

    A thread computes one element of `out`, so that no two threads add to one element.
    """
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, x.shape[3])
        image_row, column = divide(pixel, x.shape[2])
        n, row = divide(image_row, x.shape[1])
        i, _ = divide(row, tall)
        j, _ = divide(column, wide)
        value = x[n, row, column, o]
        gradient = float32(0)
        if i < y.shape[1] and j < y.shape[2] and value == y[n, i, j, o]:
            gradient = grad_y[n, i, j, o] * derivative(value, code)
        out[n, row, column, o] = gradient


@kernel()
def _average_pool(x, tall, wide, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h // tall, w // wide, maps) = mean of each tall x wide block of x (n, h, w, maps)."""
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, out.shape[3])
        row, j = divide(pixel, out.shape[2])
        n, i = divide(row, out.shape[1])
        total = float32(0)
        for a in range(tall):
            for c in range(wide):
                total += x[n, i * tall + a, j * wide + c, o]
        out[n, i, j, o] = total / float32(tall * wide)


@kernel()
def _average_pool_gradient(x, grad_y, tall, wide, code, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h, w, maps) = grad_y of the block / (tall · wide) · f'(x), 0 outside of all
    blocks.
    """
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, x.shape[3])
        image_row, column = divide(pixel, x.shape[2])
        n, row = divide(image_row, x.shape[1])
        i, _ = divide(row, tall)
        j, _ = divide(column, wide)
        gradient = float32(0)
        if i < grad_y.shape[1] and j < grad_y.shape[2]:
            share = grad_y[n, i, j, o] / float32(tall * wide)
            gradient = share * derivative(x[n, row, column, o], code)
        out[n, row, column, o] = gradient


class PoolingOperators(OperatorGroup):
    """Pooling, see `kernels.device.Device`."""

    def max_pool(self, x: Array, size: Size, out: Array) -> None:
        self._launch_per_element(_max_pool, (x, *sides(size), out), (out,))

    def max_pool_gradient(
        self, x: Array, y: Array, grad_y: Array, size: Size, activation: str, out: Array
    ) -> None:
        arguments = (x, y, grad_y, *sides(size), activation, out)
        self._launch_per_element(_max_pool_gradient, arguments, (out,))

    def average_pool(self, x: Array, size: Size, out: Array) -> None:
        self._launch_per_element(_average_pool, (x, *sides(size), out), (out,))

    def average_pool_gradient(
        self, x: Array, grad_y: Array, size: Size, activation: str, out: Array
    ) -> None:
        arguments = (x, grad_y, *sides(size), activation, out)
        self._launch_per_element(_average_pool_gradient, arguments, (out,))
