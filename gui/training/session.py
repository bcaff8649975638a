"""The state of training in one window: at most one run at a time, and the signals that tell of it."""

from enum import Enum
from typing import Any

from PySide6.QtCore import QObject, Signal

from core.data.dataset_cache import DatasetCache
from core.inference.run_context import RunContext
from core.runs.recorder import RunRecorder
from core.training.records import Checkpoint, EpochDone, Finished, Record
from core.training.run_settings import RunSettings
from gui.background.failure import Failure
from gui.background.task_runner import TaskRunner
from gui.training.training_task import DeviceNotice, History, Preparing, TrainingTask


class State(Enum):
    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    ENDING = "ending"


class Session(QObject):
    """Runs one training after another. All signals are emitted in the window's thread.

    The training thread appends records to a deque. A timer of `TaskRunner` empties it and emits them by `records`.
    """

    state_changed = Signal(object)  # State
    preparing = Signal(str)  # "data" or "device"
    prepared = Signal(object)  # RunContext
    history = Signal(list)  # rows of history.csv: the epochs before the checkpoint that a run continues from
    records = Signal(list)  # list[Record], at most once per tick
    snapshot = Signal(
        object, bool
    )  # Model with the newest parameters; whether an epoch has ended since the last
    ticked = Signal()  # regularly during a run, after the signals above
    ended = Signal(object)  # Finished, Failure, or None: stopped
    warned = Signal(object)  # Failure
    device_noticed = Signal(str)  # the device computes in an unusual way

    def __init__(self, dataset_cache: DatasetCache, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = State.IDLE
        self._task: TrainingTask | None = None
        self._dataset_cache = dataset_cache
        self._context: RunContext | None = None
        self._finished: Finished | None = None
        self._runner = TaskRunner(self, low_priority=True)
        self._runner.records.connect(self._on_records)
        self._runner.ticked.connect(self.ticked)
        self._runner.ended.connect(self._on_ended)

    @property
    def active(self) -> bool:
        return self._runner.busy

    @property
    def run(self) -> RunSettings | None:
        """The settings of the latest run."""
        return self._task.run if self._task else None

    @property
    def is_prepared(self) -> bool:
        """Whether the run has its data and its device."""
        return self.active and self._context is not None

    def start(
        self,
        settings: RunSettings,
        source: str,
        device: str,
        *,
        checkpoint: Checkpoint | None = None,
        recorder: RunRecorder | None = None,
        stepping: bool = False,
    ) -> None:
        """Start a run, or continue one: from `checkpoint`, or that from which `recorder` continues.

        `stepping`: train on one batch, then pause.
        """
        if self.active:
            return
        self._context = self._finished = None
        self._task = TrainingTask(
            settings,
            source,
            device,
            self._dataset_cache,
            recorder or RunRecorder(),
            checkpoint=checkpoint,
            paused=stepping,
        )
        self._set_state(State.PAUSED if stepping else State.PREPARING)
        self._runner.start(self._task.iter_records)

    def pause_or_resume(self) -> None:
        if self._task and self.state in (State.PREPARING, State.RUNNING):
            self._task.pause(True)
            self._set_state(State.PAUSED)
        elif self._task and self.state is State.PAUSED:
            self._task.pause(False)
            self._set_state(State.RUNNING if self._context else State.PREPARING)

    def step(self) -> None:
        if self._task and self.state is State.PAUSED:
            self._task.step()

    def stop(self) -> None:
        if self._task and self.active and self.state is not State.ENDING:
            self._task.stop()
            self._set_state(State.ENDING)

    def continue_on(self, device: str) -> None:
        """Continue the run that ended last from its last good checkpoint, on another device."""
        if self._task:
            task = self._task
            self.start(task.run, task.source, device, checkpoint=task.last_checkpoint, recorder=task.recorder)

    def set_learning_rate(self, learning_rate: float | None) -> None:
        """Train with this rate from now on; None: with the schedule's."""
        if self._task:
            self._task.control.learning_rate = "schedule" if learning_rate is None else learning_rate

    def close(self) -> None:
        """Stop the run and wait until it is saved."""
        if self._task and self.active:
            self._task.stop()
            self._runner.close(cancel=False)

    def loaded(self) -> tuple[int, int]:
        """How much of the data has been read or drawn, and how much there is."""
        return self._runner.progress

    def _set_state(self, state: State) -> None:
        if state is not self.state:
            self.state = state
            self.state_changed.emit(state)

    def _on_records(self, records: list[Any]) -> None:
        trained: list[Record] = []
        for record in records:
            if isinstance(record, Preparing):
                self.preparing.emit(record.stage)
            elif isinstance(record, RunContext):
                self._context = record
                if self.state is State.PREPARING:
                    self._set_state(State.RUNNING)
                self.prepared.emit(record)
            elif isinstance(record, History):
                self.history.emit(record.rows)
            elif isinstance(record, DeviceNotice):
                self.device_noticed.emit(record.text)
                self.warned.emit(Failure(record.text, tone="info"))
            else:
                trained.append(record)
        if trained:
            self.records.emit(trained)
            self._publish(trained)

    def _publish(self, records: list[Record]) -> None:
        """Emit the newest parameters among the records."""
        assert self._context
        for record in reversed(records):
            if record.checkpoint is not None:
                score = record.test_score if isinstance(record, EpochDone | Finished) else None
                epoch_ended = any(isinstance(record, EpochDone | Finished) for record in records)
                self.snapshot.emit(self._context.model(record.checkpoint, score), epoch_ended)
                break
        if isinstance(records[-1], Finished):
            self._finished = records[-1]

    def _on_ended(self, failure: Failure | None) -> None:
        assert self._task
        self._set_state(State.IDLE)
        self.ended.emit(failure or self._finished)
        if self._task.warning:
            self.warned.emit(self._task.warning)
