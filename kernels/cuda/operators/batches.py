"""Batches: the data set is on the card as bytes, and a batch is gathered from it by a permutation."""

from typing import Any

import numpy as np
from numba import float32, uint64

from kernels.cuda.operators.base import OperatorGroup, flat
from kernels.cuda.toolkit import cuda, divide, kernel

_SCALE = np.float32(1.0 / 255.0)


@kernel()
def _gather_scaled(source, order, counters, width, out):  # noqa: ANN001, ANN202 - compiled
    """out[row · width + i] = source[order[counters[0] + row] · width + i] / 255, one thread per element.

    `source` uint8 and `out` float32 are flat; consecutive threads load consecutive bytes of an image.
    """
    i = cuda.grid(1)
    if i < out.shape[0]:
        row, column = divide(i, width)
        image = order[counters[0] + row]
        out[i] = float32(source[uint64(image) * uint64(width) + uint64(column)]) * _SCALE


@kernel()
def _gather_copied(source, order, counters, width, out):  # noqa: ANN001, ANN202 - compiled
    """As `_gather_scaled`, without the division; `source` and `out` have one dtype."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        row, column = divide(i, width)
        out[i] = source[uint64(order[counters[0] + row]) * uint64(width) + uint64(column)]


@kernel()
def _advance(counters, examples):  # noqa: ANN001, ANN202 - compiled
    """counters[0] += examples; counters[1] += 1. One thread."""
    counters[0] += examples
    counters[1] += 1


@kernel()
def _advance_with_history(counters, examples, metrics, history):  # noqa: ANN001, ANN202 - compiled
    """history[counters[1] mod its rows] = metrics; metrics = 0; then as `_advance`. One thread."""
    _, row = divide(counters[1], history.shape[0])
    for k in range(history.shape[1]):
        history[row, k] = metrics[k]
        metrics[k] = 0.0
    counters[0] += examples
    counters[1] += 1


class BatchOperators(OperatorGroup):
    """Batches of a data set, see `kernels.device.Device`."""

    def gather(self, source: Any, order: Any, counters: Any, out: Any) -> None:
        if source.dtype == np.uint8 and out.dtype != np.float32:
            raise TypeError(f"cuda: bytes are gathered into float32; this array is {out.dtype}.")
        if source.dtype not in (np.uint8, out.dtype):
            raise TypeError(f"cuda: {source.dtype} cannot be gathered into {out.dtype}.")
        kernel = _gather_scaled if source.dtype == np.uint8 else _gather_copied
        arguments = (flat(source), order, counters, out.size // out.shape[0], flat(out))
        self._launch_per_element(kernel, out.size, arguments, (source, order, counters), (out,))

    def advance(self, counters: Any, examples: int, metrics: Any = None, history: Any = None) -> None:
        arrays: tuple[Any, ...] = (counters,)
        kernel = _advance
        arguments: tuple[Any, ...] = (counters, examples)
        if history is not None:
            kernel, arrays = _advance_with_history, (counters, metrics, history)
            arguments = (counters, examples, metrics, history)
        self._launcher.launch(kernel, (1, 1, 1), (1, 1, 1), lambda workspace: arguments, arrays, arrays)
