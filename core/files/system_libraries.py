"""Finds system libraries that Qt needs and a bare Linux lacks, and installs them with the system's package manager.

Qt's wheels bring everything but the libraries below. Without them Python ends with an import error or Qt aborts, so
they are checked before Qt is imported. Nothing here imports Qt.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.program import PROGRAM


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library and the packages that contain it.

    `window_system` is "" for what every Qt program needs, else the platform plugin that needs it.
    """

    file: str
    debian: str
    fedora: str
    arch: str
    suse: str
    window_system: str = ""


LIBRARIES = tuple(Library(*line.split()) for line in """
    libEGL.so.1             libegl1             libglvnd-egl        libglvnd            libglvnd
    libGL.so.1              libgl1              libglvnd-glx        libglvnd            libglvnd
    libfontconfig.so.1      libfontconfig1      fontconfig          fontconfig          libfontconfig1
    libglib-2.0.so.0        libglib2.0-0        glib2               glib2               libglib-2_0-0
    libdbus-1.so.3          libdbus-1-3         dbus-libs           dbus                libdbus-1-3
    libxkbcommon.so.0       libxkbcommon0       libxkbcommon        libxkbcommon        libxkbcommon0
    libX11.so.6             libx11-6            libX11              libx11              libX11-6
    libxkbcommon-x11.so.0   libxkbcommon-x11-0  libxkbcommon-x11    libxkbcommon-x11    libxkbcommon-x11-0  xcb
    libX11-xcb.so.1         libx11-xcb1         libX11-xcb          libx11              libX11-xcb1         xcb
    libxcb-cursor.so.0      libxcb-cursor0      xcb-util-cursor     xcb-util-cursor     libxcb-cursor0      xcb
    libxcb-icccm.so.4       libxcb-icccm4       xcb-util-wm         xcb-util-wm         libxcb-icccm4       xcb
    libxcb-image.so.0       libxcb-image0       xcb-util-image      xcb-util-image      libxcb-image0       xcb
    libxcb-keysyms.so.1     libxcb-keysyms1     xcb-util-keysyms    xcb-util-keysyms    libxcb-keysyms1     xcb
    libxcb-randr.so.0       libxcb-randr0       libxcb              libxcb              libxcb-randr0       xcb
    libxcb-render-util.so.0 libxcb-render-util0 xcb-util-renderutil xcb-util-renderutil libxcb-render-util0 xcb
    libxcb-shape.so.0       libxcb-shape0       libxcb              libxcb              libxcb-shape0       xcb
    libxcb-sync.so.1        libxcb-sync1        libxcb              libxcb              libxcb-sync1        xcb
    libxcb-util.so.1        libxcb-util1        xcb-util            xcb-util            libxcb-util1        xcb
    libxcb-xfixes.so.0      libxcb-xfixes0      libxcb              libxcb              libxcb-xfixes0      xcb
    libxcb-xkb.so.1         libxcb-xkb1         libxcb              libxcb              libxcb-xkb1         xcb
    libwayland-client.so.0  libwayland-client0  libwayland-client   wayland             libwayland-client0  wayland
    libwayland-cursor.so.0  libwayland-cursor0  libwayland-cursor   wayland             libwayland-cursor0  wayland
""".strip().splitlines())  # fmt: skip

# Program, field of Library, and the command that installs packages without asking.
_MANAGERS = (
    ("apt-get", "debian", ("apt-get", "install", "-y", "--no-install-recommends")),
    ("dnf", "fedora", ("dnf", "install", "-y")),
    ("pacman", "arch", ("pacman", "-S", "--noconfirm", "--needed")),
    ("zypper", "suse", ("zypper", "--non-interactive", "install")),
)


def qt_loads(window_system: str) -> bool:
    """Whether Qt's platform plugin of this name loads, with all libraries that it needs.

    True where Qt is not installed or brings everything (Windows, macOS).
    """
    package = importlib.util.find_spec("PySide6") if sys.platform.startswith("linux") else None
    plugins = [
        Path(folder, "Qt", "plugins", "platforms", f"libq{window_system}.so")
        for folder in (package.submodule_search_locations or () if package else ())
    ]
    return all(_loads(str(plugin)) for plugin in plugins if plugin.exists())


def missing_libraries(window_system: str) -> list[Library]:
    """The libraries that Qt needs with this platform plugin ("xcb", "wayland", "offscreen") and that do not load."""
    needed = (library for library in LIBRARIES if library.window_system in ("", window_system))
    return [library for library in needed if not _loads(library.file)]


def install_command(missing: Sequence[Library]) -> list[str] | None:
    """The command that installs `missing` on this system; None without a known package manager or missing library."""
    if not missing:
        return None
    for program, field, command in _MANAGERS:
        if shutil.which(program):
            packages = dict.fromkeys(getattr(library, field) for library in missing)
            return [*_as_root(), *command, *packages]
    return None


def require_libraries(window_system: str, ask: Callable[[str], str] = input) -> None:
    """Install missing libraries after a yes; without asking as root without a terminal or where CI=true.

    Raises InputError, with the command to run, where they are still missing afterwards.
    """
    if qt_loads(window_system):
        return
    missing = missing_libraries(window_system)
    command = install_command(missing)
    if command and _may_install(command, missing, ask):
        if "apt-get" in command:  # a fresh image has no package lists
            _run([*_as_root(), "apt-get", "update", "-qq"])
        _run(command)
        if qt_loads(window_system):
            return
        missing = missing_libraries(window_system)
    files = [library.file for library in missing]
    if command is None:
        raise InputError(
            "The window needs system libraries that are missing ({files}): install them with the system's package "
            "manager; or train without a window: {program} train.", files=files, program=PROGRAM,
        )  # fmt: skip
    # The command is part of the template because long values are shortened.
    raise InputError(
        f"The window needs system libraries that are missing ({{files}}): run “{' '.join(command)}”; or train "
        "without a window: {program} train.", files=files, program=PROGRAM,
    )  # fmt: skip


def _may_install(command: list[str], missing: Sequence[Library], ask: Callable[[str], str]) -> bool:
    if os.environ.get("CI", "").lower() == "true":
        return True
    interactive = sys.stdin is not None and sys.stdin.isatty()
    if not interactive:
        return _is_root()
    files = ", ".join(library.file for library in missing)
    answer = ask(
        f"The window needs system libraries that are missing: {files}.\nRun “{' '.join(command)}”? [y/N] "
    )
    return answer.strip().lower() in ("y", "yes")


def _run(command: list[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    print(" ".join(command), file=sys.stderr)  # noqa: T201 - a person waits for it
    # What is still missing afterwards is reported by the caller.
    subprocess.run(command, env=environment, stdout=sys.stderr, check=False)


def _as_root() -> list[str]:
    return [] if _is_root() or not shutil.which("sudo") else ["sudo"]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _loads(file: str) -> bool:
    try:
        ctypes.CDLL(file)
    except OSError:
        return False
    return True
