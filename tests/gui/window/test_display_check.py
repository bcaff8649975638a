"""Whether a window can open is told before Qt could abort."""

import sys
from pathlib import Path

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
    """Displays of Wayland and of X; the names of plugins that lack a library."""
    names = set()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("DISPLAY", ":0")

    def load(file):
        if any(name in file for name in names):
            raise OSError(f"libof{Path(file).stem}.so.0: cannot open shared object file")

    monkeypatch.setattr("ctypes.CDLL", load)
    return names


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "vnc:size=800x600", "offscreen;xcb"])
def test_platforms_without_a_server_are_let_through(monkeypatch, platform):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    display_check.check_display()


@pytest.mark.parametrize("platform", ["", "xcb", "wayland", "wayland;xcb"])
def test_no_display_is_refused(monkeypatch, platform):
    monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    with pytest.raises(InputError, match=r"no display.*main\.py train"):
        display_check.check_display()


def test_a_display_that_does_not_answer_is_refused(monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":987")
    with pytest.raises(InputError, match="no display"):
        display_check.check_display()


def test_a_missing_package_is_named_with_its_installation(uninstall):
    uninstall("PySide6")
    with pytest.raises(InputError, match="pip install PySide6-Essentials"):
        display_check.check_display()


def test_x_is_enough_where_a_library_of_wayland_is_missing(lacking):
    lacking.add("wayland")
    display_check.check_display()


def test_a_missing_library_is_named_with_the_command_that_installs_it(lacking):
    lacking.update(("wayland", "xcb"))
    with pytest.raises(
        InputError, match=r"liboflibqxcb\.so\.0.*sudo apt-get install .*libxcb-cursor0.*train"
    ) as raised:
        display_check.check_display()
    assert "…" not in str(raised.value)
