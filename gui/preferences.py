"""Preferences: what the window restores at the next start: layout, settings, recent files, theme."""

import atexit
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QLockFile, QSettings, QStandardPaths, QThread

from core.errors import InputError
from core.files.input_file import check_input
from core.files.log import logger
from core.files.paths import data_folder

# Raised when the window's widgets change so that an old layout no longer fits.
LAYOUT_VERSION = 1
RECENT_FILES = 8
_LOCK_MILLISECONDS = 500
_MAX_BYTES = 10_000_000


class Preferences:
    """Stored in an INI file in the user's data folder. A value that cannot be read counts as missing.

    Changes are written soon afterwards by a thread, because a busy disk can take seconds.
    """

    def __init__(self) -> None:
        self._path = next(filter(_is_usable, map(data_folder().joinpath, _names())))
        self._store = _store_at(str(self._path))
        self._store.sync()  # read it again if it has changed since an earlier use

    @property
    def theme(self) -> str:
        return self._text("theme", "system")

    @theme.setter
    def theme(self, choice: str) -> None:
        self._store.setValue("theme", choice)

    @property
    def tour_shown(self) -> bool:
        """Whether the tour was shown at a first start."""
        return self._text("toured") == "true"

    @tour_shown.setter
    def tour_shown(self, shown: bool) -> None:
        self._store.setValue("toured", shown)

    @property
    def shown_advice(self) -> str:
        """The advice on devices that was shown last; it is not shown again."""
        return self._text("shown_advice")

    @shown_advice.setter
    def shown_advice(self, text: str) -> None:
        self._store.setValue("shown_advice", text)

    @property
    def logarithmic_loss(self) -> bool:
        return self._text("logarithmic_loss") == "true"

    def save_logarithmic_loss(self, on: bool) -> None:
        self._store.setValue("logarithmic_loss", on)

    @property
    def wide_canvas(self) -> bool:
        return self._text("wide_canvas") == "true"

    def keep_wide_canvas(self, on: bool) -> None:
        self._store.setValue("wide_canvas", on)

    def layout(self, name: str) -> QByteArray | None:
        if self._text("layout/version") != str(LAYOUT_VERSION):
            return None
        state = self._value(f"layout/{name}")
        return state if isinstance(state, QByteArray) else None

    def save_layout(self, **states: QByteArray) -> None:
        self._store.setValue("layout/version", LAYOUT_VERSION)
        for name, state in states.items():
            self._store.setValue(f"layout/{name}", state)

    def last_settings(self) -> dict[str, Any]:
        """The values that `save_settings` saved, or an empty dict."""
        values = self._json("settings")
        return values if isinstance(values, dict) else {}

    def save_settings(self, values: dict[str, Any]) -> None:
        self._store.setValue("settings", json.dumps(values))

    def recent(self) -> list[Path]:
        """The existing files that this or another window opened or saved last, the newest first."""
        self._store.sync()
        values = self._json("recent")
        paths = (
            [Path(value) for value in values if isinstance(value, str)] if isinstance(values, list) else []
        )
        return [path for path in paths if _is_file(path)]

    def add_recent(self, path: Path) -> None:
        path = path.absolute()
        with self._locked():
            paths = [path, *(other for other in self.recent() if other != path)]
            self._store.setValue("recent", json.dumps([str(p) for p in paths[:RECENT_FILES]]))
            self._store.sync()

    def clear_recent(self) -> None:
        self._store.setValue("recent", "[]")
        self._store.sync()

    def folder(self) -> str:
        """The folder in which a file was opened or saved last; at first the user's documents."""
        folder = self._text("folder")
        if folder and Path(folder).is_absolute() and _is_folder(Path(folder)):
            return folder
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return documents if _is_folder(Path(documents)) else str(Path.home())

    def save_folder(self, path: Path) -> None:
        """Remember the folder of the file `path`."""
        self._store.setValue("folder", str(path.absolute().parent))

    def sync(self) -> None:
        """Write what has been changed, and wait for it."""
        self._store.sync()

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

    def _value(self, key: str) -> Any:
        try:
            return self._store.value(key)
        except Exception as error:  # PySide raises various types for damaged values
            logger.info("the preference %s cannot be read: %s", key, error)
            return None

    def _text(self, key: str, default: str = "") -> str:
        value = self._value(key)
        return (
            str(value).lower()
            if isinstance(value, bool)
            else str(value)
            if isinstance(value, str | int)
            else default
        )

    def _json(self, key: str) -> Any:
        """The JSON value of `key`, or None if it is missing or damaged."""
        try:
            return json.loads(self._text(key, "null"))
        except (ValueError, RecursionError):
            return None


@cache
def _store_at(path: str) -> QSettings:
    """The settings in the file, which are kept for good: the thread may write them at any time."""
    store = QSettings(path, QSettings.Format.IniFormat)
    # A change sends the object an event, upon which it writes the file.
    store.moveToThread(_writing_thread())
    return store


@cache
def _writing_thread() -> QThread:
    """A thread whose event loop is Qt's own: with Python in it, the window would wait for the interpreter's lock."""
    thread = QThread()
    thread.setObjectName("preferences")
    thread.start()

    def end() -> None:
        thread.quit()
        thread.wait()

    atexit.register(end)
    return thread


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
