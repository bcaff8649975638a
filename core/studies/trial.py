"""Trains one run of a study; the result is an ordinary run in a folder of its own."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from core.data.dataset import Dataset
from core.inference.run_context import RunContext
from core.runs.folder import RunFolder, row_of
from core.runs.recorder import STEP_SECONDS, RunRecorder, Start
from core.runs.summary import Row
from core.training.checks import check_run
from core.training.loop import iter_training
from core.training.presets import fit_preset
from core.training.records import EpochDone, Finished, TrainingControl
from core.training.run_settings import RunSettings
from kernels.registry import open_device


@dataclass(frozen=True, slots=True)
class Job:
    """What to train. `number`: of the trial in its study; `fit`: the network is a preset's, to be fitted to the data.

    `threads`: how many threads a CPU device may use; None: all processors.
    """

    number: int
    study: str
    settings: RunSettings
    data: str
    device: str
    fit: bool
    path: Path
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class EpochRows:
    """Epochs of the trial `number` have been trained, one after the other; `rows` has at least one."""

    number: int
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class JobEnded:
    """The trial has ended. `reason`: as in run.json, or `failed`, with the error as text in `message`."""

    number: int
    reason: str
    message: str = ""


JobEvent = EpochRows | JobEnded


def fitted(settings: RunSettings, dataset: Dataset, fit: bool) -> RunSettings:
    """`run`, with a preset's network fitted to other inputs or outputs if `fit`."""
    return fit_preset(settings, dataset.kind, dataset.input_shape, dataset.outputs) if fit else settings


def iter_job(job: Job, dataset: Dataset) -> Generator[JobEvent | None]:
    """Train the run of `job`, from its checkpoint if its folder has one. None: some steps were done.

    Closing the generator stops the run, which keeps its checkpoint. Raises InputError for settings that do not fit the
    data, and DeviceError where the device fails.
    """
    run = fitted(job.settings, dataset, job.fit)
    network = check_run(run, dataset.input_shape, dataset.outputs, dataset.kind)
    start = Start(job.path) if RunFolder(job.path).has_checkpoint else None
    recorder = RunRecorder(job.path, start=start, study=job.study)
    checkpoint = recorder.read_checkpoint(network, run)
    if recorder.history:
        yield EpochRows(job.number, list(recorder.history))
    with closing(open_device(job.device)) as device:
        if job.threads is not None:
            device.limit_threads(job.threads)
        context = RunContext(run, network, job.data, dataset, device.name)
        recorder.begin(context)
        control = TrainingControl(checkpoint_seconds=STEP_SECONDS)
        training = iter_training(run, dataset, device, control, checkpoint)
        ended = None
        with closing(recorder.iter_recorded(context, training)) as records:
            for record in records:
                if isinstance(record, EpochDone):
                    yield EpochRows(job.number, [row_of(record)])
                elif isinstance(record, Finished):
                    ended = JobEnded(job.number, record.reason, record.advice)
                else:
                    yield None
    if recorder.error:
        raise recorder.error
    assert ended is not None
    yield ended  # now that the folder is complete
