"""Compiled loops are kept where the program may write."""

import os
from pathlib import Path

from core.files.numba_cache import VARIABLE, use_own_folder
from core.files.paths import cache_folder


def test_they_are_kept_in_the_users_cache(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    folder = use_own_folder()
    assert folder.parent == cache_folder()
    assert os.environ[VARIABLE] == str(folder)


def test_a_folder_named_by_the_user_stays(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert use_own_folder() == tmp_path


def test_without_a_home_to_write_to_they_are_kept_for_this_start(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))  # nobody can make a folder below a file
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    folder = use_own_folder()
    assert folder.is_dir()
    assert Path(os.environ[VARIABLE]) == folder
