"""What the menu File saves: the present model, the settings, and an experiment of both."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.inference.model_file import MODEL_SUFFIX, Model, is_bundled
from core.labs.package import write_experiment
from core.runs.plan import write_settings
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_and_write, ask_save, reporting, short_path
from gui.window.recent_menu import RecentMenu


class SaveActions(QObject):
    """Asks for a path, writes the file, and says in the banner where it is."""

    def __init__(
        self,
        window: QWidget,
        settings: SettingsPanel,
        recent: RecentMenu,
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
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

    def save_experiment(self) -> None:
        """Ask for a file, and save data, settings and, in a zip file, the model in it."""
        if (plan := self._settings.plan) is None:
            self._banner.show_text(self.tr("A setting is wrong: correct it first."))
            return

        kinds = [self.tr("Experiments (*.md)"), self.tr("Experiments with the network (*.zip)")]
        self._ask_and_write(
            self.tr("Save experiment"), "experiment.md", kinds,
            lambda path: write_experiment(path, plan, path.stem, model=self.model),
        )  # fmt: skip

    def save_settings(self) -> None:
        if (plan := self._settings.plan) is None:
            self._banner.show_text(self.tr("A setting is wrong: correct it first."))
            return
        self._ask_and_write(
            self.tr("Save settings"), "settings.json", [self.tr("Settings (*.json)")],
            lambda path: write_settings(path, plan), self.tr("The settings are saved as {path}."),
        )  # fmt: skip

    def _ask_and_write(
        self, title: str, name: str, kinds: list[str], write: Callable[[Path], object], done: str = ""
    ) -> None:
        ask_and_write(
            self._window, self._preferences, title, name, kinds, write, self._banner.show_text, done
        )  # fmt: skip


def file_name(name: str) -> str:
    """`name` as a name of a file that all systems accept: short, and without a colon."""
    short = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name).encode()[:80].decode(errors="ignore")
    return short.strip(" .") or "network"
