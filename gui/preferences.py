"""Preferences are what the window remembers: its shape, the last settings, recent files, the theme."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from core.files.paths import data_folder

# Raised when the window's parts change so that an old state no longer fits.
LAYOUT_VERSION = 1
RECENT_FILES = 8


class Preferences:
    """Kept in an INI file in the user's data folder, so that one variable moves everything elsewhere."""

    def __init__(self) -> None:
        self._store = QSettings(str(data_folder() / "window.ini"), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        return str(self._store.value("theme", "system"))

    @theme.setter
    def theme(self, choice: str) -> None:
        self._store.setValue("theme", choice)

    @property
    def toured(self) -> bool:
        """Whether the first tour was shown."""
        return bool(self._store.value("toured", False, bool))

    @toured.setter
    def toured(self, shown: bool) -> None:
        self._store.setValue("toured", shown)

    @property
    def logarithmic_loss(self) -> bool:
        return bool(self._store.value("logarithmic_loss", False, bool))

    def keep_logarithmic_loss(self, on: bool) -> None:
        self._store.setValue("logarithmic_loss", on)

    def layout(self, name: str) -> QByteArray | None:
        if self._store.value("layout/version", 0, int) != LAYOUT_VERSION:
            return None
        state = self._store.value(f"layout/{name}")
        return state if isinstance(state, QByteArray) else None

    def keep_layout(self, **states: QByteArray) -> None:
        self._store.setValue("layout/version", LAYOUT_VERSION)
        for name, state in states.items():
            self._store.setValue(f"layout/{name}", state)

    def last_settings(self) -> dict[str, Any]:
        """What `keep_settings` was given, or an empty table where that cannot be read."""
        try:
            found = json.loads(str(self._store.value("settings", "{}")))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def keep_settings(self, values: dict[str, Any]) -> None:
        self._store.setValue("settings", json.dumps(values))

    def recent(self) -> list[Path]:
        """Files opened or saved last, the newest first; those that are gone are left out."""
        try:
            found = json.loads(str(self._store.value("recent", "[]")))
        except ValueError:
            return []
        return [Path(path) for path in found if isinstance(path, str) and Path(path).is_file()]

    def add_recent(self, path: Path) -> None:
        path = path.absolute()
        paths = [path, *(other for other in self.recent() if other != path)]
        self._store.setValue("recent", json.dumps([str(p) for p in paths[:RECENT_FILES]]))

    def clear_recent(self) -> None:
        self._store.setValue("recent", "[]")

    def folder(self) -> str:
        """Where the last file was opened or saved; at first where a person's documents are."""
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        return str(self._store.value("folder", documents))

    def keep_folder(self, path: Path) -> None:
        self._store.setValue("folder", str(path.parent))

    def sync(self) -> None:
        self._store.sync()
