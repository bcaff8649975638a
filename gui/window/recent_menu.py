"""The menu of the files that were opened or saved last."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from core.files.paths import data_folder
from core.inference.model_file import is_bundled
from gui.preferences import Preferences
from gui.widgets.dialogs import short_path
from gui.widgets.make import ignoring_arguments


class RecentMenu(QMenu):
    """chosen(path): open this file."""

    chosen = Signal(Path)

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.setTitle(self.tr("Open &recent"))
        self.setObjectName("recentMenu")
        self._preferences = preferences

    def add(self, path: Path) -> None:
        """A file was opened or saved: list it first, and begin the next dialog in its folder."""
        self._preferences.add_recent(path)
        # Nobody keeps files beside the kernels.
        if not is_bundled(path) and path.parent != data_folder() / "workshop":
            self._preferences.save_folder(path)
        self.fill()

    def fill(self) -> None:
        """List the recent files, with a shortcut for each."""
        recent = self._preferences.recent()
        self.clear()
        for number, path in enumerate(recent, 1):
            action = self.addAction(f"&{number}  {short_path(path)}")
            action.setShortcut(f"Ctrl+Shift+{number}")  # Ctrl and a digit shows a tab
            action.triggered.connect(ignoring_arguments(partial(self.chosen.emit, path)))
        if recent:
            self.addSeparator()
            forget = self.addAction(self.tr("&Clear this list"))
            forget.triggered.connect(self._forget)
        self.setEnabled(bool(recent))

    def _forget(self) -> None:
        self._preferences.add_recent(None)
        self.fill()
