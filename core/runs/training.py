"""Trains a plan and records it (`iter_run`: for the window, the command line and studies), and
continues a run.
"""

from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from core.data.dataset import Dataset
from core.errors import InputError
from core.runs.library import RunEntry
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder, Start
from core.training.records import Checkpoint, Record, TrainingControl
from core.training.run_settings import RunSettings, schedule_spans
from kernels.registry import device_names, is_device_name, open_device

if TYPE_CHECKING:
    from kernels.device import Device

# The checkpoint belongs to these: another network, other random numbers or another split would not
# fit it.
FIXED = ("network", "activation", "loss", "initialization", "validation", "seed")


@dataclass(frozen=True, slots=True)
class DeviceNotice:
    """Yielded when the device computes in an unusual way; `text` is a sentence for the user."""

    text: str

    context: ClassVar[None] = None  # the run has begun
    steps: ClassVar[None] = None  # no step was done
    numbers: ClassVar[None] = None  # no epoch has ended
    reason: ClassVar[None] = None  # the run goes on


RunRecord = RunContext | DeviceNotice | Record


def iter_run(
    plan: RunPlan,
    dataset: Dataset,
    recorder: RunRecorder | None = None,
    control: TrainingControl | None = None,
    *,
    checkpoint: Checkpoint | None = None,
    prepare: "Callable[[Device], object] | None" = None,
) -> Generator[RunRecord]:
    """Train `plan` on its data, and save the run by `recorder`: yields its context, then the
    records of the training.

    `recorder`: None: the run is not saved. `checkpoint`: where to start; None: where `recorder`
    says. `prepare`: is given the device after it was opened. To pause, do not ask for the next
    record; closing the generator stops the run, which keeps its newest checkpoint.

    Raises InputError where the plan cannot be trained on the data, DeviceError where the device
    fails. A folder that cannot be written ends no training: `recorder.error` has the reason.
    """
    # This imports Numba, which takes too long for the window's thread.
    from core.training.trainer import iter_training

    if not is_device_name(plan.device):  # that of a file
        template = "There is no device “{device}”: choose one of {names}."
        raise InputError(template, device=plan.device, names=("auto", *device_names()))
    network = plan.network(dataset.input_shape, dataset.outputs, dataset.kind)
    if recorder is not None and checkpoint is None:
        checkpoint = recorder.read_checkpoint(network, plan.settings)
    with closing(open_device(plan.device)) as device:
        if prepare is not None:
            prepare(device)
        opened = replace(plan, device=device.name or plan.device)
        context = RunContext(opened, dataset, network)
        if recorder is not None:
            context = replace(
                context,
                history=tuple(recorder.history),
                batches=tuple(recorder.batches),
                run_id=recorder.path.name,
            )
        yield context
        training = iter_training(plan.settings, dataset, device, control, checkpoint)
        if recorder is not None:
            training = recorder.iter_recorded(context, training)
        notice = ""
        with closing(training) as records:
            for record in records:
                yield record
                if device.notice != notice:
                    notice = device.notice
                    yield DeviceNotice(notice)


def continued(
    entry: RunEntry,
    changes: Mapping[str, Any],
    *,
    best: bool = False,
    device: str = "",
    restart: bool = False,
) -> tuple[RunPlan, Start]:
    """The plan of the continued run, and where it starts from.

    changes: values of settings that differ from the run's. device: the name of the device, where it
    was chosen; empty for the run's own. restart: the schedule of the learning rate begins anew and
    takes the epochs that are left; otherwise it goes on as if the run had not been stopped, and the
    rate stays where it ends. The run goes on in its own folder if it starts from its last
    checkpoint, on its device, with at most another number of epochs or a new schedule. Otherwise it
    is a branch with a folder of its own.

    Raises InputError if the run cannot be continued in that way.
    """
    info = entry.info
    before = info.plan
    settings = before.settings.change(**changes)
    fixed = [name for name in FIXED if getattr(settings, name) != getattr(before.settings, name)]
    if fixed:
        template = (
            "{setting} cannot be changed when a run is continued: leave it out, or start a new run."
        )
        raise InputError(template, setting=fixed[0])
    checkpoint_file = entry.folder.best if best else entry.folder.checkpoint
    if not checkpoint_file.exists:
        raise _nothing_to_continue(entry, best)
    epochs = settings.epochs
    spans = settings.schedule_epochs
    differs = settings != before.settings.change(epochs=epochs, schedule_epochs=spans)
    # After a fault of its device a run goes on in its own folder on another one.
    moves = device not in ("", "auto", before.device) and info.state != "fault"
    branch = best or differs or moves
    epochs = entry.done_epochs(best=best)
    if epochs >= settings.epochs and (best or info.has_ended):
        raise InputError(
            "{run} has ended ({state}) after {epochs} epochs: there is nothing to continue. For "
            "more, set {setting:epochs} to more than {epochs}.",
            run=entry.title,
            state=info.state,
            epochs=epochs,
        )
    if info.state.startswith("target") and not branch and settings == before.settings:
        template = (
            "{run} has ended ({state}): to continue it, change {setting:epochs} or its target."
        )
        raise InputError(template, run=entry.title, state=info.state)
    if settings.schedule != "constant" and "schedule_epochs" not in changes:
        begin = checkpoint_file.begun_epochs() if restart else None
        spans = _spans(before.settings, settings.epochs, begin, keeps=settings.schedule == "step")
        settings = settings.change(schedule_epochs=spans)
    if not branch and entry.is_training():
        raise InputError(
            "{run} is being trained by another program: wait for its end.", run=entry.title
        )
    return RunPlan(settings, before.data, device or before.device), Start(entry.path, best, branch)


def _nothing_to_continue(entry: RunEntry, best: bool) -> InputError:
    if not entry.folder.has_epochs and not entry.folder.checkpoint.exists:
        if entry.is_elsewhere:
            template = (
                "{run} was ended before its first checkpoint: begin it again with train --run "
                "{path}."
            )
            return InputError(template, run=entry.title, path=entry.path)
        template = "{run} was ended before its first checkpoint: begin it again with train."
        return InputError(template, run=entry.title)
    template = "{run} has no checkpoint of its {epoch} epoch: there is nothing to continue."
    return InputError(template, run=entry.title, epoch="best" if best else "last")


def _spans(before: RunSettings, epochs: int, begin: int | None, *, keeps: bool) -> str:
    """The setting `schedule_epochs` of a run that continues to `epochs`.

    begin: the epoch after which the schedule begins anew; None: not. keeps: the schedule does not
    depend on its epochs.
    """
    spans = before.schedule_epochs or f"0:{before.epochs}"
    if begin is None or begin >= epochs:
        return spans if before.schedule_epochs or not (keeps or epochs == before.epochs) else ""
    earlier = [f"{start}:{length}, " for start, length in schedule_spans(spans) if start < begin]
    return "".join(earlier) + (f"{begin}:{epochs - begin}" if begin else "")
