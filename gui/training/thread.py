"""The runner is the thread that trains: it owns the device, asks for records and lays them on a queue."""

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from threading import Condition, Event

from PySide6.QtCore import QThread, Signal

from core.data.dataset_cache import DatasetCache
from core.inference.run_context import RunContext
from core.progress import Cancelled, unless_cancelled
from core.training.records import Checkpoint, EpochDone, Finished, Record, StepsDone, TrainingControl
from core.training.run import Run
from gui.background.failure import Failure, failure_of
from gui.background.thread_priority import give_way
from gui.training.autosave import AutoSave, not_kept

# How often the window gets parameters to read the drawing with.
SNAPSHOT_SECONDS = 0.2


class Runner(QThread):
    """Signals tell of changes of state only; `records` is emptied by the window at its own pace."""

    preparing = Signal(str)
    prepared = Signal(object)  # Learning

    def __init__(
        self,
        run: Run,
        source: str,
        device: str,
        dataset_cache: DatasetCache,
        keeper: AutoSave,
        *,
        start: Checkpoint | None = None,
        paused: bool = False,
    ) -> None:
        super().__init__()
        self.settings, self.source, self._device = run, source, device
        self.last_good = start
        self._dataset_cache, self._keeper = dataset_cache, keeper
        self.records: deque[Record] = deque()
        self.control = TrainingControl(checkpoint_seconds=SNAPSHOT_SECONDS, check=self._check)
        self.learning: RunContext | None = None
        self.failure: Failure | None = None
        self.warning: Failure | None = None
        self.loaded = (0, 0)
        self._turn = Condition()
        self._paused = paused
        self._steps = 1 if paused else 0
        self._ending = Event()

    # -- called by the window -----------------------------------------------------------------------------

    def pause(self, paused: bool) -> None:
        with self._turn:
            self._paused = paused
            self._turn.notify()

    def step(self) -> None:
        """One more batch, then pause again."""
        with self._turn:
            self._paused = True
            self._steps += 1
            self._turn.notify()

    def stop(self) -> None:
        with self._turn:
            self._ending.set()
            self._turn.notify()

    # -- the thread ---------------------------------------------------------------------------------------

    def run(self) -> None:
        give_way()
        try:
            self._train()
        except Cancelled:
            pass
        except Exception as error:
            self.failure = failure_of(error)

    def _train(self) -> None:
        self.preparing.emit("data")
        dataset = self._dataset_cache.get(self.source, unless_cancelled(self._ending, self._report))
        self.preparing.emit("device")
        # Numba is imported with these, which the window must not wait for.
        from core.network.notation import parse
        from core.training.loop import iter_training
        from kernels.registry import open_device

        network = parse(self.settings.network, dataset.input_shape, dataset.outputs)
        device = open_device(self._device)
        try:
            self.learning = RunContext(
                self.settings, network, self.source, dataset, device.name or self._device
            )
            self.prepared.emit(self.learning)
            records = iter_training(self.settings, dataset, device, self.control, self.last_good)
            with closing(records):
                self._consume(self.learning, records)
        finally:
            device.close()

    def _report(self, done: int, total: int) -> None:
        self.loaded = (done, total)

    def _consume(self, learning: RunContext, records: Iterator[Record]) -> None:
        last: Record | None = None
        state = "stopped"
        while self._may_go_on(last):
            try:
                record = next(records, None)
            except Cancelled:  # in an evaluation, before which a checkpoint came
                break
            if record is None:
                break
            last = record
            self.last_good = record.checkpoint or self.last_good
            self.records.append(record)
            if isinstance(record, EpochDone):
                self._keep(lambda done=record: self._keeper.keep_epoch(learning, done))
            elif isinstance(record, Finished):
                state = record.reason
        if last is not None:
            self._keep(lambda: self._keeper.keep_end(learning, last, state))

    def _check(self) -> None:
        if self._ending.is_set():
            raise Cancelled

    def _may_go_on(self, last: Record | None) -> bool:
        """Wait for this thread's turn. False when it is to end; steps that no checkpoint holds come first."""
        with self._turn:
            while True:
                self.control.chunk = 1
                if last is not None and last.checkpoint is None and (self._paused or self._ending.is_set()):
                    return True
                if self._ending.is_set():
                    return False
                if not self._paused:
                    self.control.chunk = None
                    return True
                if self._completes(last):
                    return True
                if self._steps:
                    self._steps -= 1
                    return True
                self._turn.wait()

    def _completes(self, last: Record | None) -> bool:
        """Whether the next record only tells of what the last batch completed: its epoch, or the run."""
        if isinstance(last, StepsDone):
            return last.position >= last.images
        return isinstance(last, Finished) or (
            isinstance(last, EpochDone) and last.epoch >= self.settings.epochs
        )

    def _keep(self, write: object) -> None:
        """A run does not end because the disk is full; the window is told once."""
        try:
            write()  # type: ignore[operator]
        except Exception as error:
            self.warning = self.warning or not_kept(error)
