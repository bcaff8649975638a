"""What is done with files: models, settings and digits are opened, the present model is saved."""

import re
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from core.data.dataset_cache import DatasetCache
from core.data.formats import class_digits
from core.errors import InputError
from core.files.paths import data_folder
from core.importing import mean_and_deviation
from core.inference.model_file import MODEL_SUFFIX, Model, is_bundled, load_model
from core.runs.library import model_title
from core.runs.plan import RunPlan, read_settings
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.settings.panel import SettingsPanel
from gui.text import count, sentence
from gui.training.session import Session
from gui.widgets.banner import Banner
from gui.widgets.dialogs import (
    ask_save,
    ask_text,
    open_by_system,
    reporting,
    short_path,
)
from gui.widgets.make import ignoring_arguments
from gui.words import network_words


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


class SaveActions(QObject):
    """Asks for a path, writes the file, and says in the banner where it is."""

    def __init__(self, preferences: Preferences, banner: Banner) -> None:
        super().__init__(banner)
        self.recent = RecentMenu(preferences)
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
        if path := ask_save(
            self._banner.window(), self._preferences, self.tr("Save model"), name, kinds
        ):
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
        self.recent.add(path)


class FileTasks(QObject):
    """Reads or writes one file at a time in the background. A task yields functions; the last one
    is called here.
    """

    def __init__(self, preferences: Preferences, banner: Banner) -> None:
        super().__init__(banner)
        self._preferences = preferences
        self._banner = banner
        self._runner = TaskRunner(
            self, lambda records: records[-1](), self._on_ended, low_priority=True
        )

    @property
    def busy(self) -> bool:
        return self._runner.busy

    def start(self, task: Task, text: str, path: Path) -> None:
        """Start it unless another is in progress. text: what the banner says meanwhile."""
        if self.busy:
            self._banner.show_text(self.tr("Another file is being written or read: wait a moment."))
            return
        self._preferences.save_folder(path)
        self._banner.show_text(text.format(name=path.name))
        self._runner.start(task)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self._banner.show_text(failure.text, "bad")


class DigitFiles(QObject):
    """`data_chosen(path)`: train on these digits. `image_chosen(path)`: show this picture on the
    canvas.
    """

    data_chosen = Signal(object)
    image_chosen = Signal(str)

    def __init__(self, tasks: FileTasks, preferences: Preferences, banner: Banner) -> None:
        super().__init__(banner)
        self._tasks = tasks
        self._preferences = preferences
        self._banner = banner

    def open(self, path: Path) -> None:
        """Train on the digits of several writers; show those of one writer."""

        def read(control: TaskControl) -> Generator[Callable[[], None]]:
            if class_digits.count_writers(class_digits.read(path)) > 1:
                yield partial(self.data_chosen.emit, path)
            else:
                yield partial(self._browse, path)

        self._tasks.start(read, self.tr("{name} is being read…"), path)

    def join(self, paths: list[Path]) -> None:
        """Ask where to save the digits of all these files, write them, and train on them."""
        kinds = [self.tr("Digits of a class (*.npz)")]
        target = ask_save(
            self._banner.window(),
            self._preferences,
            self.tr("Digits of the class"),
            "class.npz",
            kinds,
        )
        if target is None:
            return

        def merge(control: TaskControl) -> Generator[Callable[[], None]]:
            digits, refused = class_digits.merge_files(paths, control.progress)
            # What was cancelled meanwhile must not write its file.
            control.check()
            class_digits.save(digits, target)
            yield partial(self._show_joined, target, digits, refused)

        self._tasks.start(merge, self.tr("{name} is being written…"), target)

    def _show_joined(
        self, path: Path, digits: class_digits.WrittenDigits, refused: list[InputError]
    ) -> None:
        """Train on the digits of a class; `refused`: why some files are not among them."""
        writers = class_digits.count_writers(digits)
        digit_count = len(digits.images)
        text = self.tr(
            "{n} digits of one writer are in {path}; to train on them, join those of several.",
            None,
            digit_count,
        )
        if writers > 1:
            self.data_chosen.emit(path)
            text = self.tr("{n} digits of {writers} writers are in {path}.", None, digit_count)
        text = text.format(n=count(digit_count), writers=count(writers), path=short_path(path))
        if refused:
            left_out = self.tr(
                "{n} files are left out, the first of them: {reason}", None, len(refused)
            )
            text += " " + left_out.format(n=count(len(refused)), reason=sentence(refused[0]))
        self._banner.show_text(text, "bad" if refused else "good")

    def _browse(self, path: Path) -> None:
        # Imported when it is needed, so that the window starts sooner.
        from gui.results.data_browser import DataBrowser

        text = self.tr(
            "{name} has the digits of one writer: to train on them, open the files of several at "
            "once."
        )
        self._banner.show_text(text.format(name=path.name))
        read = partial(class_digits.as_one_split, path)
        browser = DataBrowser(RunPlan(RunSettings()), DatasetCache(), self._banner.window(), read)
        browser.open_image.connect(self.image_chosen)
        browser.show()


class FileActions(QObject):
    """Opens a file of one kind each, and says in the banner what has become of it."""

    opened = Signal(object, object)  # Model and its file; None for the last run
    lab_chosen = Signal(object)  # Path: a lab, or answers in a file or folder
    study_chosen = Signal(Path)

    def __init__(
        self, session: Session, settings: SettingsPanel, preferences: Preferences, banner: Banner
    ) -> None:
        super().__init__(banner)
        self._session = session
        self._settings = settings
        self._preferences = preferences
        self._banner = banner
        self.saving = SaveActions(preferences, banner)
        self.tasks = FileTasks(preferences, banner)
        self.digits = DigitFiles(self.tasks, preferences, banner)
        self._closed = ""  # why a lab lets no other files be opened; empty: they may be
        self.saving.recent.chosen.connect(self.open_path)
        self.digits.data_chosen.connect(self.choose_data)

    def show_unsaved(self, model: Model, source: Path | None) -> None:
        """Show a model from `source`, which Save does not overwrite; None: of the last run."""
        self.saving.set_model(model)
        self.opened.emit(model, source)

    def close(self, reason: str) -> None:
        """Open no models, settings, data and studies, for this reason; an empty one ends that."""
        self._closed = reason

    def _refuses(self, reason: str = "") -> bool:
        """Whether a run is in progress, whose network reads the drawings, or a lab is about to ask.
        The banner then gives the reason."""
        if self._session.active:
            text = reason or self.tr(
                "Stop the run first: the network that learns reads your drawings."
            )
            self._banner.show_text(text)
        elif self._closed:
            self._banner.show_text(self._closed)
        return self._session.active or bool(self._closed)

    def open_path(self, path: Path, *, shows_settings: bool = True) -> None:
        """Open a model, and take over its network and settings."""
        if self._refuses():
            return
        with reporting(self._banner.show_text):
            model = load_model(path)
            self.saving.set_opened(model, path)
            self.saving.recent.add(path)
            text = self.tr("{name} is open: see Results.")
            if model.kind == "classes":
                text = self.tr("{name} reads your drawings now.")
            self._banner.show_text(text.format(name=model_title(path)))
            if shows_settings:
                self._show_settings(model)
            self.opened.emit(model, path)

    def _show_settings(self, model: Model) -> None:
        """Show the network and settings of `model` if they fit the chosen data; else say that
        others are shown.

        The settings before can be brought back by a button in the banner.
        """
        panel = self._settings
        network = model.network
        before = panel.plan
        back = panel.remember()
        settings = None
        # As far as is known of the data before they are loaded.
        if (model.kind, network.input_shape, network.outputs) == (
            panel.data.kind(),
            *panel.data.shape(),
        ):
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

    def choose_data(self, path: Path) -> None:
        if not self._refuses(self.tr("Stop the run first: it learns from other data.")):
            self._settings.data.choose(str(path))

    def open_study(self, path: Path) -> None:
        """Show a study; a run in progress does not hinder that, but a lab does."""
        if not self._closed or not self._refuses():
            self.study_chosen.emit(path)

    def offer_page(self, path: Path) -> None:
        """Say what a page to draw on is, and offer to open it in the browser."""
        text = self.tr(
            "{name} is a web page, such as the page to draw on that Share writes: a browser opens "
            "it."
        )
        self._banner.show_text(text.format(name=path.name))
        self._banner.offer(self.tr("Open it in the browser"), lambda: open_by_system(path))

    def ask_import(self, path: Path) -> None:
        """Read a file of another program; ask for the layers of one that has no structure."""
        if self._refuses():
            return
        notation: str | None = ""
        if path.suffix.lower() == MODEL_SUFFIX:
            text = self.tr(
                "{name} holds weights without the structure of the network, for example "
                "6C5-MP2-16C5:valid-MP2-120N-84N-10N. Empty: the dense layers of the file."
            )
            title = self.tr("Which layers has the network?")
            text = text.format(name=path.name)
            notation = ask_text(
                self._banner.window(), title, text, self.tr("Layers"), self.tr("Open")
            )
        if notation is not None:
            self.import_model(path, notation)

    def import_model(
        self, path: Path, notation: str = "", pixels: tuple[float, float] | None = None
    ) -> None:
        """Read the network in the file; hidden layers of a state dictionary get the activation of
        the settings. pixels: the mean and the deviation by which they were normalized before it.
        """
        plan = self._settings.plan
        activation = plan.settings.activation if plan else "relu"

        def read(control: TaskControl) -> Generator[Callable[[], None]]:
            from core.importing import import_model, import_note

            model = import_model(path, notation.strip(), activation, pixels)
            ask_pixels = partial(self._ask_pixels, path, notation)
            yield partial(self._show_imported, path, model, ask_pixels, import_note(path, model))

        self.tasks.start(read, self.tr("{name} is being read…"), path)

    def _ask_pixels(self, path: Path, notation: str) -> None:
        """Ask how pixels were normalized before the network, and import it with that."""
        text = self.tr(
            "Many programs normalize pixels before the network: they subtract a mean and divide by "
            "a deviation, for MNIST 0.1307 and 0.3081. Which were these, for pixels from 0 to 1?"
        )
        title = self.tr("How were the pixels normalized?")
        field = self.tr("Mean, deviation")
        typed = ask_text(self._banner.window(), title, text, field, self.tr("Import"))
        if typed is not None:
            with reporting(self._banner.show_text):
                self.import_model(path, notation, mean_and_deviation(typed))

    def _show_imported(
        self,
        path: Path,
        model: Model,
        ask_pixels: Callable[[], None],
        note: InputError | None = None,
    ) -> None:
        """Show a model of another program. note: what is different here, which is to be agreed to
        first.
        """
        if self._refuses(self.tr("Stop the run first: the model was not imported.")):
            return
        if note is not None:
            self._banner.show_text(sentence(note))
            agreed = partial(self._show_imported, path, model, ask_pixels)
            self._banner.offer(self.tr("Import it so"), agreed)
            return
        self.show_unsaved(model, path)
        text = self.tr("Imported: {network}. Save model writes it as a model file.")
        self._banner.show_text(text.format(network=network_words(model.network.text)), "good")
        network = model.network
        if len(network.input_shape) == 3 and not network.layers[0].has_statistics:
            self._banner.offer(self.tr("Its pixels were normalized…"), ask_pixels)


def file_name(name: str) -> str:
    """`name` as a name of a file that all systems accept: short, and without a colon."""
    # In bytes, of which file systems count 255 for a name; half a character at the end is left out.
    short = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", name).encode()[:80].decode(errors="ignore")
    # Windows drops spaces and dots at the end of a name.
    return short.strip(" .") or "network"
