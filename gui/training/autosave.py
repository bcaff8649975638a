"""Saves the run that is being trained in a folder, so that the next start of the program has its model."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from core.errors import InputError
from core.files.paths import data_folder
from core.inference.model_file import Model, load_model
from core.inference.run_context import RunContext
from core.training.records import EpochDone, Finished, Record
from core.training.run_folder import RunFolder, RunInfo
from gui.background.failure import Failure, failure_of
from gui.widgets.basics import key_text


def last_run_path() -> Path:
    return data_folder() / "runs" / "last"


class AutoSave:
    """Writes the folder of one run, in the training thread. A run that has trained no step is not saved."""

    def __init__(self, path: Path | None = None) -> None:
        self._folder = RunFolder(path or last_run_path())
        self._started = False

    def save_epoch(self, context: RunContext, epoch: EpochDone) -> None:
        self._start(context)
        self._folder.add_epoch(epoch)

    def save_end(self, context: RunContext, last: Record, state: str) -> None:
        """`state`: why the run ended, as in run.json."""
        if last.checkpoint is None or (last.checkpoint.step == 0 and not self._started):
            return
        self._start(context)
        score = last.test_score if isinstance(last, EpochDone | Finished) else None
        self._folder.write_checkpoint(last.checkpoint)
        context.model(last.checkpoint.parameters, score).save(self._folder.model_path)
        self._folder.write_card(_run_info(context, state))

    def _start(self, context: RunContext) -> None:
        if not self._started:
            self._folder.begin(_run_info(context, "running"))
            self._started = True


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
    text = template.format(folder=last_run_path(), reason=cause.strerror or cause, key=key_text("Ctrl+S"))
    return Failure(text, tone="info")


def last_model() -> Model | None:
    """The model of the last run, or None if there is none that can be read."""
    path = RunFolder(last_run_path()).model_path
    try:
        return load_model(path) if path.exists() else None
    except InputError:
        return None


def _run_info(context: RunContext, state: str) -> RunInfo:
    return RunInfo(context.run, context.source, context.device, context.network.text, state)
