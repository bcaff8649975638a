"""What `kernels.cuda.host` offers, in Numba's simulator: its arrays, and one stream, the number 0. There is no driver."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from kernels.cuda.toolkit import cuda
from kernels.device import Array

# With this number products are split along k.
_MULTIPROCESSORS = 4

# A number that is never reached.
_BYTES = 1 << 40


class Card:
    """See `kernels.cuda.host.Card`. All work is done when it is asked for, so that there is nothing to wait for."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.name = "simulator"
        self.multiprocessors = _MULTIPROCESSORS

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
        return cuda.device_array(shape, dtype)

    def free_pending(self) -> None:
        """The garbage collector frees arrays."""

    def memory_info(self) -> tuple[int, int]:
        return _BYTES, _BYTES

    def new_stream(self) -> Any:
        return 0

    def synchronize(self, stream: object) -> None:
        """All work is done."""

    def copy_to_card(self, array: Array, host: np.ndarray, stream: object) -> None:
        array.copy_to_device(host)

    def copy_to_host(self, array: Array, host: np.ndarray, stream: object) -> None:
        array.copy_to_host(host)

    def copy_on_card(self, source: Array, target: Array, stream: object) -> None:
        target.copy_to_device(source)

    def capture(self, stream: object, work: Callable[[], None]) -> Any:
        raise NotImplementedError("the simulator captures no graphs")
