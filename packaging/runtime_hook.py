"""Runs in the frozen program before main.py, and does what the .pth files of an ordinary Python do."""

import importlib.util
import site
import sys

from core.files.paths import use_own_numba_cache

use_own_numba_cache()
# Without this module `numba.cuda` is Numba's built-in target instead of the package numba-cuda.
if importlib.util.find_spec("_numba_cuda_redirector") is not None:
    import _numba_cuda_redirector  # noqa: F401

    # numba-cuda searches NVIDIA's libraries in the folders that this function returns.
    site.getsitepackages = lambda *_: [sys._MEIPASS]
