"""The one way CPU loops are compiled: cached on disk, without the GIL, on one thread.

No `parallel=True`: Numba's thread pool aborts the process when two threads enter it. No `np.dot`: it needs
SciPy. With NUMBA_DISABLE_JIT=1 the same loops run as plain Python.
"""

from collections.abc import Callable
from typing import Any

from numba import njit


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
