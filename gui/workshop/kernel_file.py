"""The file of the kernel that is edited."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal

from core.errors import InputError
from core.files.atomic import write_atomically
from core.workshop.exercise import read_text
from gui.text import sentence
from gui.widgets.basics import delayed
from gui.workshop.editor import CodeEditor

_WRITE_MILLISECONDS = 800  # after the last key


class KernelFile(QObject):
    """Writes the editor's text to a file, and shows there what another editor has written to the
    file.

    `replaced`: another editor has changed the text. `failed(text, tone)`: a file could not be read
    or written; for `Banner.show_text`.
    """

    replaced = Signal()
    failed = Signal(str, str)

    def __init__(self, editor: CodeEditor) -> None:
        super().__init__(editor)
        self.path: Path | None = None
        self._editor = editor
        self._kept = ""  # the text that was read from or written to the file
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._on_file_changed)
        self._timer = delayed(self, self.keep, _WRITE_MILLISECONDS)
        editor.textChanged.connect(self._timer.start)

    def open(self, path: Path, text: str) -> None:
        """Edit this file; `text`: where it does not exist or is empty."""
        self.path = path
        if path.exists():
            text = self.read(path) or text
        self._editor.setPlainText(text)
        self._kept = self._editor.toPlainText()

    def read(self, path: Path) -> str:
        """The text of a file; empty where it cannot be read, which is reported."""
        try:
            return read_text(path)
        except InputError as error:
            self.failed.emit(sentence(error), "bad")
            return ""

    def keep(self) -> None:
        """Write the text to the file, so that nothing typed is lost."""
        if self.path is None:
            return
        self._timer.stop()
        text = self._editor.toPlainText()
        try:
            # What nobody has typed does not replace what another editor has written.
            if text != self._kept or not self.path.exists():
                write_atomically(self.path, text.encode("utf-8", "replace"))
                self._kept = text
        except (InputError, OSError) as error:
            self.failed.emit(str(error), "bad")
        self._watch()

    def _watch(self) -> None:
        """Many editors replace the file, which ends the watch of it."""
        if self.path is None or str(self.path) in self._watcher.files():
            return
        for path in self._watcher.files():
            self._watcher.removePath(path)
        self._watcher.addPath(str(self.path))

    def _on_file_changed(self) -> None:
        self._watch()
        if self.path is None or not self.path.exists():
            return
        text = self.read(self.path)
        # Not while somebody types here: what is typed would be lost.
        if text and text != self._editor.toPlainText() and not self._timer.isActive():
            self._editor.replace_text(text)
            self._kept = self._editor.toPlainText()
            self.replaced.emit()
