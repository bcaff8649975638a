"""The present model, and how it is saved."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.inference.model_file import MODEL_SUFFIX, Model, is_bundled
from gui.preferences import Preferences
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_save, reporting, short_path
from gui.window.recent_menu import RecentMenu


class SaveActions(QObject):
    """Asks for a path, writes the file, and says in the banner where it is."""

    def __init__(
        self,
        window: QWidget,
        recent: RecentMenu,
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._recent = recent
        self._preferences = preferences
        self._banner = banner
        self.model: Model | None = None  # the present one
        self.path: Path | None = None  # its file; None if it has not been saved

    def set_model(self, model: Model) -> None:
        """Set the model to be saved: one that has no file yet."""
        self.model = model
        self.path = None

    def set_opened(self, model: Model, path: Path) -> None:
        """Set the model to be saved: one that was read from this file."""
        self.model = model
        self.path = path

    def remember(self) -> Callable[[], None]:
        """A function that makes the present model the one to be saved again."""
        model = self.model
        path = self.path

        def put_back() -> None:
            self.model = model
            self.path = path

        return put_back

    def save(self) -> None:
        if self.path and not is_bundled(self.path):
            self.save_to(self.path)
        else:
            self.save_as()

    def save_as(self) -> None:
        if self.model is None:
            self._banner.show_text(self.tr("There is nothing to save yet: train a network first."))
            return
        kinds = [self.tr("Models (*.safetensors *.digitlab)")]
        name = file_name(self.model.network.text) + MODEL_SUFFIX
        if path := ask_save(self._window, self._preferences, self.tr("Save model"), name, kinds):
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        with reporting(self._banner.show_text):
            self.write_to(path)
            text = self.tr("The model is saved as {path}.")
            self._banner.show_text(text.format(path=short_path(path)), "good")

    def write_to(self, path: Path) -> None:
        """Write the present model. Raises InputError."""
        assert self.model
        if is_bundled(path):
            raise InputError("{path} belongs to the program: choose another file.", path=path)
        self.model.save(path)
        self.path = path
        self._recent.add(path)


def file_name(name: str) -> str:
    """`name` as a name of a file that all systems accept: short, and without a colon."""
    short = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name).encode()[:80].decode(errors="ignore")
    return short.strip(" .") or "network"
