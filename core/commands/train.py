"""Train a network on a data set. Without options: the preset `default` on the built-in digits."""

import argparse
import shlex
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import Any

from tqdm import tqdm

from core.commands import console
from core.commands.plan import add_options, load_run, parse_run_options
from core.commands.stopping import stop_at_signal
from core.data.dataset import Dataset
from core.data.sources import locations
from core.errors import InputError
from core.files.atomic import check_writable
from core.files.lock import is_locked
from core.network.network import Network
from core.program import PROGRAM
from core.runs.folder import Label, RunFolder, write_label
from core.runs.library import RunLibrary
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import STEP_SECONDS, RunRecorder, Start
from core.runs.training import RunRecord, iter_run
from core.text import format_percent, format_r2
from core.training.evaluation import evaluate
from core.training.records import (
    Checkpoint,
    Epoch,
    Finished,
    Record,
    StepsDone,
    TrainingControl,
)
from kernels.errors import DeviceError
from kernels.registry import DeviceUnavailable, default_cpu_device

_ENDINGS = {
    "epochs": "Done",
    "target-accuracy": "Target reached",
    "target-error": "Target error reached",
    "patience": "No improvement, kept the best epoch",
    "diverged": "Diverged",
    "stopped": "Stopped",
    "fault": "The device failed, kept the last checkpoint",
}


class JsonReport:
    """Prints an `epoch` object for each epoch and a `done` object; regression has `test_r2` for
    `test_accuracy`.

    Of this and of `TextReport`, call `start` once, `show` with each record, the last of which is
    the end.
    """

    def __init__(self, dataset: Dataset, recorder: RunRecorder) -> None:
        self._score = "test_accuracy" if dataset.kind == "classes" else "test_r2"
        self._recorder = recorder

    def start(self, network: Network, device: str) -> None:
        """Prints nothing: the first line is that of the first epoch."""

    def show(self, record: Record) -> None:
        if record.numbers is not None:
            console.print_json(self._epoch(record.numbers))
        if record.reason is not None:
            run = str(self._recorder.path) if self._recorder.folder.holds_run else None
            console.print_json(
                {
                    "event": "done",
                    "run": run,
                    "reason": record.reason,
                    self._score: record.test_score,
                    "seconds": record.seconds,
                    "seconds_to_target": record.seconds_to_target,
                }
            )

    def _epoch(self, record: Epoch) -> dict[str, object]:
        values: dict[str, object] = {
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
        return values


class TextReport:
    """Prints a line for each epoch on stdout, and shows a bar on stderr if that is a terminal."""

    def __init__(self, dataset: Dataset, recorder: RunRecorder) -> None:
        self._dataset = dataset
        self._recorder = recorder
        self._bar: Any = None

    def start(self, network: Network, device: str) -> None:
        data = self._dataset
        console.print_line(
            f"{network.text} ({network.trained_count:,} parameters); device {device}"
        )
        console.print_line(f"{data.title}: {data.summary()}", flush=True)

    def show(self, record: Record) -> None:
        if record.numbers is not None:
            self._print_line(self._epoch(record.numbers))
        elif record.reason is None:
            self._move_bar(record)
        else:
            self._print_line(self._end(record))
            is_kept = self._recorder.folder.holds_run and not self._recorder.error
            if record.reason == "stopped" and is_kept:
                self._print_line(self._how_to_go_on())

    def _epoch(self, record: Epoch) -> str:
        validation = record.validation_loss
        more = "" if validation is None else f", validation {validation:.3g}"
        losses = f"loss {record.train_loss:.3g} (test {record.test_loss:.3g}{more})"
        speed = f"{record.epoch_seconds:.2f} s, {record.images_per_second:,.0f} images/s"
        return f"Epoch {record.epoch}: {self._written(record.test_score)}, {losses}, {speed}"

    def _end(self, record: Finished) -> str:
        line = (
            f"{_ENDINGS[record.reason]}: {self._written(record.test_score)}, {record.seconds:.2f} "
            "s of training"
        )
        if record.seconds_to_target is not None:
            line += f", target after {record.seconds_to_target:.2f} s"
        return line

    def _how_to_go_on(self) -> str:
        path = self._recorder.path
        # A run of the library is found by its name from any folder.
        name = path.name if path.parent == RunLibrary().path else str(path)
        return f"To go on: {PROGRAM} train --resume {shlex.quote(name)}"

    def _written(self, score: float) -> str:
        """A score as text; of classes with the number of images that are right."""
        if self._dataset.kind != "classes":
            return format_r2(score)
        images = len(self._dataset.test)
        return f"{round(score * images)} / {images} right ({format_percent(score)})"

    def _print_line(self, line: str) -> None:
        """Print a line in place of the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
        console.print_line(line, flush=True)

    def _move_bar(self, record: StepsDone) -> None:
        if self._bar is None:
            self._bar = tqdm(
                total=record.images,
                desc=f"Epoch {record.epoch}",
                unit=" images",
                unit_scale=True,
                leave=False,
                disable=None,
            )
        score = "" if record.score is None else format_percent(record.score, 1)
        self._bar.set_postfix_str(f"loss {record.loss:.3g} {score}", refresh=False)
        self._bar.update(record.position - self._bar.n)


__all__ = ["add_options", "execute"]


def execute(options: argparse.Namespace) -> int:
    asked = parse_run_options(options)
    if options.run is not None:
        _check_new(options.run)
    if options.save is not None:
        _check_save(
            options.save, asked.plan, options.run or (asked.start.path if asked.start else None)
        )
    plan, dataset, network = load_run(asked, "train")
    if options.save is not None:
        # Again, now that its size is known: the disk may be too full for it.
        check_writable(options.save, network.parameter_count * 4)
    return _TrainCommand(options, plan, asked.start, dataset).execute()


def _check_save(path: Path, plan: RunPlan, folder: Path | None) -> None:
    """Raise InputError where the model could not be written to `path`, or would replace a file of
    the run.
    """
    check_writable(path)
    target = path.resolve()
    for data in locations(plan.data) if target.exists() else ():
        if target == data or data in target.parents or (data.exists() and target.samefile(data)):
            raise InputError(
                "{path} belongs to the data of this run: choose another file.", path=path
            )
    if (
        folder
        and folder.resolve() in target.parents
        and target != RunFolder(folder.resolve()).model_path
    ):
        raise InputError(
            "{path} lies in the folder of the run, which keeps the model anyway: choose another "
            "folder.",
            path=path,
        )


def _check_new(folder: Path) -> None:
    check_writable(folder / "run.json")
    run = RunFolder(folder)
    # A run that was killed before its first checkpoint can only begin anew.
    begun = (
        run.checkpoint.exists
        or run.has_epochs
        or run.model_path.exists()
        or is_locked(run.lock_path)
    )
    if run.holds_run and begun:
        raise InputError(
            "{folder} holds a run already: choose another folder, or go on with --resume {folder}.",
            folder=folder,
        )


class _TrainCommand:
    def __init__(
        self, options: argparse.Namespace, plan: RunPlan, start: Start | None, dataset: Dataset
    ) -> None:
        self._control = TrainingControl(checkpoint_seconds=STEP_SECONDS)
        self._options = options
        self._plan = plan
        self._dataset = dataset
        self._recorder = RunRecorder(options.run, start=start)
        self._report = (JsonReport if options.json else TextReport)(dataset, self._recorder)
        self._checkpoint: Checkpoint | None = None  # the newest one
        self._output_error: OSError | None = None
        self._reported_error = False

    def execute(self) -> int:
        """Train, save and report; return the exit code."""
        with closing(iter_run(self._plan, self._dataset, self._recorder, self._control)) as records:
            context = self._begin(records)
            with stop_at_signal(self._control):
                self._print(self._report.start, context.network, context.plan.device)
                finished = self._train(context, records)
                records.close()  # the run's folder is complete before its end is reported
                if self._options.name and self._recorder.folder.holds_run:
                    write_label(self._recorder.path, Label(self._options.name))
                error = None
                if self._options.save is not None and finished.reason != "diverged":
                    try:
                        context.model(finished.checkpoint, finished.test_score).save(
                            self._options.save
                        )
                    except InputError as reason:  # raised after the report
                        error = reason
                self._print(self._report.show, finished)
        if error:
            raise error
        self._report_recorder_error()
        return self._exit_code(finished)

    def _list_elsewhere(self) -> None:
        """Let the library list a run whose folder the user has named; a failure ends no
        training.
        """
        if self._recorder.folder.holds_run and not self._recorder.error:
            try:
                RunLibrary().list_elsewhere(self._recorder.path)
            except InputError as error:
                console.print_error(f"{PROGRAM} train", error)

    def _begin(self, records: Generator[RunRecord]) -> RunContext:
        """Open the device, and write the folder that the user named before the first step."""
        try:
            context = next(records).context
        except DeviceUnavailable as reason:
            # The reason starts with the device's name.
            raise InputError("--device {reason}", reason=reason) from None
        assert context is not None
        if self._options.run is not None:
            self._recorder.begin(context)
        self._list_elsewhere()
        return context

    def _exit_code(self, finished: Finished) -> int:
        program = f"{PROGRAM} train"
        if finished.advice:
            lost = finished.reason == "diverged" and self._options.save
            console.print_error(program, finished.advice + (" No model was saved." if lost else ""))
        if self._output_error:
            console.print_error(
                program, f"the output could not be written ({self._output_error.strerror})."
            )
        if finished.reason in ("fault", "diverged") or self._output_error or self._recorder.error:
            return console.FAILED
        return console.INTERRUPTED if finished.reason == "stopped" else 0

    def _train(self, context: RunContext, records: Generator[RunRecord]) -> Finished:
        """Train, report all records except the last, and return that. A device error ends with one
        too.
        """
        try:
            for record in records:
                if record.reason is not None:
                    return record
                if self._options.run is not None:
                    self._report_recorder_error()
                if record.steps is not None or record.numbers is not None:
                    self._checkpoint = record.checkpoint or self._checkpoint
                    self._print(self._report.show, record)
        except DeviceError as error:
            start = self._checkpoint or self._recorder.start_checkpoint
            if start is None:
                raise
            console.print_error(f"{PROGRAM} train", error)
            return self._evaluated(context, start)
        raise AssertionError("training ends with a Finished")

    def _evaluated(self, context: RunContext, checkpoint: Checkpoint) -> Finished:
        """The last record of a run whose device failed. Another device evaluates its checkpoint."""
        settings = context.plan.settings
        test = self._dataset.test
        kind = self._dataset.kind
        with closing(console.open_device(default_cpu_device())) as cpu:
            result = evaluate(context.network, settings, checkpoint.parameters, test, cpu, kind)
        return Finished(
            "fault", "", result.loss, result.score, checkpoint.seconds, None, checkpoint
        )

    def _report_recorder_error(self) -> None:
        """Print the first error of the run's folder, once; training goes on."""
        if (error := self._recorder.error) is not None and not self._reported_error:
            self._reported_error = True
            console.print_error(f"{PROGRAM} train", error)

    def _print(self, report: Callable[..., None], *values: object) -> None:
        """Call `report`. A closed pipe requests a stop; without room on the disk training goes on
        without output.
        """
        try:
            report(*values)
        except OSError as error:
            console.discard_output()
            if console.is_closed_pipe(error):
                self._control.stop = True
            else:
                self._output_error = error
