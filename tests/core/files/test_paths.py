"""The folders of the user."""

import sys
from pathlib import Path

from core.files.paths import cache_folder, data_folder


def test_one_variable_moves_both_folders(home):
    assert cache_folder() == home / "cache"
    assert data_folder() == home / "data"
    assert not home.exists()


def test_without_the_variable_they_are_those_of_the_system(monkeypatch):
    monkeypatch.delenv("DIGITLAB_HOME")
    assert cache_folder().is_absolute()
    assert "digitlab" in str(data_folder())


def test_without_platformdirs_they_are_the_usual_ones(monkeypatch, tmp_path):
    monkeypatch.delenv("DIGITLAB_HOME")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "platformdirs", None)
    assert cache_folder() == Path.home() / ".cache" / "digitlab"
    assert data_folder() == tmp_path / "digitlab"


def test_an_unknown_home_in_the_variable_is_taken_literally(monkeypatch):
    monkeypatch.setenv("DIGITLAB_HOME", "~nobody-of-this-name/x")
    assert data_folder() == Path("~nobody-of-this-name/x").absolute() / "data"
