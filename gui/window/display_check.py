"""Checks before Qt is imported whether a window can open: Qt aborts where its plugin cannot load.

Qt's wheels bring everything but the system libraries below, which a bare Linux lacks; they are
installed with the system's package manager. Nothing here imports Qt.
"""

import ctypes
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.program import PROGRAM
from kernels.installation import start_command

_WITHOUT = f"train without a window: {PROGRAM} train"
_SERVERS = ("xcb", "wayland")


def check_display() -> None:
    """Raise InputError where no window can open: PySide6, a display or a system library is missing.

    Offers to install missing system libraries first.
    """
    for name, package in (("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        if importlib.util.find_spec(name) is None:
            raise InputError(
                "The window needs {name}, which is not installed: start it with “{command}”, or "
                "run “pip install {package}”; or {without}.",
                name=name,
                command=start_command(),
                package=package,
                without=_WITHOUT,
            )
    _check_name()
    if sys.platform.startswith("linux"):
        systems = _window_systems()
        # Where the libraries of the better one are missing, the other one is there without an
        # installation.
        if not qt_loads(systems[0]) and len(systems) > 1 and qt_loads(systems[1]):
            os.environ["QT_QPA_PLATFORM"] = systems[1]
        else:
            require_libraries(systems[0])


def _wanted() -> str:
    """The name of the platform plugin that the environment asks for, or ""."""
    return os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]


def _check_name() -> None:
    """Raise InputError where the environment asks for a platform plugin that there is not: Qt would
    abort.
    """
    known = {path.stem.removeprefix("lib").removeprefix("q") for path in _plugins()}
    # Others may lie in folders that are named by these.
    elsewhere = any(
        os.environ.get(name) for name in ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH")
    )
    if _wanted() and known and not elsewhere and _wanted() not in known:
        raise InputError(
            "The variable QT_QPA_PLATFORM is {name}, and Qt has no such window system here: "
            "remove the variable, or set it to one of {known}.",
            name=_wanted(),
            known=sorted(known),
        )


def _plugins() -> list[Path]:
    """The files of Qt's platform plugins; none where Qt is not installed."""
    package = importlib.util.find_spec("PySide6")
    files: list[Path] = []
    for place in (package.submodule_search_locations or ()) if package else ():
        folder = Path(place)
        # The wheels for Linux and macOS have a folder Qt in between, those for Windows have not.
        for plugins in (folder / "Qt" / "plugins" / "platforms", folder / "plugins" / "platforms"):
            files += plugins.glob("*q*")
    return [file for file in files if file.suffix in (".so", ".dll", ".dylib")]


def _window_systems() -> list[str]:
    """Names of the Qt platform plugins that find a display, the best first. Raises InputError where
    none does.
    """
    wanted = _wanted()
    if wanted and not wanted.startswith(_SERVERS):
        return [wanted]
    systems = ["wayland"] if wanted != "xcb" and _wayland_answers() else []
    if not wanted.startswith("wayland") and _x_answers():
        systems.append("xcb")
    if systems:
        return systems
    raise InputError(
        "There is no display here, so no window can open; {without}.", without=_WITHOUT
    )


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name or sys.platform == "win32":
        return False
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name)
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _x_answers() -> bool:
    if not os.environ.get("DISPLAY"):
        return False
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # `require_libraries` names the missing library
    # By default ctypes takes results as int, which cuts a pointer of 64 bits.
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


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


LIBRARIES = tuple(
    Library(*line.split())
    for line in """
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
""".strip().splitlines()
)

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
    if not sys.platform.startswith("linux"):
        return True
    return all(
        _loads(str(plugin)) for plugin in _plugins() if plugin.name == f"libq{window_system}.so"
    )


def missing_libraries(window_system: str) -> list[Library]:
    """The libraries that Qt needs with this platform plugin ("xcb", "wayland", "offscreen") and
    that do not load.
    """
    needed = (library for library in LIBRARIES if library.window_system in ("", window_system))
    return [library for library in needed if not _loads(library.file)]


def install_command(missing: Sequence[Library]) -> list[str] | None:
    """The command that installs `missing` on this system; None without a known package manager or
    missing library.
    """
    if not missing:
        return None
    for program, field, command in _MANAGERS:
        if shutil.which(program):
            # One package may hold several of the libraries; a dictionary keeps their order.
            packages = dict.fromkeys(getattr(library, field) for library in missing)
            return [*_as_root(), *command, *packages]
    return None


def require_libraries(window_system: str, ask: Callable[[str], str] = input) -> None:
    """Install missing libraries after a yes; without asking as root without a terminal or where
    CI=true.

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
    # The command is part of the template because long values are shortened.
    how = (
        f"run “{' '.join(command)}”"
        if command
        else "install them with the system's package manager"
    )
    raise InputError(
        f"The window needs system libraries that are missing ({{files}}): {how}; or {{without}}.",
        files=files,
        without=_WITHOUT,
    )


def _may_install(command: list[str], missing: Sequence[Library], ask: Callable[[str], str]) -> bool:
    if os.environ.get("CI", "").lower() == "true":
        return True
    interactive = sys.stdin is not None and sys.stdin.isatty()
    if not interactive:
        return _is_root()
    files = ", ".join(library.file for library in missing)
    answer = ask(
        f"The window needs system libraries that are missing: {files}.\nRun "
        f"“{' '.join(command)}”? [y/N] "
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
