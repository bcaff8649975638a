"""Runs in the frozen program before main.py, and does what the .pth files of an ordinary Python
do.
"""

import os
import sys
import tempfile
from types import ModuleType

from core.files.paths import cache_folder


def use_own_numba_cache() -> None:
    """Let Numba cache in the user's cache folder, or in a temporary folder: it needs one that it
    can write to.

    A folder that the user has named in the environment is kept.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    folder = cache_folder() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.environ["NUMBA_CACHE_DIR"] = str(folder)
    except OSError:
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="digitlab-compiled-")


use_own_numba_cache()
# pyqtgraph imports this module, a library of 9 MB, for drawing by OpenGL, which the program does
# not do.
sys.modules.setdefault("PySide6.QtOpenGL", ModuleType("PySide6.QtOpenGL"))
