"""Whether a window can open here, found out without Qt, which aborts where its plugin cannot load."""

import ctypes
import importlib.util
import os
import socket
import sys
from pathlib import Path

from core.errors import InputError

_WITHOUT = "train without a window: main.py train"
_SERVERS = ("xcb", "wayland")

# The libraries that Qt leaves to the system, with the Debian packages that bring them.
_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libX11.so.6": "libx11-6",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}


def check_display() -> None:
    """Refuse where no window can open: PySide6 missing, no display, or a library that Qt needs missing."""
    for name, package in (("PySide6", "PySide6-Essentials"), ("pyqtgraph", "pyqtgraph")):
        if importlib.util.find_spec(name) is None:
            raise InputError(
                "The window needs {name}, which is not installed: start it with “uv run main.py”, or run "
                "“pip install {package}”; or {without}.", name=name, package=package, without=_WITHOUT,
            )  # fmt: skip
    if sys.platform.startswith("linux"):
        _check_libraries(_platform())


def _platform() -> str:
    """The Qt platform plugin that will be used; an InputError where it would find no display."""
    wanted = os.environ.get("QT_QPA_PLATFORM", "").split(";")[0].split(":")[0]
    if wanted and not wanted.startswith(_SERVERS):
        return wanted
    if wanted != "xcb" and _wayland_answers():
        return "wayland"
    if not wanted.startswith("wayland") and _x_answers():
        return "xcb"
    raise InputError("There is no display here, so no window can open; {without}.", without=_WITHOUT)


def _wayland_answers() -> bool:
    name = os.environ.get("WAYLAND_DISPLAY")
    if not name:
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
        return True  # the missing library is named next
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = (ctypes.c_void_p,)
    connection = xcb.xcb_connect(None, None)
    failed = bool(xcb.xcb_connection_has_error(connection))
    xcb.xcb_disconnect(connection)
    return not failed


def _check_libraries(platform: str) -> None:
    package = importlib.util.find_spec("PySide6")
    folders = package.submodule_search_locations if package else None
    for folder in folders or ():
        plugin = Path(folder, "Qt", "plugins", "platforms", f"libq{platform}.so")
        if not plugin.exists() or (reason := _cannot_load(str(plugin))) is None:
            continue
        missing = [debian for library, debian in _PACKAGES.items() if _cannot_load(library)]
        raise InputError(
            "The window needs a system library that is missing ({reason}): run “sudo apt install "
            "{packages}”; or {without}.",
            reason=reason,
            packages=" ".join(missing) or "libxcb-cursor0",
            without=_WITHOUT,
        )


def _cannot_load(library: str) -> str | None:
    """Why the loader refuses `library`; None where it loads."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        return str(error)
    return None
