"""The functions of NVIDIA's driver that the program calls, in the driver's own library.

They are called by ctypes and not by NVIDIA's packages for Python, so that a card needs nothing but
its driver; docs/cuda.md gives the reasons. All of them are in drivers for CUDA 12.0 and later.
"""

import ctypes
import sys
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_int
from functools import cache
from typing import Any

_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"

_TYPES = {
    "pointer": ctypes.c_void_p,
    "address": ctypes.c_uint64,
    "count": ctypes.c_size_t,
    "integer": ctypes.c_int,
    "flags": ctypes.c_uint,
    "long_flags": ctypes.c_uint64,
}
"""Of arguments. Handles, texts and addresses of the host are pointers; an address of the card is a
number of 64 bits; a device is the integer that cuDeviceGet returns.
"""

_FUNCTIONS = """
    cuInit flags
    cuDriverGetVersion pointer
    cuDeviceGetCount pointer
    cuDeviceGet pointer integer
    cuDeviceGetName pointer integer integer
    cuDeviceGetAttribute pointer integer integer
    cuDeviceTotalMem_v2 pointer integer
    cuDevicePrimaryCtxSetFlags_v2 integer flags
    cuDevicePrimaryCtxRetain pointer integer
    cuCtxSetCurrent pointer
    cuMemAlloc_v2 pointer count
    cuMemFree_v2 address
    cuMemGetInfo_v2 pointer pointer
    cuMemHostAlloc pointer count flags
    cuMemFreeHost pointer
    cuMemcpyHtoDAsync_v2 address pointer count pointer
    cuMemcpyDtoHAsync_v2 pointer address count pointer
    cuStreamCreate pointer flags
    cuStreamDestroy_v2 pointer
    cuStreamSynchronize pointer
    cuStreamWaitEvent pointer pointer flags
    cuStreamBeginCapture_v2 pointer integer
    cuStreamEndCapture pointer pointer
    cuEventCreate pointer flags
    cuEventRecord pointer pointer
    cuEventSynchronize pointer
    cuEventDestroy_v2 pointer
    cuGraphInstantiateWithFlags pointer pointer long_flags
    cuGraphLaunch pointer pointer
    cuGraphDestroy pointer
    cuGraphExecDestroy pointer
    cuModuleLoadData pointer pointer
    cuModuleGetFunction pointer pointer pointer
    cuFuncSetAttribute pointer integer integer
    cuLaunchKernelEx pointer pointer pointer pointer
"""
_ARGUMENTS = {line.split()[0]: line.split()[1:] for line in _FUNCTIONS.strip().splitlines()}
"""By the names that the library exports, which have a suffix where NVIDIA changed a function."""


class DriverError(RuntimeError):
    """A function of the driver failed; the text has CUDA's name of the error."""


class _Library(ctypes.CDLL):
    """Its functions return nothing, and raise DriverError where they fail."""

    def __getitem__(self, name: str) -> Any:
        function: Any = super().__getitem__(name)
        function.argtypes = [_TYPES[kind] for kind in _ARGUMENTS[name]]
        function.errcheck = self._check
        return function

    def _check(self, code: int, function: Any, _: Sequence[object]) -> None:
        if code:
            name = c_char_p()
            ctypes.CDLL.__getitem__(self, "cuGetErrorName")(code, byref(name))
            error = (name.value or b"the unknown error %d" % code).decode()
            raise DriverError(f"Call to {function.__name__} results in {error}")


@cache
def driver() -> Any:
    """The library. Raises DriverError where no driver is installed."""
    try:
        return _Library(_LIBRARY)
    except OSError as error:
        raise DriverError("The library of the driver cannot be found.") from error


def has_driver() -> bool:
    """Whether a driver is installed. Does not start it."""
    try:
        driver()
    except DriverError:
        return False
    return True


def value_of(kind: Any, function: str, *arguments: object) -> Any:
    """What a function of the driver writes to the address that is its first argument."""
    result = kind()
    getattr(driver(), function)(byref(result), *arguments)
    return result.value


def start_driver() -> int:
    """To be called first; returns the number of cards. Raises DriverError where no driver is
    installed, and where it does not start.
    """
    driver().cuInit(0)
    return int(value_of(c_int, "cuDeviceGetCount"))


def driver_version() -> tuple[int, int]:
    """The newest CUDA that the driver supports."""
    number = value_of(c_int, "cuDriverGetVersion")  # 12090 for 12.9
    return number // 1000, number % 1000 // 10
