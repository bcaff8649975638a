"""The lab to begin with: a small one that shows each kind of block."""

from pathlib import Path

from core.errors import InputError
from core.files.atomic import write_new
from core.program import RESOURCES


def skeleton() -> str:
    return (RESOURCES / "skeleton" / "lab.md").read_text("utf-8")


def write_skeleton(folder: Path) -> Path:
    """Write it as lab.md into the folder, which is made; returns its path. Raises InputError where
    that fails.
    """
    path = folder / "lab.md"
    if not write_new(path, skeleton().encode()):
        raise InputError("{path} exists: choose another folder.", path=path)
    return path
