"""The user's folders: one for files that can be made again (cache), one for files to keep
(data).
"""

import os
import re
import sys
from pathlib import Path

from core.errors import InputError
from core.files.reasons import reason_of
from kernels.installation import is_frozen

StrPath = str | os.PathLike[str]
_NAME = "digitlab"
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f]')
_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def cache_folder() -> Path:
    """The folder of downloads, cached data sets and compiled code. It is not created here.

    If the environment variable DIGITLAB_HOME is set, both folders are in the folder that it names.
    Else, if a file called `portable` lies beside the program, they are in a folder `digitlab-home`
    beside it.
    """
    return _folder("cache", "user_cache_path", "XDG_CACHE_HOME", ".cache")


def data_folder() -> Path:
    """The folder of runs, saved models and settings. It is not created here."""
    return _folder("data", "user_data_path", "XDG_DATA_HOME", ".local/share")


def is_file_name(name: str) -> bool:
    """Whether a file or folder may have this name on all systems: Windows refuses some that others
    take.

    >>> [is_file_name(name) for name in ("lab.md", "*.sqlite3", "..", "con.txt")]
    [True, False, False, False]
    """
    if not name or name.endswith((".", " ")):
        return False
    return not _NOT_IN_NAMES.search(name) and not _DEVICE.fullmatch(name)


def check_home() -> None:
    """Make the folder that DIGITLAB_HOME names, or the one beside a portable program, if there is
    one.

    Raises InputError where that is impossible.
    """
    path = _home()
    if path is None:
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        if not os.environ.get("DIGITLAB_HOME"):
            raise InputError(
                "A file “portable” lies beside the program, so it keeps its files in {path}, "
                "which cannot be made ({reason}): make the folder writable, remove the file "
                "“portable”, or set the variable DIGITLAB_HOME to a folder.",
                path=path,
                reason=reason_of(error),
            ) from None
        raise InputError(
            "The variable DIGITLAB_HOME is {path}, which is no folder and cannot be made one "
            "({reason}): set it to a folder, or remove it.",
            path=path,
            reason=reason_of(error),
        ) from None


def _home() -> Path | None:
    """The folder of both folders; None where they are those of the system."""
    if home := os.environ.get("DIGITLAB_HOME"):
        return Path(os.path.expanduser(home)).absolute()
    folder = _program_folder()
    return folder / "digitlab-home" if (folder / "portable").is_file() else None


def _program_folder() -> Path:
    """Where the user sees the program: the file that is double-clicked, or the folder of
    main.py.
    """
    if not is_frozen():
        return Path(__file__).resolve().parents[2]
    return Path(os.environ.get("APPIMAGE") or sys.executable).absolute().parent


def _folder(kind: str, platformdirs_function: str, variable: str, below_home: str) -> Path:
    home = _home()
    if home is not None:
        return home / kind
    try:
        import platformdirs
    except ImportError:
        return Path(os.environ.get(variable) or Path.home() / below_home) / _NAME
    return getattr(platformdirs, platformdirs_function)(_NAME, appauthor=False)
