"""The parameters of a run at the ends of its epochs, kept within a limit in memory and in the run's folder."""

import numpy as np

# Pages of the window may hold those of two runs, so that the memory of a long session stays within 50 MB.
LIMIT_BYTES = 16_000_000
FILE_LIMIT_BYTES = 4_000_000
"""Of what a run's folder keeps: that of a small network for 18 epochs, of 784-512-10 for two; more than that, none."""


class KeptParameters:
    """Keeps (epoch, parameters) in order. Above the limit every second epoch but the first and the last is dropped.

    The arrays are those of the checkpoints, which never change, so keeping one copies nothing.
    """

    def __init__(self, limit: int = LIMIT_BYTES) -> None:
        self._limit = limit
        self._spacing = 1
        self._epochs: list[tuple[int, np.ndarray]] = []

    @property
    def epochs(self) -> tuple[tuple[int, np.ndarray], ...]:
        """(epoch, float32 (parameters,)) of each epoch that is kept."""
        return tuple(self._epochs)

    def add(self, epoch: int, parameters: np.ndarray) -> None:
        # The last one is kept until a later one comes, whether it fits the spacing or not.
        if self._epochs and self._epochs[-1][0] % self._spacing:
            del self._epochs[-1]
        self._epochs.append((epoch, parameters))
        while len(self._epochs) > 2 and sum(array.nbytes for _, array in self._epochs) > self._limit:
            self._spacing *= 2
            *earlier, last = self._epochs
            self._epochs = [kept for kept in earlier if kept[0] % self._spacing == 0] + [last]
            if len(self._epochs) == len(earlier) + 1:
                break
