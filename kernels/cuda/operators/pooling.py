"""Max pooling and its gradient on the card: one thread an element of the output."""

from typing import Any

from numba import float32

from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.indices import divide
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, is_float32, kernel


@kernel()
def _max_pool(x, size, out, total):  # noqa: ANN001, ANN202 - compiled
    number = cuda.grid(1)
    if number < total:
        rest, o = divide(number, out.shape[3])
        rest, j = divide(rest, out.shape[2])
        n, i = divide(rest, out.shape[1])
        largest = x[n, i * size, j * size, o]
        for a in range(size):
            for c in range(size):
                value = x[n, i * size + a, j * size + c, o]
                # NaN is kept, so that a run that diverges shows it.
                if value > largest or value != value:
                    largest = value
        out[n, i, j, o] = largest


@kernel()
def _gradient(x, y, grad_y, size, code, out, total):  # noqa: ANN001, ANN202 - compiled
    """Each pixel looks up its own block, so that no two threads add to one element."""
    number = cuda.grid(1)
    if number < total:
        rest, o = divide(number, x.shape[3])
        rest, column = divide(rest, x.shape[2])
        n, row = divide(rest, x.shape[1])
        i, _ = divide(row, size)
        j, _ = divide(column, size)
        value = x[n, row, column, o]
        grad_z = float32(0)
        if i < y.shape[1] and j < y.shape[2] and value == y[n, i, j, o]:
            grad_z = grad_y[n, i, j, o] * derivative(value, code)
        out[n, row, column, o] = grad_z


class PoolingOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def max_pool(self, x: Any, size: int, out: Any) -> None:
        is_float32(x, out)
        self._queue.launch(
            _max_pool, _grid(out), (THREADS, 1, 1), lambda scratch: (x, size, out, out.size), (x,), (out,)
        )

    def max_pool_gradient(self, x: Any, y: Any, grad_y: Any, size: int, activation: str, out: Any) -> None:
        is_float32(x, y, grad_y, out)
        code = CODES[activation]
        self._queue.launch(
            _gradient, _grid(out), (THREADS, 1, 1),
            lambda scratch: (x, y, grad_y, size, code, out, out.size), (x, y, grad_y), (out,),
        )  # fmt: skip


def _grid(array: Any) -> tuple[int, int, int]:
    return -(-array.size // THREADS), 1, 1
