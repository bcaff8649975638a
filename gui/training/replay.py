"""The slider that goes back through the epochs of a run, and plays them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QWidget

from core.inference.model_file import Model
from core.inspection.health import starting_parameters
from gui.text import count
from gui.widgets.make import button, label, row, slider
from gui.widgets.pictures import set_icon

PLAY_MILLISECONDS = 400  # for each epoch


class Replay(QWidget):
    """Hidden; the window shows it where it `can_replay`.

    moved: to this epoch, None: to the end. moment_shown: the model of that epoch, and the epoch in
    words, empty at the end. changed: `can_replay` has.
    """

    moved = Signal(object)
    moment_shown = Signal(object, str)
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tr = self.tr
        self._model: Model | None = None
        self._moments: list[tuple[int, np.ndarray]] = []  # epochs and their parameters
        self._play = QTimer(self, interval=PLAY_MILLISECONDS)
        self._play.timeout.connect(self._play_next)
        tip = tr("The epoch that plot, drawing and Results show: from the random start to the end.")
        self.slider = slider("replaySlider", tr("Replay"), tip, 0, 0, self._show_moment)
        tip = tr("Play the run again, epoch by epoch.")
        self.play_button = button("", "replayButton", tip, self._toggle_play, icon="play")
        self.play_button.setAccessibleName(tr("Replay"))
        self.label = label("", "replayEpoch", "muted", wraps=False)
        row(self.play_button, (self.slider, 1), self.label, owner=self)
        self.hide()

    def offer(
        self, model: Model | None = None, epochs: Sequence[tuple[int, np.ndarray]] = ()
    ) -> None:
        """Go through these epochs of the model, from its end; None or no epochs: there is nothing
        to go through.
        """
        self._stop()
        self._model = model
        self._moments = list(epochs) if model else []
        if model and self._moments:
            if (start := starting_parameters(model)) is not None:
                self._moments.insert(0, (0, start))
            # The network that the run has kept, which may not be that of its last epoch.
            self._moments[-1] = self._moments[-1][0], model.parameters
        # A new range is no move of a person.
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(len(self._moments) - 1, 0))
            self.slider.setValue(self.slider.maximum())
        self.changed.emit()
        self._move_to(None)

    @property
    def can_replay(self) -> bool:
        """Whether the run that is shown has epochs to go back to; not while it trains."""
        return len(self._moments) > 1

    @property
    def moments(self) -> list[tuple[Model, str]]:
        """The network at the start and at each epoch that is kept, and that in words."""
        return [self._moment(index) for index in range(len(self._moments))]

    def _moment(self, index: int) -> tuple[Model, str]:
        assert self._model
        epoch, parameters = self._moments[index]
        moment = self.tr("after epoch {n}").format(n=count(epoch))
        if epoch == 0:
            moment = self.tr("at the start")
        return replace(self._model, parameters=parameters), moment

    def go_to_end(self) -> None:
        """Show the end of the run again, as where nobody sees the slider."""
        self._stop()
        self.slider.setValue(self.slider.maximum())

    def _stop(self) -> None:
        self._play.stop()
        set_icon(self.play_button, "play")

    def _show_moment(self) -> None:
        """Show the run as it was at the epoch of the slider."""
        index = self.slider.value()
        is_end = index == self.slider.maximum()
        self._move_to(None if is_end else self._moments[index][0])
        model, moment = self._moment(index)
        self.moment_shown.emit(model, "" if is_end else moment)

    def _move_to(self, epoch: int | None) -> None:
        text = self.tr("start") if epoch == 0 else self.tr("epoch {n}").format(n=count(epoch or 0))
        self.label.setText(self.tr("end") if epoch is None else text)
        self.moved.emit(epoch)

    def _toggle_play(self) -> None:
        if self._play.isActive():
            self._stop()
            return
        if self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self._play.start()
        set_icon(self.play_button, "pause")

    def _play_next(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.slider.value() == self.slider.maximum():
            self._stop()
