"""The one way CPU loops are compiled: cached on disk, without the GIL, on one thread.

No `parallel=True`: Numba's thread pool aborts the process when two threads enter it. No `np.dot`: it needs
SciPy. With NUMBA_DISABLE_JIT=1 the same loops run as plain Python.
"""

import secrets
from collections.abc import Callable
from typing import Any

from numba import njit
from numba.core.caching import IndexDataCacheFile


def _data_name(file: IndexDataCacheFile, number: int) -> str:
    """Where a compiled loop is kept, under a name that no other process gives to another loop.

    Numba counts from 1. Of two processes that compile one function for different types at the same time, each
    then believes its loop to be in file 1, and every later start that takes the wrong one fails.
    """
    return file._data_name_pattern.format(number=secrets.randbits(48))


setattr(IndexDataCacheFile, "_data_name", _data_name)  # noqa: B010 - not an assignment that types know


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop to IEEE arithmetic, so that its sums have one order."""
    return njit(cache=True, nogil=True, error_model="numpy")(function)


def compiled_fast(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop whose sums may be reordered into vector lanes and whose products may be fused.

    NaN and infinity keep their meaning: divergence must stay visible.
    """
    return njit(
        cache=True,
        nogil=True,
        error_model="numpy",
        fastmath={"reassoc", "contract", "arcp", "nsz"},
    )(function)
