"""The kinds of files that the program opens: one record each, for Open, for what is dropped and for
what they say.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from core.data.formats import FORMATS, class_digits, find_format
from core.drawing.picture import PICTURE_SUFFIXES
from core.errors import InputError
from core.importing import KERAS_SUFFIXES, ONNX_SUFFIX, is_of_other_program
from core.inference.model_file import MODEL_SUFFIX
from core.labs.locate import holds_answers
from core.labs.package import is_lab
from core.runs.folder import RunFolder
from gui.preferences import Preferences
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_folder, ask_open_several, reporting
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import theme
from gui.window.files import FileActions

RUN_FILE = "run.json"


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file. title: in the plural. suffixes: of its files, or a whole name. fits: whether
    a path is of it.

    The first kind that fits opens a path.
    """

    title: str
    suffixes: tuple[str, ...]
    fits: Callable[[Path], bool]
    open: Callable[[Path], object]


class Opening(QObject):
    """Opens what the menu File asks for, what is dropped on the window, and what the program was
    started with.
    """

    def __init__(self, files: FileActions, preferences: Preferences, banner: Banner) -> None:
        super().__init__(files)
        self._files = files
        self._preferences = preferences
        self._banner = banner
        self.kinds = self._make_kinds()

    def _make_kinds(self) -> dict[str, FileKind]:
        tr = self.tr
        files = self._files
        show_lab = files.lab_chosen.emit
        data_suffixes = tuple(chain.from_iterable(found.suffixes for found in FORMATS))
        pickles = (".pt", ".pth")  # opening one says how to save the weights instead
        models = (MODEL_SUFFIX, ".digitlab")
        pages = (".html", ".htm")
        return {
            "labs": FileKind(tr("Labs and experiments"), (".md", ".zip"), is_lab, show_lab),
            "answers": FileKind(tr("Answers"), (".json",), _are_answers, show_lab),
            "digits": FileKind(
                tr("Digits of one or more persons"),
                (class_digits.SUFFIX,),
                class_digits.is_class_file,
                files.digits.open,
            ),
            "data": FileKind(
                tr("Data"),
                data_suffixes,
                lambda path: data_set(path) is not None,
                lambda path: files.choose_data(data_set(path) or path),
            ),
            "runs": FileKind(
                tr("Runs"),
                (RUN_FILE,),
                lambda path: _run_of(path).holds_run,
                lambda path: files.open_path(_run_of(path).model_path),
            ),
            # Before the models: both have files with the same suffix, and only this kind looks into
            # them.
            "others": FileKind(
                tr("Models of other programs"),
                (*pickles, ONNX_SUFFIX, *KERAS_SUFFIXES, MODEL_SUFFIX),
                is_of_other_program,
                files.ask_import,
            ),
            "models": FileKind(
                tr("Models"), models, _ends_with(*models, *pickles), files.open_path
            ),
            "settings": FileKind(
                tr("Settings"), (".json",), _ends_with(".json"), files.open_settings
            ),
            "studies": FileKind(tr("Studies"), (".toml",), _ends_with(".toml"), files.open_study),
            # Late, because a file without a suffix is taken for a picture.
            "pictures": FileKind(
                tr("Pictures"),
                PICTURE_SUFFIXES,
                _ends_with("", *PICTURE_SUFFIXES),
                lambda path: files.digits.image_chosen.emit(str(path)),
            ),
            "pages": FileKind(tr("Pages to draw on"), pages, _ends_with(*pages), files.offer_page),
        }

    def titles(self) -> str:
        """What can be opened, in words."""
        return ", ".join(kind.title for kind in self.kinds.values())

    def ask(self) -> None:
        """Ask for files of any kind."""
        every = dict.fromkeys(chain.from_iterable(kind.suffixes for kind in self.kinds.values()))
        filters = [_filter(self.tr("All that DigitLab opens"), tuple(every))]
        filters += [_filter(kind.title, kind.suffixes) for kind in self.kinds.values()]
        filters.append(self.tr("All files (*)"))
        paths = ask_open_several(self._banner.window(), self._preferences, self.tr("Open"), filters)
        if paths:
            self._open_all(paths)

    def ask_folder(self) -> None:
        """Ask for a folder: a run, a data set, a lab, or the answers of a class."""
        title = self.tr("Open a folder: a run, data, a lab, or the answers of a class")
        if path := ask_folder(self._banner.window(), self._preferences, title):
            self.open(path)

    def open_dropped(self, dropped: QMimeData) -> None:
        """Open what was dropped; a message says why that is not possible."""
        urls = dropped.urls()
        with reporting(self._banner.show_text):
            if len(urls) == 1 and not urls[0].isLocalFile():
                raise InputError(
                    "{address} is not a file on this computer: save it first, then drop the file.",
                    address=urls[0].toString(),
                )
            self._open_all([Path(url.toLocalFile()) for url in urls])

    def _open_all(self, paths: list[Path]) -> None:
        """Open a file, or several files of digits as those of one class; a message says why that is
        not possible.
        """
        with reporting(self._banner.show_text):
            if len(paths) > 1 and all(map(_ends_with(class_digits.SUFFIX), paths)):
                self._files.digits.join(paths)
                return
            if len(paths) != 1:
                template = (
                    "{n} files were given: open one file or folder at a time, or several files of "
                    "digits."
                )
                raise InputError(template, n=len(paths))
            (path,) = paths
            if not os.path.exists(path):  # False for a name that is too long
                raise InputError("There is no file {path}.", path=path)
            self.open(path)

    def open(self, path: Path) -> None:
        """Open a file or folder of any kind."""
        self._banner.hide()  # the error of the file before
        kind = next((kind for kind in self.kinds.values() if kind.fits(path)), None)
        if kind is not None:
            kind.open(path)
            return
        text = self.tr("{name} cannot be opened. What can be: {kinds}.")
        self._banner.show_text(text.format(name=path.name, kinds=self.titles()), "bad")


class DropTarget(QWidget):
    """Dims `area` of the window while a file is dragged over the window, says there what can be
    opened, and opens what is dropped.
    """

    def __init__(self, window: QWidget, area: QWidget, opening: Opening) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._area = area
        self._opening = opening
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.DragEnter:
            self._begin(cast(QDragEnterEvent, event))
        elif kind == QEvent.Type.DragLeave:
            self.hide()
        elif kind == QEvent.Type.Drop:
            self.hide()
            self._opening.open_dropped(cast(QDropEvent, event).mimeData())
        else:
            return False
        return True

    def _begin(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self.setGeometry(self._area.geometry().adjusted(2, 2, -2, -2))
            self.show()
            self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        frame = self.rect().adjusted(2, 2, -2, -2)
        paper = QColor(colors.window)
        paper.setAlphaF(0.8)
        hint = self.tr("Drop a file or folder to open it:\n{kinds}")
        text = hint.format(kinds=self._opening.titles())
        with QPainter(self) as painter:
            paint_rounded(painter, frame, colors.accent, paper, 3)
            painter.setPen(colors.text)
            painter.drawText(frame, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)


def _filter(title: str, suffixes: tuple[str, ...]) -> str:
    return f"{title} ({' '.join('*' + suffix for suffix in suffixes)})"


def _ends_with(*suffixes: str) -> Callable[[Path], bool]:
    return lambda path: path.suffix.lower() in suffixes


def _run_of(path: Path) -> RunFolder:
    return RunFolder(path.parent if path.name == RUN_FILE else path)


def _are_answers(path: Path) -> bool:
    return not _run_of(path).holds_run and holds_answers(path)


def data_set(path: Path) -> Path | None:
    """The data set that `path` belongs to, which may be the folder of a file. None if it is no data
    set.

    A folder that is no run counts as one: what reads it says what is wrong with it.
    """
    if path.is_dir():
        return None if RunFolder(path).holds_run else path
    found = find_format(path)
    if found is None:
        return path if path.suffix.lower() == ".zip" else None
    return found.data_path(path)
