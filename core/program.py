"""The name under which the user starts this program, for messages that say what to run; and its folder."""

import os
import sys
from pathlib import Path


def _program() -> str:
    """In the packaged program its file, since the user has neither sources nor uv."""
    if not getattr(sys, "frozen", False):
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
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, str(FOLDER / "main.py")]
