"""Checks before Qt is imported whether a window can open: Qt aborts where its plugin cannot load."""

import ctypes
import importlib.util
import os
import socket
import sys
from pathlib import Path

from core.errors import InputError
from core.files.system_libraries import qt_loads, require_libraries
from core.program import PROGRAM
from kernels.uv import uv_command

_WITHOUT = f"train without a window: {PROGRAM} train"
_SERVERS = ("xcb", "wayland")


def check_display() -> None:
    """Raise InputError where no window can open: PySide6, a display or a system library is missing.

    Offers to install missing system libraries first.
    """
    for name, package in (("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        if importlib.util.find_spec(name) is None:
            raise InputError(
                "The window needs {name}, which is not installed: start it with “{command}”, or run "
                "“pip install {package}”; or {without}.", name=name, command=uv_command("run main.py"),
                package=package, without=_WITHOUT,
            )  # fmt: skip
    if sys.platform.startswith("linux"):
        systems = _window_systems()
        if not qt_loads(systems[0]) and len(systems) > 1 and qt_loads(systems[1]):
            os.environ["QT_QPA_PLATFORM"] = systems[1]
        else:
            require_libraries(systems[0])


def _window_systems() -> list[str]:
    """Names of the Qt platform plugins that find a display, the best first. Raises InputError where none does."""
    wanted = os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if wanted and not wanted.startswith(_SERVERS):
        return [wanted]
    systems = ["wayland"] if wanted != "xcb" and _wayland_answers() else []
    if not wanted.startswith("wayland") and _x_answers():
        systems.append("xcb")
    if systems:
        return systems
    raise InputError("There is no display here, so no window can open; {without}.", without=_WITHOUT)


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
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed
