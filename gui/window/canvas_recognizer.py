"""The canvas's model: which network reads what is drawn, and why none does."""

from PySide6.QtCore import QCoreApplication

from core.inference.compatibility import reads_drawings
from core.inference.model_file import Model
from gui.drawing.panel import DrawingPanel
from gui.window.initial_model import bundled


class CanvasModel:
    """The newest model reads, if it can; else the one before it that could, unless other data are being learnt."""

    def __init__(self, drawing: DrawingPanel) -> None:
        self._drawing = drawing
        self._newest: Model | None = None
        self._reader: Model | None = None
        self._given: Model | None = None
        self._chosen = True
        self._learning: bool | None = None
        self._awake = False

    def show(self, model: Model) -> None:
        """This is the newest model: just learnt, opened, or there from the start."""
        self._awake = True
        self._newest = model
        if reads_drawings(model.kind, model.network.input_shape):
            self._reader = model
        self._refresh()

    def choose(self, readable: bool) -> None:
        """Whether the chosen data are such that what learns from them reads drawings."""
        self._chosen = readable
        self._refresh()

    def begin(self, readable: bool) -> None:
        """A run begins, whose network will read drawings or not."""
        self._awake = True
        self._learning = readable
        self._refresh()

    def end(self) -> None:
        self._learning = None
        self._refresh()

    def _refresh(self) -> None:
        # No file is read while the window is only being made.
        if not self._awake:
            return
        reason = self._why_none()
        if not reason:
            self._reader = self._reader or bundled()
            if self._reader is not self._given:
                self._given = self._reader
                self._drawing.set_model(self._reader)
        self._drawing.disable(reason or None)

    def _why_none(self) -> str:
        if self._learning:
            return ""
        if self._learning is False:
            return QCoreApplication.translate(
                "CanvasModel", "The canvas rests during this run: its network reads no drawings."
            )
        if self._chosen or self._newest is None or self._newest is self._reader:
            return ""
        return QCoreApplication.translate(
            "CanvasModel",
            "The canvas rests: the newest network reads no drawings. Choose digits as data, and an earlier "
            "network reads what you draw.",
        )
