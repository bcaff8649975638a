"""Trains a run of a study, and loads its data."""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from pathlib import Path

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.errors import InputError
from core.network.notation import hidden_layers_note
from core.progress import Progress, ignore_progress
from core.runs.folder import RunFolder
from core.runs.plan import RunPlan
from core.runs.recorder import STEP_SECONDS, RunRecorder, Start
from core.runs.training import RunRecord, iter_run
from core.studies.spec import StudySpec, Value
from core.training.presets import check_preset
from core.training.records import TrainingControl
from kernels.errors import DeviceError

Loader = Callable[[str, Progress], Dataset]

RUN_ERRORS = (InputError, DeviceError, MemoryError)
"""What ends one run only."""


def iter_study_run(
    spec: StudySpec, values: Mapping[str, Value], path: Path, datasets: Mapping[str, Dataset]
) -> Generator[RunRecord]:
    """Train the run with these values into the folder `path`, from its checkpoint if it has one.

    Closing the generator stops the run, which keeps its checkpoint. Raises InputError for values
    that do not go together or do not fit the data, and DeviceError where the device fails.
    """
    plan, dataset = _plan_and_data(spec, values, datasets)
    # A run that failed before its first checkpoint begins anew.
    start = Start(path) if RunFolder(path).checkpoint.exists else None
    recorder = RunRecorder(path, start=start, study=spec.name)
    control = TrainingControl(checkpoint_seconds=STEP_SECONDS)
    with closing(iter_run(plan, dataset, recorder, control)) as records:
        for record in records:
            if record.reason is not None:
                last = record
                break
            if record.context is not None:
                recorder.begin(record.context)
            yield record
    if recorder.error:
        raise recorder.error
    yield last  # now that the folder is complete


def load_study_data(
    spec: StudySpec, progress: Progress = ignore_progress, load: Loader = load_dataset
) -> tuple[dict[str, Dataset], list[str]]:
    """The data sets by name, each read by `load`; and a sentence for each network that is doubtful.

    Raises InputError where one cannot be loaded, or the preset or a run does not fit its data.
    """
    datasets = {name: load(name, progress) for name in spec.data_names()}
    if spec.preset is not None:
        for name, dataset in datasets.items():
            check_preset(spec.preset, name, dataset.kind, spec.own_network)
    notes = []
    for values in spec.combinations():
        plan, dataset = _plan_and_data(spec, values, datasets)
        network = plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
        notes.append(hidden_layers_note(plan.settings.network, network))
    return datasets, list(dict.fromkeys(str(note) for note in notes if note is not None))


def _plan_and_data(
    spec: StudySpec, values: Mapping[str, Value], datasets: Mapping[str, Dataset]
) -> tuple[RunPlan, Dataset]:
    """The plan of the run with these values, whose network fits the data, and these."""
    plan = spec.plan_of(values)
    dataset = datasets[plan.data]
    return (plan if spec.own_network else plan.fitted(dataset)), dataset
