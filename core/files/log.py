"""The log: one file in the user's data folder that tells what the program did, begun anew when it is full."""

import faulthandler
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path

from core.files.paths import data_folder

# What the program says of itself; other packages are heard from WARNING on.
logger = logging.getLogger("digitlab")

_LARGEST = 500_000  # bytes; one older file of this size is kept beside it
_FORM = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


def log_path() -> Path:
    return data_folder() / "digitlab.log"


@contextmanager
def kept_log() -> Iterator[Path | None]:
    """Keep the log while the block runs; yields its path, or None where it cannot be written.

    Python's warnings go there, and so does what a native crash leaves. A program without a console has no
    streams to write to: the log takes their place.
    """
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = _LogFile(path, maxBytes=_LARGEST, backupCount=1, encoding="utf-8")
    except OSError:
        yield None
        return
    handler.setFormatter(logging.Formatter(_FORM))
    root, level, streams = logging.getLogger(), logger.level, (sys.stdout, sys.stderr)
    root.addHandler(handler)
    logger.setLevel(logging.INFO)
    logging.captureWarnings(True)
    if sys.__stdout__ is None:
        sys.stdout = _Lines(logging.INFO)
    if sys.__stderr__ is None:
        sys.stderr = _Lines(logging.WARNING)
    watching = not faulthandler.is_enabled()
    if watching:
        handler.watch_crashes()
    try:
        yield path
    finally:
        if watching:
            faulthandler.disable()
        sys.stdout, sys.stderr = streams
        logging.captureWarnings(False)
        logger.setLevel(level)
        root.removeHandler(handler)
        handler.close()


class _LogFile(RotatingFileHandler):
    """Points the crash handler, which writes to an open file, at each new file."""

    _watching = False

    def watch_crashes(self) -> None:
        self._watching = True
        self._point_crashes_here()

    def doRollover(self) -> None:  # noqa: N802 - the library's name
        super().doRollover()
        if self._watching:
            self._point_crashes_here()

    def _point_crashes_here(self) -> None:
        assert self.stream
        faulthandler.enable(self.stream)


class _Lines:
    """A text stream whose lines become records of the log."""

    encoding = "utf-8"

    def __init__(self, level: int) -> None:
        self._level = level
        self._rest = ""

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            if line.strip():
                logger.log(self._level, "%s", line)
        return len(text)

    def flush(self) -> None:
        """A line is written when it is whole."""

    def isatty(self) -> bool:
        return False
