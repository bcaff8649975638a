"""Batches: the data set is on the card as bytes, and a batch is gathered from it by a
permutation.
"""

import numpy as np

from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import cuda, divide, float32, kernel, uint64
from kernels.device import Array

SCALE = np.float32(1.0 / 255.0)


@kernel()
def _gather_scaled(source, order, counters, width, out):  # noqa: ANN001, ANN202 - compiled
    """out[row · width + i] = source[order[counters[0] + row] · width + i] / 255, one thread per
    element.

    `source` uint8 and `out` float32 are flat; consecutive threads load consecutive bytes of an
    image.
    """
    i = cuda.grid(1)
    if i < out.shape[0]:
        row, column = divide(i, width)
        image = order[counters[0] + row]
        out[i] = float32(source[uint64(image) * uint64(width) + uint64(column)]) * SCALE


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

    def gather(self, source: Array, order: Array, counters: Array, out: Array) -> None:
        is_scaled = source.dtype == np.uint8
        if out.dtype != (np.float32 if is_scaled else source.dtype):
            raise TypeError(f"cuda: {source.dtype} cannot be gathered into {out.dtype}.")
        arguments = (source, order, counters, out.size // out.shape[0], out)
        self._launch_per_element(
            _gather_scaled if is_scaled else _gather_copied, arguments, (out,), flat=True
        )

    def advance(
        self, counters: Array, examples: int, metrics: Array = None, history: Array = None
    ) -> None:
        one = (1, 1, 1)
        if history is None:
            self._launcher.launch(_advance, one, one, (counters, examples), (counters,))
        else:
            arguments = (counters, examples, metrics, history)
            self._launcher.launch(
                _advance_with_history, one, one, arguments, (counters, metrics, history)
            )
