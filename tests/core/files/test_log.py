"""The log file, and programs that cannot write one."""

import logging
import os
import sys
import warnings

import pytest

from core.files.log import _MAX_BYTES, log_path, logger, open_log


def test_records_of_the_program_and_of_others_are_written():
    with open_log() as path:
        logger.info("main loop reached")
        logging.getLogger("some.package").warning("something is odd")
    text = path.read_text("utf-8")
    assert "INFO    digitlab: main loop reached" in text
    assert "WARNING some.package: something is odd" in text
    assert not [handler for handler in logging.getLogger().handlers if path.name in str(handler)]


def test_warnings_of_python_are_written():
    with open_log() as path, warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old habits", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(False)
    assert "old habits" in path.read_text("utf-8")


def test_a_full_log_is_replaced_and_one_older_file_kept(monkeypatch):
    with open_log() as path:
        for _ in range(3 * _MAX_BYTES // 1000):
            logger.info("x" * 1000)
    assert path.stat().st_size <= _MAX_BYTES
    assert sorted(p.name for p in path.parent.iterdir()) == ["digitlab.log", "digitlab.log.1"]


def test_without_a_console_the_output_is_written_to_the_log(monkeypatch):
    for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
        monkeypatch.setattr(sys, name, None)
    with open_log() as path:
        print("three", "words", flush=True)
        print("a sigh", file=sys.stderr)
        assert not sys.stdout.isatty()
    text = path.read_text("utf-8")
    assert "INFO    digitlab: three words" in text
    assert "WARNING digitlab: a sigh" in text
    assert sys.stdout is None


def test_an_unwritable_folder_gets_no_log(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))
    with open_log() as path:
        logger.warning("not written anywhere")
    assert path is None
    assert not log_path().exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_place_of_the_log_does_not_block_the_start():
    log_path().parent.mkdir(parents=True)
    os.mkfifo(log_path())
    with open_log() as path:
        assert path is None
