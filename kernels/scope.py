"""A scope chooses the device for the operators inside it; each thread has its own scopes and its own devices."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kernels.device import Device
from kernels.host import HostDevice
from kernels.registry import open_device

DEFAULT = "vectorized"


class DeviceArray:
    """An array in the memory of a device that is not the program's own; `numpy.asarray(value)` brings it home."""

    def __init__(self, device: Device, array: Any) -> None:
        self.device, self.array = device, array

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.array.dtype)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        home = self.device.download(self.array)
        return home if dtype is None else home.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self.dtype} values of shape {self.shape} on {self.device.name}>"


class _Thread(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Device] = []
        self.opened: dict[str, Device] = {}


_thread = _Thread()


@contextmanager
def device(which: str | Device) -> Iterator[Device]:
    """Operators inside the block run on this device: a name (`auto` too), or one that you opened yourself.

    Raises kernels.registry.DeviceUnavailable with the reason where the machine has no such device, ValueError
    for an unknown name. A device opened by its name stays open for the thread, and so do the values on it.
    """
    _thread.scopes.append(which if isinstance(which, Device) else _opened(which))
    try:
        yield _thread.scopes[-1]
    finally:
        _thread.scopes.pop()


def current() -> Device:
    """The device of the innermost scope of this thread; `vectorized` outside of all."""
    return _thread.scopes[-1] if _thread.scopes else _opened(DEFAULT)


def _opened(name: str) -> Device:
    opened = _thread.opened
    if name not in opened:
        found = open_device(name)
        # `auto` and the name that it stands for are one device.
        opened[name] = opened.setdefault(found.name, found)
        if opened[name] is not found:
            found.close()
    return opened[name]


def to_device(operand: Any, dtype: Any, place: Device) -> Any:
    """`operand` as a contiguous array of `dtype` on `place`: itself where it is one already, else a copy."""
    if isinstance(operand, DeviceArray) and operand.device is place and operand.dtype == dtype:
        return operand.array
    host = np.ascontiguousarray(operand, dtype)
    return host if isinstance(place, HostDevice) else place.upload(host)


def wrap(array: Any, place: Device) -> Any:
    """An array of `place` as a person gets it: NumPy's own on the CPU, a Value elsewhere."""
    return array if isinstance(place, HostDevice) else DeviceArray(place, array)
