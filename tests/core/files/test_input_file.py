import os
import socket

import pytest

from core.errors import InputError
from core.files.input_file import check_input, open_input, read_input
from tests.systems import require_posix

FUNCTIONS = [check_input, open_input, read_input]


def test_a_regular_file_is_read(tmp_path):
    require_posix()
    path = tmp_path / "file"
    path.write_bytes(b"content")
    (tmp_path / "link").symlink_to(path)
    assert check_input(path, 7, "a file") == 7
    assert read_input(tmp_path / "link", 7, "a file") == b"content"
    with open_input(path, 7, "a file") as file:
        assert file.read(3) == b"con"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_only_regular_files_are_read(tmp_path, function):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    server = socket.socket(socket.AF_UNIX)
    server.bind(str(tmp_path / "socket"))
    for name in ("fifo", "zero", "socket"):
        with pytest.raises(InputError, match="not a regular file"):
            function(tmp_path / name, 100, "a file")
    server.close()
    for path, words in [
        (tmp_path, "is a folder: choose a model"),
        (tmp_path / "none", "does not exist: choose a model"),
        (tmp_path / "loop", "cannot be read"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ]:
        with pytest.raises(InputError, match=words):
            function(path, 100, "a model")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_larger_file_is_refused_with_the_limit(tmp_path, function):
    path = tmp_path / "file"
    path.write_bytes(bytes(1001))
    with pytest.raises(InputError, match="larger than 1 kB"):
        function(path, 1000, "a file")


@pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="only Linux has such a file")
def test_a_file_that_hides_its_size_is_not_read_beyond_the_limit():
    with pytest.raises(InputError, match="larger than"):
        read_input("/proc/self/maps", 50, "a file")
