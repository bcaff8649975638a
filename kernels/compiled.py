"""How CPU loops are compiled: cached on disk, without Python's lock, on one thread.

No `parallel=True`: Numba's thread pool aborts the process when two threads enter it. No `np.dot`:
it needs SciPy. With NUMBA_DISABLE_JIT=1 the same loops run as plain Python.
"""

import pickle
import secrets
from collections.abc import Callable, Hashable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import config, njit, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.ccallback import CFunc
from numba.core.typing.templates import Signature

from kernels.installation import is_frozen, sources_state

Loop = Callable[..., Any]
"""A function that Numba compiles, or has compiled."""


def compiled(function: Loop) -> Loop:
    """Compile a loop to IEEE arithmetic, so that its sums have one order."""
    # With Python's error model a division by 0 would raise, and be tested for each time.
    return _with_cache(njit(nogil=True, error_model="numpy")(function), function)


def compiled_operator(function: Loop) -> Any:
    """Compile the method of a class of operators, which is a loop without `self`."""
    return staticmethod(compiled(function))


def compiled_fast(function: Loop) -> Loop:
    """Compile a loop whose sums may be reordered into vector lanes and whose products may be fused.

    NaN and infinity keep their meaning: divergence must stay visible.
    """
    flags = {"reassoc", "contract", "arcp", "nsz"}
    return _with_cache(njit(nogil=True, error_model="numpy", fastmath=flags)(function), function)


def compiled_part(function: Loop) -> Loop:
    """Compile a function that only compiled loops call, into each of them and as they are."""
    return njit(inline="always")(function)


def compiled_for_c(function: Callable[..., None], arguments: tuple[types.Type, ...]) -> CFunc:
    """Compile a function of these types that C code can call; the result's attribute `address` is
    its address.
    """
    callback = CFunc(function, (arguments, types.void), locals={}, options={"error_model": "numpy"})
    _with_cache(callback, function)
    callback.compile()
    return callback


def is_kept(loop: Loop) -> bool:
    """Whether compiled code of the loop is kept on the disk: some folder for it can be written."""
    return isinstance(getattr(loop, "_cache", None), _Cache)


def _with_cache(loop: Loop, function: Loop) -> Loop:
    # With NUMBA_DISABLE_JIT=1, `loop` is the function itself.
    if loop is not function:
        with suppress(RuntimeError):  # no folder can be written
            loop._cache = _Cache(function)  # type: ignore[attr-defined]
    return loop


class _Cache(FunctionCache):
    """Numba's cache of a function, on files that are checked when they are read."""

    def __init__(self, function: Loop) -> None:
        super().__init__(function)
        folder = getattr(config, "CACHE_DIR", "")
        if is_frozen() and folder:
            # Numba names the folder after the path of the source file, which changes from start to
            # start where the program is mounted (AppImage) or was downloaded (macOS).
            self._cache_path = str(Path(folder, function.__module__))
            self._impl.locator._cache_path = self._cache_path
        stamp = self._impl.locator.get_source_stamp(), sources_state()
        self._cache_file = _CacheFile(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, signature: Signature, data: object) -> None:
        """Save what was compiled, where that is possible: the program works without it."""
        with suppress(OSError):
            super().save_overload(signature, data)


class _CacheFile(IndexDataCacheFile):
    """The index of a function's cache and the files with machine code, each after the SHA-256 of
    its name and content.

    A damaged file counts as missing, so that the function is compiled again and the file replaced.
    """

    def _load_index(self) -> dict[Hashable, str]:
        try:
            return super()._load_index()
        except Exception:  # unpickling damaged bytes can raise any exception
            return {}

    def _data_name(self, number: int) -> str:
        """A file name that no other process gives to another function's code.

        Numba counts from 1. Of two processes that compile a function for different types at the
        same time, each would believe that file 1 has its code.
        """
        return self._data_name_pattern.format(number=secrets.randbits(48))

    def _save_data(self, name: str, data: object) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(sha256(name.encode() + content).digest() + content)

    def _load_data(self, name: str) -> object:
        data = Path(self._data_path(name)).read_bytes()
        digest = data[:32]
        content = data[32:]
        if digest != sha256(name.encode() + content).digest():
            # `load` takes an OSError for a missing file.
            raise OSError(f"{name} is damaged")
        return pickle.loads(content)
