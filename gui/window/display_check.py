"""Checks before Qt is imported whether a window can open: Qt aborts where its plugin cannot load.

Qt's wheels bring everything but some system libraries, which a bare Linux lacks. Nothing here
imports Qt.
"""

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

from core.errors import InputError
from core.program import PROGRAM
from kernels.installation import start_command

_WITHOUT = f"train without a window: {PROGRAM} train"
# Of Debian and Ubuntu; other systems have the same libraries in packages of similar names.
_PACKAGES = (
    "libegl1 libgl1 libfontconfig1 libglib2.0-0 libdbus-1-3 libxkbcommon-x11-0 libxcb-cursor0 "
    "libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0 "
    "libxcb-xkb1 libwayland-client0 libwayland-cursor0"
)


def check_display() -> None:
    """Raise InputError where no window can open: PySide6, a display or a system library is
    missing.
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
    if sys.platform.startswith("linux"):
        require_plugin(_window_systems())


def _window_systems() -> list[str]:
    """Names of the platform plugins that Qt tries. Raises InputError without a display."""
    wanted = os.environ.get("QT_QPA_PLATFORM", "")
    servers = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    systems = [name.partition(":")[0] for name in wanted.split(";")] if wanted else [*servers]
    found = [name for name in systems if os.environ.get(servers.get(name, "PATH"))]
    if not found or (found == ["xcb"] and not _x_answers()):
        raise InputError(
            "There is no display here, so no window can open; {without}.", without=_WITHOUT
        )
    return found


def _x_answers() -> bool:
    """False where the display is gone that DISPLAY names, as after a connection has ended."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # `require_plugin` names the missing library
    # By default ctypes takes results as int, which cuts a pointer of 64 bits.
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def require_plugin(systems: list[str]) -> None:
    """Raise InputError where none of these platform plugins of Qt loads, with all libraries that
    it needs, or where Qt has none of them; others may lie in folders that variables name.
    """
    known = sorted(path.stem.removeprefix("libq") for path in _plugins("*"))
    elsewhere = os.environ.keys() & {"QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"}
    if known and not elsewhere and not set(known).intersection(systems):
        raise InputError(
            "The variable QT_QPA_PLATFORM is {name}, and Qt has no such window system here: "
            "remove the variable, or set it to one of {known}.",
            name=systems[0],
            known=known,
        )
    errors = []
    for name in systems:
        for plugin in _plugins(name):
            try:
                ctypes.CDLL(str(plugin))
            except OSError as error:
                errors.append(str(error))
                continue
            return
    if errors:
        # The packages are part of the template because long values are shortened.
        raise InputError(
            "The window needs a system library that is missing ({error}): on Debian and Ubuntu "
            f"run “sudo apt-get install {_PACKAGES}”; or {{without}}.",
            error=errors[-1],
            without=_WITHOUT,
        )


def _plugins(name: str) -> list[Path]:
    """The files of Qt's platform plugins of this name, which may be "*"."""
    package = importlib.util.find_spec("PySide6")
    folders = package.submodule_search_locations if package else None
    places = (Path(folder, "Qt", "plugins", "platforms") for folder in folders or ())
    return [file for place in places for file in place.glob(f"libq{name}.so")]
