"""The folder of Numba's cache of compiled loops, for a program that cannot write to its own folder."""

import os
import tempfile
from pathlib import Path

from core.files.paths import cache_folder

VARIABLE = "NUMBA_CACHE_DIR"


def use_own_folder() -> Path:
    """Let Numba cache in the user's cache folder, or in a temporary folder; returns the folder.

    Call it before Numba is imported. A folder that the user has named in the environment is kept. The temporary
    folder is needed because Numba raises an error at import where it finds no folder to write to.
    """
    users_choice = os.environ.get(VARIABLE)
    if users_choice:
        return Path(users_choice)
    folder = cache_folder() / "compiled"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="digitlab-compiled-"))
    os.environ[VARIABLE] = str(folder)
    return folder
