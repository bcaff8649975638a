"""Reads models of other programs in the background."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.errors import InputError
from core.importing import ONNX_SUFFIX
from core.inference.model_file import Model
from gui.background.task_runner import Failure, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_text


class ModelImport(QObject):
    """read(path, model, note): a file was read; note: an InputError that says what is different here, or None."""

    read = Signal(Path, object, object)

    def __init__(
        self, window: QWidget, settings: SettingsPanel, preferences: Preferences, banner: Banner
    ) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._preferences = preferences
        self._banner = banner
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def ask(self, path: Path) -> None:
        """Read a file of another program; ask for the layers of one that has no structure."""
        notation: str | None = ""
        if path.suffix.lower() != ONNX_SUFFIX:
            text = self.tr(
                "{name} holds weights without the structure of the network, for example "
                "6C5-MP2-16C5:valid-MP2-120N-84N-10N. Empty: the dense layers of the file."
            )
            title = self.tr("Which layers has the network?")
            text = text.format(name=path.name)
            notation = ask_text(self._window, title, text, self.tr("Layers"), self.tr("Open"))
        if notation is not None:
            self.start(path, notation)

    def start(self, path: Path, notation: str = "") -> None:
        """Read the network in the file; hidden layers of a state dictionary get the activation of the settings."""
        if self.busy:
            self._banner.show_text(self.tr("Another file is being written or read: wait a moment."))
            return
        plan = self._settings.plan
        activation = plan.settings.activation if plan else "relu"

        def read(control: TaskControl) -> Generator[tuple[Path, Model, InputError | None]]:
            from core.importing import import_model, import_note

            model = import_model(path, notation.strip(), activation)
            yield path, model, import_note(path, model)

        self._preferences.save_folder(path)
        self._banner.show_text(self.tr("{name} is being read…").format(name=path.name))
        self._runner.start(read)

    def _on_records(self, records: list[Any]) -> None:
        self.read.emit(*records[-1])

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self._banner.show_text(failure.text, "bad")
