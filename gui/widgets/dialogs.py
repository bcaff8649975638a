"""Dialogs that ask for a file or folder or show something, and the report of an error to the user."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QPushButton, QWidget

from core.errors import InputError
from gui.background.task_runner import failure_of
from gui.preferences import documents_folder
from gui.widgets.basics import MARGIN, resize_on_screen
from gui.widgets.make import Part, column


class InfoDialog(QDialog):
    """Shows something beside the window, and is deleted when it is closed. `buttons`: at first Close alone."""

    def __init__(self, parent: QWidget | None, title: str, name: str = "") -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)

    def show_parts(self, *parts: Part, size: tuple[int, int]) -> None:
        """Show these parts above the buttons. size: of the dialog, in pixels."""
        column(*parts, self.buttons, owner=self).setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
        resize_on_screen(self, *size)

    def add_button(self, text: str, slot: Callable[[], object]) -> QPushButton:
        button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        button.clicked.connect(lambda: slot())
        return button

    def add_copy_button(self, text: str, content: str) -> QPushButton:
        return self.add_button(text, lambda: QGuiApplication.clipboard().setText(content))

    def add_folder_button(self, text: str, folder: Path) -> None:
        """Add a button that shows `folder` in the system's file manager."""
        self.add_button(text, lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))))


class FolderMemory(Protocol):
    """Knows the folder that was used last: the preferences."""

    def folder(self) -> str: ...
    def save_folder(self, path: Path) -> None: ...


class LastFolder:
    """The folder that was used last in this window, for files that are usually elsewhere than models.

    At first it is the user's documents: the working folder may be the program's own.
    """

    _folder = ""

    def folder(self) -> str:
        return self._folder or documents_folder()

    def save_folder(self, path: Path) -> None:
        """Remember the folder of the file `path`."""
        self._folder = str(path.parent)


def ask_open(parent: QWidget, memory: FolderMemory, title: str, kinds: Sequence[str] = ()) -> Path | None:
    """The existing file that the user chooses, or None. kinds: filters such as `Tables (*.csv)`."""
    chosen, _ = QFileDialog.getOpenFileName(parent, title, memory.folder(), ";;".join(kinds))
    if not chosen:
        return None
    memory.save_folder(Path(chosen))
    return Path(chosen)


def ask_save(
    parent: QWidget, memory: FolderMemory, title: str, name: str, kinds: Sequence[str]
) -> Path | None:
    """The file to write that the user chooses, or None.

    name: proposed. kinds: filters such as `Tables (*.csv)`; a name without one of their suffixes gets the suffix of
    the chosen filter.
    """
    start = str(Path(memory.folder()) / name)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, start, ";;".join(kinds))
    if not chosen:
        return None
    path, suffixes = Path(chosen), [suffix for each in kinds for suffix in _suffixes(each)]
    if not path.name.lower().endswith(tuple(suffixes)):
        path = path.with_name(path.name + _suffixes(kind if kind in kinds else kinds[0])[0])
    memory.save_folder(path)
    return path


def ask_folder(parent: QWidget, memory: FolderMemory, title: str) -> Path | None:
    """The folder that the user chooses, or None."""
    chosen = QFileDialog.getExistingDirectory(parent, title, memory.folder())
    if not chosen:
        return None
    memory.save_folder(Path(chosen) / "any")
    return Path(chosen)


@contextmanager
def reporting(show: Callable[[str, str], Any]) -> Iterator[None]:
    """Context manager that ends its block at an InputError or OSError, and shows its sentence.

    show: called with the sentence and the tone "bad", such as `Banner.show_text`. What follows a success belongs
    into the block:

        with reporting(banner.show_text):
            write(path)
            banner.show_text("Saved.", "good")
    """
    try:
        yield
    except (InputError, OSError) as error:
        show(failure_of(error).text, "bad")


def ask_and_write(
    parent: QWidget,
    memory: FolderMemory,
    title: str,
    name: str,
    kinds: Sequence[str],
    write: Callable[[Path], object],
    show: Callable[[str, str], Any],
    done: str = "",
) -> None:
    """Ask for a path as `ask_save` does, write the file, and report that or an error by `show` as `reporting` does.

    done: the report, translated, with a place for the path; empty for the usual one.
    """
    if path := ask_save(parent, memory, title, name, kinds):
        with reporting(show):
            write(path)
            text = done or QCoreApplication.translate("Dialogs", "Exported as {path}.")
            show(text.format(path=short_path(path)), "good")


def short_path(path: Path) -> str:
    """`path` with ~ for the home folder."""
    return str(Path("~") / path.relative_to(Path.home())) if path.is_relative_to(Path.home()) else str(path)


def _suffixes(kind: str) -> list[str]:
    """The suffixes in a filter: [".csv", ".txt"] for `Tables (*.csv *.txt)`."""
    return [part.lstrip("*").lower() for part in kind[kind.rfind("(") + 1 : -1].split()]
