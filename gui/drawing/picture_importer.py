"""Makes drawings of pictures; the ink of a photograph is found in a background thread."""

from collections.abc import Callable, Generator

from PySide6.QtCore import QObject, Signal

from core.errors import InputError
from gui.background.failure import Failure
from gui.background.task_runner import TaskControl, TaskRunner
from gui.drawing.image_import import ImportedPicture
from gui.drawing.strokes import Drawing
from gui.text import sentence


class PictureImporter(QObject):
    imported = Signal(str, object)  # the name of the step for the undo stack, and the Drawing
    waiting = Signal()  # a photograph is being read
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = TaskRunner(self)
        self._runner.records.connect(lambda records: self.imported.emit(*records[-1]))
        self._runner.ended.connect(self._on_ended)

    def read(self, open_picture: Callable[[], ImportedPicture], text: str, width: int) -> None:
        """Make a drawing of this width. `imported` or `failed` follows, at once except for a photograph."""
        try:
            picture = open_picture()
            if picture.picture.is_page():
                self.waiting.emit()
                self._runner.start_latest(lambda control: _iter_drawing(picture, text, width, control))
            else:
                self.imported.emit(text, picture.drawing(width))
        except InputError as error:
            self.failed.emit(sentence(error))

    def close(self) -> None:
        """Wait for the background thread, and emit nothing more."""
        self._runner.close()

    def _on_ended(self, failure: Failure | None) -> None:
        if failure is not None:
            self.failed.emit(failure.text)


def _iter_drawing(
    picture: ImportedPicture, text: str, width: int, control: TaskControl
) -> Generator[tuple[str, Drawing]]:
    yield text, picture.drawing(width)
