"""The parameters of a run at the ends of its epochs, kept in memory within a limit."""

import numpy as np

from core.errors import InputError
from core.inference.model_file import Model
from core.network.initialization import initial_parameters

# Pages of the window may hold those of two runs, so that the memory of a long session stays within 50 MB.
LIMIT_BYTES = 16_000_000


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
        """Keep the parameters at the end of this epoch."""
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


def starting_parameters(model: Model) -> np.ndarray | None:
    """float32 (parameters,): those from which the model's training started; None where its settings are not known.

    They follow from the seed and the setting of the initial weights.
    """
    if not model.run:
        return None
    try:
        run = model.settings()
    except InputError:
        return None
    return initial_parameters(model.network, run.initialization, run.seed)
