"""The name under which the user starts this program, for messages that say what to run; and its
folder.
"""

import os
import re
import sys
from pathlib import Path

from kernels.installation import DISTRIBUTION, FROM_WHEEL, install_command, is_frozen


def _program() -> str:
    """What the user types. In the packaged program its file, since the user has neither sources nor
    uv.
    """
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


_SYNC = ".uv/bin/uv sync --inexact --extra {}"
_STARTING = re.compile(r"(?:(?:\.uv/bin/)?uv run (?:--extra [\w-]+ )*)?\bmain\.py")


def as_installed(document: str) -> str:
    """The text of a document with its commands as they are typed for this kind of installation."""
    if FROM_WHEEL:
        for extra in re.findall(_SYNC.format(r"(\w+)"), document):
            document = document.replace(_SYNC.format(extra), install_command(extra))
    return document if PROGRAM == "main.py" else _STARTING.sub(PROGRAM, document)


def shipped_path(name: str) -> Path:
    """The file or folder `name`; or what comes with the program by that name: a lab, an exercise, a
    study, a picture.

    >>> shipped_path("02-guard").parent.name, shipped_path("thesis").name
    ('workshop', 'thesis.toml')
    >>> shipped_path("my-lab.md").name
    'my-lab.md'
    """
    path = Path(name)
    if not os.path.exists(name):  # unlike `Path.exists`, not an OSError where the name is too long
        for folder in ("../docs/images", "labs", "labs/90-minutes", "workshop", "studies"):
            for suffix in ("", ".md", ".toml"):
                shipped = RESOURCES / folder / f"{name}{suffix}"
                if os.path.exists(shipped):
                    return shipped
    return path
