"""A training run as a background task that can be paused, advanced by single steps and stopped."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from threading import Condition
from typing import Literal

from core.data.dataset_cache import DatasetCache
from core.files.memory import return_freed_memory
from core.inference.run_context import RunContext
from core.progress import Cancelled
from core.runs.recorder import RunRecorder
from core.training.records import Checkpoint, EpochDone, Finished, Record, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from gui.background.failure import Failure
from gui.background.task_runner import TaskControl
from gui.training.save_failure import save_failure

# The greatest age of the parameters with which the window reads the drawing.
SNAPSHOT_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Preparing:
    """Yielded before each stage of the preparation; the stages can take seconds."""

    stage: Literal["data", "device"]


@dataclass(frozen=True, slots=True)
class DeviceNotice:
    """Yielded when the device computes in an unusual way; `text` is a sentence for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class History:
    """Yielded when a saved run continues: the rows of its history, one per epoch."""

    rows: list[dict[str, float | None]]


class TrainingTask:
    """Its `iter_records` runs in the background thread; all other methods are called by the window."""

    def __init__(
        self,
        settings: RunSettings,
        source: str,
        device: str,
        dataset_cache: DatasetCache,
        recorder: RunRecorder,
        *,
        checkpoint: Checkpoint | None = None,
        paused: bool = False,
    ) -> None:
        self.run, self.source, self._device = settings, source, device
        self.last_checkpoint = checkpoint
        self._dataset_cache, self.recorder = dataset_cache, recorder
        self.control = TrainingControl(checkpoint_seconds=SNAPSHOT_SECONDS, check=self._check)
        self.warning: Failure | None = None
        self._changed = Condition()
        self._paused = paused
        self._steps = 1 if paused else 0
        self._stopping = False

    # -- called by the window -----------------------------------------------------------------------------

    def pause(self, paused: bool) -> None:
        with self._changed:
            self._paused = paused
            self._changed.notify()

    def step(self) -> None:
        """Train on one more batch, then pause again."""
        with self._changed:
            self._paused = True
            self._steps += 1
            self._changed.notify()

    def stop(self) -> None:
        """End the run after a checkpoint of its latest step."""
        with self._changed:
            self._stopping = True
            self._changed.notify()

    # -- the background thread ----------------------------------------------------------------------------

    def iter_records(
        self, task: TaskControl
    ) -> Generator[Preparing | RunContext | DeviceNotice | History | Record]:
        """Yields what is being prepared, then the run's context, then the records of the training."""
        try:
            yield from self._iter_records(task)
        finally:
            return_freed_memory()

    def _iter_records(
        self, task: TaskControl
    ) -> Generator[Preparing | RunContext | DeviceNotice | History | Record]:
        def progress(done: int, total: int) -> None:
            self._check()
            task.progress(done, total)

        yield Preparing("data")
        dataset = self._dataset_cache.get(self.source, progress)
        yield Preparing("device")
        # These import Numba, which takes too long for the window's thread.
        from core.network.notation import parse
        from core.training.loop import iter_training
        from kernels.registry import open_device

        network = parse(self.run.network, dataset.input_shape, dataset.outputs)
        if self.last_checkpoint is None:
            self.last_checkpoint = self.recorder.read_checkpoint(network, self.run)
        with closing(open_device(self._device)) as device:
            context = RunContext(self.run, network, self.source, dataset, device.name or self._device)
            yield context
            if self.recorder.history:
                yield History(self.recorder.history)
            training = iter_training(self.run, dataset, device, self.control, self.last_checkpoint)
            notice = ""
            with closing(self.recorder.iter_recorded(context, self._iter_controlled(training))) as records:
                for record in records:
                    yield record
                    if device.notice != notice:
                        notice = device.notice
                        yield DeviceNotice(notice)
        if self.recorder.error is not None:
            self.warning = save_failure(self.recorder.error)

    def _iter_controlled(self, records: Generator[Record]) -> Generator[Record]:
        """Yields the records as long as the run may go on."""
        last: Record | None = None
        with closing(records):
            while self._may_continue(last):
                try:
                    record = next(records, None)
                except Cancelled:  # during an evaluation, before which there was a checkpoint
                    return
                if record is None:
                    return
                last = record
                self.last_checkpoint = record.checkpoint or self.last_checkpoint
                yield record

    def _check(self) -> None:
        if self._stopping:
            raise Cancelled

    def _may_continue(self, last: Record | None) -> bool:
        """Wait while the run is paused. False when it is to end.

        Before a pause and before the end, training continues by single steps until a checkpoint has been taken.
        """
        with self._changed:
            while True:
                self.control.chunk = 1
                if last is not None and last.checkpoint is None and (self._paused or self._stopping):
                    return True
                if self._stopping:
                    return False
                if not self._paused:
                    self.control.chunk = None
                    return True
                if self._completes_batch(last):
                    return True
                if self._steps:
                    self._steps -= 1
                    return True
                self._changed.wait()

    def _completes_batch(self, last: Record | None) -> bool:
        """Whether the next record trains nothing, but ends the epoch or the run that the last batch completed."""
        if isinstance(last, StepsDone):
            return last.position >= last.images
        return isinstance(last, Finished) or (isinstance(last, EpochDone) and last.epoch >= self.run.epochs)
