"""A study: a label and a specification on ordinary runs of the library, which it trains.

Optuna chooses the settings, and its database keeps them with the ids of the runs. What became of a run is in the run's
own folder. The studies that were begun are files in a folder beside the library; deleted ones are in its trash.
"""

import json
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from math import inf, isnan
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.files.atomic import write_atomically
from core.files.input_file import read_input
from core.files.lock import FileLock
from core.files.paths import data_folder
from core.files.trash import Trash, has_expired
from core.runs.folder import Summary
from core.runs.library import RunLibrary, is_run_id
from core.runs.side_by_side import Outcome
from core.studies.executor import Job
from core.studies.importance import Importance, find_importance
from core.studies.spec import StudySpec, Value, parse_study, same_study
from core.training.records import COMPLETE, Epoch, best_epoch
from kernels.installation import install_command

if TYPE_CHECKING:
    import optuna

    from core.studies.executor import Executor

SUFFIX = ".sqlite3"
_MAX_IDS_BYTES = 10_000_000
_RESULTS = ("epoch", "validation_loss", "test_loss", "test_score", "train_loss")


@dataclass(slots=True)
class StudyRun:
    """A run of a study. `state`: as in `RunInfo`; it is `fault` after any error.

    `values`: of the settings that the study varies. `id`: the run's in the library. `epochs`: as far as they are
    known. `message`: why it failed. `loss`: the validation loss by which runs are compared; None until it is complete.
    `can_retry`: a failed run can be trained again; not one of earlier versions, whose end is in the database.
    """

    number: int
    values: dict[str, Value]
    id: str
    state: str = "running"
    epochs: list[Epoch] = field(default_factory=list)
    message: str = ""
    loss: float | None = None
    can_retry: bool = True

    @property
    def is_left(self) -> bool:
        """Whether there is something to train: it was stopped, or has failed."""
        return self.state in ("running", "stopped") or (self.state == "fault" and self.can_retry)

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

    def is_training(self) -> bool:
        return self.state == "running"

    @property
    def state_in_files(self) -> str:
        """The state as `--json` has named it from the first version on."""
        if self.is_complete:
            return "complete"
        return {"fault": "failed", "running": "training"}.get(self.state, self.state)

    def curve(self) -> tuple[float, ...]:
        """The validation losses of at most CURVE_POINTS epochs."""
        summary = Summary.of(self.epochs)
        return summary.curve if summary else ()

    def value_of(self, name: str) -> Any:
        return self.values.get(name)

    def results(self) -> dict[str, Any]:
        """The results of the best epoch by name, and the seconds of the training; None for what it has not."""
        best = self.best
        if best is None:  # its folder has been removed
            return {**dict.fromkeys((*_RESULTS, "seconds")), "validation_loss": self.loss}
        return {**{name: getattr(best, name) for name in _RESULTS}, "seconds": self.epochs[-1].seconds}


def _scored(runs: Iterable[StudyRun]) -> list[tuple[StudyRun, float]]:
    """The complete runs with the validation losses by which they are compared."""
    return [(run, run.loss) for run in runs if run.is_complete and run.loss is not None]


def best_run(runs: Iterable[StudyRun]) -> StudyRun | None:
    """The complete run with the lowest validation loss."""
    return min(_scored(runs), key=lambda pair: pair[1], default=(None,))[0]


class Study:
    """The study `spec`, and what its database and the folders of its runs hold of it already.

    Raises InputError if the database belongs to another study or is in use. Close it after use.
    """

    def __init__(
        self, spec: StudySpec, folder: Path | None = None, library: RunLibrary | None = None
    ) -> None:
        require_optuna()
        self.spec = spec
        folder = folder or studies_path()
        folder.mkdir(parents=True, exist_ok=True)
        self._library = library or RunLibrary()
        self._lock = _lock_study(folder, spec.name)
        self._path = path = folder / f"{spec.name}{SUFFIX}"
        try:
            self._study, self._storage = _open_database(path, spec)
            self._trials: dict[int, optuna.trial.Trial] = {}
            with refusing_damage(path):
                self.runs = self._read_runs()
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the database; runs that have not ended are continued by the next `iter_runs`."""
        self._storage.engine.dispose()  # Windows deletes no open file
        self._lock.release()

    @property
    def is_complete(self) -> bool:
        return len(self.runs) >= self.spec.runs and all(run.has_ended for run in self.runs)

    @property
    def can_continue(self) -> bool:
        """Whether `iter_runs` has something to train: runs that are left, were stopped or have failed."""
        return len(self.runs) < self.spec.runs or any(run.is_left for run in self.runs)

    def importance(self) -> Importance | None:
        """What explains the differences of the validation loss of the complete runs; None if it would be a guess."""
        return find_importance(self.spec.vary, [(run.values, loss) for run, loss in _scored(self.runs)])

    def iter_runs(self, executor: "Executor") -> Generator[StudyRun | None]:
        """Train what is left of the study, and what has failed. Yields a run when it starts, after epochs of it, and
        when it ends.

        Yields None in between several times a second, so that the caller can stop it.
        Closing the generator stops the runs; they are continued by the next call.
        """
        waiting = [run for run in self.runs if run.is_left]
        active: dict[int, StudyRun] = {}
        try:
            with closing(executor):
                while True:
                    slots = executor.slots()
                    while len(active) < slots and (run := self._next_run(waiting)):
                        if job := self._job(run):
                            active[run.number] = run
                            executor.start(job)
                        yield run
                    is_left = waiting or len(self.runs) < self.spec.runs
                    if not active and (slots or not is_left):
                        return
                    event = executor.next_event()
                    if event is None or event[0] not in active:
                        yield None
                        continue
                    number, outcome = event
                    run = active[number]
                    self._take_epochs(run, outcome, executor)
                    if outcome.has_ended and run.state == "running":
                        with refusing_damage(self._path):
                            self._end(run, outcome.state, outcome.message)
                    if run.state != "running":
                        del active[number]
                    yield run
        finally:
            for run in active.values():
                run.state = "stopped"

    # -- one run ----------------------------------------------------------------------------------------------

    def _next_run(self, waiting: list[StudyRun]) -> StudyRun | None:
        """The next run to train: one that was stopped, or a new one; None if all have begun."""
        if waiting:
            return waiting.pop(0)
        if len(self.runs) >= self.spec.runs:
            return None
        with refusing_damage(self._path):
            if self.spec.sampler == "grid":
                self._study.enqueue_trial(self.spec.combinations()[len(self.runs)], skip_if_exists=True)
            self._study.sampler = _sampler(self.spec, len(self.runs))
            trial = self._study.ask()
            self._trials[trial.number] = trial
            values = {name: variation.suggest(trial, name) for name, variation in self.spec.vary.items()}
            run = StudyRun(trial.number, values, self._library.new_path().name)
            trial.set_user_attr("run", run.id)
        self.runs.append(run)
        return run

    def _job(self, run: StudyRun) -> Job | None:
        """What trains the run, which begins now; None if its values do not go together: it has failed."""
        if run.message:
            self._trials[run.number].set_user_attr("message", "")
        run.state = "running"
        run.epochs = []
        run.message = ""
        try:
            plan = self.spec.plan_of(run.values)
        except InputError as error:
            self._end(run, "fault", str(error))
            return None
        path = self._library.path / run.id
        return Job(run.number, self.spec.name, plan, not self.spec.own_network, path)

    def _take_epochs(self, run: StudyRun, outcome: Outcome, executor: "Executor") -> None:
        """Take over the run's epochs, and end it at the first new one at which it is worse than most others."""
        known = len(run.epochs)
        if known > len(outcome.epochs):  # a worker has taken over, which begins anew
            known = 0
        run.epochs = [*outcome.epochs]
        if not self.spec.prune:
            return
        complete = [each.epochs for each in self.runs if each.is_complete]
        for count in range(known + 1, len(run.epochs) + 1):
            if _is_worse(run.epochs[:count], complete):
                run.epochs = run.epochs[:count]
                executor.prune(run.number)
                self._end(run, "pruned")
                break

    def _end(self, run: StudyRun, state: str, message: str = "") -> None:
        """Write the validation loss of a run to the database: the sampler chooses the next values by it.

        A run that failed stays open there, with the message, so that it can be trained again.
        """
        from optuna.trial import TrialState

        run.state = state
        run.message = message[:500]
        trial = self._trials[run.number]
        best = run.best
        if run.message:
            trial.set_user_attr("message", run.message)
        run.loss = best.validation_loss if best else None
        if state == "fault":
            return
        if run.is_complete and run.loss is not None:
            self._study.tell(trial, run.loss)
            return
        if state == "pruned" and (loss := run.epochs[-1].validation_loss) is not None:
            trial.report(loss, run.epochs[-1].epoch)  # the sampler `tpe` uses it
        self._study.tell(trial, state=TrialState.PRUNED if state == "pruned" else TrialState.FAIL)

    # -- what is there already ----------------------------------------------------------------------------------

    def _read_runs(self) -> list[StudyRun]:
        """The runs that have begun: their values from the database, the rest from their folders."""
        from optuna.trial import TrialState

        begun = (stored for stored in self._study.trials if stored.state != TrialState.WAITING)
        return [*map(self._restored, begun)]

    def _restored(self, stored: "optuna.trial.FrozenTrial") -> StudyRun:
        """A run of the database. Of one whose folder is missing, the values, the state and the loss are known."""
        from optuna.trial import Trial, TrialState

        self._trials[stored.number] = Trial(self._study, stored._trial_id)
        run_id = str(stored.user_attrs.get("run") or self._library.new_path().name)
        if not is_run_id(run_id):
            raise ValueError(f"“{run_id[:40]}” is no run of the library")
        known = {**(stored.system_attrs.get("fixed_params") or {}), **stored.params}
        values = {name: known[name] for name in self.spec.vary if name in known}
        if not all(values[name] in self.spec.vary[name] for name in values):
            raise ValueError(f"run {stored.number} has values that the study does not")
        message = str(stored.user_attrs.get("message", ""))
        run = StudyRun(stored.number, values, run_id, "stopped", message=message)
        folder = self._library.folder_of(run_id)
        info = None
        with suppress(InputError):  # it is missing, or cannot be read
            info = folder.read_info()
            run.epochs = folder.read_history()
        if stored.state == TrialState.RUNNING:
            if run.message:
                run.state = "fault"
            elif info is not None and info.has_ended:
                # The program was killed before it wrote the result.
                self._end(run, info.state)
            return run
        run.can_retry = False
        ended = {TrialState.COMPLETE: "epochs", TrialState.PRUNED: "pruned", TrialState.FAIL: "fault"}
        run.state = ended[stored.state]
        if info is not None and (info.state == "diverged" or (run.is_complete and info.state in COMPLETE)):
            run.state = info.state
        if stored.state == TrialState.COMPLETE:
            run.loss = float(stored.value)  # type: ignore[arg-type]  # an error where it is none
        return run


# As Optuna's MedianPruner, which would need each loss in the database: that takes milliseconds for each.
_COMPARED_RUNS = 5
_FIRST_PRUNED_EPOCH = 2


def _is_worse(epochs: list[Epoch], complete: list[list[Epoch]]) -> bool:
    """Whether the run with these epochs is worse than the median of the complete runs at the same epoch."""
    last = epochs[-1]
    if last.validation_loss is None or last.epoch < _FIRST_PRUNED_EPOCH or len(complete) < _COMPARED_RUNS:
        return False
    epochs_of_all = (epoch for run in complete for epoch in run)
    others = _losses(epoch for epoch in epochs_of_all if epoch.epoch == last.epoch)
    return bool(others) and min(_losses(epochs), default=inf) > median(others)


def _losses(epochs: Iterable[Epoch]) -> list[float]:
    return [loss for each in epochs if (loss := each.validation_loss) is not None and not isnan(loss)]


def _sampler(spec: StudySpec, number: int) -> "optuna.samplers.BaseSampler":
    """The sampler of the trial `number`: random values follow from the study's seed and the number alone.

    So a study that is continued has the runs that it would have had without a break.
    """
    from optuna.samplers import RandomSampler, TPESampler

    # The values of a grid are queued before; nothing is left to its sampler.
    classes = {"grid": RandomSampler, "random": RandomSampler, "tpe": TPESampler}
    seed = int(np.random.SeedSequence([spec.seed, number]).generate_state(1)[0])
    return classes[spec.sampler](seed=seed)


# -- the databases ------------------------------------------------------------------------------------------------


def studies_path() -> Path:
    return data_folder() / "studies"


def study_names(folder: Path | None = None) -> list[str]:
    """The names of the studies that have been begun, or whose databases are in `folder`, the newest first."""
    with suppress(OSError):
        paths = (folder or studies_path()).glob(f"*{SUFFIX}")
        return [
            name for _, name in sorted(((path.stat().st_mtime, path.stem) for path in paths), reverse=True)
        ]
    return []


def stored_spec(name: str) -> StudySpec:
    """The description of the study `name`, from its database. Raises InputError if it cannot be read."""
    require_optuna()
    import optuna

    path = studies_path() / f"{name}{SUFFIX}"
    with refusing_damage(path):
        storage = _storage_at(path)
        text = str(optuna.load_study(study_name=name, storage=storage).user_attrs["text"])
        storage.engine.dispose()
    return parse_study(text, name)


def _open_database(path: Path, spec: StudySpec) -> "tuple[optuna.Study, optuna.storages.RDBStorage]":
    import optuna

    with refusing_damage(path):
        storage = _storage_at(path)
        study = optuna.create_study(storage=storage, study_name=spec.name, load_if_exists=True)
        known = study.user_attrs.get("text")
        if known is None:
            study.set_user_attr("text", spec.text)
            return study, storage
        same = same_study(known, spec.text)
    if not same:
        storage.engine.dispose()
        template = "There is a study {name} with other contents already: give this one another name."
        raise InputError(template, name=spec.name)
    return study, storage


def _storage_at(path: Path) -> "optuna.storages.RDBStorage":
    import optuna
    import sqlalchemy

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    # A path may have characters that mean something else in an address, such as ? and %.
    address = sqlalchemy.URL.create("sqlite", database=str(path))
    return optuna.storages.RDBStorage(address.render_as_string(hide_password=False))


@contextmanager
def refusing_damage(path: Path) -> Iterator[None]:
    """Raises any exception of the block as InputError: the libraries raise many kinds for a damaged database."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            "{path} cannot be used as the database of a study ({reason}): give the study another name.",
            path=path,
            reason=(str(error).splitlines() or [type(error).__name__])[0],
        ) from None


def require_optuna() -> None:
    """Raise InputError with what to install if Optuna is missing."""
    template = "Studies need Optuna, which is not installed: run the program from its source folder after `{command}`."
    if find_spec("optuna") is None:
        raise InputError(template, command=install_command("study"))


def require_dask() -> None:
    """Raise InputError with what to install if Dask is missing."""
    template = "A cluster needs Dask, which is not installed: run the program from its source folder after `{command}`."
    if find_spec("distributed") is None:
        raise InputError(template, command=install_command("cluster"))


# -- the trash ----------------------------------------------------------------------------------------------------


def delete_study(name: str, runs: Iterable[str] = ()) -> None:
    """Move the study, and the runs with these ids, to the trash, where they stay for TRASH_DAYS.

    Raises InputError if a program trains it, or it cannot be moved.
    """
    lock = _lock_study(studies_path(), name)
    trash = _trash()
    try:
        for path in filter(has_expired, [*trash.path.glob(f"*{SUFFIX}"), *trash.path.glob("*.json")]):
            path.unlink(missing_ok=True)
        write_atomically(_deleted_ids(name), json.dumps(RunLibrary().delete(runs)).encode())
        # An older study of this name is gone then.
        (trash.path / f"{name}{SUFFIX}").unlink(missing_ok=True)
        trash.put(f"{name}{SUFFIX}")
    finally:
        lock.release()


def deleted_studies() -> list[str]:
    """The names of the studies in the trash, the most recently deleted first."""
    return study_names(_trash().path)


def restore_study(name: str) -> None:
    """Move the study back, with the runs that were deleted with it.

    Raises InputError if another study has its name now, or it cannot be moved.
    """
    if not _trash().put_back(f"{name}{SUFFIX}"):
        raise InputError("There is another study {name} now: delete that one first.", name=name)
    ids = _deleted_ids(name)
    with suppress(InputError, ValueError, TypeError, RecursionError):  # the study is back without its runs
        RunLibrary().restore(map(str, json.loads(read_input(ids, _MAX_IDS_BYTES, "another file"))))
    ids.unlink(missing_ok=True)


def _trash() -> Trash:
    return Trash(studies_path())


def _deleted_ids(name: str) -> Path:
    """The file with the ids of the runs that were deleted with the study."""
    return _trash().path / f"{name}.json"


def _lock_study(folder: Path, name: str) -> FileLock:
    lock = FileLock(folder / f"{name}.lock")
    if not lock.acquire():
        raise InputError("The study {name} is running in another program: wait for its end.", name=name)
    return lock
