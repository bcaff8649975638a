"""Batches on the card: the data set stays there as bytes, and a batch is gathered from it by a permutation."""

from typing import Any

import numpy as np
from numba import float32, uint64

from kernels.cuda.operators.indices import divide
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import THREADS, cuda, kernel

_SCALE = np.float32(1.0 / 255.0)


@kernel()
def _gather_scaled(source, order, counters, width, out):  # noqa: ANN001, ANN202 - compiled
    """One thread an element: neighbouring threads read neighbouring bytes of the same image."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        row, place = divide(i, width)
        image = order[counters[0] + row]
        out[i] = float32(source[uint64(image) * uint64(width) + uint64(place)]) * _SCALE


@kernel()
def _gather_copied(source, order, counters, width, out):  # noqa: ANN001, ANN202 - compiled
    i = cuda.grid(1)
    if i < out.shape[0]:
        row, place = divide(i, width)
        out[i] = source[uint64(order[counters[0] + row]) * uint64(width) + uint64(place)]


@kernel()
def _advance(counters, examples):  # noqa: ANN001, ANN202 - compiled
    counters[0] += examples
    counters[1] += 1


@kernel()
def _advance_with_history(counters, examples, metrics, history):  # noqa: ANN001, ANN202 - compiled
    row = counters[1] % history.shape[0]
    for k in range(history.shape[1]):
        history[row, k] = metrics[k]
        metrics[k] = 0.0
    counters[0] += examples
    counters[1] += 1


class BatchOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def gather(self, source: Any, order: Any, counters: Any, out: Any) -> None:
        if source.dtype == np.uint8 and out.dtype != np.float32:
            raise TypeError(f"cuda: bytes are gathered into float32; this array is {out.dtype}.")
        if source.dtype not in (np.uint8, out.dtype):
            raise TypeError(f"cuda: {source.dtype} cannot be gathered into {out.dtype}.")
        width = out.size // out.shape[0]
        flat, filled = source.reshape(source.size), out.reshape(out.size)
        self._queue.launch(
            _gather_scaled if source.dtype == np.uint8 else _gather_copied,
            (-(-out.size // THREADS), 1, 1),
            (THREADS, 1, 1),
            lambda scratch: (flat, order, counters, width, filled),
            (source, order, counters),
            (out,),
            # A few labels are not worth waiting for before the first product.
            aside=width == 1,
        )

    def advance(self, counters: Any, examples: int, metrics: Any = None, history: Any = None) -> None:
        if history is not None:
            self._queue.launch(
                _advance_with_history,
                (1, 1, 1),
                (1, 1, 1),
                lambda scratch: (counters, examples, metrics, history),
                (counters, metrics),
                (counters, metrics, history),
            )
            return
        self._queue.launch(
            _advance, (1, 1, 1), (1, 1, 1), lambda scratch: (counters, examples), (counters,), (counters,)
        )
