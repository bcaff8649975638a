import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import InputError
from core.files.atomic import atomic_path, remove_stale_temporaries, write_atomically, write_new
from tests.systems import require_posix

ROOT = Path(__file__).resolve().parents[3]


def write_half(target: Path, error: Exception) -> None:
    with atomic_path(target) as temporary:
        temporary.write_bytes(b"half")
        raise error


def test_a_file_is_written_and_its_folders_are_created(tmp_path):
    target = tmp_path / "new" / "folder" / "file.txt"
    write_atomically(target, b"content")
    assert target.read_bytes() == b"content"
    assert os.listdir(target.parent) == ["file.txt"]


def test_an_error_midway_leaves_the_old_file(tmp_path):
    target = tmp_path / "file.txt"
    write_atomically(target, b"good")
    with pytest.raises(ZeroDivisionError):
        write_half(target, ZeroDivisionError())
    assert target.read_bytes() == b"good"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_the_temporary_file_is_in_the_folder_of_its_target(tmp_path):
    with atomic_path(tmp_path / "file.txt") as temporary:
        assert temporary.parent == tmp_path
        temporary.write_bytes(b"")


def test_a_full_disk_is_an_input_error_and_leaves_the_old_file(tmp_path):
    target = tmp_path / "file.txt"
    write_atomically(target, b"good")
    with pytest.raises(InputError, match="No space left"):
        write_half(target, OSError(28, "No space left on device"))
    assert target.read_bytes() == b"good"
    assert os.listdir(tmp_path) == ["file.txt"]


def test_a_folder_that_cannot_be_written_is_an_input_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="could not be written"):
        write_atomically(tmp_path / "file" / "below.txt", b"content")


def test_a_block_that_writes_nothing_is_an_input_error(tmp_path):
    with pytest.raises(InputError), atomic_path(tmp_path / "file.txt"):
        pass


def test_permissions_of_an_overwritten_file_are_kept(tmp_path):
    require_posix()
    target = tmp_path / "file.txt"
    target.write_bytes(b"old")
    target.chmod(0o600)
    write_atomically(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_a_link_stays_and_the_file_it_points_to_is_replaced(tmp_path):
    require_posix()
    target, link = tmp_path / "elsewhere" / "file.txt", tmp_path / "link.txt"
    write_atomically(target, b"old")
    link.symlink_to(target)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(target.parent) == ["file.txt"]


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path):
    write_atomically(tmp_path / ("x" * 255), b"content")
    assert len(os.listdir(tmp_path)) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        write_atomically(tmp_path / "pipe", b"content")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


KILLED = """
import os, signal, sys
from core.files.atomic import atomic_path
with atomic_path(sys.argv[1]) as temporary:
    temporary.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by_a_killed_program(target: Path) -> Path:
    """The temporary file of a program that was killed a minute ago while it wrote `target`."""
    require_posix()
    subprocess.run([sys.executable, "-c", KILLED, str(target)], cwd=ROOT, check=False)
    (temporary,) = target.parent.glob(".*.tmp")
    os.utime(temporary, (temporary.stat().st_mtime - 60,) * 2)
    return temporary


def test_a_killed_program_leaves_the_old_file_and_its_temporary_file_goes_at_the_next_start(
    tmp_path,
):
    target = tmp_path / "runs" / "last" / "file.txt"
    write_atomically(target, b"good")
    left_by_a_killed_program(target)
    assert target.read_bytes() == b"good"
    remove_stale_temporaries(tmp_path)
    assert os.listdir(target.parent) == ["file.txt"]


def test_stale_temporary_files_go_at_the_next_write_into_their_folder(tmp_path):
    left_by_a_killed_program(tmp_path / "file.txt")
    write_atomically(tmp_path / "other.txt", b"content")
    assert os.listdir(tmp_path) == ["other.txt"]


def test_temporary_files_of_running_programs_and_other_files_stay(tmp_path):
    names = {f".digitlab-{os.getpid()}-00000000.tmp", ".other-1-00000000.tmp", "notes.tmp"}
    for name in names:
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (1, 1))
    remove_stale_temporaries(tmp_path)
    assert set(os.listdir(tmp_path)) == names


def test_only_one_of_two_writes_of_a_new_file_succeeds(tmp_path):
    assert write_new(tmp_path / "1.png", b"first")
    assert not write_new(tmp_path / "1.png", b"second")
    assert (tmp_path / "1.png").read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["1.png"]
