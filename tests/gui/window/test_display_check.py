"""Whether a window can open is told before Qt could abort."""

import os
import socket
import sys
import tempfile

import pytest

from core.errors import InputError
from gui.window import display_check

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux can lack a display"
)


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    """No display of any kind."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def lacking(monkeypatch):
    """Displays of Wayland and of X that answer; the names of plugins that do not load."""
    names = set()
    monkeypatch.setenv("QT_QPA_PLATFORM", "")  # as the program may set it
    monkeypatch.setattr(display_check, "_x_answers", lambda: True)
    monkeypatch.setattr(
        display_check, "_loads", lambda file: not any(name in file for name in names)
    )
    # Not below `tmp_path`, whose names are too long for a socket.
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
        server.bind(f"{folder}/wayland-0")
        server.listen()
        yield names


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "vnc:size=800x600", "offscreen;xcb"])
def test_platforms_without_a_server_are_let_through(monkeypatch, platform):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    display_check.check_display()


@pytest.mark.parametrize("platform", ["", "xcb", "wayland", "wayland;xcb"])
def test_no_display_is_refused(monkeypatch, platform):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    with pytest.raises(InputError, match=r"no display.*main\.py train"):
        display_check.check_display()


def test_displays_that_do_not_answer_are_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("DISPLAY", ":987")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-987")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(InputError, match="no display"):
        display_check.check_display()


def test_a_missing_package_is_named_with_its_installation(uninstall):
    uninstall("PySide6")
    with pytest.raises(InputError, match="pip install PySide6-Essentials"):
        display_check.check_display()


def test_x_is_used_where_the_libraries_of_wayland_are_missing(lacking):
    lacking.add("wayland")
    display_check.check_display()
    assert os.environ["QT_QPA_PLATFORM"] == "xcb"


def test_libraries_of_wayland_are_named_where_x_does_not_work_either(lacking, monkeypatch):
    monkeypatch.setenv("PATH", "")  # no package manager
    lacking.update(("wayland", "xcb"))
    with pytest.raises(InputError, match=r"libwayland-client\.so\.0"):
        display_check.check_display()
