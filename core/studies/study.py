"""A study: trains runs with varied settings and keeps their results in a database, from which it can continue.

Optuna chooses the settings and the runs that are ended early, and writes the database.
"""

import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from core.errors import InputError
from core.files.lock import FileLock
from core.runs.library import RunLibrary
from core.runs.summary import Row
from core.studies.pruning import Pruning
from core.studies.run import StudyRun
from core.studies.space import Value, Values, Variation
from core.studies.spec import StudySpec, same_study
from core.studies.stored import SUFFIX, refusing_damage, require_optuna, studies_path
from core.studies.trial import Job, JobEnded

if TYPE_CHECKING:
    import optuna

    from core.studies.executor import Executor

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
