"""The folder of compiled loops is one that the program may write to."""

import os
from pathlib import Path

from core.files.numba_cache import VARIABLE, use_own_folder
from core.files.paths import cache_folder


def test_loops_are_cached_in_the_users_cache_folder(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    folder = use_own_folder()
    assert folder.parent == cache_folder()
    assert os.environ[VARIABLE] == str(folder)


def test_a_folder_named_in_the_environment_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert use_own_folder() == tmp_path


def test_without_a_writable_cache_folder_a_temporary_one_is_used(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))  # nobody can make a folder below a file
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    folder = use_own_folder()
    assert folder.is_dir()
    assert Path(os.environ[VARIABLE]) == folder
