"""Pooling and its gradients: one thread per element of the output."""

from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup, per_element
from kernels.cuda.toolkit import cuda, divide, float32, kernel


@kernel()
def _max_pool(x, size, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h // size, w // size, maps) = largest of each size x size block of x (n, h, w,
    maps).
    """
    index = cuda.grid(1)
    if index < out.size:
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
def _max_pool_gradient(x, y, grad_y, size, code, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h, w, maps) = grad_y · f'(x) where x is the maximum y of its block, else 0.

    A thread computes one element of `out`, so that no two threads add to one element.
    """
    index = cuda.grid(1)
    if index < out.size:
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


@kernel()
def _average_pool(x, size, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h // size, w // size, maps) = mean of each size x size block of x (n, h, w, maps)."""
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, out.shape[3])
        row, j = divide(pixel, out.shape[2])
        n, i = divide(row, out.shape[1])
        total = float32(0)
        for a in range(size):
            for c in range(size):
                total += x[n, i * size + a, j * size + c, o]
        out[n, i, j, o] = total / float32(size * size)


@kernel()
def _average_pool_gradient(x, grad_y, size, code, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, h, w, maps) = grad_y of the block / size² · f'(x), 0 outside of all blocks."""
    index = cuda.grid(1)
    if index < out.size:
        pixel, o = divide(index, x.shape[3])
        image_row, column = divide(pixel, x.shape[2])
        n, row = divide(image_row, x.shape[1])
        i, _ = divide(row, size)
        j, _ = divide(column, size)
        gradient = float32(0)
        if i < grad_y.shape[1] and j < grad_y.shape[2]:
            share = grad_y[n, i, j, o] / float32(size * size)
            gradient = share * derivative(x[n, row, column, o], code)
        out[n, row, column, o] = gradient


class PoolingOperators(OperatorGroup):
    """Pooling, see `kernels.device.Device`."""

    max_pool = per_element(_max_pool)
    max_pool_gradient = per_element(_max_pool_gradient)
    average_pool = per_element(_average_pool)
    average_pool_gradient = per_element(_average_pool_gradient)
