"""The motion of the stage, which explains: the flow through the layers, and layers that move aside.

`motion_wanted` in gui/widgets/theme.py says whether anything moves.
"""

from PySide6.QtCore import QEasingCurve, QObject, QTimer, Signal

from core.inspection.fitted_content import matching_layers
from gui.stage.images import Drawing
from gui.stage.picture import StagePicture
from gui.widgets.theme import motion

STEP_MILLISECONDS = 20  # after which the next layer follows
MOVE_MILLISECONDS = 150


class Flow(QObject):
    """Reveals one column of `picture` after the other. `revealed`: it has to be painted; `ended`: that was the last."""

    revealed = Signal()
    ended = Signal()

    def __init__(self, picture: StagePicture, parent: QObject) -> None:
        super().__init__(parent)
        self._picture = picture
        self._waiting: list[int] = []
        self._clock = QTimer(self, interval=STEP_MILLISECONDS)
        self._clock.timeout.connect(self._step)

    def start(self, count: int, *, moves: bool) -> None:
        """Reveal the columns 0 to `count` - 1, at once without `moves`."""
        self._clock.stop()
        self._waiting = list(range(count))
        if moves:
            self._step()
            self._clock.start()
            return
        while self._waiting:
            self._picture.reveal(self._waiting.pop(0))
        self.revealed.emit()
        self.ended.emit()

    @property
    def is_flowing(self) -> bool:
        return bool(self._waiting)

    def _step(self) -> None:
        if self._waiting:
            self._picture.reveal(self._waiting.pop(0))
            self.revealed.emit()
        if not self._waiting:
            self._clock.stop()
            self.ended.emit()


class Shifts(QObject):
    """How far columns are beside their places, in pixels by position; they move there in MOVE_MILLISECONDS."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.now: dict[int, float] = {}
        self._from: dict[int, float] = {}
        self._to: dict[int, float] = {}
        self._motion = motion(self, MOVE_MILLISECONDS, self._on_step)
        self._motion.setEasingCurve(QEasingCurve.Type.OutCubic)

    def move(self, start: dict[int, float] | None, end: dict[int, float], *, moves: bool) -> None:
        """Go from `start`, None for where they are, to `end`."""
        if start is None and end == self._to:
            return
        self._from = dict(self.now) if start is None else start
        self._to = end
        self._motion.stop()
        if moves and self._from != end:
            self._motion.start()
        else:
            self._on_step(1.0)

    def _on_step(self, share: float) -> None:
        positions = self._from.keys() | self._to.keys()
        self.now = {}
        for position in positions:
            start = self._from.get(position, 0.0)
            end = self._to.get(position, 0.0)
            self.now[position] = start + (end - start) * share
        self.changed.emit()


def shifts_between(before: Drawing | None, after: Drawing) -> dict[int, float] | None:
    """How far the columns were beside their places of now, where there is one layer more or less; else None."""
    if before is None:
        return None
    old = before.content.network
    new = after.content.network
    if len(old.layers) == len(new.layers):
        return None
    matches = matching_layers(old, new)
    lefts = {block.layer: block.area.left() for block in before.layout.blocks}
    shifts = {}
    for position, block in enumerate(after.layout.blocks[:-1]):
        match = matches[block.layer]
        if match in lefts:
            shifts[position] = float(lefts[match] - block.area.left())
    return shifts
