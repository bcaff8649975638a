"""Train a network on a data set. Without options: the preset `default` on the built-in digits."""

import argparse
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tqdm import tqdm

from core.commands.console import (
    FAILED,
    INTERRUPTED,
    discard_output,
    is_closed_pipe,
    open_device,
    print_error,
    print_json,
    progress_bar,
)
from core.commands.plan import Plan, add_options, make_plan, prepare_run
from core.data.dataset import Dataset
from core.errors import InputError
from core.network.network import Network
from core.program import PROGRAM
from core.text import format_r2
from core.training.records import EpochDone, Finished, Record, StepsDone

if TYPE_CHECKING:
    from core.commands.stopping import StopSignals
    from core.data.dataset import Dataset
    from core.network.network import Network
    from core.training.records import Checkpoint, Finished, Reason, TrainingControl
    from kernels.device import Device

_ENDINGS = {
    "epochs": "Done",
    "target-accuracy": "Target reached",
    "target-error": "Target error reached",
    "patience": "No improvement, kept the best epoch",
    "diverged": "Diverged",
    "stopped": "Stopped",
    "fault": "The device failed, kept the last checkpoint",
}


class Report(Protocol):
    """Call `start` once, `show` with each record except the last, and `finish` with the last."""

    def __init__(self, dataset: Dataset) -> None: ...
    def start(self, network: Network, device: str) -> None: ...
    def show(self, record: Record) -> None: ...
    def finish(self, finished: Finished) -> None: ...


class JsonReport:
    """Prints an `epoch` object for each epoch and a `done` object; regression has `test_r2` for `test_accuracy`."""

    def __init__(self, dataset: Dataset) -> None:
        self._score = "test_accuracy" if dataset.kind == "classes" else "test_r2"

    def start(self, network: Network, device: str) -> None:
        """Prints nothing: the first line is that of the first epoch."""

    def show(self, record: Record) -> None:
        if not isinstance(record, EpochDone):
            return
        values: dict[str, Any] = {
            "event": "epoch",
            "epoch": record.epoch,
            "seconds": record.epoch_seconds,
            "train_loss": record.train_loss,
            "test_loss": record.test_loss,
            self._score: record.test_score,
            "images_per_second": record.images_per_second,
            "learning_rate": record.learning_rate,
        }
        if record.validation_loss is not None:
            values["validation_loss"] = record.validation_loss
        print_json(values)

    def finish(self, finished: Finished) -> None:
        print_json({
            "event": "done",
            "reason": finished.reason,
            self._score: finished.test_score,
            "seconds": finished.seconds,
            "seconds_to_target": finished.seconds_to_target,
        })  # fmt: skip


class TextReport:
    """Prints a line for each epoch on stdout, and shows a bar on stderr if that is a terminal."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        self._bar: Any = None

    def start(self, network: Network, device: str) -> None:
        data = self._dataset
        print(
            f"{network.text} ({network.trained_count:,} parameters) on {data.title}: {len(data.train):,} "
            f"to learn from, {len(data.test):,} to test; device {device}",
            flush=True,
        )

    def show(self, record: Record) -> None:
        if isinstance(record, StepsDone):
            self._move_bar(record)
        elif isinstance(record, EpochDone):
            self._close_bar()
            validation = record.validation_loss
            more = "" if validation is None else f", validation {validation:.3g}"
            print(
                f"Epoch {record.epoch}: {self._score(record.test_score)}, loss {record.train_loss:.3g} "
                f"(test {record.test_loss:.3g}{more}), {record.epoch_seconds:.2f} s, "
                f"{record.images_per_second:,.0f} images/s",
                flush=True,
            )

    def finish(self, finished: Finished) -> None:
        self._close_bar()
        line = f"{_ENDINGS[finished.reason]}: {self._score(finished.test_score)}"
        line += f", {finished.seconds:.2f} s of training"
        if finished.seconds_to_target is not None:
            line += f", target after {finished.seconds_to_target:.2f} s"
        print(line, flush=True)

    def _score(self, score: float) -> str:
        if self._dataset.kind == "regression":
            return format_r2(score)
        images = len(self._dataset.test)
        return f"{round(score * images)} / {images} right ({score:.2%})"

    def _move_bar(self, record: StepsDone) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=record.images, desc=f"Epoch {record.epoch}", unit=" images", unit_scale=True,
                leave=False, disable=None,
            )  # fmt: skip
        score = "" if record.score is None else f"{record.score:.1%}"
        self._bar.set_postfix_str(f"loss {record.loss:.3g} {score}", refresh=False)
        self._bar.update(record.position - self._bar.n)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


__all__ = ["add_options", "execute"]


def execute(options: argparse.Namespace) -> int:
    plan = make_plan(options)
    from core.data.sources import load_dataset
    from core.files.atomic import check_writable
    from core.training.checks import check_names

    if plan.save is not None:
        _check_save(plan.save, plan)
    if plan.folder is not None:
        _check_new(plan.folder)
    with progress_bar("Data", "") as show:
        dataset = load_dataset(plan.data, show)
    check_names(dataset)
    run, network = prepare_run(plan, dataset, "train")
    plan = replace(plan, settings=run)
    if plan.save is not None:
        check_writable(plan.save, network.parameter_count * 4)
    with closing(open_device(plan.device)) as device:
        return _Training(plan, dataset, network, device).execute()


def _check_save(path: Path, plan: Plan) -> None:
    """Raise InputError where the model could not be written to `path`, or would replace a file of the run."""
    from core.data.sources import locations
    from core.files.atomic import check_writable
    from core.runs.folder import RunFolder

    check_writable(path)
    target = path.resolve()
    for data in locations(plan.data):
        if target.exists() and (target == data or data in target.parents or _is_same_file(target, data)):
            raise InputError("{path} belongs to the data of this run: choose another file.", path=path)
    folder = plan.start.path if plan.start and plan.folder is None else plan.folder
    if folder is None:
        return
    folder = folder.resolve()
    if folder in target.parents and target != RunFolder(folder).model_path:
        raise InputError(
            "{path} lies in the folder of the run, which keeps the model anyway: choose another folder.",
            path=path,
        )


def _is_same_file(first: Path, second: Path) -> bool:
    """Whether both are one file under two names (hard links)."""
    return second.exists() and first.samefile(second)


def _check_new(folder: Path) -> None:
    from core.files.atomic import check_writable
    from core.runs.folder import RunFolder

    check_writable(folder / "run.json")
    if RunFolder(folder).holds_run:
        raise InputError("{folder} holds a run already: choose another folder, or go on with --resume {folder}.",
                      folder=folder)  # fmt: skip


class _Training:
    """One training from the command line, on an open device."""

    def __init__(self, plan: Plan, dataset: "Dataset", network: "Network", device: "Device") -> None:
        from core.commands.train import JsonReport, TextReport
        from core.runs.plan import RunContext
        from core.runs.recorder import RunRecorder

        self._plan, self._dataset, self._network, self._device = plan, dataset, network, device
        self._report: Report = (JsonReport if plan.json else TextReport)(dataset)
        self._context = RunContext(plan.settings, network, plan.data, dataset, device.name)
        self._recorder = RunRecorder(plan.folder, start=plan.start)
        self._output_error: OSError | None = None
        self._reported_error: Exception | None = None

    def execute(self) -> int:
        """Train, save and report; return the exit code."""
        from core.commands.stopping import StopSignals
        from core.runs.recorder import STEP_SECONDS
        from core.training.records import TrainingControl

        recorder = self._recorder
        start = recorder.read_checkpoint(self._network, self._plan.settings)
        if self._plan.folder is not None:
            recorder.begin(self._context)
        control = TrainingControl(checkpoint_seconds=STEP_SECONDS)
        with StopSignals(control) as stop:
            self._print(stop, self._report.start, self._network, self._device.name)
            finished = self._train(start, control, stop)
            self._name_run()
            error = None if finished.reason == "diverged" else self._save(finished)
            self._print(stop, self._report.finish, finished)
        if error:
            raise error
        self._report_recorder_error()
        return self._exit_code(finished)

    def _exit_code(self, finished: "Finished") -> int:
        program = f"{PROGRAM} train"
        if finished.advice:
            lost = finished.reason == "diverged" and self._plan.save
            print_error(program, finished.advice + (" No model was saved." if lost else ""))
        if self._output_error:
            print_error(program, f"the output could not be written ({self._output_error.strerror}).")
        folder_error = self._recorder.error if self._plan.folder else None
        if finished.reason in ("fault", "diverged") or self._output_error or folder_error:
            return FAILED
        return INTERRUPTED if finished.reason == "stopped" else 0

    def _train(
        self, start: "Checkpoint | None", control: "TrainingControl", stop: "StopSignals"
    ) -> "Finished":
        """Train, report all records except the last, and return that. A stop or a device error ends with one too."""
        from core.training.loop import iter_training
        from core.training.records import Finished
        from kernels.errors import DeviceError

        last_checkpoint = start
        training = iter_training(self._plan.settings, self._dataset, self._device, control, start)
        try:
            with closing(self._recorder.iter_recorded(self._context, training)) as records:
                for record in records:
                    if isinstance(record, Finished):
                        return record
                    if self._plan.folder is not None:
                        self._report_recorder_error()
                    last_checkpoint = record.checkpoint or last_checkpoint
                    self._print(stop, self._report.show, record)
                    if stop.requested and record.checkpoint is not None:
                        finished = self._finish_early("stopped", record.checkpoint, self._device)
                        self._recorder.note(finished)
                        return finished
        except DeviceError as error:
            if last_checkpoint is None:
                raise InputError("{error}", error=error) from None
            print_error(f"{PROGRAM} train", error)
            from kernels.registry import default_cpu_device

            # The device that failed cannot evaluate the checkpoint.
            with closing(open_device(default_cpu_device())) as cpu:
                return self._finish_early("fault", last_checkpoint, cpu)
        raise AssertionError("training ends with a Finished")

    def _finish_early(self, reason: "Reason", checkpoint: "Checkpoint", device: "Device") -> "Finished":
        """Evaluate the checkpoint on `device`: the last record of a run that was stopped or failed."""
        from core.training.evaluation import evaluate
        from core.training.records import Finished

        test, kind = self._dataset.test, self._dataset.kind
        result = evaluate(self._network, self._plan.settings, checkpoint.parameters, test, device, kind)
        return Finished(reason, "", result.loss, result.score, checkpoint.seconds, None, checkpoint)

    def _report_recorder_error(self) -> None:
        """Print the first error of the run's folder, once; training goes on."""
        error = self._recorder.error
        if error is not None and self._reported_error is None:
            self._reported_error = error
            print_error(f"{PROGRAM} train", error)

    def _name_run(self) -> None:
        """Give the run the name of the option `--name`."""
        from core.runs.folder import Label, write_label

        if self._plan.name and self._recorder.folder.holds_run:
            write_label(self._recorder.path, Label(self._plan.name))

    def _print(self, stop: "StopSignals", report: Callable[..., None], *values: Any) -> None:
        """Call `report`. A closed pipe requests a stop; without room on the disk training goes on without output."""
        try:
            report(*values)
        except OSError as error:
            discard_output()
            if is_closed_pipe(error):
                stop.request()
            else:
                self._output_error = error

    def _save(self, finished: "Finished") -> InputError | None:
        """Write the model to `--save`. An error is returned, to be raised at the end."""
        if self._plan.save is None:
            return None
        try:
            self._context.model(finished.checkpoint, finished.test_score).save(self._plan.save)
        except InputError as error:
            return error
        return None
