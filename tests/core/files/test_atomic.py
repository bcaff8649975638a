import os
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.atomic import atomic_path, write_atomically
from core.files.paths import cache_folder, data_folder


def write_half(target: Path, error: Exception) -> None:
    with atomic_path(target) as temporary:
        temporary.write_bytes(b"half")
        raise error


def test_a_file_is_written_whole_and_folders_are_made(tmp_path):
    target = tmp_path / "new" / "folder" / "file.txt"
    write_atomically(target, b"content")
    assert target.read_bytes() == b"content"
    assert os.listdir(target.parent) == ["file.txt"]


def test_what_fails_midway_leaves_the_last_good_file(tmp_path):
    target = tmp_path / "file.txt"
    write_atomically(target, b"good")
    with pytest.raises(ZeroDivisionError):
        write_half(target, ZeroDivisionError())
    assert target.read_bytes() == b"good"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_the_temporary_file_lies_beside_its_target(tmp_path):
    with atomic_path(tmp_path / "file.txt") as temporary:
        assert temporary.parent == tmp_path
        temporary.write_bytes(b"")


def test_a_full_disk_is_a_refusal_and_leaves_the_last_good_file(tmp_path):
    target = tmp_path / "file.txt"
    write_atomically(target, b"good")
    with pytest.raises(InputError, match="No space left"):
        write_half(target, OSError(28, "No space left on device"))
    assert target.read_bytes() == b"good"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_a_folder_that_takes_nothing_is_a_refusal(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="could not be written"):
        write_atomically(tmp_path / "file" / "below.txt", b"content")


def test_a_block_that_writes_nothing_is_a_refusal(tmp_path):
    with pytest.raises(InputError), atomic_path(tmp_path / "file.txt"):
        pass


def test_one_variable_moves_both_folders(home):
    assert cache_folder() == home / "cache"
    assert data_folder() == home / "data"
    assert not home.exists()


def test_without_it_they_are_the_systems(monkeypatch):
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
