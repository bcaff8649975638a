"""The runs that the next start of the program uses: the last model, and the run to continue."""

import os
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.files.lock import is_locked
from core.inference.model_file import Model, load_model
from core.runs.folder import RunFolder
from core.runs.info import RunInfo
from core.runs.label import read_label
from core.runs.library import runs_path


def saved_runs(path: Path | None = None) -> list[RunFolder]:
    """The runs that can be continued or have a model, the newest first. No run is read."""
    try:
        paths = [Path(item.path) for item in os.scandir(path or runs_path()) if item.is_dir()]
    except OSError:
        return []
    folders = [(written, RunFolder(each)) for each in paths if (written := _last_write(each))]
    return [folder for _, folder in sorted(folders, key=lambda pair: pair[0], reverse=True)]


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


def run_of(model: Model, path: Path | None) -> RunFolder | None:
    """The run that `model`, from the file at `path`, is the result of: the folder of the file, or the last run."""
    if path is not None:
        folder = RunFolder(path.parent)
        return folder if folder.holds_run and folder.model_path.name == path.name else None
    last = last_model()
    same = (
        last is not None and last.computes_like(model) and np.array_equal(last.parameters, model.parameters)
    )
    return last_run() if same else None


def model_title(path: Path) -> str:
    """The name of a model's file; for the model of a run, which has the same file name in all runs, that of the run."""
    folder = RunFolder(path.parent)
    if not folder.holds_run or folder.model_path.name != path.name:
        return path.name
    return read_label(path.parent).name or path.parent.name


def unfinished_run() -> tuple[RunFolder, RunInfo] | None:
    """The newest run that no program is training, if it can be continued."""
    for folder in saved_runs():
        if is_locked(folder.lock_path):
            continue
        try:
            info = folder.read_info()
        except InputError:
            continue
        return (folder, info) if not info.has_ended and folder.has_checkpoint else None
    return None


def _last_write(path: Path) -> float:
    """When the checkpoint or the model of the run in `path` was written; 0 if it has neither."""
    times = []
    for name in ("checkpoint.safetensors", "model.safetensors"):
        try:
            times.append(os.stat(path / name).st_mtime)
        except OSError:
            continue
    return max(times, default=0.0) if (path / "run.json").exists() else 0.0
