"""Scopes, which choose the device for the operators inside. Each thread has its own scopes and its own devices."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kernels.device import Device
from kernels.host import HostDevice
from kernels.registry import default_cpu_device, open_device

DEFAULT = default_cpu_device()


class DeviceArray:
    """An array in a device's own memory; `numpy.asarray(value)` copies it to host memory."""

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
        host = self.device.download(self.array)
        return host if dtype is None else host.astype(dtype)

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
    """Operators inside the block run on this device: a name (`auto` too), or an open device.

    Raises kernels.registry.DeviceUnavailable with the reason where the machine has no such device, ValueError
    for an unknown name. A device opened by its name stays open for the thread, and so do the values on it.
    """
    _thread.scopes.append(which if isinstance(which, Device) else _opened(which))
    try:
        yield _thread.scopes[-1]
    finally:
        _thread.scopes.pop()


def current() -> Device:
    """The device of the innermost scope of this thread; outside of all scopes, the default CPU device."""
    return _thread.scopes[-1] if _thread.scopes else _opened(DEFAULT)


def _opened(name: str) -> Device:
    opened = _thread.opened
    if name not in opened:
        new = open_device(name)
        # `auto` and the name that it stands for are one device.
        opened[name] = opened.setdefault(new.name, new)
        if opened[name] is not new:
            new.close()
    return opened[name]


def to_device(operand: Any, dtype: Any, target: Device) -> Any:
    """`operand` as a contiguous array of `dtype` on the device `target`: itself if it is one, else a copy."""
    if isinstance(operand, DeviceArray) and operand.device is target and operand.dtype == dtype:
        return operand.array
    host = np.ascontiguousarray(operand, dtype)
    return host if isinstance(target, HostDevice) else target.upload(host)


def as_result(array: Any, source: Device) -> Any:
    """An array of the device `source` as an operator returns it: a NumPy array on the CPU, else a DeviceArray."""
    return array if isinstance(source, HostDevice) else DeviceArray(source, array)
