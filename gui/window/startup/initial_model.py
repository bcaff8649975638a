"""The model that classifies drawings until one is trained or opened: that of the last run, or the bundled one."""

import sys
from functools import cache

from core.errors import InputError
from core.inference.model_file import Model, bundled_model
from core.reading import own_models
from core.runs.library import last_model, last_run

# With a lower accuracy than this, the bundled model is used.
MIN_ACCURACY = 0.8


def starting_model() -> Model | None:
    """The model of the last run if it is useful, else the bundled one; None if neither can be read."""
    model = last_model()
    return model if model and _is_useful(model) else bundled() or model


def newest_own_model() -> Model | None:
    """The model that learned the user's digits last, unless a run is newer."""
    path, run = own_models.latest(), last_run()
    try:
        if path is None or (run and run.model_path.stat().st_mtime > path.stat().st_mtime):
            return None
    except OSError:
        pass
    return own_models.load_latest()


def _is_useful(model: Model) -> bool:
    """Whether a network for classes reached the minimum accuracy in its last complete epoch."""
    if model.kind != "classes":
        return True
    score = model.test_score
    if score is None:
        # The run was stopped within an epoch.
        folder = last_run()
        try:
            rows = folder.read_history(sys.maxsize) if folder else []
        except (InputError, OSError):
            rows = []
        score = rows[-1].test_score if rows else None
    return score is not None and score >= MIN_ACCURACY


@cache
def bundled(name: str = "mnist") -> Model | None:
    """A model that comes with the program, by default the convolutional one; None if its file cannot be read."""
    try:
        return bundled_model(name)
    except (InputError, OSError):
        return None
