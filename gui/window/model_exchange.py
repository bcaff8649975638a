"""File ▸ Export model and Import model: files for, and of, other programs."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QInputDialog

from core.files.atomic import write_atomically
from core.inference.model_file import Model
from core.runs.library import run_of
from gui.background.failure import Failure
from gui.background.task_runner import Task, TaskControl, TaskRunner
from gui.window.file_actions import short_path

if TYPE_CHECKING:
    from core.data.dataset import Dataset
    from gui.window.main_window import MainWindow


class ModelExchange(QObject):
    """Asks for a file, writes or reads it in the background, and reports the outcome in the window's banner."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
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

        model = self._window.files.model
        if model is None:
            self._window.banner.show_text(self.tr("There is nothing to export yet: train a network first."))
            return
        filters = [f"{self.tr(kind.title)} (*{kind.suffix})" for kind in KINDS]
        path, chosen = QFileDialog.getSaveFileName(
            self._window, self.tr("Export model"),
            str(Path(self._window.preferences.folder()) / f"network{KINDS[0].suffix}"), ";;".join(filters),
        )  # fmt: skip
        if path:
            kind = KINDS[filters.index(chosen)] if chosen in filters else KINDS[0]
            known = any(path.lower().endswith(each.suffix) for each in KINDS)
            self.export(model, Path(path if known else path + kind.suffix))

    def export(self, model: Model, path: Path) -> None:
        """Write `model` to `path`; the suffix says as what."""
        file = self._window.files.path
        self._start(self._export_task(model, file, path), self.tr("{name} is being written…"), path)

    def _export_task(self, model: Model, file: Path | None, path: Path) -> Task:
        datasets = self._window.dataset_cache

        def export(control: TaskControl) -> Generator[Path]:
            from core.export import ExportSource, find_exporter

            def load(name: str) -> "Dataset":
                return datasets.get(name, control.progress)

            content = find_exporter(path).content(ExportSource(model, run_of(model, file), load))
            control.check()
            write_atomically(path, content)
            yield path

        return export

    def ask_import(self) -> None:
        """Ask for a file of another program, and for the network of one that has no structure."""
        path, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Import model"), self._window.preferences.folder(),
            self.tr("ONNX and PyTorch state dictionaries (*.onnx *.safetensors)"),
        )  # fmt: skip
        if not path:
            return
        notation, accepted = "", True
        if Path(path).suffix.lower() != ".onnx":
            notation, accepted = QInputDialog.getText(
                self._window, self.tr("Import model"),
                self.tr("The layers of the network, for example 6C5-MP2-16C5:valid-MP2-120N-84N-10N.\n"
                        "Empty: the dense layers of the file."),
            )  # fmt: skip
        if accepted:
            self.import_file(Path(path), notation)

    def import_file(self, path: Path, notation: str = "") -> None:
        """Let the network in the file read drawings; hidden layers of a state dictionary have the form's activation."""
        plan = self._window.settings.plan
        activation = plan.settings.activation if plan else "relu"

        def read(control: TaskControl) -> Generator[tuple[Path, Model]]:
            from core.importing import import_model

            yield path, import_model(path, notation.strip(), activation)

        self._start(read, self.tr("{name} is being read…"), path)

    def _start(self, task: Task, text: str, path: Path) -> None:
        if self._runner.busy:
            self._window.banner.show_text(self.tr("Another file is being written or read: wait a moment."))
            return
        self._window.preferences.save_folder(path)
        self._window.banner.show_text(text.format(name=path.name))
        self._runner.start(task)

    def _on_records(self, records: list[Any]) -> None:
        banner, (record,) = self._window.banner, records
        if isinstance(record, Path):
            banner.show_text(self.tr("Exported as {path}.").format(path=short_path(record)), "good")
        elif self._window.session.active:
            banner.show_text(self.tr("Stop the run first: the model was not imported."))
        else:
            path, model = record
            self._window.show_opened(model, path)
            text = self.tr("Imported: {network}. Save model writes it as a model file.")
            banner.show_text(text.format(network=model.network.text), "good")

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self._window.banner.show_text(failure.text, "bad")
