"""A batch is gathered from the data set by a permutation and a place in it."""

import numpy as np

from kernels.compiled import compiled


@compiled
def gather_scaled(source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray) -> None:
    scale = out.dtype.type(1.0 / 255.0)
    for k in range(out.shape[0]):
        row = source[order[counters[0] + k]]
        for i in range(out.shape[1]):
            out[k, i] = row[i] * scale


@compiled
def gather_copied(source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray) -> None:
    for k in range(out.shape[0]):
        row = source[order[counters[0] + k]]
        for i in range(out.shape[1]):
            out[k, i] = row[i]


class BatchOperators:
    def gather(self, source: np.ndarray, order: np.ndarray, counters: np.ndarray, out: np.ndarray) -> None:
        loop = gather_scaled if source.dtype == np.uint8 else gather_copied
        loop(source.reshape(len(source), -1), order, counters, out.reshape(len(out), -1))

    def advance(
        self,
        counters: np.ndarray,
        examples: int,
        metrics: np.ndarray | None = None,
        history: np.ndarray | None = None,
    ) -> None:
        if metrics is not None and history is not None:
            history[counters[1] % len(history)] = metrics
            metrics[:] = 0
        counters[0] += examples
        counters[1] += 1
