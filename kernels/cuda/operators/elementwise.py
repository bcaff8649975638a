"""Sums, differences and products element by element, and activations by themselves, on the card."""

from typing import Any

from kernels.activations import CODES
from kernels.cuda.operators import activations
from kernels.cuda.operators.dense import Products, as_stored
from kernels.cuda.operators.indices import divide
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, is_float32, kernel


@kernel()
def _add(x, y, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, place = divide(k, y.shape[0])
        out[k] = x[k] + y[place]


@kernel()
def _subtract(x, y, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, place = divide(k, y.shape[0])
        out[k] = x[k] - y[place]


@kernel()
def _multiply(x, y, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        _, place = divide(k, y.shape[0])
        out[k] = x[k] * y[place]


@kernel()
def _activate(z, code, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        out[k] = activations.activate(z[k], code)


class ElementwiseOperators:
    """Of the device contract; `_products` and `_queue` are the device's."""

    _products: Products
    _queue: Queue

    def add(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_add, x, y, out)

    def subtract(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_subtract, x, y, out)

    def multiply(self, x: Any, y: Any, out: Any) -> None:
        self._pairwise(_multiply, x, y, out)

    def dot(self, x: Any, y: Any, out: Any) -> None:
        is_float32(x, y, out)
        self._products.launch(
            (as_stored, as_stored), (True, False), activations.identity,
            x, y, out, x.shape[1], out, (x, y), aside=False,
        )  # fmt: skip

    def activate(self, z: Any, activation: str, out: Any) -> None:
        is_float32(z, out)
        flat, filled, code = z.reshape(z.size), out.reshape(out.size), CODES[activation]
        self._queue.launch(
            _activate, _grid(out), (THREADS, 1, 1), lambda scratch: (flat, code, filled), (z,), (out,)
        )

    def _pairwise(self, kernel: Any, x: Any, y: Any, out: Any) -> None:
        is_float32(x, y, out)
        one, other, filled = x.reshape(x.size), y.reshape(y.size), out.reshape(out.size)
        self._queue.launch(
            kernel, _grid(out), (THREADS, 1, 1), lambda scratch: (one, other, filled), (x, y), (out,)
        )


def _grid(array: Any) -> tuple[int, int, int]:
    return -(-array.size // THREADS), 1, 1
