"""What differs between systems: menus on macOS, file names on Windows."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from core.inference.model_file import bundled_model
from core.network.notation import parse
from tests.gui.person import file_dialogs


def test_macos_moves_only_quit_and_about_to_the_application_menu(window):
    moved = [
        action.text()
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if action.menuRole() != QAction.MenuRole.NoRole and not action.isSeparator()
    ]
    assert moved == ["&Quit", "&About DigitLab…"]


def menu_keys(window):
    """The keys of each menu command that has one."""
    commands = [
        action for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()
    ]
    keys = {action.text(): [key.toString() for key in action.shortcuts()] for action in commands}
    return {text: keys for text, keys in keys.items() if keys}


def test_commands_with_a_function_key_or_alt_have_another_key(window):
    """Function keys need Fn on many laptops, and Alt with a digit types a character on a Mac."""
    for text, keys in menu_keys(window).items():
        if text != "&Full screen":  # whose key on a Mac is another one
            assert any("Ctrl" in key and "F1" not in key for key in keys) or text == "&Manual…", (
                text
            )


def test_no_key_belongs_to_two_menu_commands(window):
    for number in range(9):
        window.preferences.add_recent(Path(f"/models/{number}.safetensors"))
    window.saving.recent.fill()
    keys = [key for keys in menu_keys(window).values() for key in keys]
    assert len(keys) == len(set(keys))


def test_no_key_types_a_character_with_altgr(window):
    """Windows reports AltGr as Ctrl+Alt: AltGr+E is € in Germany, AltGr+S is ś in Poland."""
    keys = [key for keys in menu_keys(window).values() for key in keys]
    assert not [key for key in keys if "Ctrl" in key and "Alt" in key]


@pytest.mark.parametrize(
    "network", ["32C5:valid:s2-MP2-10N", "-".join(["784", *["30"] * 80, "10"])]
)
def test_the_suggested_name_of_a_model_suits_every_system(window, network):
    window.saving.set_model(replace(bundled_model(), network=parse(network, (28, 28, 1), 10)))
    window.saving.save_as()
    name = Path(file_dialogs.asked[0][1]).name
    assert name.endswith(".safetensors")
    assert len(name) < 100
    assert not set(name) & set('<>:"/\\|?*')
