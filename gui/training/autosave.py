"""Keeping: what was trained last lies in a run's folder, so that the next start has it."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from core.errors import InputError
from core.files.paths import data_folder
from core.inference.model_file import Model, load_model
from core.inference.run_context import RunContext
from core.training.records import EpochDone, Finished, Record
from core.training.run_folder import RunFolder, RunInfo
from gui.background.failure import Failure, failure_of


def last_run_path() -> Path:
    return data_folder() / "runs" / "last"


class AutoSave:
    """Writes one run's folder; used by the thread that trains. A run with nothing learnt replaces nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._folder = RunFolder(path or last_run_path())
        self._begun = False

    def keep_epoch(self, learning: RunContext, epoch: EpochDone) -> None:
        self._begin(learning)
        self._folder.add_epoch(epoch)

    def keep_end(self, learning: RunContext, last: Record, state: str) -> None:
        """`state`: why the run ended, as in run.json."""
        if last.checkpoint is None or (last.checkpoint.step == 0 and not self._begun):
            return
        self._begin(learning)
        score = last.test_score if isinstance(last, EpochDone | Finished) else None
        self._folder.write_checkpoint(last.checkpoint)
        learning.model(last.checkpoint.parameters, score).save(self._folder.model_path)
        self._folder.write_card(_card(learning, state))

    def _begin(self, learning: RunContext) -> None:
        if not self._begun:
            self._folder.begin(_card(learning, "running"))
            self._begun = True


def not_kept(error: Exception) -> Failure:
    """Why the run's folder could not be written, which loses nothing yet; any other error as what it is."""
    cause = error.__cause__ if isinstance(error, InputError) else error
    if not isinstance(cause, OSError):
        return failure_of(error)
    template = QCoreApplication.translate(
        "Keeping",
        "For the next start this run could not be kept, because {folder} cannot be written ({reason}): File ▸ "
        "Save model (Ctrl+S) keeps what was learnt elsewhere.",
    )
    text = template.format(folder=last_run_path(), reason=cause.strerror or cause)
    return Failure(text, tone="info")


def kept_model() -> Model | None:
    """The model of the last run, or None where there is none that can be read."""
    path = RunFolder(last_run_path()).model_path
    try:
        return load_model(path) if path.exists() else None
    except InputError:
        return None


def _card(learning: RunContext, state: str) -> RunInfo:
    return RunInfo(learning.run, learning.source, learning.device, learning.network.text, state)
