"""The commands of uv that the user runs in the program's folder to install what is missing."""

import os
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent.parent / ".uv"


def uv_command(arguments: str) -> str:
    """uv with these arguments: the one that README installs in the folder `.uv`, or the user's own installation.

    >>> uv_command("--version").endswith("uv --version")
    True
    """
    program = os.path.join(".uv", "bin", "uv") if _FOLDER.is_dir() else "uv"
    return f"{program} {arguments}"


def install_command(extra: str) -> str:
    """Installs the packages of this extra of pyproject.toml, and keeps those of the other extras.

    Without `--inexact`, `uv sync` removes what the given extras do not name. `uv run` removes nothing.

    >>> install_command("onnx").endswith("uv sync --inexact --extra onnx")
    True
    """
    return uv_command(f"sync --inexact --extra {extra}")
