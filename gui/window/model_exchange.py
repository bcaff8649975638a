"""File ▸ Export model and Import model: files for, and of, other programs."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QInputDialog, QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.atomic import write_atomically
from core.inference.model_file import Model
from core.runs.library import run_of
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.text import sentence
from gui.widgets.dialogs import ask_open, ask_save
from gui.window.file_actions import FileActions, short_path

if TYPE_CHECKING:
    from core.data.dataset import Dataset


class ModelExchange(QObject):
    """Asks for a file, writes or reads it in the background, and reports the outcome by `message`.

    settings: their activation is that of the hidden layers of an imported state dictionary.
    """

    imported = Signal(object, Path)  # Model and its file
    message = Signal(str, str)  # text, tone

    def __init__(
        self,
        window: QWidget,
        files: FileActions,
        settings: SettingsPanel,
        datasets: DatasetCache,
        preferences: Preferences,
    ) -> None:
        super().__init__(window)
        self._window, self._files, self._settings = window, files, settings
        self._datasets, self._preferences = datasets, preferences
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ended.connect(self._on_ended)

    @property
    def busy(self) -> bool:
        """Whether a file is being written or read."""
        return self._runner.busy

    def ask_export(self) -> None:
        """Ask where to write the present model, and write it."""
        from core.export import KINDS

        model = self._files.model
        if model is None:
            self.message.emit(self.tr("There is nothing to export yet: train a network first."), "info")
            return
        filters = [f"{self.tr(kind.title)} (*{kind.suffix})" for kind in KINDS]
        path = ask_save(
            self._window, self._preferences, self.tr("Export model"), f"network{KINDS[0].suffix}", filters
        )
        if path:
            self.export(model, path)

    def export(self, model: Model, path: Path) -> None:
        """Write `model` to `path`; the suffix says as what."""
        file = self._files.path

        def write(control: TaskControl) -> Generator[Path]:
            from core.export import ExportSource, find_exporter

            def load(name: str) -> "Dataset":
                return self._datasets.get(name, control.progress)

            content = find_exporter(path).content(ExportSource(model, run_of(model, file), load))
            control.check()
            write_atomically(path, content)
            yield path

        self._start(write, self.tr("{name} is being written…"), path)

    def ask_import(self) -> None:
        """Ask for a file of another program, and for the network of one that has no structure."""
        title = self.tr("Import model")
        kinds = [self.tr("ONNX and PyTorch state dictionaries (*.onnx *.safetensors)")]
        path = ask_open(self._window, self._preferences, title, kinds)
        if path is None:
            return
        notation, accepted = "", True
        if path.suffix.lower() != ".onnx":
            notation, accepted = QInputDialog.getText(
                self._window, title,
                self.tr("The layers of the network, for example 6C5-MP2-16C5:valid-MP2-120N-84N-10N.\n"
                        "Empty: the dense layers of the file."),
            )  # fmt: skip
        if accepted:
            self.import_file(path, notation)

    def import_file(self, path: Path, notation: str = "") -> None:
        """Read the network in the file."""
        plan = self._settings.plan
        activation = plan.settings.activation if plan else "relu"

        def read(control: TaskControl) -> Generator[tuple[Path, Model, InputError | None]]:
            from core.importing import import_model, import_note

            model = import_model(path, notation.strip(), activation)
            yield path, model, import_note(path, model)

        self._start(read, self.tr("{name} is being read…"), path)

    def _start(self, task: Task, text: str, path: Path) -> None:
        if self._runner.busy:
            self.message.emit(self.tr("Another file is being written or read: wait a moment."), "info")
            return
        self._preferences.save_folder(path)
        self.message.emit(text.format(name=path.name), "info")
        self._runner.start(task)

    def _on_records(self, records: list[Any]) -> None:
        (record,) = records
        if isinstance(record, Path):
            self.message.emit(self.tr("Exported as {path}.").format(path=short_path(record)), "good")
        elif self._files.is_opening_disabled:
            self.message.emit(self.tr("Stop the run first: the model was not imported."), "info")
        else:
            path, model, note = record
            self.imported.emit(model, path)
            text = self.tr("Imported: {network}. Save model writes it as a model file.")
            text = text.format(network=model.network.text)
            self.message.emit(f"{text} {sentence(note)}" if note else text, "good")

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self.message.emit(failure.text, "bad")
