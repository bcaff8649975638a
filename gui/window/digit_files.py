"""Files of digits that people wrote: those of several writers are joined and trained on, those of one looked at."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset_cache import DatasetCache
from core.data.formats import class_digits
from core.errors import InputError
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.text import count, sentence
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_save, short_path


class DigitFiles(QObject):
    """`data_chosen(path)`: train on these digits. `image_chosen(path)`: show this picture on the canvas."""

    data_chosen = Signal(object)
    image_chosen = Signal(str)

    def __init__(self, window: QWidget, preferences: Preferences, banner: Banner) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._banner = banner
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(lambda records: records[-1]())
        self._runner.ended.connect(self._on_ended)

    def open(self, path: Path) -> None:
        """Train on the digits of several writers; show those of one writer."""

        def read(control: TaskControl) -> Generator[Callable[[], None]]:
            if class_digits.count_writers(class_digits.read(path)) > 1:
                yield partial(self.data_chosen.emit, path)
            else:
                yield partial(self._browse, path)

        self._start(read, self.tr("{name} is being read…"), path)

    def join(self, paths: list[Path]) -> None:
        """Ask where to save the digits of all these files, write them, and train on them."""
        kinds = [self.tr("Digits of a class (*.npz)")]
        target = ask_save(self._window, self._preferences, self.tr("Digits of the class"), "class.npz", kinds)
        if target is None:
            return

        def merge(control: TaskControl) -> Generator[Callable[[], None]]:
            digits, refused = class_digits.merge_files(paths, control.progress)
            control.check()
            class_digits.save(digits, target)
            yield partial(self._show_joined, target, digits, refused)

        self._start(merge, self.tr("{name} is being written…"), target)

    def _show_joined(self, path: Path, digits: class_digits.WrittenDigits, refused: list[InputError]) -> None:
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
            left_out = self.tr("{n} files are left out, the first of them: {reason}", None, len(refused))
            text += " " + left_out.format(n=count(len(refused)), reason=sentence(refused[0]))
        self._banner.show_text(text, "bad" if refused else "good")

    def _browse(self, path: Path) -> None:
        # Imported when it is needed, so that the window starts sooner.
        from gui.results.data_browser import DataBrowser

        text = self.tr(
            "{name} has the digits of one writer: to train on them, open the files of several at once."
        )
        self._banner.show_text(text.format(name=path.name))
        read = partial(class_digits.as_one_split, path)
        browser = DataBrowser(RunPlan(RunSettings()), DatasetCache(), self._window, read)
        browser.open_image.connect(self.image_chosen)
        browser.show()

    def _start(self, task: Task, text: str, path: Path) -> None:
        if self._runner.busy:
            self._banner.show_text(self.tr("Another file is being written or read: wait a moment."))
            return
        self._preferences.save_folder(path)
        self._banner.show_text(text.format(name=path.name))
        self._runner.start(task)

    def _on_ended(self, failure: Failure | None) -> None:
        if failure:
            self._banner.show_text(failure.text, "bad")
