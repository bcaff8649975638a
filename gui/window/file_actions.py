"""Opens files: those of the menu File, those dropped on the window, and those that the program was started with."""

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QMimeData, QObject, Signal
from PySide6.QtWidgets import QWidget

from core.data.formats import FORMATS, class_digits, find_format
from core.drawing.picture import PICTURE_SUFFIXES
from core.errors import InputError
from core.importing import ONNX_SUFFIX, is_of_other_program
from core.inference.model_file import MODEL_SUFFIX, Model, load_model
from core.labs.locate import is_answers_file
from core.labs.package import holds_answers, is_lab
from core.runs.folder import RunFolder
from core.runs.library import model_title
from core.runs.plan import read_settings
from core.training.run_settings import RunSettings
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.text import sentence
from gui.training.session import Session
from gui.widgets.banner import Banner
from gui.widgets.dialogs import (
    ask_folder,
    ask_open_several,
    open_by_system,
    reporting,
)
from gui.window.digit_files import DigitFiles
from gui.window.model_import import ModelImport
from gui.window.recent_menu import RecentMenu
from gui.window.save_actions import SaveActions
from gui.words import network_words

MODEL_SUFFIXES = (MODEL_SUFFIX, ".digitlab")
PYTORCH_SUFFIXES = (".pt", ".pth")  # pickles; opening one says how to save the weights instead
LAB_SUFFIXES = (".md", ".zip")
DATA_SUFFIXES = tuple(suffix for found in FORMATS for suffix in found.suffixes)
PAGE_SUFFIXES = (".html", ".htm")
RUN_FILE = "run.json"
# What Open lists, by the kinds of files.
KINDS: dict[str, tuple[str, ...]] = {
    "models": MODEL_SUFFIXES,
    "others": (*PYTORCH_SUFFIXES, ONNX_SUFFIX, MODEL_SUFFIX),
    "labs": LAB_SUFFIXES,
    "settings": (".json",),
    "runs": (RUN_FILE,),
    "studies": (".toml",),
    "digits": (class_digits.SUFFIX,),
    "data": DATA_SUFFIXES,
    "pictures": PICTURE_SUFFIXES,
    "pages": PAGE_SUFFIXES,
}


class FileActions(QObject):
    """Opens a file or folder of any kind that the program reads, and says in the banner what has become of it."""

    opened = Signal(object, object)  # Model and its file; None for the last run
    image_chosen = Signal(str)
    lab_chosen = Signal(object)  # Path: a lab, or answers in a file or folder
    study_chosen = Signal(Path)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        settings: SettingsPanel,
        saving: SaveActions,
        recent: RecentMenu,
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._saving = saving
        self._recent = recent
        self._preferences = preferences
        self._banner = banner
        self._closed = ""  # why a lab lets no other files be opened; empty: they may be
        recent.chosen.connect(self.open_path)
        self.importing = ModelImport(window, settings, preferences, banner)
        self.importing.read.connect(self._show_imported)
        self.digits = DigitFiles(window, preferences, banner)
        self.digits.data_chosen.connect(self._choose_data)
        self.digits.image_chosen.connect(self.image_chosen)

    def show_unsaved(self, model: Model, source: Path | None) -> None:
        """Show a model from `source`, which Save does not overwrite; None: of the last run."""
        self._saving.set_model(model)
        self.opened.emit(model, source)

    def close(self, reason: str) -> None:
        """Open no models, settings, data and studies, for this reason; an empty one ends that."""
        self._closed = reason

    def _refuses(self, reason: str = "") -> bool:
        """Whether a run is in progress, whose network reads the drawings, or a lab is about to ask. The banner then
        gives the reason."""
        if self._session.active:
            text = reason or self.tr("Stop the run first: the network that learns reads your drawings.")
            self._banner.show_text(text)
        elif self._closed:
            self._banner.show_text(self._closed)
        return self._session.active or bool(self._closed)

    # -- opening ------------------------------------------------------------------------------------------

    def open_any(self, kind: str = "") -> None:
        """Ask for files of any kind that can be opened. kind: of KINDS, the one that the dialog lists at first."""
        titles = _kind_titles()
        every = [suffix for suffixes in KINDS.values() for suffix in suffixes]
        filters = {"": _filter(self.tr("All that DigitLab opens"), every)}
        filters |= {name: _filter(titles[name], suffixes) for name, suffixes in KINDS.items()}
        kinds = [*filters.values(), self.tr("All files (*)")]
        paths = ask_open_several(self._window, self._preferences, self.tr("Open"), kinds, filters[kind])
        if paths:
            self.open_paths(paths)

    def open_folder(self) -> None:
        """Ask for a folder: a run, a data set, a lab, or the answers of a class."""
        title = self.tr("Open a folder: a run, data, a lab, or the answers of a class")
        if path := ask_folder(self._window, self._preferences, title):
            self.open_given(path)

    def open_paths(self, paths: list[Path]) -> None:
        """Open a file, or several files of digits as those of one class; a message says why that is not possible."""
        with reporting(self._banner.show_text):
            if len(paths) > 1 and all(path.suffix.lower() == class_digits.SUFFIX for path in paths):
                self.digits.join(paths)
                return
            if len(paths) != 1:
                template = (
                    "{n} files were given: open one file or folder at a time, or several files of digits."
                )
                raise InputError(template, n=len(paths))
            (path,) = paths
            if not os.path.exists(path):  # False for a name that is too long
                raise InputError("There is no file {path}.", path=path)
            self.open_given(path)

    def open_dropped(self, dropped: QMimeData) -> None:
        """Open what was dropped; a message says why that is not possible."""
        urls = dropped.urls()
        with reporting(self._banner.show_text):
            if len(urls) == 1 and not urls[0].isLocalFile():
                raise InputError(
                    "{address} is not a file on this computer: save it first, then drop the file.",
                    address=urls[0].toString(),
                )
            self.open_paths([Path(url.toLocalFile()) for url in urls])

    def _choose_data(self, path: Path) -> None:
        if not self._refuses(self.tr("Stop the run first: it learns from other data.")):
            self._settings.data.choose(str(path))

    def open_given(self, path: Path) -> None:
        """Open a data set, a model, a run (its folder or the run.json in it), a file of settings, a study or a picture.

        An ONNX file is imported.
        """
        self._banner.hide()  # the error of the file before
        suffix = path.suffix.lower()
        run = RunFolder(path.parent if path.name == RUN_FILE else path)
        is_answers = is_answers_file(path) or (path.is_dir() and not run.holds_run and holds_answers(path))
        if is_lab(path) or is_answers:
            self.lab_chosen.emit(path)
        elif suffix == class_digits.SUFFIX:
            self.digits.open(path)
        elif (data := data_set(path)) is not None:
            self._choose_data(data)
        elif run.holds_run:
            self.open_path(run.model_path)
        elif is_of_other_program(path):
            if not self._refuses():
                self.importing.ask(path)
        elif suffix in (*MODEL_SUFFIXES, *PYTORCH_SUFFIXES):
            self.open_path(path)
        elif suffix == ".json":
            self.open_settings(path)
        elif suffix == ".toml":
            if not self._closed or not self._refuses():
                self.study_chosen.emit(path)
        elif suffix in ("", *PICTURE_SUFFIXES):
            self.image_chosen.emit(str(path))
        elif suffix in PAGE_SUFFIXES:
            text = self.tr(
                "{name} is a web page, such as the page to draw on that Share writes: a browser opens it."
            )
            self._banner.show_text(text.format(name=path.name))
            self._banner.offer(self.tr("Open it in the browser"), lambda: open_by_system(path))
        else:
            text = self.tr(
                "{name} cannot be opened: choose a model, a run, settings, a study, a data set, a lab, answers or a "
                "picture."
            )
            self._banner.show_text(text.format(name=path.name), "bad")

    def open_path(self, path: Path, *, shows_settings: bool = True) -> None:
        """Open a model, and take over its network and settings."""
        if self._refuses():
            return
        with reporting(self._banner.show_text):
            model = load_model(path)
            self._saving.set_opened(model, path)
            self._recent.add(path)
            text = self.tr("{name} is open: see Results.")
            if model.kind == "classes":
                text = self.tr("{name} reads your drawings now.")
            self._banner.show_text(text.format(name=model_title(path)))
            if shows_settings:
                self._show_settings(model)
            self.opened.emit(model, path)

    def _show_settings(self, model: Model) -> None:
        """Show the network and settings of `model` if they fit the chosen data; else say that others are shown.

        The settings before can be brought back by a button in the banner.
        """
        panel = self._settings
        network = model.network
        before = panel.plan
        back = panel.remember()
        settings = None
        # As far as is known of the data before they are loaded.
        if (model.kind, network.input_shape, network.outputs) == (panel.data.kind(), *panel.data.shape()):
            changes = {"network": network.text, "activation": model.activation, "loss": model.loss}
            with suppress(InputError):
                others = before.settings if before else RunSettings()
                settings = model.settings() if model.run_settings else others.change(**changes)
        if settings is None:
            text = self.tr("The settings under Training are not those of this model.")
            self._banner.append_text(text, "info", "")
        elif not before or settings != before.settings:
            panel.show_run(settings)
            self._banner.append_text(
                self.tr("Its network and settings are shown under Training."), "info", ""
            )
            if before:
                self._banner.offer(self.tr("Back to my settings"), back)

    def open_settings(self, path: Path) -> None:
        """Show the settings in a file."""
        if not self._refuses(self.tr("Stop the run first: its settings are those under Training.")):
            with reporting(self._banner.show_text):
                plan = read_settings(path)
                self._settings.restore(plan.data, plan.settings)
                self._preferences.save_folder(path)
                text = self.tr("The settings in {name} are shown under Training.")
                self._banner.show_text(text.format(name=path.name), "good")

    def _show_imported(self, path: Path, model: Model, note: InputError | None = None) -> None:
        """Show a model of another program. note: what is different here, which is to be agreed to first."""
        if self._refuses(self.tr("Stop the run first: the model was not imported.")):
            return
        if note is not None:
            self._banner.show_text(sentence(note))
            self._banner.offer(self.tr("Import it so"), partial(self._show_imported, path, model))
            return
        self.show_unsaved(model, path)
        text = self.tr("Imported: {network}. Save model writes it as a model file.")
        self._banner.show_text(text.format(network=network_words(model.network.text)), "good")


def _tr(text: str) -> str:
    return QCoreApplication.translate("FileActions", text)


def _kind_titles() -> dict[str, str]:
    return {
        "models": _tr("Models"), "others": _tr("Models of other programs"), "labs": _tr("Labs and experiments"),
        "settings": _tr("Settings and answers"), "runs": _tr("Runs"), "studies": _tr("Studies"),
        "digits": _tr("Digits of one or more persons"), "data": _tr("Data"), "pictures": _tr("Pictures"),
        "pages": _tr("Pages to draw on"),
    }  # fmt: skip


def _filter(title: str, suffixes: Sequence[str]) -> str:
    return f"{title} ({' '.join('*' + suffix for suffix in suffixes)})"


def data_set(path: Path) -> Path | None:
    """The data set that `path` belongs to, which may be the folder of a file. None if it is no data set.

    A folder that is no run counts as one: what reads it says what is wrong with it.
    """
    if path.is_dir():
        return None if RunFolder(path).holds_run else path
    found = find_format(path)
    return found.data_path(path) if found else None
