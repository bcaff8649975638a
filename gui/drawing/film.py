"""The stage in files: a picture of it, and a film of a training."""

from collections.abc import Generator, Sequence
from math import ceil
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QLabel

from core.files.atomic import atomic_path
from core.inference.model_file import Model, reads_drawings
from core.inspection.stage_content import has_surface
from core.reading.reader import DrawingReader, Reading
from gui.background.task_runner import Task, TaskControl
from gui.drawing.panel import DrawingPanel
from gui.drawing.surface import SurfaceField
from gui.stage.stage import Stage
from gui.stage.worker import drawn
from gui.widgets.make import label
from gui.widgets.pictures import SCALE, paint_to_file

FILMS: dict[str, dict[str, Any]] = {
    ".webp": {"format": "WEBP", "lossless": True, "quality": 30, "method": 2},
    ".gif": {"format": "GIF"},
}
"""The suffixes of films, with what Pillow gets to write them."""

MAX_FRAMES = 100
_SIZE = QSize(1248, 384)  # pixels of a frame; larger text needs more height
_FRAME_MILLISECONDS = 400
_LAST_MILLISECONDS = 2500
_WAIT_SECONDS = 0.1  # for a frame, before the next look at whether it is still wanted


class StageFilm(Stage):
    """A stage that nobody sees. It has the drawing of `panel`, and always the same size.

    model: that which is drawn, or the first of several with the same network. ratio: device
    pixels.
    """

    # The task runs in a thread of its own, and only the window's thread may draw widgets.
    _asked = Signal(object, object, str)
    _left = Signal()

    def __init__(self, panel: DrawingPanel, model: Model, ratio: float) -> None:
        super().__init__(moves=False)
        self._panel = panel
        self._ratio = ratio
        self._speech.blockSignals(True)  # a screen reader says what is seen
        self._surface: SurfaceField | None = None
        self._frames: SimpleQueue[QImage] = SimpleQueue()
        self._words = label(name="filmWords", wraps=False)
        self.resize(_SIZE.expandedTo(self.sizeHint()))
        self.scene.show_all_units(panel.stage.scene.all_units)
        self.scene.show_title(panel.stage.scene.title)
        self._place_canvas(model)
        # It ends after its record, by which the stage was drawn.
        self.renderer.worker.ended.connect(self._take)
        self._asked.connect(self._draw)
        self._left.connect(self._end)

    def devicePixelRatioF(self) -> float:
        return self._ratio

    def _place_canvas(self, model: Model) -> None:
        """Put the canvas as it is, or a surface, where the model gets something from it."""
        if has_surface(model):
            self._surface = SurfaceField(self)
            self._surface.place = self._panel.surface.place
            self.parts.place(self._surface, yours=self._words)
        elif reads_drawings(model.kind, model.network.input_shape):
            canvas = self._panel.canvas
            pixels = QPixmap(canvas.size() * SCALE)
            pixels.setDevicePixelRatio(SCALE)
            canvas.render(pixels)
            picture = QLabel(pixmap=pixels, scaledContents=True)
            self.parts.set_canvas_width(round(canvas.width() / max(canvas.height(), 1)))
            self.parts.place(picture, yours=self._words)
        else:
            self.parts.place(yours=self._words)

    # -- a picture ---------------------------------------------------------------------------------

    def write_picture(self, path: Path, words: str) -> None:
        """Write what the stage of the panel shows now as PNG or SVG. words: about it. Raises
        InputError.
        """
        shown = self._panel.stage
        request = shown.scene.request
        content = shown.picture.content
        assert request is not None
        assert content is not None
        self._words.setText(words)
        result = drawn(request, content, self.parts.frame(request.model.classes), None)
        self._show(result.drawing, shown.answers.answer, False)
        with paint_to_file(path, self.size()) as painter:
            self.render(painter, QPoint())
        self.deleteLater()

    # -- a film ------------------------------------------------------------------------------------

    def film_task(self, moments: Sequence[tuple[Model, str]], path: Path) -> Task:
        """The task that writes a film of these models, each with words about it, as `path` says.

        Of many moments MAX_FRAMES are drawn, the last one always.
        """
        apart = ceil(len(moments) / MAX_FRAMES)
        chosen = [*reversed(moments[::-1][::apart])]
        request = self._panel.request

        def task(control: TaskControl) -> Generator[Path]:
            reader = DrawingReader()
            frames = []
            try:
                # The first one is not kept: the units that are shown are chosen by the last moment.
                for index, (model, words) in enumerate([chosen[-1], *chosen]):
                    control.progress(index, len(chosen) + 1)
                    reading = None
                    if reads_drawings(model.kind, model.network.input_shape):
                        reading = reader.read(
                            model, request.ink, request.strokes, is_raw=request.raw
                        )
                    self._asked.emit(model, reading, words)
                    frames.append(self._next_frame(control))
            finally:
                reader.close()
                self._left.emit()
            _write_film(path, frames[1:])
            yield path

        return task

    def _next_frame(self, control: TaskControl) -> QImage:
        while True:
            control.check()
            try:
                return self._frames.get(timeout=_WAIT_SECONDS)
            except Empty:
                continue

    def _draw(self, model: Model, reading: Reading | None, words: str) -> None:
        """Draw this model, which has read the drawing. `_take` follows."""
        self._words.setText(words)
        if self._surface is not None:
            self._surface.show_model(model)
        else:
            self.scene.set_model(model)
            self._show_input(model, reading)
        # Nobody shows this stage, which would begin its computing.
        self.renderer.resume()

    def _show_input(self, model: Model, reading: Reading | None) -> None:
        """Show the model what has been drawn, or the numbers that the stage of the panel shows."""
        if reading is not None:
            self.scene.show_reading(reading if reading.probabilities is not None else None)
            return
        shown = self._panel.stage.scene.request
        if shown is not None and shown.model.network.input_shape == model.network.input_shape:
            self.scene.show_point(shown.x, shown.truth)

    def _take(self) -> None:
        image = QImage(self.size() * self._ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        with QPainter(image) as painter:
            self.render(painter, QPoint())
        self._frames.put(image)

    def _end(self) -> None:
        self.renderer.pause()
        self.deleteLater()


def _write_film(path: Path, frames: Sequence[QImage]) -> None:
    from PIL import Image

    first, *others = (
        Image.frombytes(
            # So a pixel of RGB32 lies in memory on machines with the lowest byte first.
            "RGB",
            (image.width(), image.height()),
            bytes(image.constBits()),
            "raw",
            "BGRX",
        )
        for image in frames
    )
    durations = [*[_FRAME_MILLISECONDS] * len(others), _LAST_MILLISECONDS]
    how = FILMS[path.suffix.lower()]
    with atomic_path(path) as temporary:
        first.save(
            temporary, save_all=True, append_images=others, duration=durations, loop=0, **how
        )
