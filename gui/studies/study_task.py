"""What the Studies tab does in the background: reads a study, or trains it."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from core.data.dataset_cache import DatasetCache
from core.studies.spec import StudySpec
from gui.background.task_runner import Task, TaskControl

if TYPE_CHECKING:
    from core.studies.executor import Executor
    from core.studies.study import Study, StudyRun

# The importances are computed again after a run has ended, but not more often than this.
_IMPORTANCE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class StudyOpened:
    """A study with all its runs so far."""

    spec: StudySpec
    runs: "list[StudyRun]"
    complete: bool


@dataclass(frozen=True, slots=True)
class RunChanged:
    """A run has started, has trained an epoch, or has ended."""

    run: "StudyRun"


@dataclass(frozen=True, slots=True)
class Importances:
    """How much of the differences each setting explains, 0 to 1."""

    shares: dict[str, float]


@dataclass(frozen=True, slots=True)
class Completed:
    """All runs have ended."""


def view_task(name: str) -> Task:
    """Reads the study `name` from its database."""

    def read(control: TaskControl) -> Generator[Any]:
        from core.studies.study import Study, stored_spec

        with closing(Study(stored_spec(name))) as study:
            yield _opened(study)
            yield Importances(study.importances())

    return read


def train_task(spec: StudySpec, address: str, dataset_cache: DatasetCache) -> Task:
    """Trains what is left of the study; `address`: of the scheduler of a Dask cluster, or empty for this process."""

    def train(control: TaskControl) -> Generator[Any]:
        from core.studies.study import Study

        with closing(Study(spec)) as study:
            yield _opened(study)
            if not study.is_complete:
                yield from _train(study, _executor(study, address, dataset_cache, control), control)
            yield Importances(study.importances())
            yield Completed()

    return train


def _train(study: "Study", executor: "Executor", control: TaskControl) -> Generator[Any]:
    computed = monotonic()
    with closing(study.iter_runs(executor)) as runs:
        for run in runs:
            control.check()
            if run is None:
                continue
            yield RunChanged(replace(run))
            if run.state != "training" and monotonic() - computed > _IMPORTANCE_SECONDS:
                yield Importances(study.importances())
                computed = monotonic()


def _executor(study: "Study", address: str, dataset_cache: DatasetCache, control: TaskControl) -> "Executor":
    from core.studies.executor import LocalExecutor, load_study_data

    datasets = load_study_data(study.spec, control.progress, dataset_cache.get)
    if not address:
        return LocalExecutor(datasets)
    from core.studies.cluster import ClusterExecutor

    return ClusterExecutor(address, datasets)


def _opened(study: "Study") -> StudyOpened:
    return StudyOpened(study.spec, [replace(run) for run in study.runs], study.is_complete)
