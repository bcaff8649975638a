"""The models that have learned the user's digits: numbered files, of which the last one is used."""

from itertools import count
from pathlib import Path

from core.errors import InputError
from core.files.paths import data_folder
from core.inference.model_file import Model, load_model

KEPT = 10
_SUFFIX = ".safetensors"


def folder() -> Path:
    """The folder of the files. It is not created here."""
    return data_folder() / "my-hand"


def latest() -> Path | None:
    """The file of the model that has learned last; None if there is none."""
    paths = _paths()
    return paths[-1] if paths else None


def load_latest() -> Model | None:
    """The model that has learned last. None if there is none, or if its file cannot be read."""
    path = latest()
    try:
        return load_model(path) if path else None
    # The program then reads with its own model: a broken file must not keep it from starting.
    except (InputError, OSError):
        return None


def save(model: Model) -> Path:
    """Save a model that has learned the user's digits. The oldest of more than KEPT is deleted."""
    paths = _paths()
    number = int(paths[-1].stem) + 1 if paths else 1
    path = next(path for n in count(number) if not (path := folder() / f"{n:05}{_SUFFIX}").exists())
    # Before old ones are deleted: where saving fails, all of them stay.
    model.save(path)
    for old in [*paths, path][:-KEPT]:
        # Another window may have deleted it already.
        old.unlink(missing_ok=True)
    return path


def undo() -> None:
    """Delete the model that has learned last."""
    if (path := latest()) is not None:
        path.unlink(missing_ok=True)


def _paths() -> list[Path]:
    if not folder().is_dir():
        return []
    return sorted(
        path for path in folder().iterdir() if path.suffix == _SUFFIX and path.stem.isdecimal()
    )
