"""What differs between systems: menus on macOS, file names on Windows."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from core.inference.model_file import bundled_model
from core.network.notation import parse


def test_macos_moves_only_quit_and_about_to_the_application_menu(window):
    moved = [
        action.text()
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if action.menuRole() != QAction.MenuRole.NoRole and not action.isSeparator()
    ]
    assert moved == ["&Quit", "&About DigitLab…"]


@pytest.mark.parametrize("network", ["32C5:valid:s2-MP2-10N", "-".join(["784", *["30"] * 80, "10"])])
def test_the_suggested_name_of_a_model_suits_every_system(window, monkeypatch, network):
    suggested = []
    monkeypatch.setattr(
        "PySide6.QtWidgets.QFileDialog.getSaveFileName",
        lambda *values: suggested.append(values[2]) or ("", ""),
    )
    window.files.set_model(replace(bundled_model(), network=parse(network, (28, 28, 1), 10)))
    window.files.save_as()
    name = Path(suggested[0]).name
    assert name.endswith(".safetensors")
    assert len(name) < 100
    assert not set(name) & set('<>:"/\\|?*')
