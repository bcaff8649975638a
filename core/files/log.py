"""The log file in the user's data folder: what the program did, warnings, and what a native crash
leaves.
"""

import faulthandler
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOBase
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.files.paths import data_folder

# Records of the program itself are kept from INFO on, those of other packages from WARNING on.
logger = logging.getLogger("digitlab")

_MAX_BYTES = 500_000  # one older file of this size is kept
_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def log_path() -> Path:
    return data_folder() / "digitlab.log"


@contextmanager
def open_log() -> Iterator[Path | None]:
    """Write the log within the context; yields its path, or None where it cannot be written.

    Python's warnings and native crashes are written, too. Where there is no console, so are stdout
    and stderr.
    """
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise OSError("opening a pipe would block")
        handler = _LogFile(path, maxBytes=_MAX_BYTES, backupCount=1, encoding="utf-8")
    except OSError:
        yield None
        return
    handler.setFormatter(logging.Formatter(_FORMAT))
    root = logging.getLogger()
    level = logger.level
    streams = (sys.stdout, sys.stderr)
    root.addHandler(handler)
    logger.setLevel(logging.INFO)
    logging.captureWarnings(True)
    if sys.__stdout__ is None:
        sys.stdout = _LogStream(logging.INFO)
    if sys.__stderr__ is None:
        sys.stderr = _LogStream(logging.WARNING)
    # One that the environment or a test has enabled writes elsewhere: it stays.
    if log_crashes := not faulthandler.is_enabled():
        handler.log_crashes()
    try:
        yield path
    finally:
        if log_crashes:
            faulthandler.disable()
        sys.stdout, sys.stderr = streams
        logging.captureWarnings(False)
        logger.setLevel(level)
        root.removeHandler(handler)
        handler.close()


class _LogFile(RotatingFileHandler):
    """Tells faulthandler, which writes to an open file, of each new file."""

    _logs_crashes = False

    def log_crashes(self) -> None:
        assert self.stream
        self._logs_crashes = True
        faulthandler.enable(self.stream)

    def doRollover(self) -> None:  # noqa: N802 - the library's name
        try:
            super().doRollover()
        except (
            OSError
        ):  # Windows renames no file that another window has open: go on in the same one
            self.stream = self._open()
        if self._logs_crashes:
            self.log_crashes()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Drop a record that cannot be written. A report on stderr could end up in this log
        again.
        """


class _LogStream(TextIOBase):
    """A text stream whose complete lines become records of the log."""

    encoding = "utf-8"

    def __init__(self, level: int) -> None:
        self._level = level
        self._line = ""

    def write(self, text: str) -> int:
        # print() writes a text and its line end apart: what follows the last line end waits.
        *lines, self._line = (self._line + text).split("\n")
        for line in filter(str.strip, lines):
            logger.log(self._level, "%s", line)
        return len(text)
