"""Keeps the answers to labs in the home, and tells where a file lies that was put aside."""

from pathlib import Path

from PySide6.QtCore import QObject

from core.errors import InputError
from core.labs.answers import Answers
from core.labs.answers_file import ProgressFile
from core.labs.lab import Lab
from gui.text import sentence
from gui.widgets.banner import Banner


class LabProgress(QObject):
    """Reads and writes the answers to the labs that are opened in this window. Problems are shown in the banner."""

    def __init__(self, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._banner = banner
        self._files: dict[str, ProgressFile] = {}  # by the digests of the labs whose answers can be kept

    def read(self, lab: Lab) -> Answers:
        """The answers that were kept. A file that cannot be read is moved, never overwritten."""
        file = ProgressFile(lab)
        self._files.pop(lab.digest, None)
        try:
            answers = file.read()
        except InputError as error:
            text = self.tr("Your answers cannot be read, and new ones are not kept: {reason}")
            self._banner.show_text(text.format(reason=sentence(error)), "bad")
            return Answers(lab)
        self._files[lab.digest] = file
        self._tell_moved(file)
        self._tell_earlier(file)
        return answers

    def write(self, answers: Answers) -> None:
        """Keep the answers; what another window has written is added to them."""
        file = self._files.get(answers.lab.digest)
        if file is None:
            return
        try:
            file.write(answers)
        except InputError as error:
            text = self.tr("Your answers could not be kept: {reason}")
            self._banner.show_text(text.format(reason=sentence(error)), "bad")
        self._tell_moved(file)

    def begin_again(self, lab: Lab) -> Path | None:
        """Put the answers aside; returns where they are, or None where none are kept. Raises InputError."""
        file = self._files.get(lab.digest)
        return file.begin_again() if file is not None else None

    def _tell_moved(self, file: ProgressFile) -> None:
        """Say once where a file has gone that could not be read."""
        if file.moved is None:
            return
        text = self.tr(
            "Your earlier answers to this lab cannot be read, so it begins anew. Nothing was deleted: they are in "
            "{path}."
        )
        self._banner.show_text(text.format(path=file.moved), "bad")
        file.moved = None

    def _tell_earlier(self, file: ProgressFile) -> None:
        """Say what has become of answers to an earlier text of the lab."""
        if file.earlier is None:
            return
        text = self.tr("The text of this lab has changed since you began it; all your answers are kept.")
        if file.earlier.misfits:
            text = self.tr(
                "The text of this lab has changed since you began it: {n} of your answers fit no longer and are left "
                "out here; they are still in {path}.",
                None,
                file.earlier.misfits,
            )
        self._banner.show_text(text.format(n=file.earlier.misfits, path=file.earlier.path))
