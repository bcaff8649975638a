"""The shared libraries of the frozen program on Linux: removes unneeded ones and strips debug symbols."""

import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

Entry = tuple[str, str, str]  # path in the program, source file (or the target of a link), kind

# Libraries with debug symbols. Those that NumPy and Pillow bundle were patched after linking, and stripping breaks
# them.
_WITH_SYMBOLS = re.compile(
    r"(^|/)(libllvmlite|libpython|libicu)[^/]*$|/lib-dynload/"
    r"|^(numba|numpy|PIL|safetensors|onnx|ml_dtypes|sqlalchemy)/.*\.so$"
)


# What the packager leaves to the system, and a system without a desktop lacks. libGL and libEGL are those of GLVND,
# which only pass calls on to the driver of the machine; the program draws without them, but Qt is linked to them.
_SYSTEM_LIBRARIES = (
    "libEGL.so.1", "libGL.so.1", "libGLX.so.0", "libGLdispatch.so.0", "libxcb.so.1", "libXau.so.6", "libXdmcp.so.6",
    "libbsd.so.0", "libmd.so.0", "libwayland-client.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1",
)  # fmt: skip


def system_libraries() -> list[Entry]:
    """Libraries of the system to add to the program: those of the list above that are installed. Linux only."""
    if not sys.platform.startswith("linux"):
        return []
    listing = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    paths: dict[str, str] = {}
    for line in listing.splitlines():
        name, _, path = line.partition(" => ")
        paths.setdefault(name.split(" ")[0].strip(), path)
    if "libGLdispatch.so.0" not in paths:
        raise SystemExit(
            "libGL is not that of GLVND, so it fits no other machine: install Debian's packages."
        )
    return [(name, paths[name], "BINARY") for name in _SYSTEM_LIBRARIES if name in paths]


def is_dependency(path: str) -> bool:
    """Whether the packager added this file only because another one depends on it."""
    return "/" not in path or path.startswith("PySide6/Qt/lib/")


def without_orphans(entries: list[Entry]) -> list[Entry]:
    """`entries` without the libraries that none of them depends on any more. Other systems: unchanged."""
    if not sys.platform.startswith("linux"):
        return entries
    from PyInstaller.depend.bindepend import get_imports

    roots = [file for path, file, kind in entries if kind != "SYMLINK" and not is_dependency(path)]
    roots += [file for path, file, _ in entries if path.startswith("libpython")]
    # The list of the dynamic loader is transitive.
    needed = {name for file in roots for name, _ in get_imports(file)}
    return [
        entry
        for entry in entries
        if not is_dependency(entry[0])
        or PurePosixPath(entry[0]).name in needed
        or entry[0].startswith("libpython")
    ]


def stripped(entries: list[Entry], folder: Path) -> list[Entry]:
    """Replace large libraries by copies in `folder` without debug symbols, if `strip` is installed."""
    if not sys.platform.startswith("linux") or shutil.which("strip") is None:
        return entries
    return [_strip(entry, folder) for entry in entries]


def _strip(entry: Entry, folder: Path) -> Entry:
    path, file, kind = entry
    if kind == "SYMLINK" or not _WITH_SYMBOLS.search(path):
        return entry
    copy = folder / path
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)
    done = subprocess.run(["strip", "--strip-unneeded", str(copy)], capture_output=True, check=False)
    return (path, str(copy), kind) if done.returncode == 0 else entry
