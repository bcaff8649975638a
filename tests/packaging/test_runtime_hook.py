"""The folder of compiled loops in the packaged program, which must be one that it may write to."""

import os
import runpy
from pathlib import Path

from core.files.paths import cache_folder

HOOK = Path(__file__).resolve().parents[2] / "packaging" / "runtime_hook.py"


def test_loops_are_cached_in_the_users_cache_folder(home, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    runpy.run_path(str(HOOK))
    assert Path(os.environ["NUMBA_CACHE_DIR"]).parent == cache_folder()


def test_a_folder_named_in_the_environment_is_used(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    runpy.run_path(str(HOOK))
    assert os.environ["NUMBA_CACHE_DIR"] == str(tmp_path)


def test_without_a_writable_cache_folder_a_temporary_one_is_used(monkeypatch, tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))  # nobody can make a folder below a file
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    runpy.run_path(str(HOOK))
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    assert folder.is_dir()
    assert folder.parent == tmp_path
