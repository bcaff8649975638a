"""What the stage shows: the model that reads, and its input."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from core.inference.model_file import Model
from core.reading.reader import Reading
from gui.stage.worker import StageRequest


class StageScene(QObject):
    """Keeps what is to be shown, and tells of changes; `StageRenderer` computes and draws it.

    `replaced`: nothing that has been computed holds any more. `changed`: another input, or newer
    parameters of the same network (False), which need not be shown at once. `relabeled`: another
    message. `titled`: another title.
    """

    replaced = Signal()
    changed = Signal(bool)
    relabeled = Signal()
    titled = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.request: StageRequest | None = None  # what is computed; None without a model
        self.is_training = False
        self.all_units = False
        self.message = ""
        self.title = ""
        self._stroke = 0
        self._kept: tuple[int, int] | None = None

    def set_model(self, model: Model, *, training: bool = False) -> None:
        """Show this model from now on. training: it is a snapshot of a run, and others follow."""
        self.is_training = training
        before = self.request
        if before is not None and model is before.model:
            return
        is_snapshot = before is not None and model.computes_like(before.model)
        # The number of a unit means nothing in another network.
        if not is_snapshot:
            self._kept = None
        self.request = StageRequest(
            model, stroke=self._stroke, all_units=self.all_units, kept=self._kept
        )
        # The next network is shown with the same drawing.
        if before is not None and model.network.input_shape == before.model.network.input_shape:
            self.request = replace(before, model=model)
        if is_snapshot:
            self.changed.emit(False)
        else:
            self.replaced.emit()

    def show_reading(self, reading: Reading | None) -> None:
        """Show the network this drawing; None, or a reading without an image, for none."""
        self._set_input(None if reading is None else reading.image, reading=reading)

    def show_point(self, x: np.ndarray | None, truth: float | None = None) -> None:
        """Show the network this input, (*input shape), which is no drawing. truth: the right
        value.
        """
        self._set_input(x, truth=truth)

    def _set_input(
        self, x: np.ndarray | None, reading: Reading | None = None, truth: float | None = None
    ) -> None:
        before = self.request
        if before is None or (x is None and before.x is None):
            return
        # What appears on an empty stage flows in, also where nobody pressed the pen.
        if (x is None) != (before.x is None):
            self._stroke += 1
        self.request = StageRequest(
            before.model, x, reading, truth, self._stroke, self.all_units, self._kept
        )
        self.changed.emit(True)

    def begin_stroke(self) -> None:
        """What is shown next belongs to a new stroke: it flows in, and other units may be
        chosen.
        """
        self._stroke += 1

    def keep(self, kept: tuple[int, int] | None, *, now: bool = False) -> None:
        """Show a unit or map of a layer in any case from now on, from the next input on or `now`;
        None for none.
        """
        self._kept = kept
        if self.request is not None:
            self.request = replace(self.request, kept=kept)
        if now:
            self.changed.emit(True)

    def show_all_units(self, wanted: bool) -> None:
        """Show all units and maps of each layer, or those that add most to the answers."""
        if wanted == self.all_units:
            return
        self.all_units = wanted
        if self.request is not None:
            self.request = replace(self.request, all_units=wanted)
        self.replaced.emit()

    def show_message(self, text: str) -> None:
        """Say this in place of an answer while there is no input; an empty text for the usual
        words.
        """
        if text != self.message:
            self.message = text
            self.relabeled.emit()

    def show_title(self, text: str) -> None:
        """Write this above the canvas."""
        if text != self.title:
            self.title = text
            self.titled.emit()
