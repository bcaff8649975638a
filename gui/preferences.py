"""Preferences: what the window restores at the next start: layout, settings, recent files,
theme.
"""

import json
import os
from itertools import chain, count
from pathlib import Path
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QByteArray, QObject, QStandardPaths

from core.files.paths import data_folder
from gui.preferences_file import PreferencesFile, is_usable

# Raised when the window's widgets change so that an old layout no longer fits.
LAYOUT_VERSION = 1
RECENT_FILES = 8
Value = TypeVar("Value", bound=str | bool)


class _Kept(Generic[Value]):
    """An attribute of Preferences that is kept in the file under `key`."""

    def __init__(self, key: str, default: Value) -> None:
        self._key = key
        self._default = default

    def __get__(self, owner: "Preferences", kind: type["Preferences"] | None = None) -> Value:
        text = owner.file.text(self._key, str(self._default).lower())
        return type(self._default)(text == "true" if isinstance(self._default, bool) else text)

    def __set__(self, owner: "Preferences", value: Value) -> None:
        owner.file.set_text(self._key, value if isinstance(value, str) else str(value).lower())


def documents_folder() -> str:
    """The user's folder for documents, or the home where there is none: in it dialogs for files
    begin.
    """
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return documents if os.path.isdir(documents) else str(Path.home())


class Preferences(QObject):
    """Texts, stored in a file in the user's data folder. A value that cannot be used counts as
    missing.
    """

    theme = _Kept("theme", "system")
    high_contrast = _Kept("high_contrast", False)
    text_size = _Kept("text_size", "100")  # percent
    shown_advice = _Kept("shown_advice", "")  # on devices; not shown again
    wide_canvas = _Kept("wide_canvas", False)
    all_units = _Kept("all_units", False)  # on the stage
    drawing = _Kept("drawing", "")  # what is on the canvas, as JSON
    lab_left = _Kept("lab_left", "")  # the path of a lab that is open, or was at the program's end
    lab_left_title = _Kept("lab_left_title", "")
    study_left = _Kept("study_left", "")  # the name of a study that was begun and has runs left

    def __init__(self) -> None:
        super().__init__()
        # A later one is used where something else has the name of the first.
        names = chain(
            ("window", "window-preferences"), map("window-preferences-{}".format, count(2))
        )
        self.path = next(filter(is_usable, (data_folder() / f"{name}.ini" for name in names)))
        self.file = PreferencesFile(self.path)

    def layout(self, name: str) -> QByteArray | None:
        if self.file.text("layout/version") != str(LAYOUT_VERSION):
            return None
        text = self.file.text(f"layout/{name}")
        if not text.startswith("@ByteArray("):
            return None
        return QByteArray(text[len("@ByteArray(") : -1].encode("latin-1", "replace"))

    def save_layout(self, **states: QByteArray) -> None:
        self.file.set_text("layout/version", str(LAYOUT_VERSION))
        for name, state in states.items():
            self.file.set_text(
                f"layout/{name}", f"@ByteArray({bytes(state.data()).decode('latin-1')})"
            )

    def last_settings(self) -> dict[str, Any]:
        """The values that `save_settings` saved, or an empty dict."""
        values = _json(self.file.text("settings"))
        return values if isinstance(values, dict) else {}

    def save_settings(self, values: dict[str, Any]) -> None:
        self.file.set_text("settings", json.dumps(values))

    def recent(self) -> list[Path]:
        """The existing files that this or another window opened or saved last, the newest first."""
        self.file.read_again()
        return _existing_files(self.file.text("recent"))

    def add_recent(self, path: Path | None) -> None:
        """Put a file before the other recent ones; None removes all."""

        def with_path(before: str) -> str:
            paths = dict.fromkeys([path.absolute(), *_existing_files(before)] if path else [])
            return json.dumps([*map(str, paths)][:RECENT_FILES])

        self.file.change_text("recent", with_path)

    def folder(self) -> str:
        """The folder in which a file was opened or saved last; at first the user's documents."""
        folder = self.file.text("folder")
        if folder and Path(folder).is_absolute() and os.path.isdir(folder):
            return folder
        return documents_folder()

    def save_folder(self, path: Path) -> None:
        self.file.set_text("folder", str(path.absolute().parent))

    def sync(self) -> None:
        """Write what has been changed, and wait for it."""
        self.file.sync()


def _json(text: str) -> Any:
    """The JSON value of a text, or None if it is empty or damaged."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _existing_files(text: str) -> list[Path]:
    """The files of a list of paths, as JSON, that are there."""
    values = _json(text)
    if not isinstance(values, list):
        return []
    paths = [Path(value) for value in values if isinstance(value, str)]
    return [path for path in paths[:RECENT_FILES] if os.path.isfile(path)]
