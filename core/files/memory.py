"""The memory of this machine, and of the program."""

import ctypes
import os
import sys

_UNKNOWN = 16 << 30


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total", ctypes.c_uint64),
        ("others", ctypes.c_uint64 * 6),
    )


def installed_memory() -> int:
    """Bytes of physical memory; 16 GiB where the system does not tell."""
    if sys.platform == "win32":
        status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
        answered = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
        return status.total if answered else _UNKNOWN
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return _UNKNOWN


def return_freed_memory() -> None:
    """Give memory that was freed back to the system.

    glibc keeps freed blocks of up to 32 MB in one heap for each thread: after some runs of different networks they
    amount to more than 100 MB. Other allocators return large blocks by themselves.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim:
            trim(ctypes.c_size_t(0))
