"""What Windows does differently with open files, injected on the system of the tests."""

import logging
import os
import sys
from types import SimpleNamespace

import pytest

from core.errors import InputError
from core.files import atomic, log
from core.files.atomic import write_atomically


@pytest.fixture
def windows(monkeypatch):
    """`os.replace` is refused as often as `refusals["left"]` says; time passes only in `sleep`."""
    refusals, clock, replace = {"left": 0}, {"now": 0.0}, os.replace

    def refuse(source, target):
        if refusals["left"]:
            refusals["left"] -= 1
            raise PermissionError(13, "The process cannot access the file because it is being used")
        replace(source, target)

    monkeypatch.setattr(atomic, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(atomic.os, "replace", refuse)
    monkeypatch.setattr(atomic.time, "monotonic", lambda: clock["now"])
    monkeypatch.setattr(
        atomic.time, "sleep", lambda seconds: clock.update(now=clock["now"] + seconds)
    )
    return refusals, clock


def test_a_file_that_another_program_holds_for_a_moment_is_replaced(tmp_path, windows):
    refusals, clock = windows
    path = tmp_path / "history.csv"
    path.write_bytes(b"old")
    refusals["left"] = 3
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert 0 < clock["now"] < 1


def test_a_file_that_stays_open_elsewhere_is_named_after_two_seconds_and_kept(tmp_path, windows):
    refusals, clock = windows
    path = tmp_path / "history.csv"
    path.write_bytes(b"old")
    refusals["left"] = 10**6
    with pytest.raises(InputError, match=r"history\.csv.*close the program that has it open"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert 2 <= clock["now"] < 3
    assert [file.name for file in tmp_path.iterdir()] == ["history.csv"]


def test_other_systems_try_once(tmp_path, windows, monkeypatch):
    refusals, clock = windows
    monkeypatch.setattr(atomic, "sys", SimpleNamespace(platform="linux"))
    refusals["left"] = 1
    with pytest.raises(InputError):
        write_atomically(tmp_path / "history.csv", b"new")
    assert clock["now"] == 0


def test_a_log_that_cannot_be_renamed_goes_on_in_the_same_file(monkeypatch):
    """Two windows have one log open; a program without a console has its streams in the log,
    too.
    """

    def refuse(source, target):
        raise PermissionError(13, "used by another process")

    for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
        monkeypatch.setattr(sys, name, None)
    monkeypatch.setattr(os, "rename", refuse)
    with log.open_log() as path:
        for _ in range(2 * log._MAX_BYTES // 1000):
            log.logger.info("x" * 1000)
        log.logger.info("the last line" + "x" * 1000)  # too long for the room that is left
    assert "the last line" in path.read_text("utf-8")


def test_a_log_on_a_full_disk_loses_records_and_nothing_else(monkeypatch):
    with log.open_log() as path:
        handler = next(h for h in logging.getLogger().handlers if isinstance(h, log._LogFile))

        def refuse(text):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(handler.stream, "write", refuse, raising=False)
        log.logger.info("lost")
        monkeypatch.undo()
        log.logger.info("kept")
    assert "kept" in path.read_text("utf-8")
