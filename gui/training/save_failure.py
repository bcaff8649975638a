"""The message for a run folder that could not be written."""

from PySide6.QtCore import QCoreApplication

from core.errors import InputError
from core.runs.library import runs_path
from gui.background.failure import Failure, failure_of
from gui.widgets.basics import key_text


def save_failure(error: Exception) -> Failure:
    """The message for a run folder that could not be written; for other errors, their usual message."""
    cause = error.__cause__ if isinstance(error, InputError) else error
    if not isinstance(cause, OSError):
        return failure_of(error)
    template = QCoreApplication.translate(
        "Keeping",
        "For the next start this run could not be kept, because {folder} cannot be written ({reason}): File ▸ "
        "Save model ({key}) saves the network elsewhere.",
    )
    text = template.format(folder=runs_path(), reason=cause.strerror or cause, key=key_text("Ctrl+S"))
    return Failure(text, tone="info")
