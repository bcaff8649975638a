"""The model that reads drawings before anything is trained: the last run's, else the bundled one."""

from core.errors import InputError
from core.inference.model_file import Model, bundled_model
from gui.training.autosave import last_model


def starting_model() -> Model | None:
    """None where neither can be read: the panel then says that a network has to be trained first."""
    return last_model() or bundled()


def bundled() -> Model | None:
    """The model that comes with the program, which reads digits; None where its file cannot be read."""
    try:
        return bundled_model()
    except (InputError, OSError):
        return None
