"""The memory of this machine, and of the program."""

import ctypes
import os
import sys
from typing import Any

from core.errors import InputError
from core.text import format_bytes

_UNKNOWN = 16 << 30
_MIN_ADDRESS_SPACE = 1_000_000_000
# Options of glibc's mallopt.
_M_MMAP_THRESHOLD = -3
_LARGE_BLOCK = 256 << 10
_M_ARENA_MAX = -8
_HEAPS = 2


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


def check_address_space() -> None:
    """Raise InputError where a limit of the address space (`ulimit -v`) is too low for the compiler
    and BLAS.

    Below it they end the process, or raise KeyboardInterrupt, when they are loaded.
    """
    if sys.platform == "win32":
        return
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit not in (resource.RLIM_INFINITY, -1) and limit < _MIN_ADDRESS_SPACE:
        raise InputError(
            "The program may use only {limit} of address space and needs {least}: raise the "
            "limit, with “ulimit -v unlimited” for instance.",
            limit=format_bytes(limit),
            least=format_bytes(_MIN_ADDRESS_SPACE),
        )


def return_freed_memory() -> None:
    """Give memory that was freed back to the system.

    glibc keeps freed blocks of up to 32 MB in one heap for each thread: after some runs of
    different networks they amount to more than 100 MB. Other allocators return large blocks by
    themselves.
    """
    if (trim := _c_function("malloc_trim")) is not None:
        trim(ctypes.c_size_t(0))


def limit_kept_memory() -> None:
    """Let glibc keep less freed memory from now on.

    Blocks of 256 KiB and more are returned to the system as soon as they are freed. By default
    glibc raises this limit up to 32 MB as blocks are freed, and places the next ones in its heaps,
    where small blocks that live on keep the gaps between them from being returned. All threads
    share two heaps instead of having one each: most allocations happen under the interpreter's lock
    anyway.
    """
    if (set_option := _c_function("mallopt")) is not None:
        set_option(_M_MMAP_THRESHOLD, _LARGE_BLOCK)
        set_option(_M_ARENA_MAX, _HEAPS)


def _c_function(name: str) -> Any:
    """A function of glibc; None on other systems and with other C libraries."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
