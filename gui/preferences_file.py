"""A file of texts by their keys, written in the background; two windows may change it."""

import json
import os
import re
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import RLock, Thread

from PySide6.QtCore import QObject, Signal

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import check_input
from core.files.lock import locked
from core.files.log import logger
from core.files.reasons import reason_of

_LOCK_SECONDS = 0.5
_MAX_BYTES = 10_000_000
# JSON has four digits after u, which QSettings does not write; QSettings has x and up to four, or
# octal digits.
_ESCAPE = re.compile(r"\\(?:(?:u|x)([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class PreferencesFile(QObject):
    """An INI file, as QSettings writes it.

    It is read here and not by QSettings, which decodes pickled Python objects and with them runs
    their code. Changes are written soon afterwards by a thread, because a busy disk can take
    seconds. Those that could not be written are written with the next change, and at the end.
    `failed(reason)`: the first time that a write fails.
    """

    failed = Signal(str)  # emitted by the writing thread

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self._values = _read(path)
        self._changes: dict[str, str] = {}  # not yet written
        self._access = RLock()
        self._writer: Thread | None = None
        self._has_failed = False

    def text(self, key: str, default: str = "") -> str:
        return self._values.get(key, default)

    def set_text(self, key: str, text: str) -> None:
        """Change a value, and write it soon."""
        with self._access:
            self._changes[key] = self._values[key] = text
        if self._writer is None or not self._writer.is_alive():
            self._writer = Thread(target=self._write_locked, name="preferences")
            self._writer.start()

    def change_text(self, key: str, new: Callable[[str], str]) -> None:
        """Make a value of the one that this or another window wrote last, and write it now."""
        with self._locked(), self._access:
            self.read_again()
            self._changes[key] = self._values[key] = new(self.text(key))
            self._write()

    def read_again(self) -> None:
        """Take over what other windows have changed."""
        with self._access:
            # Own changes that are not written yet are newer than the file.
            self._values = {**_read(self.path), **self._changes}

    def sync(self) -> None:
        """Write what has been changed, and wait for it."""
        if self._writer is not None:
            self._writer.join()
        self._write_locked()

    def _write_locked(self) -> None:
        is_written = True
        while self._changes and is_written:
            with self._locked():
                is_written = self._write()

    def _write(self) -> bool:
        """Write the changes, and keep what another window has changed meanwhile. False if they
        cannot be written.
        """
        with self._access:
            if not self._changes:
                return True
            self.read_again()
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self.path, _ini(self._values).encode("utf-8", "replace"))
            except (InputError, OSError) as error:
                self._report(error)
                return False
            self._changes = {}
            return True

    def _report(self, error: InputError | OSError) -> None:
        logger.warning("the preferences cannot be saved: %s", error)
        if not self._has_failed:
            self._has_failed = True
            cause = error if isinstance(error, OSError) else error.__cause__
            self.failed.emit(reason_of(cause) if isinstance(cause, OSError) else str(error))

    def _locked(self) -> AbstractContextManager[None]:
        """Keeps other windows from changing the file."""
        return locked(self.path.with_name(f"{self.path.name}.recent.lock"), _LOCK_SECONDS)


def _read(path: Path) -> dict[str, str]:
    """The texts in the file by their keys, such as `theme` and `layout/version`; no text is decoded
    further.
    """
    values: dict[str, str] = {}
    lines: list[str] = []
    with suppress(OSError):
        if is_usable(path):
            lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    section = ""
    for line in (line.strip(" \t\r") for line in lines):
        if line.startswith("[") and line.endswith("]"):
            section = "" if line == "[General]" else line[1:-1] + "/"
        elif "=" in line:
            key, _, text = line.partition("=")
            values[section + key.strip()] = _unescaped(text.lstrip(" \t"))
    return values


def _ini(values: dict[str, str]) -> str:
    """The contents of a file that `_read` reads as `values`."""
    lines = {"General": ["[General]"]}
    for key, text in sorted(values.items()):
        section, _, name = key.rpartition("/")
        lines.setdefault(section or "General", [f"[{section}]"]).append(
            f"{name}={json.dumps(text)}"
        )
    return "\n\n".join("\n".join(part) for part in lines.values()) + "\n"


def _unescaped(text: str) -> str:
    """The text of a value as `_ini` or, in earlier versions, QSettings wrote it."""
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        text = text[1:-1]

    def character(found: re.Match[str]) -> str:
        code, octal, letter = found.groups()
        if letter is not None:
            return _CONTROLS.get(letter, letter)
        number = int(code, 16) if code is not None else int(octal, 8)
        return chr(number) if number < 0x110000 else "\ufffd"

    # Qt writes a character beyond the first 65,536 as two.
    return (
        _ESCAPE.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def is_usable(path: Path) -> bool:
    """Whether `path` can be read: reading a pipe would wait for a writer, and a file of any size
    fill the memory.
    """
    try:
        check_input(path, _MAX_BYTES, "other preferences")
    except InputError as error:
        if os.path.lexists(path):
            logger.warning("%s", error)
            return False
    return True
