"""Gathering a batch from the data set: the examples at a position in the order of the epoch."""

import numpy as np

from kernels.compiled import compiled


@compiled
def gather_scaled(
    source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray
) -> None:
    """out[k] = source[order[counters[0] + k]] / 255, from uint8 pixels to numbers from 0 to 1."""
    scale = out.dtype.type(1.0 / 255.0)
    for k in range(out.shape[0]):
        row = source[order[counters[0] + k]]
        for i in range(out.shape[1]):
            out[k, i] = row[i] * scale


@compiled
def gather_copied(
    source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray
) -> None:
    """out[k] = source[order[counters[0] + k]]."""
    for k in range(out.shape[0]):
        row = source[order[counters[0] + k]]
        for i in range(out.shape[1]):
            out[k, i] = row[i]


class BatchOperators:
    """`counters` is (2,) int32: the position in the order, and the number of steps done."""

    def gather(
        self, source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray
    ) -> None:
        """out[k] = source[order[counters[0] + k]]; uint8 pixels are divided by 255, other numbers
        are copied.
        """
        loop = gather_scaled if source.dtype == np.uint8 else gather_copied
        loop(source.reshape(len(source), -1), order, counters, out.reshape(len(out), -1))

    def advance(
        self,
        counters: np.ndarray,
        examples: int,
        metrics: np.ndarray | None = None,
        history: np.ndarray | None = None,
    ) -> None:
        """counters[0] += examples; counters[1] += 1.

        With `history`, float64 (rows, 2), the step's metrics (2,) are moved to history[counters[1]
        % rows] before.
        """
        if metrics is not None and history is not None:
            history[counters[1] % len(history)] = metrics
            metrics[:] = 0
        counters[0] += examples
        counters[1] += 1
