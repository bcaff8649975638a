"""Reads pictures from files, the clipboard or a drop as drawings, and writes the ink as a picture."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QByteArray, QMimeData, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter

from core.drawing.ink import gray_of
from core.drawing.picture import GrayPicture, read_gray
from core.errors import InputError
from core.files.atomic import atomic_path
from gui.background.failure import Failure
from gui.background.task_runner import TaskControl, TaskRunner
from gui.drawing.document import fitted
from gui.drawing.strokes import Drawing
from gui.text import sentence

# Suffixes of the program's own files, which the window opens and not the canvas.
NO_PICTURES = (".safetensors", ".json", ".csv", ".gz")


@dataclass(frozen=True, slots=True)
class ImportedPicture:
    """A picture that becomes a drawing. `path`: its file; empty for a pasted picture."""

    picture: GrayPicture
    path: str = ""

    def drawing(self, width: int) -> Drawing:
        """The picture as a drawing of this width. Raises InputError if it contains no ink."""
        levels = np.rint(np.clip(self.picture.picture().ink, 0, 1) * 255).astype(np.uint8)
        if levels.any():
            return Drawing(fitted(levels, width), width=width)
        if self.path:
            message = "{path} shows no ink: choose a picture of dark strokes on light paper."
            raise InputError(message, path=self.path)
        raise InputError("The picture shows no ink: take one of dark strokes on light paper.")


def picture_in_file(path: str) -> ImportedPicture:
    """The picture in a file. Raises InputError if it is no picture."""
    return ImportedPicture(read_gray(path), path)


def picture_in_data(data: QMimeData) -> ImportedPicture:
    """The picture of pasted or dropped data: of the file that they name, else their own.

    Raises InputError if there is no picture.
    """
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if len(files) == 1 and not files[0].lower().endswith(NO_PICTURES) and not Path(files[0]).is_dir():
        return picture_in_file(files[0])
    image = data.imageData() if data.hasImage() else None
    if not isinstance(image, QImage) or image.isNull():
        raise InputError("There is no picture to paste: copy one, or drop an image file on the canvas.")
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    pixels = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
    return ImportedPicture(GrayPicture(gray_of(pixels)))


def save_ink(ink: QImage, path: str) -> None:
    """Write the ink as a PNG, dark on white. Raises InputError if the file cannot be written."""
    paper = ink.copy()
    paper.invertPixels()
    with atomic_path(path) as temporary:
        writer = QImageWriter(str(temporary), QByteArray(b"png"))
        if not writer.write(paper):
            raise OSError(writer.errorString())


class PictureImporter(QObject):
    imported = Signal(str, object)  # the name of the step for the undo stack, and the Drawing
    waiting = Signal()  # a photograph is being read
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = TaskRunner(self)
        self._runner.records.connect(lambda records: self.imported.emit(*records[-1]))
        self._runner.ended.connect(self._on_ended)

    def import_picture(self, open_picture: Callable[[], ImportedPicture], text: str, width: int) -> None:
        """Make a drawing of this width. `imported` or `failed` follows, at once except for a photograph."""

        def iter_drawing(_: TaskControl) -> Generator[tuple[str, Drawing]]:
            yield text, picture.drawing(width)

        try:
            picture = open_picture()
            if picture.picture.is_page():
                self.waiting.emit()
                self._runner.start_latest(iter_drawing)
            else:
                self.imported.emit(text, picture.drawing(width))
        except InputError as error:
            self.failed.emit(sentence(error))

    def _on_ended(self, failure: Failure | None) -> None:
        if failure is not None:
            self.failed.emit(failure.text)
