"""Reads labs, and marks the answers of a class, in the background."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from core.labs.lab import Lab
from core.labs.locate import find_marked_lab, holds_answers
from core.labs.package import is_lab, open_lab
from gui.background.task_runner import Failure, TaskControl, TaskRunner, single_record
from gui.text import count
from gui.widgets.banner import Banner
from gui.widgets.dialogs import FolderMemory

if TYPE_CHECKING:
    from core.labs.grading import Grades


class LabOpening(QObject):
    """`opened(lab, path)`: a lab was read. Progress and problems are shown in the banner."""

    opened = Signal(object, object)

    def __init__(self, memory: FolderMemory, banner: Banner, window: QWidget) -> None:
        super().__init__(window)
        self._memory = memory
        self._banner = banner
        self._window = window
        self._runner = TaskRunner(self, self._on_records, self.show_end)
        self._runner.ticked.connect(self._show_progress)

    def open(self, path: Path, known: Lab | None) -> None:
        """Read the lab at `path`, or mark the answers in the file or folder at `path`: for `known`,
        the lab that is open, or for the one that they name."""
        if is_lab(path):
            self._read(path)
        elif holds_answers(path):
            self._mark(path, known)
        else:
            text = self.tr(
                "{path} holds no answers to a lab (.json): choose the folder with those of your "
                "class."
            )
            self._banner.show_text(text.format(path=path), "bad")

    def _read(self, path: Path) -> None:
        language = QLocale().name().partition("_")[0]

        def read(control: TaskControl) -> Callable[[], None]:
            return partial(self.opened.emit, open_lab(path, control.progress, language), path)

        # The lab that was asked for last is shown, not one that takes longer to read.
        self._runner.start_latest(single_record(read))

    def _mark(self, path: Path, known: Lab | None) -> None:
        def mark(control: TaskControl) -> Callable[[], None]:
            # Imported when it is needed, so that the window starts sooner.
            from core.labs.grading import read_folder

            return partial(
                self._show_grades, read_folder(path, find_marked_lab(path, known), control.progress)
            )

        self._runner.start_latest(single_record(mark))

    def _show_progress(self) -> None:
        done, total = self._runner.progress
        if total:
            text = self.tr("Files are being read: {done} of {total}.")
            self._banner.show_text(text.format(done=count(done), total=count(total)))
            self._banner.offer(self.tr("Stop"), self._runner.cancel)

    def _on_records(self, records: list[Callable[[], None]]) -> None:
        for show in records:
            self._banner.hide()
            show()

    def _show_grades(self, grades: "Grades") -> None:
        from gui.labs.dialogs import GradeDialog

        GradeDialog(grades, self._memory, self._window.window()).show()

    def show_end(self, failure: Failure | None) -> None:
        """Show why something that was computed for a lab has failed; None: nothing has."""
        self._banner.withdraw(self._runner.cancel)
        if failure:
            self._banner.show_text(failure.text, failure.tone, failure.details)
