"""The commands of the File menu: open and save models, export plots and tables, open images."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from core.errors import InputError
from core.files.atomic import write_atomically
from core.importing import ONNX_SUFFIX
from core.inference.model_file import Model, load_model, models_folder
from core.runs.folder import RunFolder
from core.runs.library import model_title
from gui.background.failure import failure_of
from gui.preferences import Preferences
from gui.training.tab import TrainingTab

MODEL_SUFFIX = ".safetensors"
MODEL_SUFFIXES = (MODEL_SUFFIX, ".digitlab")
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
RUN_FILE = "run.json"


class FileActions(QObject):
    """Asks for a path, reads or writes the file, and reports the outcome by `message`."""

    opened = Signal(object)  # Model
    image_chosen = Signal(str)
    settings_chosen = Signal(Path)
    study_chosen = Signal(Path)
    import_chosen = Signal(Path)  # a network of another program
    message = Signal(str, str)  # text, tone

    def __init__(self, window: QWidget, preferences: Preferences, training: TrainingTab) -> None:
        super().__init__(window)
        self._window, self._preferences, self._training = window, preferences, training
        self._model: Model | None = None
        self._path: Path | None = None
        self._recent_menu: QMenu | None = None
        self._disabled_reason = ""

    def set_model(self, model: Model) -> None:
        """Set the model to be saved: one that has no file yet."""
        self._model, self._path = model, None

    # -- models -------------------------------------------------------------------------------------------

    def disable_opening(self, reason: str) -> None:
        """Open no models, and report this reason; an empty reason enables it again."""
        self._disabled_reason = reason

    def open_model(self) -> None:
        if self._disabled_reason:
            self.message.emit(self._disabled_reason, "info")
            return
        path, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open model"), self._preferences.folder(),
            self.tr("Models (*.safetensors *.digitlab);;All files (*)"),
        )  # fmt: skip
        if path and Path(path).suffix.lower() in (*PICTURE_SUFFIXES, ONNX_SUFFIX):
            self.open_given(Path(path))
        elif path:
            self.open_path(Path(path))

    def open_given(self, path: Path) -> None:
        """Open a model, a run (its folder or the run.json in it), a file of settings, a study, or a picture.

        An ONNX file is imported.
        """
        run = RunFolder(path.parent if path.name == RUN_FILE else path)
        if run.holds_run:
            self.open_path(run.model_path)
        elif path.suffix.lower() in MODEL_SUFFIXES:
            self.open_path(path)
        elif path.suffix.lower() == ONNX_SUFFIX:
            self._import(path)
        elif path.suffix.lower() == ".json":
            self.settings_chosen.emit(path)
        elif path.suffix.lower() == ".toml":
            self.study_chosen.emit(path)
        else:
            self.image_chosen.emit(str(path))

    def _import(self, path: Path) -> None:
        if self._disabled_reason:
            self.message.emit(self._disabled_reason, "info")
        else:
            self.import_chosen.emit(path)

    @property
    def model(self) -> Model | None:
        """The present model, or None before there is one."""
        return self._model

    @property
    def path(self) -> Path | None:
        """The file of the present model, or None if it has not been saved."""
        return self._path

    def open_path(self, path: Path) -> None:
        if self._disabled_reason:
            self.message.emit(self._disabled_reason, "info")
            return
        try:
            model = load_model(path)
        except (InputError, OSError) as error:
            self.message.emit(failure_of(error).text, "bad")
            return
        self.set_model(model)
        self._path = path
        self._remember(path)
        reads = model.kind == "classes"
        text = (
            self.tr("{name} reads your drawings now.") if reads else self.tr("{name} is open: see Results.")
        )
        self.message.emit(text.format(name=model_title(path)), "info")
        self.opened.emit(model)

    def save(self) -> None:
        if self._path and not _is_part_of_program(self._path):
            self.save_to(self._path)
        else:
            self.save_as()

    def save_as(self) -> None:
        if self._model is None:
            self.message.emit(self.tr("There is nothing to save yet: train a network first."), "info")
            return
        start = Path(self._preferences.folder()) / _file_name(self._model.network.text)
        path, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save model"), str(start), self.tr("Models (*.safetensors)")
        )
        if path:
            self.save_to(_with_suffix(Path(path), *MODEL_SUFFIXES))

    def save_to(self, path: Path) -> None:
        assert self._model
        try:
            if _is_part_of_program(path):
                raise InputError("{path} belongs to the program: choose another file.", path=path)
            self._model.save(path)
        except (InputError, OSError) as error:
            self.message.emit(failure_of(error).text, "bad")
            return
        self._path = path
        self._remember(path)
        self.message.emit(self.tr("The model is saved as {path}.").format(path=short_path(path)), "good")

    def _remember(self, path: Path) -> None:
        self._preferences.add_recent(path)
        if not _is_part_of_program(path):
            self._preferences.save_folder(path)
        self.fill_recent()

    def set_recent_menu(self, menu: QMenu) -> None:
        """List the recent files in this menu, with a shortcut for each."""
        self._recent_menu = menu
        self.fill_recent()

    def fill_recent(self) -> None:
        menu = self._recent_menu
        if menu is None:
            return
        menu.clear()
        recent = self._preferences.recent()
        for number, path in enumerate(recent, 1):
            action = menu.addAction(f"&{number}  {short_path(path)}")
            action.setShortcut(f"Ctrl+Shift+{number}")  # Ctrl and a digit shows a tab
            action.triggered.connect(lambda _=False, path=path: self.open_path(path))
        if recent:
            menu.addSeparator()
            menu.addAction(self.tr("&Clear this list")).triggered.connect(self._clear_recent)
        menu.setEnabled(bool(recent))

    def _clear_recent(self) -> None:
        self._preferences.clear_recent()
        self.fill_recent()

    # -- exports ------------------------------------------------------------------------------------------

    def export_plots(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Export plots"), str(Path(self._preferences.folder()) / "run.png"),
            self.tr("Pictures (*.png);;Drawings (*.svg)"),
        )  # fmt: skip
        if path:
            target = _with_suffix(Path(path), ".png", ".svg")
            self._write(lambda: self._training.export_plots(target), target)

    def export_table(self) -> None:
        path, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Export table of epochs"),
            str(Path(self._preferences.folder()) / "history.csv"), self.tr("Tables (*.csv)"),
        )  # fmt: skip
        if path:
            target = _with_suffix(Path(path), ".csv", ".txt")
            self._write(lambda: write_atomically(target, self._training.epochs.csv().encode()), target)

    def _write(self, write: Callable[[], None], path: Path) -> None:
        try:
            write()
        except (InputError, OSError) as error:
            self.message.emit(failure_of(error).text, "bad")
            return
        self._preferences.save_folder(path)
        self.message.emit(self.tr("Exported as {path}.").format(path=short_path(path)), "good")

    def open_image(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open image"), self._preferences.folder(),
            self.tr("Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp *.tif *.tiff);;All files (*)"),
        )  # fmt: skip
        if path:
            self.image_chosen.emit(path)


def _file_name(network: str) -> str:
    """A file name for a model of this network that all systems accept: short, and without a colon."""
    return re.sub(r'[<>:"/\\\\|?*\x00-\x1f]', "_", network)[:80] + MODEL_SUFFIX


def _with_suffix(path: Path, *suffixes: str) -> Path:
    """`path`, with the first of `suffixes` appended unless it ends in one of them."""
    return path if path.suffix.lower() in suffixes else path.with_name(path.name + suffixes[0])


def _is_part_of_program(path: Path) -> bool:
    """Whether `path` is one of the models that come with the program."""
    return path.resolve().parent == models_folder().resolve()


def short_path(path: Path) -> str:
    """`path` with ~ for the home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        return str(path)
