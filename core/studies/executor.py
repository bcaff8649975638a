"""Trains the runs of a study in the calling thread, some of them by turns."""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.errors import InputError
from core.network.notation import hidden_layers_note
from core.progress import Progress
from core.runs.folder import RunFolder
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import STEP_SECONDS, RunRecorder, Start
from core.runs.side_by_side import Outcome, SideBySide
from core.runs.training import RunRecord, iter_run
from core.studies.spec import StudySpec
from core.training.presets import check_preset
from core.training.records import TrainingControl
from kernels.errors import DeviceError

Loader = Callable[[str, Progress | None], Dataset]


@dataclass(frozen=True, slots=True)
class Job:
    """A run to train. `number`: of the run in the study called `study`; `path`: of its folder.

    `fit`: the network is a preset's, to be fitted to the data.
    """

    number: int
    study: str
    plan: RunPlan
    fit: bool
    path: Path


JobEvent = tuple[int, Outcome]
"""The number of a run, and what it has reached: some epochs more, or its end."""


class Executor:
    """Trains jobs in the calling thread. `datasets`: the study's data by name.

    at_once: how many jobs are trained by turns, some steps of each, so that they can be watched
    side by side. Each turn has all processors, so that they take no longer than one after the
    other; but all of them take memory.
    """

    def __init__(self, datasets: dict[str, Dataset], at_once: int = 1) -> None:
        self.at_once = at_once
        self._datasets = datasets
        self._trainings = SideBySide[int]()

    def start(self, job: Job) -> None:
        """Begin a job; its events come from `next_event`."""
        self._trainings.add(job.number, iter_job(job, self._datasets[job.plan.data]))

    def next_event(self) -> JobEvent | None:
        """Train some steps of the next job. The event of it; None if there was none."""
        number = self._trainings.next_key()
        known = len(self._trainings.outcomes[number].epochs)
        try:
            self._trainings.advance(number)
        except JOB_ERRORS as error:
            return number, self._trainings.outcomes[number].failed(error)
        outcome = self._trainings.outcomes[number]
        has_new = len(outcome.epochs) > known or outcome.has_ended
        return (number, outcome) if has_new else None

    def close(self) -> None:
        """Stop all jobs. Those that were not complete keep their checkpoints."""
        self._trainings.close()


JOB_ERRORS = (InputError, DeviceError, MemoryError)
"""What ends one job only."""


def iter_job(job: Job, dataset: Dataset) -> Generator[RunRecord]:
    """Train the run of `job`, from its checkpoint if its folder has one.

    Closing the generator stops the run, which keeps its checkpoint. Raises InputError for settings
    that do not fit the data, and DeviceError where the device fails.
    """
    plan = job.plan.fitted(dataset) if job.fit else job.plan
    start = Start(job.path) if RunFolder(job.path).checkpoint.exists else None
    recorder = RunRecorder(job.path, start=start, study=job.study)
    control = TrainingControl(checkpoint_seconds=STEP_SECONDS)
    with closing(iter_run(plan, dataset, recorder, control)) as records:
        for record in records:
            if record.reason is not None:
                last = record
                break
            if isinstance(record, RunContext):
                recorder.begin(record)
            yield record
    if recorder.error:
        raise recorder.error
    yield last  # now that the folder is complete


def load_study_data(
    spec: StudySpec, progress: Progress | None = None, load: Loader = load_dataset
) -> tuple[dict[str, Dataset], list[str]]:
    """The data sets by name, each read by `load`; and a sentence for each network of a grid that is
    doubtful.

    Raises InputError where one cannot be loaded, or the preset or a run of a grid does not fit its
    data.
    """
    datasets = {name: load(name, progress) for name in spec.data_names()}
    if spec.preset is not None:
        for name, dataset in datasets.items():
            check_preset(spec.preset, name, dataset.kind, spec.own_network)
    notes = []
    for values in spec.combinations():
        plan = spec.plan_of(values)
        dataset = datasets[plan.data]
        plan = plan if spec.own_network else plan.fitted(dataset)
        network = plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
        notes.append(hidden_layers_note(plan.settings.network, network))
    return datasets, list(dict.fromkeys(str(note) for note in notes if note is not None))
