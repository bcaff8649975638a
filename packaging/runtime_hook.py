"""Runs in the frozen program before main.py: what an ordinary interpreter would have set up by itself."""

import importlib.util
import site
import sys

from core.files.numba_cache import use_own_folder

use_own_folder()
# An interpreter imports this through a .pth file, which a frozen program has none of. Without it numba.cuda
# is Numba's old built-in target instead of the numba-cuda package.
if importlib.util.find_spec("_numba_cuda_redirector") is not None:
    import _numba_cuda_redirector  # noqa: F401

    # NVIDIA's libraries are looked for below the folders that this names.
    site.getsitepackages = lambda *_: [sys._MEIPASS]
