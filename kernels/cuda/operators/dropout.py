"""Dropout and its gradient on the card; the noise says who is dropped, so no mask is kept."""

from typing import Any

import numpy as np
from numba import float32

from kernels import noise
from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, inlined, is_float32, kernel

_stream = inlined(noise.stream)
_draw = inlined(noise.draw)


@kernel()
def _dropout(x, dropped, scale, seed, layer, counters, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = x[k] * scale if _draw(key, k) >= dropped else float32(0)


@kernel()
def _gradient(grad_y, dropped, scale, seed, layer, counters, y, code, out):  # noqa: ANN001, ANN202 - compiled
    k = cuda.grid(1)
    if k < out.shape[0]:
        key = _stream(seed, int(counters[1]), layer)
        out[k] = grad_y[k] * scale * derivative(y[k], code) if _draw(key, k) >= dropped else float32(0)


class DropoutOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def dropout(self, x: Any, percent: int, seed: int, layer: int, counters: Any, out: Any) -> None:
        is_float32(x, out)
        dropped, scale = noise.threshold(percent), np.float32(100 / (100 - percent))
        flat, filled = x.reshape(x.size), out.reshape(out.size)
        self._queue.launch(
            _dropout, _grid(out), (THREADS, 1, 1),
            lambda scratch: (flat, dropped, scale, seed, layer, counters, filled), (x, counters), (out,),
        )  # fmt: skip

    def dropout_gradient(
        self,
        grad_y: Any,
        percent: int,
        seed: int,
        layer: int,
        counters: Any,
        y: Any,
        activation: str,
        out: Any,
    ) -> None:
        # With "linear" y may be anything: dy stands in, times 1.
        y = grad_y if activation == "linear" else y
        is_float32(grad_y, y, out)
        dropped, scale, code = noise.threshold(percent), np.float32(100 / (100 - percent)), CODES[activation]
        flat, values, filled = grad_y.reshape(grad_y.size), y.reshape(y.size), out.reshape(out.size)
        self._queue.launch(
            _gradient, _grid(out), (THREADS, 1, 1),
            lambda scratch: (flat, dropped, scale, seed, layer, counters, values, code, filled),
            (grad_y, y, counters), (out,),
        )  # fmt: skip


def _grid(array: Any) -> tuple[int, int, int]:
    return -(-array.size // THREADS), 1, 1
