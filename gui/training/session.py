"""The state of training in one window: at most one run at a time, and the signals that tell of
it.
"""

import time
from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import replace
from enum import Enum
from threading import Condition
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.files.memory import return_freed_memory
from core.inspection.one_step import OneStep
from core.progress import Cancelled
from core.runs.compiling import compile_elsewhere
from core.runs.library import runs_path
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder
from core.runs.training import DeviceNotice, iter_run
from core.training.records import (
    Checkpoint,
    Epoch,
    EpochDone,
    Finished,
    Record,
    StepsDone,
    TrainingControl,
)
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure, TaskControl, TaskRunner, failure_of
from gui.text import clock, number, percent, translator
from gui.widgets.basics import key_text

_tr = translator("Endings")


def run_summary(
    outcome: Any, last: Record | None, kind: str, advice: str | None = None
) -> tuple[str, str, str]:
    """(text, tone, details) of the banner.

    outcome: Finished, Failure, or None: stopped. kind: of the data. advice: in place of that of the
    outcome, in the window's language.
    """
    classes = kind == "classes"
    if isinstance(outcome, Failure):
        return outcome.text, "bad", outcome.details
    if not isinstance(outcome, Finished):
        text = _tr(
            "Stopped in epoch {epoch}. The trained network is kept, and reads your drawings."
        )
        if not classes:
            text = _tr("Stopped in epoch {epoch}. The trained network is kept; see Results.")
        return (
            text.format(epoch=last.epoch) if isinstance(last, StepsDone | EpochDone) else "",
            "info",
            "",
        )
    if advice is None:
        advice = QCoreApplication.translate("InputError", outcome.advice) if outcome.advice else ""
    if outcome.reason == "diverged":
        return (
            _tr("The run broke off: {advice}").format(advice=advice[:1].lower() + advice[1:]),
            "bad",
            "",
        )
    reason = {
        "epochs": _tr("All epochs are done"),
        "target-accuracy": _tr("The target accuracy is reached")
        if classes
        else _tr("The target R² is reached"),
        "target-error": _tr("The target error is reached"),
        "patience": _tr("No epoch was better for a while, so the best one was kept"),
        "stopped": _tr("Stopped"),
    }[outcome.reason]
    text = _tr("{reason}: R² {score} on the test set after {time} of training.")
    if classes:
        text = _tr("{reason}: {score} right on the test set after {time} of training.")
    score = percent(outcome.test_score) if classes else number(outcome.test_score)
    seconds = outcome.seconds
    time = clock(seconds) if seconds >= 60 else _tr("{n} s").format(n=number(seconds, 3))
    text = text.format(reason=reason, score=score, time=time)
    return (f"{text} {advice}", "info", "") if advice else (text, "good", "")


def save_failure(error: Exception) -> Failure:
    """The message for a run folder that could not be written; for other errors, their usual
    message.
    """
    cause = error.__cause__ if isinstance(error, InputError) else error
    if not isinstance(cause, OSError):
        return failure_of(error)
    template = QCoreApplication.translate(
        "Keeping",
        "For the next start this run could not be kept, because {folder} cannot be written "
        "({reason}): File ▸ Save model ({key}) saves the network elsewhere.",
    )
    text = template.format(
        folder=runs_path(), reason=cause.strerror or cause, key=key_text("Ctrl+S")
    )
    return Failure(text, tone="info")


# The greatest age of the parameters with which the window reads the drawing.
SNAPSHOT_SECONDS = 0.3


# At a limited speed training waits at most so often, because each record takes time, too.
WAITS_PER_SECOND = 20

# "data" or "device" before these are prepared, which can take seconds; the context of the prepared
# run; its epochs so far where it continues; then the records of the training, and what the device
# has to say.
Yielded = str | RunContext | list[Epoch] | DeviceNotice | Record


class TrainingTask:
    """Its `iter_records` runs in the background thread; all other methods are called by the
    window.
    """

    def __init__(
        self,
        plan: RunPlan,
        dataset_cache: DatasetCache,
        recorder: RunRecorder,
        *,
        checkpoint: Checkpoint | None = None,
        paused: bool = False,
        looks: bool = False,
    ) -> None:
        self.plan = plan
        self.last_checkpoint = checkpoint
        self._dataset_cache = dataset_cache
        self.recorder = recorder
        self.control = TrainingControl(checkpoint_seconds=SNAPSHOT_SECONDS, check=self._check)
        self.warning: Failure | None = None
        self._changed = Condition()
        self._paused = paused
        self._steps = 1 if paused else 0
        self._looks = looks  # at the last of these steps
        self._stopping = False
        self._speed = 0.0
        self._due = 0.0

    # -- called by the window ----------------------------------------------------------------------

    def pause(self, paused: bool, *, steps: int = 0, looks: bool = False) -> None:
        """Pause, after this many more batches, or go on. looks: copy what the last one computes."""
        with self._changed:
            self._paused = paused
            self._steps += steps
            self._looks = looks
            self._changed.notify()

    def set_speed(self, batches: float) -> None:
        """Train at most so many batches in a second; 0: as many as possible."""
        with self._changed:
            self._speed = batches
            self._due = 0.0
            self._changed.notify()

    def stop(self) -> None:
        """End the run after a checkpoint of its latest step."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    # -- the background thread ---------------------------------------------------------------------

    def iter_records(self, task: TaskControl) -> Generator[Yielded]:
        """Yields what is being prepared, then the run's context, then the records of the
        training.
        """

        def progress(done: int, total: int) -> None:
            self._check()
            task.progress(done, total)

        try:
            yield "device"
            compile_elsewhere(self.plan, self._check)
            yield "data"
            dataset = self._dataset_cache.get(self.plan.data, progress)
            yield "device"
            records = iter_run(
                self.plan, dataset, self.recorder, self.control, checkpoint=self.last_checkpoint
            )
            with closing(records):
                context = next(records)
                assert isinstance(context, RunContext)
                yield context
                yield from self._iter_controlled(records)
            if self.recorder.error is not None:
                self.warning = save_failure(self.recorder.error)
        finally:
            return_freed_memory()

    def _iter_controlled(self, records: Generator[Any]) -> Generator[DeviceNotice | Record]:
        """Yields the records as long as the run may go on."""
        last: Record | None = None
        while self._may_continue(last):
            record = None
            with suppress(Cancelled):  # during an evaluation, before which there was a checkpoint
                record = next(records, None)
            if record is None:
                return
            if not isinstance(record, DeviceNotice):
                last = record
                self.last_checkpoint = record.checkpoint or self.last_checkpoint
            yield record

    def _check(self) -> None:
        if self._stopping:
            raise Cancelled

    def _may_continue(self, last: Record | None) -> bool:
        """Wait while the run is paused. False when it is to end.

        Before a pause and before the end, training continues by single steps until a checkpoint has
        been taken.
        """
        with self._changed:
            while True:
                # Single steps, unless it turns out below that nobody waits for the training.
                self.control.chunk = 1
                self.control.look = False
                if (
                    last is not None
                    and last.checkpoint is None
                    and (self._paused or self._stopping)
                ):
                    return True
                if self._stopping:
                    return False
                if not self._paused:
                    wait = self._due - time.monotonic() if self._speed else 0.0
                    if wait > 0:
                        self._changed.wait(wait)
                        continue
                    self.control.chunk = steps_together(self._speed)
                    if self.control.chunk:
                        # From now on, not from the last due time: after a slow batch no burst makes
                        # up for it.
                        self._due = time.monotonic() + self.control.chunk / self._speed
                    return True
                if self._completes_batch(last):
                    return True
                if self._steps:
                    self._steps -= 1
                    self.control.look = self._looks and self._steps == 0
                    return True
                self._changed.wait()

    def _completes_batch(self, last: Record | None) -> bool:
        """Whether the next record trains nothing, but ends the epoch or the run that the last batch
        completed.
        """
        if isinstance(last, StepsDone):
            return last.position >= last.images
        is_last_epoch = isinstance(last, EpochDone) and last.epoch >= self.plan.settings.epochs
        return is_last_epoch or isinstance(last, Finished)


def steps_together(speed: float) -> int | None:
    """How many batches are trained between two waits, for a speed of so many in a second; None: as
    many as possible.
    """
    return max(1, round(speed / WAITS_PER_SECOND)) if speed else None


class State(Enum):
    IDLE = "idle"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    ENDING = "ending"


class Session(QObject):
    """Runs one training after another. All signals are emitted in the window's thread.

    The training thread appends records to a deque. A timer of `TaskRunner` empties it and emits
    them by `records`.
    """

    state_changed = Signal(object)  # State
    preparing = Signal(str)  # "data" or "device"
    prepared = Signal(object)  # RunContext
    # tuple[Epoch, ...], tuple[Point, ...]: those before the checkpoint that a run continues from.
    history = Signal(tuple, tuple)
    records = Signal(list)  # list[Record], at most once per tick
    # Model with the newest parameters; whether an epoch has ended since.
    snapshot = Signal(object, bool)
    looked = Signal(object)  # OneStep, after the signals above
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
        self.settings: RunSettings | None = None  # of the latest run
        self.speed = 0.0  # batches that are trained in a second at the most; 0: no limit
        self._runner = TaskRunner(self, self._on_records, self._on_ended, low_priority=True)
        self._runner.ticked.connect(self.ticked)

    @property
    def active(self) -> bool:
        return self._runner.busy

    def start_run(
        self,
        plan: RunPlan,
        *,
        checkpoint: Checkpoint | None = None,
        recorder: RunRecorder | None = None,
        stepping: bool = False,
        looks: bool = False,
    ) -> None:
        """Start a run, or continue one: from `checkpoint`, or that from which `recorder` continues.

        `stepping`: train on one batch, then pause; with `looks`, `looked` tells what it computed.
        """
        if self.active:
            return
        self._context = self._finished = None
        recorder = recorder or RunRecorder()
        self._task = TrainingTask(
            plan,
            self._dataset_cache,
            recorder,
            checkpoint=checkpoint,
            paused=stepping,
            looks=stepping and looks,
        )
        self.settings = plan.settings
        # Slow motion goes on in the next run.
        self._task.set_speed(self.speed)
        self._set_state(State.PAUSED if stepping else State.PREPARING)
        # A run that is stopped by the end of the window is saved.
        self._runner.start(self._task.iter_records, self._task.stop)

    def pause_or_resume(self) -> None:
        if self._task and self.state in (State.PREPARING, State.RUNNING):
            self._task.pause(True)
            self._set_state(State.PAUSED)
        elif self._task and self.state is State.PAUSED:
            self._task.pause(False)
            self._set_state(State.RUNNING if self._context else State.PREPARING)

    def step(self, count: int = 1, *, looks: bool = False) -> None:
        """Train on so many batches. looks: `looked` tells what the last one computed."""
        if self._task and self.state is State.PAUSED:
            self._task.pause(True, steps=count, looks=looks)

    def stop(self) -> None:
        if self._task and self.active and self.state is not State.ENDING:
            self._task.stop()
            self._set_state(State.ENDING)

    def set_speed(self, batches: float) -> None:
        """Train at most so many batches in a second, also in later runs; 0: as many as possible."""
        self.speed = batches
        if self._task:
            self._task.set_speed(batches)

    def continue_on(self, device: str) -> None:
        """Continue the run that ended last from its last good checkpoint, on another device."""
        if task := self._task:
            plan = replace(task.plan, device=device)
            self.start_run(plan, checkpoint=task.last_checkpoint, recorder=task.recorder)

    def set_learning_rate(self, learning_rate: float | None) -> None:
        """Train with this rate from now on; None: with the schedule's."""
        if self._task:
            self._task.control.learning_rate = (
                "schedule" if learning_rate is None else learning_rate
            )

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
            if isinstance(record, str):
                self.preparing.emit(record)
            elif isinstance(record, RunContext):
                self._context = record
                # It may have been paused or stopped while it was prepared.
                if self.state is State.PREPARING:
                    self._set_state(State.RUNNING)
                self.prepared.emit(record)
                if record.history or record.batches:
                    self.history.emit(record.history, record.batches)
            elif isinstance(record, DeviceNotice):
                self.device_noticed.emit(record.text)
                self.warned.emit(Failure(record.text, tone="info"))
            else:
                trained.append(record)
        if trained:
            self.records.emit(trained)
            self._publish(trained)
        for record in trained:
            if isinstance(record, StepsDone) and record.seen is not None:
                assert self._context
                model = self._context.model(record.seen.after, None)
                self.looked.emit(OneStep(record.seen, model))

    def _publish(self, records: list[Record]) -> None:
        """Emit the newest parameters among the records."""
        assert self._context
        # Several may have come since the last tick, and each would be shown.
        if newest := next((record for record in reversed(records) if record.checkpoint), None):
            assert newest.checkpoint
            score = newest.test_score if isinstance(newest, EpochDone | Finished) else None
            epoch_ended = any(isinstance(record, EpochDone | Finished) for record in records)
            self.snapshot.emit(self._context.model(newest.checkpoint, score), epoch_ended)
        if isinstance(records[-1], Finished):
            self._finished = records[-1]

    def _on_ended(self, failure: Failure | None) -> None:
        assert self._task
        self._set_state(State.IDLE)
        self.ended.emit(failure or self._finished)
        # After `ended`, whose message would take the place of this one.
        if self._task.warning:
            self.warned.emit(self._task.warning)
