"""What `kernels.cuda.host` offers, in Numba's simulator, which has arrays and no driver.

All work is done when it is asked for, so that there is nothing to wait for.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from kernels.cuda.toolkit import cuda
from kernels.device import Array

# With this number products are split along k. Then bytes of shared memory, threads.
_MULTIPROCESSORS = (4, 65536, 1024)

# A number that is never reached.
_BYTES = 1 << 40


class Stream:
    """All work on it is done."""

    of_compiler = None


class Event:
    """Complete at once."""

    def __init__(self, stream: Stream) -> None:
        """Nothing has to be recorded."""

    def wait(self, stream: Stream) -> None:
        """Nothing has to wait."""

    def synchronize(self) -> None:
        """Nothing has to wait."""


class Card:
    """See `kernels.cuda.host.Card`."""

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

    def new_stream(self) -> Stream:
        return Stream()

    def synchronize(self, stream: Stream) -> None:
        """All work is done."""

    def upload(self, host: np.ndarray, stream: Stream) -> Array:
        return cuda.to_device(host)

    def copy_to_card(self, array: Array, host: np.ndarray, stream: Stream) -> None:
        array.copy_to_device(host)

    def copy_to_host(self, array: Array, host: np.ndarray, stream: Stream) -> None:
        array.copy_to_host(host)

    def capture(self, stream: Stream, work: Callable[[], None]) -> Any:
        raise NotImplementedError("the simulator captures no graphs")
