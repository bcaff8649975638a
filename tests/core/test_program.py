"""The name of the program in messages is what the user can run."""

import importlib
import sys

import pytest

from core import program


@pytest.mark.parametrize(
    ("frozen", "system", "appimage", "name"),
    [
        (False, "linux", "", "main.py"),
        (True, "linux", "", "digitlab"),
        (True, "linux", "/home/a/DigitLab-0.1.0-x86_64.AppImage", "DigitLab-0.1.0-x86_64.AppImage"),
        (True, "win32", "", "digitlab-cli"),
    ],
)
def test_program(monkeypatch, frozen, system, appimage, name):
    monkeypatch.setattr(sys, "frozen", frozen, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("APPIMAGE", appimage)
    try:
        importlib.reload(program)
        assert name == program.PROGRAM
    finally:
        monkeypatch.undo()
        importlib.reload(program)
