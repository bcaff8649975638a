"""The form of all dialogs, those that ask for a file or folder, and the report of an error to the
user.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QDesktopServices,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QDialog, QFileDialog, QLayout, QPushButton, QWidget

from core.errors import InputError
from core.text import format_bytes
from gui.background.task_runner import failure_of
from gui.preferences import documents_folder
from gui.widgets.basics import (
    PrimaryButton,
    lay_out_now,
    paint_border,
    resize_on_screen,
    scroll_area,
    see_through,
)
from gui.widgets.make import Part, button, column, edit, ignoring_arguments, label, row
from gui.widgets.messages import breakable, note, set_message
from gui.widgets.theme import theme

WIDTH = 560  # pixels
_PADDING = 24
_GAP = 16
_BUTTON_GAP = 12
_BUTTON_HEIGHT = 32
_BUTTON_WIDTH = 96


class TextLink(QPushButton):
    """A button that looks like a link: a text in the accent color."""

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 8, metrics.height() + 8)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        with QPainter(self) as painter:
            font = self.font()
            font.setUnderline(self.underMouse())
            painter.setFont(font)
            painter.setPen(colors.accent if self.isEnabled() else colors.muted)
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
            if self.hasFocus():
                paint_border(painter, QRectF(self.rect()), colors.accent)


class Dialog(QDialog):
    """The one form of all dialogs: title, a sentence, content, and the buttons at the bottom right.

    Return presses the main button, and Escape closes. At first Close is the only button; beside a
    main button it is Cancel. The dialog is deleted when it is closed. sentence: what the dialog is
    for; empty for none.
    """

    def __init__(
        self, parent: QWidget | None, title: str, name: str = "", *, sentence: str = ""
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # It may hold the name of a file or run, in which < is no tag.
        self.title = label(title, "dialogTitle", "title", plain=True)
        self.sentence = note("muted", "dialogSentence")
        self.sentence.setText(breakable(sentence))
        self.close_button = _sized(
            button(
                self.tr("Close"), "dialogClose", self.tr("Close this dialog (Esc)."), self.reject
            )
        )
        self.close_button.setDefault(True)
        self.main_button: PrimaryButton | None = None
        self._extra = row(spacing=_BUTTON_GAP)
        self._buttons = row(self.close_button, spacing=_BUTTON_GAP)

    def set_main(
        self, text: str, name: str, slot: Callable[[], object], *, tip: str = "", cancel: str = ""
    ) -> PrimaryButton:
        """Add the main button. cancel: the text of the button that only closes; empty for
        Cancel.
        """
        self.main_button = _sized(
            button(text, name, tip, ignoring_arguments(slot), kind=PrimaryButton)
        )
        self.close_button.setText(cancel or self.tr("Cancel"))
        self._buttons.addWidget(self.main_button)
        self.main_button.setDefault(True)
        return self.main_button

    def show_parts(
        self,
        *parts: Part,
        size: tuple[int, int] = (WIDTH, 0),
        scrolls: bool = False,
        below: Sequence[Part] = (),
    ) -> None:
        """Show these parts between the sentence and the buttons.

        size: of the dialog, in pixels at a text size of 100 %; a height of 0 is that of the parts.
        scrolls: whether the parts are scrolled where the screen is too low for them. below: parts
        that are always in sight.
        """
        self._size = size
        self._head = column(self.title, self.sentence, spacing=_GAP // 4)
        if not self.sentence.text():
            self.sentence.hide()
        page = QWidget() if scrolls else None
        self._content = column(*parts, owner=page, spacing=_GAP // 2)
        content: list[Part] = [(self._content, 1)] if parts else []
        if page is not None:
            self._content.setContentsMargins(
                2, 2, _PADDING // 2, 2
            )  # for the outlines of fields, and the scroll bar
            area = scroll_area(page)
            see_through(area)
            content = [(area, 1)]
        buttons = row(self._extra, None, self._buttons, spacing=_BUTTON_GAP)
        self._below = column(*below, spacing=_GAP // 2)
        if below:
            content.append(self._below)
        whole = column(self._head, *content, buttons, owner=self, spacing=_GAP)
        whole.setContentsMargins(_PADDING, _GAP, _PADDING, _GAP)
        self.fit()

    def fit(self) -> None:
        """Make the dialog as high as its parts, unless a height was given, and not higher than the
        screen.
        """
        width, height = (theme().px(pixels) for pixels in self._size)
        width = min(width, self.screen().availableSize().width())
        # Texts may have changed: the layouts still have the sizes of before.
        lay_out_now()
        if not height:
            inner = width - 2 * _PADDING
            parts = [self._head, *(part for part in (self._content, self._below) if part.count())]
            heights = [_height(part, inner) for part in parts]
            height = sum(heights) + theme().px(_BUTTON_HEIGHT) + (len(parts) + 2) * _GAP
        resize_on_screen(self, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill the background as that of a card; with a background role labels would lose the
        colors of their own.
        """
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), theme().colors.base)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()  # the fonts are known only now

    def add_button(
        self, text: str, slot: Callable[[], object], name: str = "", tip: str = ""
    ) -> QPushButton:
        """Add a button at the left, for something else than what the dialog is for."""
        made = _sized(button(text, name, tip, ignoring_arguments(slot)))
        self._extra.addWidget(made)
        return made

    def add_copy_button(self, text: str, content: str) -> QPushButton:
        tip = self.tr("Put the text on the clipboard.")
        return self.add_button(text, lambda: QGuiApplication.clipboard().setText(content), tip=tip)

    def add_folder_link(self, text: str, folder: Path) -> TextLink:
        """Add a link at the left that shows `folder` in the system's file manager."""
        tip = self.tr("Show this folder in the system's file manager.")
        made = button(
            text,
            "showFolder",
            tip,
            ignoring_arguments(partial(open_by_system, folder)),
            kind=TextLink,
        )
        self._extra.addWidget(made)
        return made


def _height(part: QLayout, width: int) -> int:
    """The height that the part needs, with some room for lines that break otherwise."""
    width -= _GAP // 2
    return (
        part.totalHeightForWidth(width)
        if part.hasHeightForWidth()
        else part.totalSizeHint().height()
    )


Sized = TypeVar("Sized", bound=QPushButton)


def _sized(made: Sized) -> Sized:
    """The button in the size of all buttons of dialogs."""
    made.setMinimumWidth(theme().px(_BUTTON_WIDTH))
    made.setFixedHeight(theme().px(_BUTTON_HEIGHT))
    return made


def open_by_system(path: Path) -> None:
    """Open a file or folder in the system's program for it, such as the browser."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def confirm(parent: QWidget, title: str, text: str, yes: str) -> bool:
    """Ask a question; returns whether the button with the text `yes` was pressed."""
    dialog = Dialog(parent, title, "questionDialog", sentence=text)
    dialog.set_main(yes, "questionYes", dialog.accept)
    dialog.show_parts()
    return dialog.exec() == QDialog.DialogCode.Accepted


def ask_text(parent: QWidget, title: str, text: str, field: str, yes: str) -> str | None:
    """The text that is typed, or None. text: what is asked; field: the name of the field; yes: the
    main button.
    """
    dialog = Dialog(parent, title, "textDialog", sentence=text)
    typed = edit("textEdit", field, text)
    dialog.set_main(yes, "textAccept", dialog.accept)
    dialog.show_parts(label(field), typed)
    typed.setFocus()
    # The dialog is deleted when it closes, and its field with it: the text is kept here.
    content = [""]
    typed.textChanged.connect(content.append)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    return content[-1] if accepted else None


class SavedDialog(Dialog):
    """Says that a file was written, and where. What to do with it is said by `sentence` and the
    main button.
    """

    def __init__(self, parent: QWidget, title: str, path: Path, sentence: str) -> None:
        super().__init__(parent, title, "savedDialog")
        size = format_bytes(path.stat().st_size) if path.is_file() else ""
        text = self.tr("{name}, {size}, in {folder}") if size else self.tr("{name} in {folder}")
        text = text.format(name=path.name, size=size, folder=short_path(path.parent))
        self._where = label(breakable(text), "savedWhere", selectable=True, plain=True)
        self._said = label(sentence, "savedSentence", "muted")
        self.close_button.setText(self.tr("Done"))
        self.add_folder_link(self.tr("Show in folder"), path.parent)

    def show_saved(self) -> None:
        self.show_parts(self._where, self._said)
        (self.main_button or self.close_button).setFocus()
        self.open()


class Destination(QWidget):
    """Says which file will be written, in the folder that was used last; a link asks for another
    one.

    title: of the file dialog. kinds: filters such as `Tables (*.csv)`.
    """

    def __init__(self, memory: "FolderMemory", title: str, name: str, kinds: Sequence[str]) -> None:
        super().__init__()
        self._memory = memory
        self._title = title
        self._kinds = kinds
        self.path = Path(memory.folder()) / name
        self._text = note("muted", "destinationText")
        tip = self.tr("Choose another folder or name.")
        change = button(self.tr("Change…"), "destinationChange", tip, self._ask, kind=TextLink)
        parts = row((self._text, 1), change, owner=self, spacing=_BUTTON_GAP)
        parts.setAlignment(change, Qt.AlignmentFlag.AlignTop)
        self._refresh()

    def propose(self, name: str, kinds: Sequence[str] = ()) -> None:
        """Propose another name in the same folder, and other kinds of files unless these are
        empty.
        """
        self._kinds = kinds or self._kinds
        self.path = self.path.with_name(name)
        self._refresh()

    def _ask(self) -> None:
        if path := ask_save(self, self._memory, self._title, self.path.name, self._kinds):
            self.path = path
            self._refresh()

    def _refresh(self) -> None:
        text = self.tr("{name} in {folder}")
        if os.path.exists(self.path):  # `Path.exists` raises an error for a name that is too long
            text = self.tr("{name} in {folder}; the file that is there is replaced")
        set_message(
            self._text, text.format(name=self.path.name, folder=short_path(self.path.parent))
        )

    def remember(self) -> None:
        """The file was written: propose its folder the next time."""
        self._memory.save_folder(self.path)


def free_name(folder: Path, stem: str, suffix: str) -> str:
    """`stem` with the suffix, or `stem 2`, … where the folder has such a file already."""
    names = chain([stem], (f"{stem} {number}" for number in count(2)))
    return next(name + suffix for name in names if not os.path.exists(folder / (name + suffix)))


class FolderMemory(Protocol):
    """Knows the folder that was used last: the preferences."""

    def folder(self) -> str: ...
    def save_folder(self, path: Path) -> None: ...


class LastFolder:
    """The folder that was used last in this window, for files that are usually elsewhere than
    models.

    At first it is the user's documents: the working folder may be the program's own.
    """

    _folder = ""

    def folder(self) -> str:
        return self._folder or documents_folder()

    def save_folder(self, path: Path) -> None:
        """Remember the folder of the file `path`."""
        self._folder = str(path.parent)


# Qt's own dialog, which is used where the system has none, would else delete and rename files.
_READS = QFileDialog.Option.ReadOnly


def ask_open(
    parent: QWidget, memory: FolderMemory, title: str, kinds: Sequence[str] = ()
) -> Path | None:
    """The existing file that the user chooses, or None. kinds: filters such as `Tables (*.csv)`."""
    chosen, _ = QFileDialog.getOpenFileName(
        parent, title, memory.folder(), ";;".join(kinds), options=_READS
    )
    if not chosen:
        return None
    memory.save_folder(Path(chosen))
    return Path(chosen)


def ask_open_several(
    parent: QWidget, memory: FolderMemory, title: str, kinds: Sequence[str]
) -> list[Path]:
    """The existing files that the user chooses; empty for none."""
    found, _ = QFileDialog.getOpenFileNames(
        parent, title, memory.folder(), ";;".join(kinds), options=_READS
    )
    if found:
        memory.save_folder(Path(found[0]))
    return [Path(name) for name in found]


def ask_save(
    parent: QWidget, memory: FolderMemory, title: str, name: str, kinds: Sequence[str]
) -> Path | None:
    """The file to write that the user chooses, or None.

    name: proposed. kinds: filters such as `Tables (*.csv)`; a name without one of their suffixes
    gets the suffix of the chosen filter.
    """
    start = str(Path(memory.folder()) / name)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, start, ";;".join(kinds))
    if not chosen:
        return None
    path = Path(chosen)
    suffixes = [suffix for each in kinds for suffix in _suffixes(each)]
    if not path.name.lower().endswith(tuple(suffixes)):
        path = path.with_name(path.name + _suffixes(kind if kind in kinds else kinds[0])[0])
    memory.save_folder(path)
    return path


def ask_folder(parent: QWidget, memory: FolderMemory, title: str) -> Path | None:
    """The folder that the user chooses, or None."""
    chosen = QFileDialog.getExistingDirectory(parent, title, memory.folder())
    if not chosen:
        return None
    # It takes the path of a file, and keeps the folder around that.
    memory.save_folder(Path(chosen) / "any")
    return Path(chosen)


@contextmanager
def reporting(show: Callable[[str, str], Any]) -> Iterator[None]:
    """Context manager that ends its block at an InputError or OSError, and shows its sentence.

    show: called with the sentence and the tone "bad", such as `Banner.show_text`. What follows a
    success belongs into the block:

        with reporting(banner.show_text):
            write(path)
            banner.show_text("Saved.", "good")
    """
    try:
        yield
    except (InputError, OSError) as error:
        show(failure_of(error).text, "bad")


def short_path(path: Path) -> str:
    """`path` with ~ for the home folder, which itself is named."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if home in path.parents else str(path)


def _suffixes(kind: str) -> list[str]:
    """The suffixes in a filter: [".csv", ".txt"] for `Tables (*.csv *.txt)`."""
    return [part.lstrip("*").lower() for part in kind[kind.rfind("(") + 1 : -1].split()]
