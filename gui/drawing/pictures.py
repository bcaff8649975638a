"""Pictures as drawings: read from files, the clipboard and dropped data; and the drawing as a
picture file.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QByteArray, QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter
from PySide6.QtWidgets import QWidget

from core.drawing.ink import gray_of
from core.drawing.picture import PICTURE_SUFFIXES, GrayPicture, picture_steps, read_gray
from core.errors import InputError
from core.files.atomic import atomic_path
from gui.background.task_runner import Failure, TaskRunner, failure_of, single_record
from gui.drawing.document import Document, Drawing, fitted
from gui.widgets.dialogs import LastFolder, ask_open, ask_save, reporting

# Suffixes of the program's own files, which the window opens and not the canvas.
NO_PICTURES = (".safetensors", ".json", ".csv", ".gz")


class DrawingPictures(QObject):
    """Replaces the drawing of `document` by pictures, and writes it as one. `window` is the parent
    of its dialogs.
    """

    status = Signal(str)
    replaced = Signal()  # a picture is now the drawing
    looking = Signal()  # for the ink of a photograph, in the background
    failed = Signal()  # the picture cannot be read: the drawing stays

    def __init__(self, document: Document, window: QWidget) -> None:
        super().__init__(window)
        self._document = document
        self._window = window
        self.disabled_reason: str | None = None
        self._folder = LastFolder()
        self._runner = TaskRunner(self, lambda records: self._change(*records[-1]), self._on_ended)

    def open_image(self, path: str | Path) -> None:
        """Replace the drawing by the picture in a file. If it cannot be read, emit `status` and
        change nothing.
        """
        self._replace(lambda: read_gray(path), self.tr("open image"))

    def paste_image(self) -> None:
        """Replace the drawing by the picture on the clipboard."""
        data = QGuiApplication.clipboard().mimeData() or QMimeData()
        self._replace(lambda: picture_in_data(data), self.tr("paste image"))

    def save_image(self, path: str | Path) -> None:
        """Write the drawing as a PNG, dark on white."""
        paper = self._document.ink.image.copy()
        paper.invertPixels()
        with reporting(lambda text, tone: self.status.emit(text)), atomic_path(path) as temporary:
            writer = QImageWriter(str(temporary), QByteArray(b"png"))
            if not writer.write(paper):
                raise OSError(writer.errorString())

    def drop(self, data: QMimeData) -> None:
        """Replace the drawing by the picture in dropped data."""
        self._replace(lambda: picture_in_data(data), self.tr("drop image"))

    def choose_image(self) -> None:
        """Ask for a picture, and open it."""
        patterns = " ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES)
        pictures = self.tr("Pictures ({patterns})").format(patterns=patterns)
        path = ask_open(
            self._window, self._folder, self.tr("Open image"), (pictures, self.tr("All files (*)"))
        )
        if path:
            self.open_image(path)

    def choose_where_to_save(self) -> None:
        kind = self.tr("PNG picture (*.png)")
        if path := ask_save(
            self._window, self._folder, self.tr("Save drawing"), "drawing.png", (kind,)
        ):
            self.save_image(path)

    def _replace(self, open_picture: Callable[[], GrayPicture], text: str) -> None:
        """Replace the drawing by a picture, at once except for a photograph. text: names the step
        that undo undoes.
        """
        if self.disabled_reason is not None:
            self.status.emit(self.disabled_reason)
            return
        # Taken here: the task must not read the document in its thread.
        width = self._document.width
        try:
            picture = open_picture()
            if picture.is_page():
                self.looking.emit()
                task = single_record(lambda control: (text, drawing_of(picture, width)))
                # Of two pictures that are opened at once the newer one counts.
                self._runner.start_latest(task)
            else:
                self._change(text, drawing_of(picture, width))
        except InputError as error:
            self._on_ended(failure_of(error))

    def _change(self, text: str, drawing: Drawing) -> None:
        self._document.change(text, drawing)
        self.replaced.emit()

    def _on_ended(self, failure: Failure | None) -> None:
        if failure is not None:
            self.status.emit(failure.text)
            self.failed.emit()


def drawing_of(picture: GrayPicture, width: int) -> Drawing:
    """The picture as a drawing of this width. Raises InputError if it contains too little ink."""
    found = picture.picture()
    if reason := picture.why_unread(found.ink):
        raise reason
    background = fitted(np.rint(np.clip(found.ink, 0, 1) * 255).astype(np.uint8), width)
    return Drawing(background, width=width, steps=picture_steps(picture, found))


def picture_in_data(data: QMimeData) -> GrayPicture:
    """The picture of pasted or dropped data: that of the file that they name, else their own.

    Raises InputError if there is no picture.
    """
    files = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    if (
        len(files) == 1
        and not files[0].lower().endswith(NO_PICTURES)
        and not Path(files[0]).is_dir()
    ):
        return read_gray(files[0])
    image = data.imageData() if data.hasImage() else None
    if not isinstance(image, QImage) or image.isNull():
        raise InputError(
            "There is no picture to paste: copy one, or drop an image file on the canvas."
        )
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    # A copy, because the memory of `image` ends with it.
    pixels = rows[:, : 4 * image.width()].reshape(image.height(), image.width(), 4).copy()
    return GrayPicture(gray_of(pixels))
