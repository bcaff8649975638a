"""Which shared libraries travel with the program on Linux, and in what state."""

import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]  # place in the program, file (or a link's target), kind

# Built with symbols for debuggers. The libraries beside NumPy and Pillow, which were patched after linking, are
# not among them: stripping breaks those.
_WITH_SYMBOLS = re.compile(
    r"(^|/)(libllvmlite|libpython|libicu)[^/]*$|/lib-dynload/|^(numba|numpy|PIL|safetensors)/.*\.so$"
)


def is_stray(place: str) -> bool:
    """Whether it lies where the packager puts libraries that others asked for."""
    return "/" not in place or place.startswith("PySide6/Qt/lib/")


def without_orphans(entries: list[Entry]) -> list[Entry]:
    """Leave out libraries that only files needed which are no longer among `entries`. Linux only."""
    if not sys.platform.startswith("linux"):
        return entries
    from PyInstaller.depend.bindepend import get_imports

    roots = [file for place, file, kind in entries if kind != "SYMLINK" and not is_stray(place)]
    roots += [file for place, file, _ in entries if place.startswith("libpython")]
    # The loader's list holds the dependencies of dependencies too.
    needed = {name for file in roots for name, _ in get_imports(file)}
    return [
        entry
        for entry in entries
        if not is_stray(entry[0])
        or PurePosixPath(entry[0]).name in needed
        or entry[0].startswith("libpython")
    ]


def stripped(entries: list[Entry], folder: Path) -> list[Entry]:
    """Replace large libraries by copies in `folder` without debuggers' symbols, where `strip` is installed."""
    if not sys.platform.startswith("linux") or shutil.which("strip") is None:
        return entries
    return [_strip(entry, folder) for entry in entries]


def _strip(entry: Entry, folder: Path) -> Entry:
    place, file, kind = entry
    if kind == "SYMLINK" or not _WITH_SYMBOLS.search(place):
        return entry
    copy = folder / place
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    done = subprocess.run(["strip", "--strip-unneeded", str(copy)], capture_output=True, check=False)
    return (place, str(copy), kind) if done.returncode == 0 else entry
