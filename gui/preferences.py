"""Preferences: what the window restores at the next start: layout, settings, recent files, theme."""

import base64
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import RLock, Thread
from typing import Any

from PySide6.QtCore import QByteArray, QLockFile, QStandardPaths

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import check_input
from core.files.log import logger
from core.files.paths import data_folder

# Raised when the window's widgets change so that an old layout no longer fits.
LAYOUT_VERSION = 1
RECENT_FILES = 8
_LOCK_MILLISECONDS = 500
_MAX_BYTES = 10_000_000
_LAYOUT = "base64:"  # what a layout begins with; earlier versions wrote @ByteArray(...)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,6})|([0-7]{1,3})|(.))", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PLAIN = re.compile(r"[\w./:-]*", re.ASCII)


class Preferences:
    """Texts, stored in an INI file in the user's data folder. A value that cannot be used counts as missing.

    The file is read here and not by QSettings, which decodes pickled Python objects and with them runs their code.
    Changes are written soon afterwards by a thread, because a busy disk can take seconds.
    """

    def __init__(self) -> None:
        self._path = next(filter(_is_usable, map(data_folder().joinpath, _names())))
        self._values = _read(self._path)
        self._changes: dict[str, str] = {}  # not yet written
        self._access = RLock()
        self._writer: Thread | None = None

    @property
    def theme(self) -> str:
        return self._text("theme", "system")

    @theme.setter
    def theme(self, choice: str) -> None:
        self._set("theme", choice)

    @property
    def tour_shown(self) -> bool:
        """Whether the tour was shown at a first start."""
        return self._text("toured") == "true"

    @tour_shown.setter
    def tour_shown(self, shown: bool) -> None:
        self._set("toured", str(shown).lower())

    @property
    def shown_advice(self) -> str:
        """The advice on devices that was shown last; it is not shown again."""
        return self._text("shown_advice")

    @shown_advice.setter
    def shown_advice(self, text: str) -> None:
        self._set("shown_advice", text)

    @property
    def logarithmic_loss(self) -> bool:
        return self._text("logarithmic_loss") == "true"

    def save_logarithmic_loss(self, on: bool) -> None:
        self._set("logarithmic_loss", str(on).lower())

    @property
    def wide_canvas(self) -> bool:
        return self._text("wide_canvas") == "true"

    def keep_wide_canvas(self, on: bool) -> None:
        self._set("wide_canvas", str(on).lower())

    def layout(self, name: str) -> QByteArray | None:
        if self._text("layout/version") != str(LAYOUT_VERSION):
            return None
        text = self._text(f"layout/{name}")
        try:
            if text.startswith(_LAYOUT):
                return QByteArray(base64.b64decode(text[len(_LAYOUT) :], validate=True))
            if text.startswith("@ByteArray(") and text.endswith(")"):
                return QByteArray(text[len("@ByteArray(") : -1].encode("latin-1"))
        except ValueError as error:
            logger.info("the layout %s cannot be read: %s", name, error)
        return None

    def save_layout(self, **states: QByteArray) -> None:
        texts = {name: _LAYOUT + base64.b64encode(state.data()).decode() for name, state in states.items()}
        for name, text in {"version": str(LAYOUT_VERSION), **texts}.items():
            self._set(f"layout/{name}", text)

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
        return [path for path in paths[:RECENT_FILES] if _is_file(path)]

    def add_recent(self, path: Path) -> None:
        path = path.absolute()
        with self._locked():
            paths = [path, *(other for other in self.recent() if other != path)]
            self._save_recent(paths[:RECENT_FILES])

    def clear_recent(self) -> None:
        with self._locked():
            self._save_recent([])

    def _save_recent(self, paths: list[Path]) -> None:
        with self._access:
            self._changes["recent"] = self._values["recent"] = json.dumps([str(path) for path in paths])
            self._write()

    def folder(self) -> str:
        """The folder in which a file was opened or saved last; at first the user's documents."""
        folder = self._text("folder")
        if folder and Path(folder).is_absolute() and _is_folder(Path(folder)):
            return folder
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return documents if _is_folder(Path(documents)) else str(Path.home())

    def save_folder(self, path: Path) -> None:
        """Remember the folder of the file `path`."""
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
        while self._changes:
            with self._locked():
                self._write()

    def _write(self) -> None:
        """Write the changes, and keep what another window has changed meanwhile."""
        with self._access:
            if not self._changes:
                return
            self._read_again()
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(self._path, _ini(self._values).encode("utf-8", "replace"))
            except (InputError, OSError) as error:
                logger.warning("the preferences cannot be saved: %s", error)
            self._changes = {}

    def _read_again(self) -> None:
        with self._access:
            self._values = {**_read(self._path), **self._changes}

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keeps other windows from changing the file; without a lock (read-only folder) it goes on unlocked."""
        path = self._path.with_name(f"{self._path.name}.recent.lock")
        lock = QLockFile(str(path))
        # Qt would wait for a pipe to be written.
        locked = (not path.exists() or path.is_file()) and lock.tryLock(_LOCK_MILLISECONDS)
        try:
            yield
        finally:
            if locked:
                lock.unlock()

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
        lines.setdefault(section or "General", [f"[{section}]"]).append(f"{name}={_escaped(text)}")
    return "\n\n".join("\n".join(part) for part in lines.values()) + "\n"


def _escaped(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    # Line ends, of which Python knows more than Qt, and control characters.
    return (
        '"' + re.sub(r"[\x00-\x1f\x7f-\xff\u2028\u2029]", lambda found: f"\\x{ord(found[0]):06x}", text) + '"'
    )


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


def _names() -> Iterator[str]:
    """The names of the file; a later one is used where something else has the first."""
    yield "window.ini"
    yield "window-preferences.ini"
    for number in count(2):
        yield f"window-preferences-{number}.ini"


def _is_usable(path: Path) -> bool:
    """Whether Qt can read `path`: it would wait for a pipe to be written, and read a file of any size."""
    try:
        check_input(path, _MAX_BYTES, "other preferences")
    except InputError as error:
        if not os.path.lexists(path):
            return True
        logger.warning("%s", error)
        return False
    return True


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a null character in the path
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
