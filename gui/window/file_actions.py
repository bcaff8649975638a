"""The commands of the File menu, and files dropped on the window: open and save models, export plots and tables."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from core.data.csv_table import is_table
from core.errors import InputError
from core.files.atomic import write_atomically
from core.importing import ONNX_SUFFIX
from core.inference.model_file import Model, load_model, models_folder
from core.runs.folder import RunFolder
from core.runs.library import model_title
from gui.preferences import Preferences
from gui.text import sentence
from gui.training.tab import TrainingTab
from gui.widgets.dialogs import ask_open, ask_save, reporting

MODEL_SUFFIX = ".safetensors"
MODEL_SUFFIXES = (MODEL_SUFFIX, ".digitlab")
PYTORCH_SUFFIXES = (".pt", ".pth")  # pickles; opening one says how to save the weights instead
PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
RUN_FILE = "run.json"


class FileActions(QObject):
    """Asks for a path, reads or writes the file, and reports the outcome by `message`."""

    opened = Signal(object)  # Model
    image_chosen = Signal(str)
    settings_chosen = Signal(Path)
    study_chosen = Signal(Path)
    data_chosen = Signal(str)
    import_chosen = Signal(Path)  # a network of another program
    message = Signal(str, str)  # text, tone

    def __init__(self, window: QWidget, preferences: Preferences, training: TrainingTab) -> None:
        super().__init__(window)
        self._window, self._preferences, self._training = window, preferences, training
        self.model: Model | None = None  # the present one
        self.path: Path | None = None  # its file; None if it has not been saved
        self._recent_menu: QMenu | None = None
        self._disabled_reason = ""

    def set_model(self, model: Model) -> None:
        """Set the model to be saved: one that has no file yet."""
        self.model, self.path = model, None

    # -- models -------------------------------------------------------------------------------------------

    def disable_opening(self, reason: str) -> None:
        """Open no models, and report this reason; an empty reason enables it again."""
        self._disabled_reason = reason

    @property
    def is_opening_disabled(self) -> bool:
        """Whether a run is in progress, whose network reads the drawings."""
        return bool(self._disabled_reason)

    def _refuses_opening(self) -> bool:
        if self._disabled_reason:
            self.message.emit(self._disabled_reason, "info")
        return self.is_opening_disabled

    def open_model(self) -> None:
        if self._refuses_opening():
            return
        kinds = [self.tr("Models (*.safetensors *.digitlab)"), self.tr("All files (*)")]
        path = ask_open(self._window, self._preferences, self.tr("Open model"), kinds)
        if path and path.suffix.lower() in (*PICTURE_SUFFIXES, ONNX_SUFFIX):
            self.open_given(path)
        elif path:
            self.open_path(path)

    def open_dropped(self, dropped: QMimeData) -> None:
        """Open what was dropped; a message says why that is not possible."""
        try:
            path = dropped_path(dropped)
        except InputError as error:
            self.message.emit(sentence(error), "bad")
        else:
            self.open_given(path)

    def open_given(self, path: Path) -> None:
        """Open a data set, a model, a run (its folder or the run.json in it), a file of settings, a study or a picture.

        An ONNX file is imported.
        """
        data = data_set(path)
        if data is not None:
            if self._disabled_reason:
                self.message.emit(self.tr("Stop the run first: it learns from other data."), "info")
            else:
                self.data_chosen.emit(str(data))
            return
        run = RunFolder(path.parent if path.name == RUN_FILE else path)
        if run.holds_run:
            self.open_path(run.model_path)
        elif path.suffix.lower() in (*MODEL_SUFFIXES, *PYTORCH_SUFFIXES):
            self.open_path(path)
        elif path.suffix.lower() == ONNX_SUFFIX:
            if not self._refuses_opening():
                self.import_chosen.emit(path)
        elif path.suffix.lower() == ".json":
            self.settings_chosen.emit(path)
        elif path.suffix.lower() == ".toml":
            self.study_chosen.emit(path)
        else:
            self.image_chosen.emit(str(path))

    def open_path(self, path: Path) -> None:
        if self._refuses_opening():
            return
        with reporting(self.message.emit):
            self.model, self.path = load_model(path), path
            self._remember(path)
            text = self.tr("{name} is open: see Results.")
            if self.model.kind == "classes":
                text = self.tr("{name} reads your drawings now.")
            self.message.emit(text.format(name=model_title(path)), "info")
            self.opened.emit(self.model)

    def save(self) -> None:
        if self.path and not _is_part_of_program(self.path):
            self.save_to(self.path)
        else:
            self.save_as()

    def save_as(self) -> None:
        if self.model is None:
            self.message.emit(self.tr("There is nothing to save yet: train a network first."), "info")
            return
        kinds = [self.tr("Models (*.safetensors *.digitlab)")]
        name = _file_name(self.model.network.text)
        path = ask_save(self._window, self._preferences, self.tr("Save model"), name, kinds)
        if path:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        assert self.model
        with reporting(self.message.emit):
            if _is_part_of_program(path):
                raise InputError("{path} belongs to the program: choose another file.", path=path)
            self.model.save(path)
            self.path = path
            self._remember(path)
            text = self.tr("The model is saved as {path}.")
            self.message.emit(text.format(path=short_path(path)), "good")

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
        kinds = [self.tr("Pictures (*.png)"), self.tr("Drawings (*.svg)")]
        self._export(self.tr("Export plots"), "run.png", kinds, self._training.export_plots)

    def export_table(self) -> None:
        title, kinds = self.tr("Export table of epochs"), [self.tr("Tables (*.csv *.txt)")]
        self._export(
            title, "history.csv", kinds,
            lambda path: write_atomically(path, self._training.epochs.csv().encode()),
        )  # fmt: skip

    def _export(self, title: str, name: str, kinds: list[str], write: Callable[[Path], object]) -> None:
        path = ask_save(self._window, self._preferences, title, name, kinds)
        if path:
            with reporting(self.message.emit):
                write(path)
                self.message.emit(self.tr("Exported as {path}.").format(path=short_path(path)), "good")

    def open_image(self) -> None:
        kinds = [
            self.tr("Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp *.tif *.tiff)"), self.tr("All files (*)"),
        ]  # fmt: skip
        path = ask_open(self._window, self._preferences, self.tr("Open image"), kinds)
        if path:
            self.image_chosen.emit(str(path))


def _file_name(network: str) -> str:
    """A file name for a model of this network that all systems accept: short, and without a colon."""
    return re.sub(r'[<>:"/\\\\|?*\x00-\x1f]', "_", network)[:80] + MODEL_SUFFIX


def _is_part_of_program(path: Path) -> bool:
    """Whether `path` is one of the models that come with the program."""
    return path.resolve().parent == models_folder().resolve()


def short_path(path: Path) -> str:
    """`path` with ~ for the home folder."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        return str(path)


def dropped_path(data: QMimeData) -> Path:
    """The dropped file or folder. Raises InputError for several files, a web address or a missing file."""
    urls = data.urls()
    if len(urls) != 1:
        raise InputError("{n} files were dropped: drop one file or folder at a time.", n=len(urls))
    if not urls[0].isLocalFile():
        raise InputError(
            "{address} is not a file on this computer: save it first, then drop the file.",
            address=urls[0].toString(),
        )
    path = Path(urls[0].toLocalFile())
    if not os.path.exists(path):  # False for a name that is too long
        raise InputError("There is no file {path}.", path=path)
    return path


def data_set(path: Path) -> Path | None:
    """The data set that `path` belongs to: itself, or the folder of an IDX file. None if it is no data set."""
    if path.is_dir():
        return None if RunFolder(path).holds_run else path
    if "-ubyte" in path.name:
        return path.parent
    return path if is_table(path) or path.name.lower().endswith((".pkl", ".pkl.gz")) else None
