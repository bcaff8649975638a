"""The folders of the user, and that of compiled loops, which the program may write to."""

import os
import sys
from pathlib import Path

from core.files.paths import NUMBA_VARIABLE, cache_folder, data_folder, use_own_numba_cache


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


def test_loops_are_cached_in_the_users_cache_folder(monkeypatch):
    monkeypatch.setenv(NUMBA_VARIABLE, "")
    folder = use_own_numba_cache()
    assert folder.parent == cache_folder()
    assert os.environ[NUMBA_VARIABLE] == str(folder)


def test_a_folder_named_in_the_environment_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv(NUMBA_VARIABLE, str(tmp_path))
    assert use_own_numba_cache() == tmp_path


def test_without_a_writable_cache_folder_a_temporary_one_is_used(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv(NUMBA_VARIABLE, "")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))  # nobody can make a folder below a file
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    folder = use_own_numba_cache()
    assert folder.is_dir()
    assert Path(os.environ[NUMBA_VARIABLE]) == folder
