"""The base class of the CPU devices, whose arrays are NumPy arrays."""

import os
from typing import Any

import numpy as np

from kernels.device import Device


class HostDevice(Device):
    """A device whose arrays live in the program's own memory."""

    def empty(self, shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
        return np.empty(shape, dtype)

    def upload(self, host: np.ndarray) -> np.ndarray:
        return np.array(host, order="C")

    def asarray(self, host: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(host)

    def download(self, array: np.ndarray) -> np.ndarray:
        return array.copy()

    def write(self, array: np.ndarray, host: np.ndarray) -> None:
        np.copyto(array, host, casting="no")

    def read(self, array: np.ndarray, host: np.ndarray) -> None:
        np.copyto(host, array, casting="no")


def processor_count() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
