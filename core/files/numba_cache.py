"""Where compiled loops are kept from one start to the next, in a program that cannot write beside itself."""

import os
import tempfile
from pathlib import Path

from core.files.paths import cache_folder

VARIABLE = "NUMBA_CACHE_DIR"


def use_own_folder() -> Path:
    """Let Numba cache in the user's cache folder, or else in a temporary one; before Numba is imported.

    A folder that the user has named in the environment stays. Numba refuses to import functions for which it
    finds no folder to write to, hence the second choice.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    folder = cache_folder() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="digitlab-compiled-"))
    os.environ[VARIABLE] = str(folder)
    return folder
