"""A study: trains runs with varied settings and keeps their results in a database, from which it can continue.

Optuna chooses the settings and the runs that are ended early, and writes the database.
"""

import json
import os
import time
import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from core.errors import InputError
from core.files.atomic import move, write_atomically
from core.files.csv_text import csv_text
from core.files.input_file import read_input
from core.files.lock import FileLock
from core.files.paths import data_folder
from core.runs.folder import Row, best_row
from core.runs.library import TRASH, TRASH_DAYS, RunLibrary
from core.studies.executor import Job, JobEnded
from core.studies.spec import StudySpec, Value, Values, Variation, parse_study, same_study

if TYPE_CHECKING:
    import optuna

    from core.studies.executor import Executor


@dataclass(slots=True)
class StudyRun:
    """A run of the study. `state`: `training`, `stopped`, `complete`, `pruned`, `diverged` or `failed`.

    `values`: of the settings that the study varies. `rows`: the epochs, as far as they are known here. `run`: the run's
    id in the library. `message`: why it failed.
    """

    number: int
    values: dict[str, Value]
    run: str
    state: str = "training"
    rows: list[Row] = field(default_factory=list)
    message: str = ""

    @property
    def best(self) -> Row | None:
        """The row of the epoch with the lowest validation loss; None before the first epoch."""
        return best_row(self.rows) if self.rows else None


_RESULTS = ("epoch", "validation_loss", "test_loss", "test_score", "train_loss")


def result_of(run: StudyRun) -> dict[str, Any]:
    """The results of the run's best epoch by name, and the seconds of its training; None for what it has not."""
    best, last = run.best or {}, run.rows[-1] if run.rows else {}
    return {**{name: best.get(name) for name in _RESULTS}, "seconds": last.get("seconds")}


def study_csv(runs: Sequence[StudyRun]) -> str:
    """A line for each run: number, varied settings, state, results, and the run's id in the library."""
    names = list(dict.fromkeys(name for run in runs for name in run.values))
    rows: list[list[object]] = [["number", *names, "state", *_RESULTS, "seconds", "run", "message"]]
    for run in runs:
        values = (run.values.get(name) for name in names)
        rows.append([run.number, *values, run.state, *result_of(run).values(), run.run, run.message])
    return csv_text(rows)


class Pruning:
    """Ends runs that are worse than the median of the complete runs at the same epoch, by Optuna's MedianPruner.

    The losses that it compares are kept in memory: the database takes some milliseconds for each that is written.
    """

    def __init__(self) -> None:
        import optuna

        self._study = optuna.create_study(direction="minimize")
        self._pruner = optuna.pruners.MedianPruner(n_warmup_steps=2)

    def add_complete(self, rows: list[Row]) -> None:
        """Compare with a complete run, too."""
        self._study.add_trial(_trial(rows, complete=True))

    def should_end(self, rows: list[Row]) -> bool:
        """Whether the run with these epochs is to be ended after the last one."""
        if rows[-1]["validation_loss"] is None:
            return False
        return self._pruner.prune(self._study, _trial(rows, complete=False))


def _trial(rows: list[Row], *, complete: bool) -> "optuna.trial.FrozenTrial":
    import optuna

    states = optuna.trial.TrialState
    losses = {int(row["epoch"] or 0): loss for row in rows if (loss := row["validation_loss"]) is not None}
    return optuna.create_trial(
        state=states.COMPLETE if complete else states.RUNNING,
        value=min(losses.values(), default=0.0) if complete else None,
        intermediate_values=losses,
    )


SUFFIX = ".sqlite3"


def studies_path() -> Path:
    """The folder of the databases."""
    return data_folder() / "studies"


def study_names() -> list[str]:
    """The names of the studies that have been begun, the newest first."""
    try:
        files = [(path.stat().st_mtime, path.stem) for path in studies_path().glob(f"*{SUFFIX}")]
    except OSError:
        return []
    return [name for _, name in sorted(files, reverse=True)]


def require_optuna() -> None:
    """Raise InputError with what to install if Optuna is missing."""
    if find_spec("optuna") is None:
        raise InputError(
            "Studies need Optuna, which is not installed: run the program from its source folder after "
            "`uv sync --extra study`."
        )


def require_dask() -> None:
    """Raise InputError with what to install if Dask is missing."""
    if find_spec("distributed") is None:
        raise InputError(
            "A cluster needs Dask, which is not installed: run the program from its source folder after "
            "`uv sync --extra cluster`."
        )


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
            path=path, reason=(str(error).splitlines() or [type(error).__name__])[0],
        ) from None  # fmt: skip


def stored_spec(name: str) -> StudySpec:
    """The description of the study `name`, from its database. Raises InputError if it cannot be read."""
    require_optuna()
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    path = studies_path() / f"{name}{SUFFIX}"
    with refusing_damage(path):
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        text = str(optuna.load_study(study_name=name, storage=storage).user_attrs["text"])
        storage.engine.dispose()
    return parse_study(text, name)


_MAX_BYTES = 10_000_000


def delete_study(name: str, runs: Iterable[str] = ()) -> None:
    """Move the study, and the runs with these ids, to the trash, where they stay for TRASH_DAYS.

    Raises InputError if a program trains it, or it cannot be moved.
    """
    lock = FileLock(studies_path() / f"{name}.lock")
    if not lock.acquire():
        raise InputError("The study {name} is running in another program: wait for its end.", name=name)
    try:
        _remove_expired()
        moved = RunLibrary().delete(runs)
        write_atomically(_runs_path(name), json.dumps(moved).encode())
        trashed = _trash_path() / f"{name}{SUFFIX}"
        move(studies_path() / trashed.name, trashed)
        os.utime(trashed)  # the time of its deletion
    finally:
        lock.release()


def deleted_studies() -> list[str]:
    """The names of the studies in the trash, that which was deleted last first."""
    files = [(path.stat().st_mtime, path.stem) for path in _trash_path().glob(f"*{SUFFIX}")]
    return [name for _, name in sorted(files, reverse=True)]


def restore_study(name: str) -> None:
    """Move the study back, with the runs that were deleted with it.

    Raises InputError if another study has its name now, or it cannot be moved.
    """
    path = studies_path() / f"{name}{SUFFIX}"
    if path.exists():
        raise InputError("There is another study {name} now: delete that one first.", name=name)
    move(_trash_path() / path.name, path)
    with suppress(InputError, ValueError, TypeError, RecursionError):  # the study is back without its runs
        runs = json.loads(read_input(_runs_path(name), _MAX_BYTES, "another file"))
        RunLibrary().restore([Path(str(run)).name for run in runs])
    _runs_path(name).unlink(missing_ok=True)


def _trash_path() -> Path:
    return studies_path() / TRASH


def _runs_path(name: str) -> Path:
    """The file with the ids of the runs that were deleted with a study."""
    return _trash_path() / f"{name}.json"


def _remove_expired() -> None:
    oldest = time.time() - TRASH_DAYS * 86_400
    for path in [*_trash_path().glob(f"*{SUFFIX}"), *_trash_path().glob("*.json")]:
        with suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()


# With fewer complete runs the importance of the settings is not computed.
IMPORTANCE_RUNS = 3


class Study:
    """The study `spec`, and what its database holds of it already.

    Raises InputError if the database belongs to another study or is in use. Close it after use.
    """

    def __init__(
        self, spec: StudySpec, folder: Path | None = None, library: RunLibrary | None = None
    ) -> None:
        require_optuna()
        import optuna

        self.spec = spec
        folder = folder or studies_path()
        folder.mkdir(parents=True, exist_ok=True)
        self._library = library or RunLibrary()
        self._lock = FileLock(folder / f"{spec.name}.lock")
        if not self._lock.acquire():
            raise InputError(
                "The study {name} is running in another program: wait for its end.", name=spec.name
            )
        path = folder / f"{spec.name}{SUFFIX}"
        try:
            self._study, self._storage = _open_database(path, spec)
            self._trials: dict[int, optuna.trial.Trial] = {}
            with refusing_damage(path):
                self.runs = [
                    self._restored(trial)
                    for trial in self._study.trials
                    if trial.state != optuna.trial.TrialState.WAITING
                ]
            self._pruning = Pruning() if spec.prune else None
            for run in self.runs:
                if self._pruning and run.state == "complete":
                    self._pruning.add_complete(run.rows)
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the database; runs that have not ended are continued by the next `iter_runs`."""
        self._storage.engine.dispose()  # Windows deletes no open file
        self._lock.release()

    @property
    def is_complete(self) -> bool:
        """Whether all runs have ended."""
        return len(self.runs) >= self.spec.runs and all(
            run.state not in ("training", "stopped") for run in self.runs
        )

    def best(self) -> StudyRun | None:
        """The complete run with the lowest validation loss."""
        scored = [(row["validation_loss"], run) for run in self.runs
                  if run.state == "complete" and (row := run.best) and row["validation_loss"] is not None]  # fmt: skip
        return min(scored, key=lambda pair: pair[0])[1] if scored else None

    def importances(self) -> dict[str, float]:
        """How much of the differences of the validation loss each setting explains, 0 to 1.

        Empty with fewer than IMPORTANCE_RUNS complete runs, or if no setting explains anything.

        PED-ANOVA: Watanabe, Bansal and Hutter 2023.
        """
        import optuna

        if sum(run.state == "complete" for run in self.runs) < IMPORTANCE_RUNS:
            return {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it is marked as experimental
            try:
                evaluator = optuna.importance.PedAnovaImportanceEvaluator()
                # Not normalized by Optuna, which calls settings equally important where it knows nothing.
                importances = optuna.importance.get_param_importances(
                    self._study, evaluator=evaluator, normalize=False
                )
            except (ValueError, RuntimeError, ZeroDivisionError):
                return {}
        total = sum(importances.values())
        return {name: float(share / total) for name, share in importances.items()} if total > 0 else {}

    def iter_runs(self, executor: "Executor") -> Generator[StudyRun | None]:
        """Train what is left of the study. Yields a run when it starts, after epochs of it, and when it ends.

        Yields None in between several times a second, so that the caller can stop it.
        Closing the generator stops the runs; they are continued by the next call.
        """
        waiting = [run for run in self.runs if run.state == "stopped"]
        active: dict[int, StudyRun] = {}
        with closing(executor), self._stopping(active):
            while True:
                while len(active) < executor.slots() and (run := self._next_run(waiting)):
                    if run.state == "failed":
                        yield run
                        continue
                    active[run.number] = run
                    run.state, run.rows = "training", []
                    executor.start(self._job(run))
                    yield run
                if not active:
                    return
                event = executor.next_event()
                if event is None or event.number not in active:
                    yield None
                    continue
                run = active[event.number]
                if isinstance(event, JobEnded):
                    self._note_end(run, event)
                else:
                    self._note_epochs(run, event.rows, executor)
                if run.state != "training":
                    del active[event.number]
                yield run

    @contextmanager
    def _stopping(self, active: dict[int, StudyRun]) -> Iterator[None]:
        """Runs that are active at the end of the block have been stopped."""
        try:
            yield
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
        if self.spec.sampler == "grid":
            self._study.enqueue_trial(self.spec.combinations()[len(self.runs)], skip_if_exists=True)
        self._study.sampler = _sampler(self.spec, len(self.runs))
        trial = self._study.ask()
        self._trials[trial.number] = trial
        values = {name: _suggest(trial, name, variation) for name, variation in self.spec.vary.items()}
        run = StudyRun(trial.number, values, self._library.new_path().name)
        trial.set_user_attr("run", run.run)
        self.runs.append(run)
        try:
            self.spec.settings_of(values)
        except InputError as error:
            self._end(run, "failed", str(error))
        return run

    def _job(self, run: StudyRun) -> Job:
        settings, data = self.spec.settings_of(run.values)
        spec = self.spec
        return Job(run.number, spec.name, settings, data, spec.device, not spec.own_network,
                   self._library.path / run.run)  # fmt: skip

    def _note_epochs(self, run: StudyRun, rows: list[Row], executor: "Executor") -> None:
        first = int(rows[0]["epoch"] or 0) - 1  # 0 if a worker has taken over, which begins anew
        run.rows = [*run.rows[:first], *rows]
        if self._pruning is None:
            return
        for count in range(first + 1, len(run.rows) + 1):
            if self._pruning.should_end(run.rows[:count]):
                run.rows = run.rows[:count]
                executor.stop(run.number)
                self._end(run, "pruned")
                return

    def _note_end(self, run: StudyRun, event: JobEnded) -> None:
        if event.reason in ("failed", "fault", "diverged"):
            state = "diverged" if event.reason == "diverged" else "failed"
            self._end(run, state, event.message)
        else:
            self._end(run, "complete")

    def _end(self, run: StudyRun, state: str, message: str = "") -> None:
        """Write the result of a run to the database."""
        from optuna.trial import TrialState

        run.state, run.message = state, message[:500]
        trial = self._trials[run.number]
        for name, value in (("state", state), ("message", run.message), ("rows", run.rows)):
            trial.set_user_attr(name, value)
        best = run.best
        loss = best["validation_loss"] if best else None
        if state == "complete" and loss is not None:
            self._study.tell(trial, loss)
            if self._pruning:
                self._pruning.add_complete(run.rows)
        else:
            last = run.rows[-1] if run.rows else None
            if state == "pruned" and last and last["validation_loss"] is not None:
                trial.report(last["validation_loss"], int(last["epoch"] or 0))  # the sampler `tpe` uses it
            self._study.tell(trial, state=TrialState.PRUNED if state == "pruned" else TrialState.FAIL)

    def _restored(self, trial: "optuna.trial.FrozenTrial") -> StudyRun:
        from optuna.trial import Trial

        attributes = trial.user_attrs
        self._trials[trial.number] = Trial(self._study, trial._trial_id)
        values = {**(trial.system_attrs.get("fixed_params") or {}), **trial.params}
        return StudyRun(
            trial.number, {name: values[name] for name in self.spec.vary if name in values},
            str(attributes.get("run") or self._library.new_path().name), str(attributes.get("state", "stopped")),
            list(attributes.get("rows", [])), str(attributes.get("message", "")),
        )  # fmt: skip


def _suggest(trial: "optuna.trial.Trial", name: str, variation: Variation) -> Value:
    if isinstance(variation, Values):
        return cast(Value, trial.suggest_categorical(name, variation.values))
    if variation.whole:
        return trial.suggest_int(name, int(variation.low), int(variation.high), log=variation.logarithmic)
    return trial.suggest_float(name, variation.low, variation.high, log=variation.logarithmic)


def _open_database(path: Path, spec: StudySpec) -> "tuple[optuna.Study, optuna.storages.RDBStorage]":
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with refusing_damage(path):
        storage = optuna.storages.RDBStorage(f"sqlite:///{path}")
        study = optuna.create_study(
            storage=storage, study_name=spec.name, direction="minimize", load_if_exists=True
        )
        known = study.user_attrs.get("text")
        if known is None:
            study.set_user_attr("text", spec.text)
            return study, storage
        same = same_study(known, spec.text)
    if not same:
        storage.engine.dispose()
        raise InputError(
            "There is a study {name} with other contents already: give this one another `name`.",
            name=spec.name,
        )
    return study, storage


def _sampler(spec: StudySpec, number: int) -> "optuna.samplers.BaseSampler":
    """The sampler of the trial `number`: random values follow from the study's seed and the number alone.

    So a study that is continued has the runs that it would have had without a break.
    """
    import optuna

    seed = int(np.random.SeedSequence([spec.seed, number]).generate_state(1)[0])
    if spec.sampler == "tpe":
        return optuna.samplers.TPESampler(seed=seed)
    return optuna.samplers.RandomSampler(seed)
