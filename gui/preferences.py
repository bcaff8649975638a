"""Preferences: what the window restores at the next start: layout, settings, recent files, theme."""

import json
import os
import re
from contextlib import AbstractContextManager, suppress
from itertools import chain, count
from pathlib import Path
from threading import RLock, Thread
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QStandardPaths, Signal

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import check_input
from core.files.lock import locked
from core.files.log import logger
from core.files.paths import data_folder
from core.files.reasons import reason_of

# Raised when the window's widgets change so that an old layout no longer fits.
LAYOUT_VERSION = 1
RECENT_FILES = 8
_LOCK_SECONDS = 0.5
_MAX_BYTES = 10_000_000
# JSON has four digits after u, which QSettings does not write; QSettings has x and up to four, or octal digits.
_ESCAPE = re.compile(r"\\(?:(?:u|x)([0-9a-fA-F]{1,4})|([0-7]{1,3})|(.))", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


Value = TypeVar("Value", bound=str | bool)


class _Kept(Generic[Value]):
    """An attribute of Preferences that is kept in the file under `key`."""

    def __init__(self, key: str, default: Value) -> None:
        self._key = key
        self._default = default

    def __get__(self, owner: "Preferences", kind: type["Preferences"] | None = None) -> Value:
        text = owner._text(self._key, str(self._default).lower())
        return type(self._default)(text == "true" if isinstance(self._default, bool) else text)

    def __set__(self, owner: "Preferences", value: Value) -> None:
        owner._set(self._key, value if isinstance(value, str) else str(value).lower())


def documents_folder() -> str:
    """The user's folder for documents, or the home where there is none: in it dialogs for files begin."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return documents if os.path.isdir(documents) else str(Path.home())


class Preferences(QObject):
    """Texts, stored in an INI file in the user's data folder. A value that cannot be used counts as missing.

    The file is read here and not by QSettings, which decodes pickled Python objects and with them runs their code.
    Changes are written soon afterwards by a thread, because a busy disk can take seconds. Those that could not be
    written are written with the next change, and at the end. `failed(reason)`: the first time that a write fails.
    """

    failed = Signal(str)  # emitted by the writing thread

    theme = _Kept("theme", "system")
    high_contrast = _Kept("high_contrast", False)
    text_size = _Kept("text_size", "100")  # percent
    tour_shown = _Kept("toured", False)  # at a first start
    shown_advice = _Kept("shown_advice", "")  # on devices; not shown again
    logarithmic_loss = _Kept("logarithmic_loss", False)
    wide_canvas = _Kept("wide_canvas", False)
    all_units = _Kept("all_units", False)  # on the stage
    drawing = _Kept("drawing", "")  # what is on the canvas, as JSON
    lab_left = _Kept("lab_left", "")  # the path of a lab that is open, or was at the program's end
    lab_left_title = _Kept("lab_left_title", "")
    study_left = _Kept("study_left", "")  # the name of a study that was begun and has runs left

    def __init__(self) -> None:
        super().__init__()
        # A later one is used where something else has the name of the first.
        names = chain(("window", "window-preferences"), map("window-preferences-{}".format, count(2)))
        self.path = next(filter(_is_usable, (data_folder() / f"{name}.ini" for name in names)))
        self._values = _read(self.path)
        self._changes: dict[str, str] = {}  # not yet written
        self._access = RLock()
        self._writer: Thread | None = None
        self._has_failed = False

    def layout(self, name: str) -> QByteArray | None:
        if self._text("layout/version") != str(LAYOUT_VERSION):
            return None
        text = self._text(f"layout/{name}")
        if not text.startswith("@ByteArray("):
            return None
        return QByteArray(text[len("@ByteArray(") : -1].encode("latin-1", "replace"))

    def save_layout(self, **states: QByteArray) -> None:
        self._set("layout/version", str(LAYOUT_VERSION))
        for name, state in states.items():
            self._set(f"layout/{name}", f"@ByteArray({bytes(state.data()).decode('latin-1')})")

    def last_settings(self) -> dict[str, Any]:
        """The values that `save_settings` saved, or an empty dict."""
        values = self._json("settings")
        return values if isinstance(values, dict) else {}

    def save_settings(self, values: dict[str, Any]) -> None:
        self._set("settings", json.dumps(values))

    def recent(self) -> list[Path]:
        """The existing files that this or another window opened or saved last, the newest first."""
        self._read_again()
        values = self._json("recent")
        if not isinstance(values, list):
            return []
        paths = [Path(value) for value in values if isinstance(value, str)]
        return [path for path in paths[:RECENT_FILES] if os.path.isfile(path)]

    def add_recent(self, path: Path | None) -> None:
        """Put a file before the other recent ones; None removes all."""
        with self._locked(), self._access:
            paths = dict.fromkeys([path.absolute(), *self.recent()] if path else [])
            self._changes["recent"] = self._values["recent"] = json.dumps([*map(str, paths)][:RECENT_FILES])
            self._write()

    def folder(self) -> str:
        """The folder in which a file was opened or saved last; at first the user's documents."""
        folder = self._text("folder")
        if folder and Path(folder).is_absolute() and os.path.isdir(folder):
            return folder
        return documents_folder()

    def save_folder(self, path: Path) -> None:
        self._set("folder", str(path.absolute().parent))

    def sync(self) -> None:
        """Write what has been changed, and wait for it."""
        if self._writer is not None:
            self._writer.join()
        self._write_locked()

    def _set(self, key: str, text: str) -> None:
        with self._access:
            self._changes[key] = self._values[key] = text
        if self._writer is None or not self._writer.is_alive():
            self._writer = Thread(target=self._write_locked, name="preferences")
            self._writer.start()

    def _write_locked(self) -> None:
        is_written = True
        while self._changes and is_written:
            with self._locked():
                is_written = self._write()

    def _write(self) -> bool:
        """Write the changes, and keep what another window has changed meanwhile. False if they cannot be written."""
        with self._access:
            if not self._changes:
                return True
            self._read_again()
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

    def _read_again(self) -> None:
        with self._access:
            self._values = {**_read(self.path), **self._changes}

    def _locked(self) -> AbstractContextManager[None]:
        """Keeps other windows from changing the file."""
        return locked(self.path.with_name(f"{self.path.name}.recent.lock"), _LOCK_SECONDS)

    def _text(self, key: str, default: str = "") -> str:
        return self._values.get(key, default)

    def _json(self, key: str) -> Any:
        """The JSON value of `key`, or None if it is missing or damaged."""
        try:
            return json.loads(self._text(key, "null"))
        except (ValueError, RecursionError):
            return None


def _read(path: Path) -> dict[str, str]:
    """The texts in the file by their keys, such as `theme` and `layout/version`; no text is decoded further."""
    values: dict[str, str] = {}
    lines: list[str] = []
    with suppress(OSError):
        if _is_usable(path):
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
        lines.setdefault(section or "General", [f"[{section}]"]).append(f"{name}={json.dumps(text)}")
    return "\n\n".join("\n".join(part) for part in lines.values()) + "\n"


def _unescaped(text: str) -> str:
    """The text of a value as this class or, in earlier versions, QSettings wrote it."""
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        text = text[1:-1]

    def character(found: re.Match[str]) -> str:
        code, octal, letter = found.groups()
        if letter is not None:
            return _CONTROLS.get(letter, letter)
        number = int(code, 16) if code is not None else int(octal, 8)
        return chr(number) if number < 0x110000 else "\ufffd"

    # Qt writes a character beyond the first 65,536 as two.
    return _ESCAPE.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_usable(path: Path) -> bool:
    """Whether `path` can be read: reading a pipe would wait for a writer, and a file of any size fill the memory."""
    try:
        check_input(path, _MAX_BYTES, "other preferences")
    except InputError as error:
        if os.path.lexists(path):
            logger.warning("%s", error)
            return False
    return True
