"""The log tells what happened, and the program goes on where it cannot be kept."""

import logging
import sys
import warnings

from core.files.log import _LARGEST, kept_log, log_path, logger


def test_it_holds_what_the_program_and_others_say():
    with kept_log() as path:
        logger.info("main loop reached")
        logging.getLogger("some.package").warning("something is odd")
    text = path.read_text("utf-8")
    assert "INFO    digitlab: main loop reached" in text
    assert "WARNING some.package: something is odd" in text
    assert not [handler for handler in logging.getLogger().handlers if path.name in str(handler)]


def test_pythons_warnings_go_there():
    with kept_log() as path, warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old habits", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(False)
    assert "old habits" in path.read_text("utf-8")


def test_it_starts_anew_when_full_and_keeps_one_older_file(monkeypatch):
    with kept_log() as path:
        for _ in range(3 * _LARGEST // 1000):
            logger.info("x" * 1000)
    assert path.stat().st_size <= _LARGEST
    assert sorted(p.name for p in path.parent.iterdir()) == ["digitlab.log", "digitlab.log.1"]


def test_without_a_console_what_is_printed_stands_in_the_log(monkeypatch):
    for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
        monkeypatch.setattr(sys, name, None)
    with kept_log() as path:
        print("three", "words", flush=True)
        print("a sigh", file=sys.stderr)
        assert not sys.stdout.isatty()
    text = path.read_text("utf-8")
    assert "INFO    digitlab: three words" in text
    assert "WARNING digitlab: a sigh" in text
    assert sys.stdout is None


def test_where_nobody_can_write_there_is_no_log(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("DIGITLAB_HOME", str(file))
    with kept_log() as path:
        logger.warning("heard by nobody")
    assert path is None
    assert not log_path().exists()
