"""The folders of the user."""

import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.paths import cache_folder, check_home, data_folder


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


def test_a_home_that_is_no_folder_is_named_with_its_variable(monkeypatch, tmp_path):
    check_home()
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        monkeypatch.setenv("DIGITLAB_HOME", str(path))
        with pytest.raises(InputError, match="DIGITLAB_HOME"):
            check_home()
    monkeypatch.setenv("DIGITLAB_HOME", str(tmp_path / "new"))
    check_home()


def test_a_portable_program_keeps_its_files_beside_it(monkeypatch, tmp_path, frozen):
    monkeypatch.delenv("DIGITLAB_HOME")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "digitlab"))
    monkeypatch.delenv("APPIMAGE", raising=False)
    assert tmp_path not in data_folder().parents
    (tmp_path / "portable").write_text("")
    assert data_folder() == tmp_path / "digitlab-home" / "data"
    check_home()
    (tmp_path / "digitlab-home").rmdir()
    (tmp_path / "digitlab-home").write_text("a file is in the way")
    with pytest.raises(InputError, match="portable"):
        check_home()
