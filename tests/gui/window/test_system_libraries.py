"""Missing system libraries are named and installed before Qt is imported."""

import sys

import pytest

from core.errors import InputError
from gui.window import display_check as system_libraries
from gui.window.display_check import LIBRARIES, install_command, require_libraries

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux lacks these libraries"
)


class System:
    """A Linux without libEGL and libxcb-cursor, whose package manager is apt-get, with a user at a
    terminal. Its programs lie in `folder`, and note how they are called.
    """

    def __init__(self, folder):
        self.folder = folder
        self.lacking = {"libEGL.so.1", "libxcb-cursor.so.0"}
        self.lacks_all = False
        self.is_root = False
        self.has_terminal = True
        self.give_programs("apt-get", "sudo")

    def give_programs(self, *names):
        for file in self.folder.iterdir():
            file.unlink()
        for name in names:
            program = self.folder / name
            program.write_text(f'#!/bin/sh\necho "{name} $*" >> "{self.folder.parent}/calls"\n')
            program.chmod(0o755)

    @property
    def commands(self):
        calls = self.folder.parent / "calls"
        return [line.split() for line in calls.read_text().splitlines()] if calls.exists() else []

    def loads(self, file):
        if self.lacks_all:
            return False
        is_installed = any("install" in command for command in self.commands)
        lacking = set() if is_installed else self.lacking
        return not lacking if "plugins" in file else file not in lacking

    def isatty(self):
        return self.has_terminal


@pytest.fixture
def bare(monkeypatch, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    system = System(folder)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setattr(system_libraries, "_loads", system.loads)
    monkeypatch.setattr(system_libraries, "_is_root", lambda: system.is_root)
    monkeypatch.setattr("sys.stdin", system)
    return system


def refuse_to_ask(question):
    raise AssertionError(f"asked: {question}")


def test_declining_the_installation_shows_libraries_and_command(bare):
    with pytest.raises(
        InputError, match=r"libEGL\.so\.1.*sudo apt-get install .*libegl1 libxcb-cursor0”"
    ):
        require_libraries("xcb", lambda question: "n")
    assert bare.commands == []


def test_the_command_is_named_in_full_although_everything_is_missing(bare):
    bare.lacks_all = True
    with pytest.raises(InputError) as raised:
        require_libraries("xcb", lambda question: "n")
    message = str(raised.value)
    assert "…" not in message
    assert all(
        library.file in message for library in LIBRARIES if library.window_system in ("", "xcb")
    )


def test_accepting_the_installation_installs_the_libraries(bare):
    require_libraries("xcb", lambda question: "y")
    assert bare.commands[-1][-2:] == ["libegl1", "libxcb-cursor0"]
    assert bare.commands[0][:2] == ["sudo", "apt-get"]


def test_without_a_terminal_a_user_gets_a_message_and_no_question(bare):
    bare.has_terminal = False
    with pytest.raises(InputError, match="libegl1"):
        require_libraries("xcb", refuse_to_ask)
    assert bare.commands == []


def test_root_without_a_terminal_and_ci_install_without_asking(bare):
    bare.has_terminal = False
    bare.is_root = True
    require_libraries("xcb", refuse_to_ask)
    assert bare.commands[-1][0] == "apt-get"


def test_ci_installs_without_asking(bare, monkeypatch):
    monkeypatch.setenv("CI", "true")
    require_libraries("xcb", refuse_to_ask)
    assert bare.commands[-1][:2] == ["sudo", "apt-get"]


def test_offscreen_asks_for_no_library_of_x11(bare):
    with pytest.raises(InputError) as error:
        require_libraries("offscreen", lambda question: "n")
    assert "libEGL" in str(error.value)
    assert "libxcb" not in str(error.value)


@pytest.mark.parametrize(
    ("program", "packages"),
    [("dnf", ["libglvnd-egl", "libglvnd-glx"]), ("pacman", ["libglvnd"]), ("zypper", ["libglvnd"])],
)
def test_other_package_managers_have_their_own_names(bare, program, packages):
    bare.give_programs(program)
    bare.is_root = True
    command = install_command(LIBRARIES[:2])
    assert command[0] == program
    assert command[-len(packages) :] == packages


def test_an_unknown_package_manager_still_gets_the_names_of_the_libraries(bare):
    bare.give_programs()
    with pytest.raises(InputError, match=r"libEGL\.so\.1, libxcb-cursor\.so\.0.*package manager"):
        require_libraries("xcb", refuse_to_ask)
