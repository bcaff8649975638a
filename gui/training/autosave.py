"""Saves runs in folders of their own while they train, and finds the runs that were saved."""

import os
import shutil
import time
from itertools import count
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLockFile

from core.errors import InputError
from core.files.paths import data_folder
from core.inference.model_file import Model, load_model
from core.inference.run_context import RunContext
from core.network.network import Network
from core.training.records import Checkpoint, EpochDone, Finished, Record
from core.training.run import Run
from core.training.run_folder import RunFolder, RunInfo
from gui.background.failure import Failure, failure_of
from gui.widgets.basics import key_text

KEPT_RUNS = 3
_numbers = count(1)
# A run is saved after an epoch, but not more often than this,
EPOCH_SECONDS = 1.0
# and between two epochs if the last save is older than this.
STEP_SECONDS = 30.0


def runs_path() -> Path:
    return data_folder() / "runs"


def saved_runs() -> list[RunFolder]:
    """The runs that can be continued or have a model, the newest first."""
    if not runs_path().is_dir():
        return []
    folders = [RunFolder(path) for path in runs_path().iterdir() if path.is_dir()]
    folders = [folder for folder in folders if folder.holds_run]
    folders = [folder for folder in folders if folder.has_checkpoint or folder.model_path.exists()]
    return sorted(folders, key=lambda folder: folder.last_write, reverse=True)


def last_run() -> RunFolder | None:
    """The newest run with a complete epoch and a model."""
    return next((f for f in saved_runs() if f.has_epochs and f.model_path.exists()), None)


def last_model() -> Model | None:
    """The model of the last run, or None if there is none that can be read."""
    folder = last_run()
    try:
        return load_model(folder.model_path) if folder else None
    except InputError:
        return None


def unfinished_run() -> tuple[RunFolder, RunInfo] | None:
    """The newest run, if it can be continued and no program is training it."""
    for folder in saved_runs()[:1]:
        try:
            info = folder.read_info()
        except InputError:
            continue
        if not info.has_ended and folder.has_checkpoint and not _is_in_use(folder.path):
            return folder, info
    return None


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path / "run.lock"))
    # The lock of a process that has ended is void; its age does not matter.
    lock.setStaleLockTime(0)
    return lock


def _is_in_use(path: Path) -> bool:
    lock = _lock_of(path)
    free = lock.tryLock(0)
    lock.unlock()
    return not free


class AutoSave:
    """Writes the folder of one run, in the training thread. A run that has trained no step is not saved.

    `path`: the folder of a run to continue; None: a new folder. Earlier runs are removed only after this one has been
    saved completely.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._continues = path is not None
        self._path = path or _new_path()
        self._folder = RunFolder(self._path)
        self._lock: QLockFile | None = None
        self._saved_at = time.monotonic() - EPOCH_SECONDS
        self._unsaved: list[EpochDone] = []
        # The rows of the epochs before the checkpoint that the run continues from.
        self.history: list[dict[str, float | None]] = []

    def read_checkpoint(self, network: Network, run: Run) -> Checkpoint | None:
        """The checkpoint to continue from; None for a new run. Raises InputError if it cannot be read."""
        if not self._continues:
            return None
        checkpoint = self._folder.read_checkpoint(network, run)
        self.history = self._folder.read_history(checkpoint.epoch if checkpoint else 0)
        return checkpoint

    def save_epoch(self, context: RunContext, epoch: EpochDone) -> None:
        self._unsaved.append(epoch)
        if time.monotonic() - self._saved_at >= EPOCH_SECONDS:
            self._save_epochs(context)
            self._save_model(context, epoch)

    def _save_epochs(self, context: RunContext) -> None:
        self._start(context)
        records, self._unsaved = self._unsaved, []
        if records:
            self._folder.add_epochs(*records)

    def save_if_due(self, context: RunContext, record: Record) -> None:
        """Save a record between two epochs if it is time."""
        if record.checkpoint is not None and time.monotonic() - self._saved_at >= STEP_SECONDS:
            self._save_epochs(context)
            self._folder.write_checkpoint(record.checkpoint)
            self._save_model(context, record)

    def save_end(self, context: RunContext, last: Record, state: str) -> None:
        """Save the end of the run. `state`: why it ended, as in run.json."""
        if last.checkpoint is not None and (last.checkpoint.step > 0 or self._lock):
            self._save_epochs(context)
            self._folder.write_checkpoint(last.checkpoint)
            self._save_model(context, last)
            self._folder.write_info(_run_info(context, state))
        if self._lock:
            self._lock.unlock()

    def _save_model(self, context: RunContext, record: Record) -> None:
        assert record.checkpoint
        score = record.test_score if isinstance(record, EpochDone | Finished) else None
        context.model(record.checkpoint, score).save(self._folder.model_path)
        self._saved_at = time.monotonic()
        _remove_old_runs()

    def _start(self, context: RunContext) -> None:
        if self._lock:
            return
        self._path.mkdir(parents=True, exist_ok=True)
        self._lock = _lock_of(self._path)
        self._lock.tryLock(0)
        info = _run_info(context, "running")
        if self._continues:
            self._folder.write_info(info)
        else:
            self._folder.begin(info)


def _new_path() -> Path:
    """A path that no other run has: it has the time, the process and a number in the process."""
    return runs_path() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{next(_numbers)}"


def _remove_old_runs() -> None:
    """Remove all but the newest runs, except those that a program is training. Errors are ignored."""
    for folder in saved_runs()[KEPT_RUNS:]:
        if not _is_in_use(folder.path):
            shutil.rmtree(folder.path, ignore_errors=True)


def save_failure(error: Exception) -> Failure:
    """The message for a run folder that could not be written; for other errors, their usual message."""
    cause = error.__cause__ if isinstance(error, InputError) else error
    if not isinstance(cause, OSError):
        return failure_of(error)
    template = QCoreApplication.translate(
        "Keeping",
        "For the next start this run could not be kept, because {folder} cannot be written ({reason}): File ▸ "
        "Save model ({key}) keeps what was learnt elsewhere.",
    )
    text = template.format(folder=runs_path(), reason=cause.strerror or cause, key=key_text("Ctrl+S"))
    return Failure(text, tone="info")


def _run_info(context: RunContext, state: str) -> RunInfo:
    return RunInfo(context.run, context.source, context.device, context.network.text, state)
