"""The motion of the stage, which explains: the flow through the layers, and layers that move aside.

`motion_wanted` in gui/widgets/theme.py says whether anything moves.
"""

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QTimer, Signal

from gui.widgets.theme import motion

STEP_MILLISECONDS = 20  # after which the next layer follows
MOVE_MILLISECONDS = 150


class Flow(QObject):
    """Calls `reveal` for one column after the other. `ended`: the last one has been revealed."""

    ended = Signal()

    def __init__(self, reveal: Callable[[int], None], parent: QObject) -> None:
        super().__init__(parent)
        self._reveal = reveal
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
            self._reveal(self._waiting.pop(0))
        self.ended.emit()

    @property
    def is_flowing(self) -> bool:
        return bool(self._waiting)

    def _step(self) -> None:
        if self._waiting:
            self._reveal(self._waiting.pop(0))
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
