"""A study: a label and a specification on ordinary runs of the library, which it trains.

A JSON file keeps the specification, and of each run its values, its id, its state and its loss. The
epochs are in the run's own folder. The studies that were begun are files in a folder beside the
library; deleted ones are in its trash. Version 0.1.0 kept them in databases of Optuna, which are
read, and replaced by such a file at the first change.
"""

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

from core.data.dataset import Dataset
from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.json_text import json_object, without_nan
from core.files.lock import FileLock
from core.files.paths import data_folder
from core.files.trash import Trash, has_expired
from core.runs.library import RunLibrary, is_run_id
from core.runs.side_by_side import Outcome, SideBySide
from core.studies.spec import StudySpec, Value, parse_study, same_study
from core.studies.training import RUN_ERRORS, iter_study_run
from core.training.records import COMPLETE, Epoch, Point, best_epoch

SUFFIX = ".study"
_OLD_SUFFIX = ".sqlite3"
_FORMAT = "digitlab-study-1"
_STORED = ("id", "values", "state", "message", "loss")
_STATES = (*COMPLETE, "pruned", "diverged", "fault", "running", "stopped")
_MAX_BYTES = 100_000_000
_MAX_IDS_BYTES = 10_000_000
_stored_of = attrgetter(*_STORED)
_Stored = dict[str, Any]
_RESULTS = ("epoch", "validation_loss", "test_loss", "test_score", "train_loss")


@dataclass(slots=True)
class StudyRun:
    """A run of a study. `state`: as in `RunInfo`; it is `fault` after any error.

    `values`: of the settings that the study varies. `id`: the run's in the library. `epochs`: as
    far as they are known. `begun`: as in `Outcome`. `message`: why it failed. `loss`: the
    validation loss by which runs are compared; None until it is complete.
    """

    number: int
    values: dict[str, Value]
    id: str
    state: str = "running"
    epochs: list[Epoch] = field(default_factory=list)
    message: str = ""
    loss: float | None = None
    begun: tuple[Point, ...] = ()

    @property
    def is_left(self) -> bool:
        """Whether there is something to train: it was stopped, or has failed."""
        return self.state in ("running", "stopped", "fault")

    @property
    def best(self) -> Epoch | None:
        """The epoch with the lowest validation loss; None before the first epoch."""
        return best_epoch(self.epochs)

    @property
    def has_ended(self) -> bool:
        return self.state not in ("running", "stopped")

    @property
    def is_complete(self) -> bool:
        return self.state in COMPLETE

    @property
    def state_in_files(self) -> str:
        """The state as `--json` has named it from the first version on."""
        if self.is_complete:
            return "complete"
        return {"fault": "failed", "running": "training"}.get(self.state, self.state)

    def results(self) -> dict[str, float | None]:
        """The results of the best epoch by name, and the seconds of the training; None for what it
        has not.
        """
        best = self.best
        if best is None:  # its folder has been removed
            return {**dict.fromkeys((*_RESULTS, "seconds")), "validation_loss": self.loss}
        return {
            **{name: getattr(best, name) for name in _RESULTS},
            "seconds": self.epochs[-1].seconds,
        }


def best_run(runs: Iterable[StudyRun]) -> StudyRun | None:
    """The complete run with the lowest validation loss."""
    losses = ((run, run.loss) for run in runs if run.is_complete and run.loss is not None)
    return min(losses, key=lambda pair: pair[1], default=(None,))[0]


class Study:
    """The study `spec`, and what its file and the folders of its runs hold of it already.

    Raises InputError if the file belongs to another study or is in use. Close it after use.
    """

    def __init__(self, spec: StudySpec) -> None:
        self.spec = spec
        self._library = RunLibrary()
        studies_path().mkdir(parents=True, exist_ok=True)
        self._lock = _lock_study(spec.name)
        try:
            # After the lock: another program may still write the file.
            self.runs = self._read_runs()
        # Also an interruption: the lock would stay until the program ends.
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Let other programs use it; runs that have not ended are continued by the next
        `iter_runs`.
        """
        self._lock.release()

    @property
    def is_complete(self) -> bool:
        return len(self.runs) >= self.spec.runs and all(run.has_ended for run in self.runs)

    @property
    def can_continue(self) -> bool:
        """Whether `iter_runs` has something to train: runs that are left, were stopped or have
        failed.
        """
        return len(self.runs) < self.spec.runs or any(run.is_left for run in self.runs)

    def iter_runs(
        self, datasets: Mapping[str, Dataset], at_once: int = 1
    ) -> Generator[StudyRun | None]:
        """Train what is left of the study, and what has failed, in the calling thread. Yields a run
        when it starts, in its first epoch, after epochs of it, and when it ends.

        Yields None in between several times a second, so that the caller can stop it.
        Closing the generator stops the runs; they are continued by the next call.
        `datasets`: the study's data by name. `at_once`: how many runs are trained by turns, some
        steps of each, so that they can be watched side by side. Each turn has all processors, and
        all of these runs take memory.
        """
        waiting = [run for run in self.runs if run.is_left]
        active: dict[int, StudyRun] = {}
        try:
            with closing(SideBySide[int]()) as trainings:
                while True:
                    while len(active) < at_once and (run := self._next_run(waiting)):
                        run.state = "running"
                        run.epochs = []
                        run.message = ""
                        path = self._library.path / run.id
                        training = iter_study_run(self.spec, run.values, path, datasets)
                        trainings.add(run.number, training)
                        active[run.number] = run
                        yield run
                    if not active:
                        return
                    run = active[trainings.next_key()]
                    outcome = _after_turn(trainings, run.number)
                    is_same = len(outcome.epochs) == len(run.epochs) and outcome.begun == run.begun
                    run.begun = outcome.begun
                    if is_same and not outcome.has_ended:
                        yield None
                        continue
                    run.epochs = [*outcome.epochs]
                    if outcome.has_ended:
                        self._end(run, outcome)
                        del active[run.number]
                    yield run
        finally:
            for run in active.values():
                run.state = "stopped"

    # -- one run -----------------------------------------------------------------------------------

    def _next_run(self, waiting: list[StudyRun]) -> StudyRun | None:
        """The next run to train: one that was stopped, or a new one; None if all have begun."""
        if waiting:
            return waiting.pop(0)
        if len(self.runs) >= self.spec.runs:
            return None
        number = len(self.runs)
        values = self.spec.combinations()[number]
        run = StudyRun(number, values, self._library.new_path().name)
        self.runs.append(run)
        self._write()
        return run

    def _end(self, run: StudyRun, outcome: Outcome) -> None:
        """Write the end of a run to the file: its validation loss is what runs are compared by."""
        run.state = outcome.state
        # The file holds the messages of all runs, and is limited.
        run.message = outcome.message[:500]
        best = run.best
        run.loss = best.validation_loss if best else None
        self._write()

    # -- the file ----------------------------------------------------------------------------------

    def _write(self) -> None:
        runs = [dict(zip(_STORED, _stored_of(run), strict=True)) for run in self.runs]
        content = without_nan({"format": _FORMAT, "text": self.spec.text, "runs": runs})
        path = studies_path() / f"{self.spec.name}{SUFFIX}"
        write_atomically(path, json.dumps(content).encode())
        # The file of version 0.1.0, which this one replaces from the first write on.
        path.with_suffix(_OLD_SUFFIX).unlink(missing_ok=True)

    def _read_runs(self) -> list[StudyRun]:
        """The runs that have begun: their values from the file, the rest from their folders."""
        path = _path_in(studies_path(), self.spec.name)
        if not path.exists():
            self.runs = []
            self._write()
        text, runs = _read(path)
        if not same_study(text, self.spec.text):
            template = (
                "There is a study {name} with other contents already: give this one another name."
            )
            raise InputError(template, name=self.spec.name)
        with refusing_damage(path):
            return [self._restored(number, run) for number, run in enumerate(runs)]

    def _restored(self, number: int, stored: _Stored) -> StudyRun:
        """A run of the file. Of one whose folder is missing, the values, the state and the loss are
        known.
        """
        run_id = str(stored["id"])
        # The id becomes a path: a damaged file must not name a folder elsewhere.
        if not is_run_id(run_id):
            raise ValueError(f"“{run_id[:40]}” is no run of the library")
        given = stored["values"]
        if given.keys() != self.spec.vary.keys() or not all(
            given[name] in variation for name, variation in self.spec.vary.items()
        ):
            raise ValueError(f"run {number} has values that the study does not")
        values = {name: given[name] for name in self.spec.vary}  # in the order of the table
        if stored["state"] not in _STATES:
            raise ValueError(f"run {number} has no state")
        run = StudyRun(number, values, run_id, stored["state"], message=str(stored["message"]))
        if stored["loss"] is not None:
            run.loss = float(stored["loss"])
        folder = self._library.folder_of(run_id)
        with suppress(InputError):  # it is missing, or cannot be read
            info = folder.read_info()
            run.epochs = folder.read_history()
            # The program may have been killed before it wrote the end.
            if run.state == "running" and info.has_ended:
                run.state = info.state
                run.loss = run.best.validation_loss if run.best else None
        if run.state == "running":
            run.state = "stopped"
        return run


def _after_turn(trainings: SideBySide[int], number: int) -> Outcome:
    """Train some steps of the run with this number; what it has reached then."""
    try:
        trainings.advance(number)
    except RUN_ERRORS as error:
        return trainings.outcomes[number].failed(error)
    return trainings.outcomes[number]


# -- the files -------------------------------------------------------------------------------------


def studies_path() -> Path:
    return data_folder() / "studies"


def study_names(folder: Path | None = None) -> list[str]:
    """The names of the studies that have been begun, or whose files are in `folder`, the newest
    first.
    """
    with suppress(OSError):
        paths = (folder or studies_path()).iterdir()
        found = [
            (path.stat().st_mtime, path.stem)
            for path in paths
            if path.suffix in (SUFFIX, _OLD_SUFFIX)
        ]
        return [*dict.fromkeys(name for _, name in sorted(found, reverse=True))]
    return []


def stored_spec(name: str) -> StudySpec:
    """The description of the study `name`, from its file. Raises InputError if it cannot be
    read.
    """
    text, _ = _read(_path_in(studies_path(), name))
    return parse_study(text, name)


def _path_in(folder: Path, name: str) -> Path:
    """The file of a study; where it will be, if there is none."""
    path = folder / f"{name}{SUFFIX}"
    old = folder / f"{name}{_OLD_SUFFIX}"
    return old if old.exists() and not path.exists() else path


def _read(path: Path) -> tuple[str, list[_Stored]]:
    """The text and the runs in the file of a study, not checked yet. Raises InputError if it cannot
    be read.
    """
    with refusing_damage(path):
        if path.suffix == _OLD_SUFFIX:
            return _read_database(path)
        content = json_object(
            read_input(path, _MAX_BYTES, "another study"), _FORMAT, "hold a study"
        )
        return str(content["text"]), list(content["runs"])


_OLD_TEXT = "SELECT value_json FROM study_user_attributes WHERE key = 'text'"
_OLD_VALUES = """SELECT value_json, param_name, param_value, distribution_json
FROM trials JOIN trial_params USING (trial_id) JOIN trial_user_attributes USING (trial_id)
WHERE key = 'run' ORDER BY number"""


def _read_database(path: Path) -> tuple[str, list[_Stored]]:
    """The same of a database of version 0.1.0: what its runs have reached is in their folders."""
    runs: dict[str, _Stored] = {}
    # Only to read: `connect` alone would make a missing file.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        (text,) = database.execute(_OLD_TEXT).fetchone()
        for run, name, place, kind in database.execute(_OLD_VALUES):
            begun = {
                "id": json.loads(run),
                "values": {},
                "state": "running",
                "message": "",
                "loss": None,
            }
            values = runs.setdefault(run, begun)["values"]
            choices = json.loads(kind)["attributes"].get("choices")
            values[name] = choices[int(place)] if choices else place
    return json.loads(text), [*runs.values()]


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Raises any exception of the block as InputError: a damaged file can have anything."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            "{path} cannot be used as the file of a study ({reason}): give the study another name.",
            path=path,
            reason=(str(error).splitlines() or [type(error).__name__])[0],
        ) from None


# -- the trash -------------------------------------------------------------------------------------


def delete_study(name: str, runs: Iterable[str] = ()) -> None:
    """Move the study, and the runs with these ids, to the trash, where they stay for TRASH_DAYS.

    Raises InputError if a program trains it, or it cannot be moved.
    """
    lock = _lock_study(name)
    trash = _trash()
    try:
        for path in filter(has_expired, trash.path.glob("*.*")):
            path.unlink(missing_ok=True)
        # Before the study is moved: restoring it needs the ids of its runs.
        write_atomically(_deleted_ids(name), json.dumps(RunLibrary().delete(runs)).encode())
        # An older study of this name is gone then.
        _path_in(trash.path, name).unlink(missing_ok=True)
        trash.put(_path_in(studies_path(), name).name)
    finally:
        lock.release()


def deleted_studies() -> list[str]:
    """The names of the studies in the trash, the most recently deleted first."""
    return study_names(_trash().path)


def restore_study(name: str) -> None:
    """Move the study back, with the runs that were deleted with it.

    Raises InputError if another study has its name now, or it cannot be moved.
    """
    if name in study_names() or not _trash().put_back(_path_in(_trash().path, name).name):
        raise InputError("There is another study {name} now: delete that one first.", name=name)
    ids = _deleted_ids(name)
    # The study is back without its runs.
    with suppress(InputError, ValueError, TypeError, RecursionError):
        RunLibrary().restore(map(str, json.loads(read_input(ids, _MAX_IDS_BYTES, "another file"))))
    ids.unlink(missing_ok=True)


def _trash() -> Trash:
    return Trash(studies_path())


def _deleted_ids(name: str) -> Path:
    """The file with the ids of the runs that were deleted with the study."""
    return _trash().path / f"{name}.json"


def _lock_study(name: str) -> FileLock:
    lock = FileLock(studies_path() / f"{name}.lock")
    if not lock.acquire():
        raise InputError(
            "The study {name} is running in another program: wait for its end.", name=name
        )
    return lock
