"""A session is the window's side of training: one run at most, its state, the clock that drains its queue."""

from enum import Enum

from PySide6.QtCore import QObject, QTimer, Signal

from core.data.dataset_cache import DatasetCache
from core.training.records import Checkpoint, EpochDone, Finished, Record
from core.training.run import Run
from gui.background.failure import Failure
from gui.training.autosave import AutoSave
from gui.training.thread import Runner

TICK_MILLISECONDS = 33


class State(Enum):
    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    ENDING = "ending"


class Session(QObject):
    """One window's runs, one after another. All signals come on the window's thread."""

    state_changed = Signal(object)  # State
    preparing = Signal(str)
    prepared = Signal(object)  # Learning
    records = Signal(list)  # Events, at most once a tick
    snapshot = Signal(object)  # Model
    ended = Signal(object)  # Finished, Failure, or None: stopped
    warned = Signal(object)  # Failure

    def __init__(self, dataset_cache: DatasetCache, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = State.IDLE
        self.runner: Runner | None = None
        self._ended_runner: Runner | None = None
        self._dataset_cache = dataset_cache
        self._is_prepared = False
        self._last: Record | None = None
        self._finished: Finished | None = None
        self._timer = QTimer(self, interval=TICK_MILLISECONDS)
        self._timer.timeout.connect(self._tick)

    @property
    def active(self) -> bool:
        return self.runner is not None

    def start(
        self,
        run: Run,
        source: str,
        device: str,
        *,
        checkpoint: Checkpoint | None = None,
        stepping: bool = False,
    ) -> None:
        """Begin a run, or go on from a checkpoint; `stepping`: one batch, then pause."""
        if self.active:
            return
        self._last = self._finished = None
        self._is_prepared = False
        self.runner = runner = Runner(
            run, source, device, self._dataset_cache, AutoSave(), start=checkpoint, paused=stepping
        )
        runner.preparing.connect(self.preparing)
        runner.prepared.connect(self._on_prepared)
        runner.finished.connect(self._on_finished)
        self._set_state(State.PAUSED if stepping else State.PREPARING)
        self._timer.start()
        runner.start()

    def pause_or_resume(self) -> None:
        if self.runner and self.state in (State.PREPARING, State.RUNNING):
            self.runner.pause(True)
            self._set_state(State.PAUSED)
        elif self.runner and self.state is State.PAUSED:
            self.runner.pause(False)
            self._set_state(State.RUNNING if self.runner.learning else State.PREPARING)

    def step(self) -> None:
        if self.runner and self.state is State.PAUSED:
            self.runner.step()

    def stop(self) -> None:
        if self.runner and self.state is not State.ENDING:
            self.runner.stop()
            self._set_state(State.ENDING)

    def go_on(self, device: str) -> None:
        """Begin the run that ended last again from its last good parameters, on another device."""
        ended = self._ended_runner
        if ended is not None:
            self.start(ended.settings, ended.source, device, checkpoint=ended.last_good)

    def steer(self, learning_rate: float | None) -> None:
        if self.runner:
            self.runner.control.learning_rate = learning_rate

    def close(self) -> None:
        """Stop what runs and wait for its thread, which keeps what was trained."""
        if self.runner:
            self._timer.stop()
            self.runner.finished.disconnect(self._on_finished)
            self.runner.stop()
            self.runner.wait()
            self.runner = None

    def loaded(self) -> tuple[int, int]:
        """How much of the data is drawn or read, of how much."""
        return self.runner.loaded if self.runner else (0, 0)

    def _set_state(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)

    def _on_prepared(self, learning: object) -> None:
        if self.state is State.PREPARING:
            self._set_state(State.RUNNING)
        self._is_prepared = True
        self.prepared.emit(learning)

    def _tick(self) -> None:
        runner = self.runner
        # The word that all is prepared waits in the loop; records that overtook it would be wiped away by it.
        if not runner or not self._is_prepared:
            return
        found: list[Record] = []
        while runner.records:
            found.append(runner.records.popleft())
        if not found:
            return
        self._last = found[-1]
        self.records.emit(found)
        self._publish(found)

    def _publish(self, found: list[Record]) -> None:
        """Hand on the newest parameters among the records."""
        assert self.runner
        assert self.runner.learning
        for record in reversed(found):
            if record.checkpoint is not None:
                score = record.test_score if isinstance(record, EpochDone | Finished) else None
                self.snapshot.emit(self.runner.learning.model(record.checkpoint.parameters, score))
                break
        if isinstance(found[-1], Finished):
            self._finished = found[-1]

    def _on_finished(self) -> None:
        runner = self.runner
        if not runner:
            return
        runner.wait()
        self._tick()
        self._timer.stop()
        outcome: Finished | Failure | None = runner.failure or self._finished
        self.runner = None
        self._ended_runner = runner
        self._set_state(State.IDLE)
        self.ended.emit(outcome)
        if runner.warning:
            self.warned.emit(runner.warning)
