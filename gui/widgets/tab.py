"""The interface between the window and its tabs."""

from collections.abc import Generator

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from core.inference.model_file import Model
from core.runs.plan import RunContext
from core.training.records import Record


class Tab(QWidget):
    """A tab of the window. The window calls these methods in its own thread; a tab overrides those it needs."""

    title_changed = Signal()
    wants_room = False  # whether the canvas makes way in a narrow window

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = self.create_parts()

    def title(self) -> str:
        """The text on the tab; `title_changed` is emitted when it changes."""
        raise NotImplementedError

    def start_run(self, context: RunContext) -> None:
        """A run has loaded its data and opened its device; records follow."""

    def add_records(self, records: list[Record]) -> None:
        """New records of the run, in order."""

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """The newest parameters of the run; `epoch_ended`: an epoch has ended since the last call."""

    def update_if_due(self) -> None:
        """Called regularly during a run, to redraw what has changed."""

    def end_run(self) -> None:
        """The run has ended; no more records follow."""

    def create_parts(self) -> Generator[None]:
        """Create what is not needed before the tab is shown, in steps that do not hold the window up."""
        yield from ()

    def create_next(self) -> bool:
        """Do one step of `create_parts`; returns False when all parts are there."""
        return next(self._parts, False) is None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        while self.create_next():
            pass

    def close_background(self) -> None:
        """Stop background work and wait for its end; the window closes."""
