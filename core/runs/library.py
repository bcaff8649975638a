"""The library of runs: a folder with a folder for each run, and a trash beside them.

It has no index: run.json of each run has a summary, and what was read is remembered until the file
changes.
"""

import json
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate, count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.json_text import JsonObject
from core.files.lock import is_locked
from core.files.paths import data_folder
from core.files.reasons import READ_ERRORS
from core.files.trash import Trash, has_expired
from core.inference.model_file import MODEL_SUFFIX, Model, load_model
from core.runs import folder as run_folder
from core.runs.folder import Label, RunFolder, RunInfo, Summary, read_label
from core.runs.names import run_name
from core.training.records import Epoch
from core.training.run_settings import RunSettings

ELSEWHERE = ".elsewhere"
_MAX_ELSEWHERE_BYTES = 10_000
DEFAULT_BYTES = 4_000_000_000
_LIMIT_FILE = "limit.json"
_MAX_LIMIT_BYTES = 10_000
_numbers = count(1)
RESULTS = (
    "state",
    "epochs_done",
    "best_epoch",
    "best_score",
    "test_score",
    "test_loss",
    "train_loss",
    "validation_loss",
    "seconds",
)


def runs_path() -> Path:
    return data_folder() / "runs"


def is_run_id(name: str) -> bool:
    """Whether `name` may be the id of a run: the name of a folder of the library, and no path to
    another one.
    """
    return Path(name).name == name and not name.startswith(".") and "\0" not in name


@dataclass(frozen=True, slots=True)
class RunEntry:
    """A run of the library. `size`: bytes on the disk; `written`: time of the last write, as of
    `time.time`.

    `is_elsewhere`: its folder lies outside of the library, as `train --run` makes it; it is never
    moved or deleted.
    """

    path: Path
    info: RunInfo
    summary: Summary | None
    label: Label
    size: int
    written: float
    is_elsewhere: bool = False

    @property
    def id(self) -> str:
        """By which commands and branches refer to it: the name of its folder; of a run elsewhere
        the whole path.
        """
        return str(self.path) if self.is_elsewhere else self.path.name

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.path)

    @property
    def title(self) -> str:
        """What people call it: the name that the user gave it, else that of its settings."""
        return self.label.name or run_name(self.info.repeatable_plan().settings, self.info.network)

    @property
    def started(self) -> float:
        """When it was created, as of `time.time`; for runs of earlier versions when it was written
        last.
        """
        return self.info.created or min(max(self.written, 0.0), run_folder.MAX_TIME)

    @property
    def best(self) -> Epoch | None:
        return self.summary.best if self.summary else None

    @property
    def state(self) -> str:
        return self.info.state

    def done_epochs(self, *, best: bool = False) -> int:
        """How many epochs the run has done, or had done at its best one."""
        if self.summary is None:
            return 0
        return self.summary.best.epoch if best else self.summary.last.epoch

    def is_training(self) -> bool:
        return is_locked(self.folder.lock_path)

    def value_of(self, name: str) -> Any:
        """The value of a setting, or of `data` or `device`."""
        plan = self.info.plan
        return getattr(plan if name in ("data", "device") else plan.settings, name)

    def results(self) -> JsonObject:
        """The results of the run by name; None for what it has not."""
        values: JsonObject = {
            **dict.fromkeys(RESULTS),
            "state": self.info.state,
            "epochs_done": 0,
        }
        if self.summary is not None:
            last = self.summary.last
            best = self.summary.best
            values |= {
                "epochs_done": last.epoch,
                "best_epoch": best.epoch,
                "best_score": best.test_score,
            }
            values |= {name: getattr(last, name) for name in RESULTS[4:]}
        return values


class RunLibrary:
    """The runs in `path`, and those elsewhere that are listed there; None: the user's library.

    `unreadable`: why folders that `entries` has looked at last hold no readable run.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or runs_path()
        self.trash = Trash(self.path)
        self.unreadable: list[InputError] = []
        self._known: dict[Path, _Read] = {}

    def new_path(self) -> Path:
        """A path for a new run: it has the time, the process and a number in the process."""
        return self.path / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{next(_numbers)}"

    def folder_of(self, run_id: str) -> RunFolder:
        """The folder of a run, which may be in the trash; in the library if it is nowhere."""
        path = self.path / run_id
        trashed = self.trash.path / run_id
        return RunFolder(trashed if trashed.is_dir() and not path.is_dir() else path)

    def entries(self) -> list[RunEntry]:
        """All runs, the most recently written first."""
        read = [self._read(path) for path in (*_folders(self.path), *self._elsewhere())]
        self.unreadable = [each.error for each in read if each.error]
        found = [each.entry for each in read if each.entry]
        return sorted(found, key=lambda entry: entry.written, reverse=True)

    def _elsewhere(self) -> list[Path]:
        """The folders of runs outside of the library, each named in a file of its own; those that
        are there.
        """
        folders = []
        for note in sorted((self.path / ELSEWHERE).glob("*.txt")):
            with suppress(InputError, ValueError):
                folder = Path(read_input(note, _MAX_ELSEWHERE_BYTES, "another file").decode())
                if RunFolder(folder).holds_run:
                    folders.append(folder)
        return folders

    def list_elsewhere(self, folder: Path) -> None:
        """List the run in `folder` from now on, unless the folder is in the library. Raises
        InputError.
        """
        folder = folder.absolute()
        if folder.parent != self.path:
            write_atomically(self._note_of(folder), os.fsencode(folder))

    def _note_of(self, folder: Path) -> Path:
        return self.path / ELSEWHERE / f"{sha256(os.fsencode(folder)).hexdigest()[:32]}.txt"

    def has_trashed(self) -> bool:
        """Whether a run is in the trash; quick, as it reads none."""
        return bool(_folders(self.trash.path))

    def trashed(self) -> list[RunEntry]:
        """The runs in the trash, the most recently deleted first."""
        read = map(self._read, _folders(self.trash.path))
        trashed = [each.entry for each in read if each.entry]
        return sorted(trashed, key=lambda entry: _modified(entry.path), reverse=True)

    def find(self, name: str) -> RunEntry:
        """The run with this id, name or path, or whose id begins so; `last`: the most recently
        written.

        Raises InputError if there is none, or more than one.
        """
        path = Path(name)
        if name and RunFolder(path).holds_run:
            entry = self._read(path.absolute()).entry
            if entry is not None:
                return entry
            _raise_unreadable(path)
        entries = self.entries()
        if name == "last" and entries:
            return entries[0]
        matches = [entry for entry in entries if name in (entry.id, entry.label.name)]
        matches = matches or [entry for entry in entries if name and entry.id.startswith(name)]
        # It was meant as a path: say what is wrong with that folder.
        if not matches and (os.sep in name or os.path.exists(name)):
            _raise_unreadable(path)
        if not matches and name and RunFolder(self.path / name).holds_run:
            _raise_unreadable(self.path / name)
        if not matches:
            text = "There is no run “{name}”: choose one that `runs` lists, or the folder of one."
            raise InputError(text, name=name)
        if len(matches) > 1:
            template = "“{name}” may be any of {runs}: give the whole name."
            raise InputError(template, name=name, runs=[entry.id for entry in matches[:5]])
        return matches[0]

    # -- trash -------------------------------------------------------------------------------------

    def delete(self, ids: Iterable[str]) -> list[str]:
        """Move runs to the trash; returns the ids of those that were moved: not those that are
        being trained.

        A run elsewhere is only left out of the list: its folder stays as it is.
        """
        moved = []
        for name in ids:
            if not is_run_id(name):
                if self._note_of(Path(name)).exists():
                    self._note_of(Path(name)).unlink(missing_ok=True)
                    moved.append(name)
                continue
            is_training = is_locked(RunFolder(self.path / name).lock_path)
            if not is_training and self.trash.put(name):
                moved.append(name)
        return moved

    def restore(self, ids: Iterable[str]) -> list[str]:
        """Move runs back from the trash, and list runs elsewhere again; returns the ids of those
        that were moved.
        """
        restored = []
        for name in ids:
            if is_run_id(name):
                is_back = self.trash.put_back(name)
            elif is_back := Path(name).is_absolute() and RunFolder(name).holds_run:
                self.list_elsewhere(Path(name))
            if is_back:
                restored.append(name)
        return restored

    def empty_trash(self, ids: Iterable[str] | None = None) -> None:
        """Remove these runs, or all, from the trash for good."""
        if ids is None:
            ids = [path.name for path in _folders(self.trash.path)]
        for name in filter(is_run_id, ids):
            shutil.rmtree(self.trash.path / name, ignore_errors=True)

    # -- reading -----------------------------------------------------------------------------------

    def _read(self, path: Path) -> "_Read":
        """The run in `path`, read again only if its files have changed; nothing without a run."""
        files = _files(path)
        if run_folder.INFO_FILE not in files:
            return _Read()
        names = (
            run_folder.INFO_FILE,
            run_folder.LABEL_FILE,
            run_folder.HISTORY_FILE,
            run_folder.CHECKPOINT_FILE,
        )
        stamp = tuple(
            (files[name].st_mtime_ns, files[name].st_size) for name in names if name in files
        )
        if path not in self._known or self._known[path].stamp != stamp:
            is_elsewhere = path.parent not in (self.path, self.trash.path)
            try:
                self._known[path] = _Read(stamp, _read_entry(path, files, is_elsewhere))
            except InputError as error:
                self._known[path] = _Read(stamp, error=error)
        return self._known[path]


class _Read(NamedTuple):
    """What a folder holds: a run, or why it cannot be read. `stamp`: times and sizes of its
    files.
    """

    stamp: tuple[tuple[int, int], ...] = ()
    entry: RunEntry | None = None
    error: InputError | None = None


def _read_entry(path: Path, files: dict[str, os.stat_result], is_elsewhere: bool) -> RunEntry:
    info, summary = RunFolder(path).read_info_and_summary()
    if summary is None:  # a run of an earlier version, or without an epoch
        summary = Summary.of(RunFolder(path).read_history())
    size = sum(status.st_size for status in files.values())
    written = max(
        # Naming a run, or looking whether it trains, makes it no newer.
        files[name].st_mtime
        for name in files
        if not name.startswith(("label.", "run.lock"))
    )
    label = read_label(path) if run_folder.LABEL_FILE in files else Label()
    return RunEntry(path, info, summary, label, size, written, is_elsewhere)


def _files(path: Path) -> dict[str, os.stat_result]:
    """The files in a folder, by name, without temporary ones; none without the folder.

    Another thread or program may remove a file, such as a temporary one, while this looks at it.
    """
    files = {}
    with suppress(OSError), os.scandir(path) as items:
        for item in items:
            with suppress(FileNotFoundError):
                if item.is_file() and not item.name.startswith("."):
                    files[item.name] = item.stat()
    return files


def _folders(path: Path) -> list[Path]:
    """The folders in `path`, the last in the alphabet first: names begin with the time."""
    with suppress(OSError):
        names = [
            item.name
            for item in os.scandir(path)
            if item.is_dir() and not item.name.startswith(".")
        ]
        return [path / name for name in sorted(names, reverse=True)]
    return []


def _modified(path: Path) -> float:
    """When the file was written; 0 if there is none."""
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _raise_unreadable(path: Path) -> NoReturn:
    RunFolder(path).read_info()
    raise InputError("{path} cannot be read as a run: choose another folder.", path=path)


def read_limit(library: RunLibrary) -> int:
    """Bytes that runs without a star may take; 0: no limit."""
    try:
        limit = json.loads(
            read_input(library.path / _LIMIT_FILE, _MAX_LIMIT_BYTES, "another file")
        )["bytes"]
    except (InputError, *READ_ERRORS):
        return DEFAULT_BYTES
    # By its exact type: True is an int, too.
    return limit if type(limit) is int and limit >= 0 else DEFAULT_BYTES


def write_limit(library: RunLibrary, limit: int) -> None:
    """Set the limit. Raises InputError where that fails."""
    write_atomically(library.path / _LIMIT_FILE, json.dumps({"bytes": limit}).encode())


def apply_limit(library: RunLibrary, keep: str = "") -> list[RunEntry]:
    """Move the oldest runs without a star to the trash while they take more than the limit; returns
    those.

    The newest of them, the run with the id `keep`, and runs that are being trained stay. Runs
    without a star that have been in the trash for TRASH_DAYS are removed for good, and the oldest
    while the trash takes more than the limit.
    """
    limit = read_limit(library)
    entries = [
        entry for entry in library.entries() if not entry.label.starred and not entry.is_elsewhere
    ]
    movable = (each for each in _over(entries, limit) if each is not entries[0] and each.id != keep)
    moved = [entry for entry in movable if library.delete([entry.id])]
    trashed = [entry for entry in library.trashed() if not entry.label.starred]
    expired = [entry for entry in trashed if has_expired(entry.path)]
    # What has just been moved stays for now, however much it is.
    too_many = [
        entry for entry in _over(trashed, limit) if entry.id not in {each.id for each in moved}
    ]
    library.empty_trash({entry.id for entry in (*expired, *too_many)})
    return moved


def _over(entries: list[RunEntry], limit: int) -> list[RunEntry]:
    """The last ones of `entries`, beyond the first that together take at most `limit` bytes, the
    last one first.
    """
    totals = accumulate(entry.size for entry in entries)
    return [entry for entry, total in zip(entries, totals, strict=True) if limit and total > limit][
        ::-1
    ]


def saved_runs() -> list[RunFolder]:
    """The runs that can be continued or have a model, the newest first. No run is read."""
    written = []
    for path in filter(lambda path: RunFolder(path).holds_run, _folders(runs_path())):
        last = max(
            _modified(path / run_folder.CHECKPOINT_FILE), _modified(path / run_folder.MODEL_FILE)
        )
        written += [(last, path)] if last else []
    return [RunFolder(path) for _, path in sorted(written, reverse=True)]


def last_run() -> RunFolder | None:
    """The newest run with a complete epoch and a model, without the runs of labs."""
    complete = (
        folder for folder in saved_runs() if folder.has_epochs and folder.model_path.exists()
    )
    return next((folder for folder in complete if not folder.is_of_lab), None)


def last_model() -> Model | None:
    """The model of the last run, or None if there is none that can be read."""
    with suppress(InputError):
        folder = last_run()
        return load_model(folder.model_path) if folder else None
    return None


def model_path(name: str) -> Path:
    """The file of the model that `name` names: a model file, or a run as `RunLibrary.find` takes
    it.

    Raises InputError where no run has this name. A file that has the name of a model file need not
    exist.
    """
    folder = RunFolder(name)
    if folder.holds_run:
        return folder.model_path
    path = Path(name)
    is_path = os.sep in name or path.suffix.lower() == MODEL_SUFFIX
    if is_path or os.path.exists(path):
        return path
    return RunLibrary().find(name).folder.model_path


def run_of(model: Model, path: Path | None) -> RunFolder | None:
    """The run that `model`, from the file at `path`, is the result of: in the folder of the file,
    or in the library.

    In the library it is the newest run with these settings whose model has the same parameters.
    """
    if path is not None and _is_model_of_run(path):
        return RunFolder(path.parent)
    entries: list[RunEntry] = []
    with suppress(InputError):
        settings = RunSettings.from_dict(model.run_settings)
        entries = [
            entry for entry in RunLibrary().entries() if entry.info.plan.settings == settings
        ]
    for entry in entries:
        with suppress(InputError):
            found = load_model(entry.folder.model_path)
            if found.computes_like(model) and np.array_equal(found.parameters, model.parameters):
                return entry.folder
    return None


def model_title(path: Path) -> str:
    """The name of a model's file; for the model of a run, which has the same file name in all runs,
    that of the run.
    """
    if not _is_model_of_run(path):
        return path.name
    with suppress(InputError):
        info = RunFolder(path.parent).read_info()
        return read_label(path.parent).name or run_name(
            info.repeatable_plan().settings, info.network
        )
    return path.parent.name


def _is_model_of_run(path: Path) -> bool:
    return path.name == run_folder.MODEL_FILE and RunFolder(path.parent).holds_run


def unfinished_run() -> tuple[RunFolder, RunInfo] | None:
    """The newest run that no program is training, if it can be continued; without the runs of
    labs.
    """
    for folder in saved_runs():
        if not is_locked(folder.lock_path) and not folder.is_of_lab:
            with suppress(InputError):
                info = folder.read_info()
                return (folder, info) if not info.has_ended and folder.checkpoint.exists else None
    return None
