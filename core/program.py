"""The name under which the user starts this program, for messages that say what to run; and its folder."""

import os
import sys
from pathlib import Path

from kernels.installation import DISTRIBUTION, FROM_WHEEL, is_frozen


def _program() -> str:
    """What the user types. In the packaged program its file, since the user has neither sources nor uv."""
    if FROM_WHEEL:
        return DISTRIBUTION
    if not is_frozen():
        return "main.py"
    if sys.platform == "win32":
        return "digitlab-cli"  # digitlab.exe has no console
    return Path(os.environ.get("APPIMAGE") or "digitlab").name


PROGRAM = _program()
FOLDER = Path(getattr(sys, "_MEIPASS", None) or Path(__file__).resolve().parents[1])
"""It holds `resources` and `docs`, and the sources, in the packaged program too."""

RESOURCES = FOLDER / "resources"


def own_command() -> list[str]:
    """What starts this program in another process, before its arguments."""
    if is_frozen():
        return [sys.executable]
    if FROM_WHEEL:
        # -P: modules in the working folder, which may have any name, are not found.
        return [sys.executable, "-P", "-m", DISTRIBUTION]
    return [sys.executable, str(FOLDER / "main.py")]


def module_name(name: str) -> str:
    """The full name of a module of this program, `name` being the one in the repository.

    >>> module_name("core.bench.epochs")
    'core.bench.epochs'
    """
    return f"{DISTRIBUTION}.{name}" if FROM_WHEEL else name
