"""Train a network on a data set. Without options: the preset `default` on the built-in digits."""

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.commands.console import BROKEN_OFF, INTERRUPTED, complain, drop_output, open_device, progress_bar
from core.commands.plan import Plan, add_options, make_plan
from core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.commands.report import Report
    from core.data.dataset import Dataset
    from core.network.network import Network
    from core.training.records import Checkpoint, Finished, Reason, Record
    from core.training.run_folder import RunFolder, RunInfo
    from kernels.device import Device

__all__ = ["add_options", "execute"]


def execute(options: argparse.Namespace) -> int:
    plan = make_plan(options)
    from core.data.sources import load_dataset
    from core.files.writable import check_writable
    from core.network.notation import parse

    if plan.save is not None:
        check_writable(plan.save)
    if plan.folder is not None and not plan.resumes:
        _check_new(plan.folder)
    with progress_bar("Data", "") as show:
        dataset = load_dataset(plan.data, show)
    network = parse(plan.run.network, dataset.input_shape, dataset.outputs)
    if plan.save is not None:
        check_writable(plan.save, network.parameter_count * 4)
    with closing(open_device(plan.device)) as device:
        return _Training(plan, dataset, network, device).execute()


def _check_new(folder: Path) -> None:
    from core.files.writable import check_writable
    from core.training.run_folder import RunFolder

    check_writable(folder / "run.json")
    if RunFolder(folder).holds_run:
        raise InputError("{folder} holds a run already: choose another folder, or go on with --resume {folder}.",
                      folder=folder)  # fmt: skip


class _Training:
    """One training from the command line, on an open device."""

    def __init__(self, plan: Plan, dataset: "Dataset", network: "Network", device: "Device") -> None:
        from core.commands.report import JsonReport, PeopleReport

        self._plan, self._dataset, self._network, self._device = plan, dataset, network, device
        self._report: Report = (JsonReport if plan.json else PeopleReport)(dataset)
        self._folder = self._open_folder()

    def execute(self) -> int:
        """Train, save, report; the exit code."""
        start = self._resume(self._folder) if self._folder and self._plan.resumes else None
        self._report.begin(self._network, self._device.name)
        finished = self._train(start)
        error = None if finished.reason == "diverged" else self._save(finished)
        self._tell(self._report.finish, finished)
        if self._folder:
            self._folder.write_card(self._card(finished.reason))
        if error:
            raise error
        if finished.reason == "fault":
            return BROKEN_OFF
        if finished.reason == "diverged":
            complain("main.py train", finished.advice + (" No model was saved." if self._plan.save else ""))
            return BROKEN_OFF
        return INTERRUPTED if finished.reason == "stopped" else 0

    def _train(self, start: "Checkpoint | None") -> "Finished":
        """Every record up to the last; a stop by Ctrl-C or by a closed pipe makes a last one of its own."""
        from core.commands.stopping import Stopping
        from core.training.loop import iter_training
        from core.training.records import EpochDone, Finished, TrainingControl
        from kernels.errors import DeviceError

        control = TrainingControl()
        records = iter_training(self._plan.run, self._dataset, self._device, control, start)
        last_good = start
        with Stopping(control) as stopping, closing(records):
            try:
                for record in records:
                    if isinstance(record, Finished):
                        return record
                    if isinstance(record, EpochDone) and self._folder:
                        self._folder.add_epoch(record)
                    last_good = record.checkpoint or last_good
                    if not self._tell(self._report.show, record):
                        stopping.ask()
                    if stopping.asked and record.checkpoint is not None:
                        return self._broken_off("stopped", record.checkpoint, self._device)
            except DeviceError as fault:
                if last_good is None:
                    raise InputError("{fault}", fault=fault) from None
                complain("main.py train", fault)
                from kernels.registry import default_cpu_device

                # The device that failed can compute no more.
                with closing(open_device(default_cpu_device())) as spare:
                    return self._broken_off("fault", last_good, spare)
        raise AssertionError("training ends with a Finished")

    def _broken_off(self, reason: "Reason", checkpoint: "Checkpoint", device: "Device") -> "Finished":
        """The last record of a run that ended at `checkpoint` for this reason, evaluated on `device`."""
        from core.training.evaluation import evaluate
        from core.training.records import Finished

        if self._folder:
            self._folder.write_checkpoint(checkpoint)
        found = evaluate(
            self._network,
            self._plan.run,
            checkpoint.parameters,
            self._dataset.test,
            device,
            self._dataset.kind,
        )
        return Finished(reason, "", found.loss, found.score, checkpoint.seconds, None, checkpoint)

    def _tell(self, report: "Callable[[Any], None]", record: "Record") -> bool:
        """Report a record; False when nobody reads the output any more."""
        try:
            report(record)
        except BrokenPipeError:
            drop_output()
            return False
        return True

    def _save(self, finished: "Finished") -> InputError | None:
        """Write the model wherever it was asked for; an InputError is kept until the results are told."""
        from core.inference.run_context import RunContext

        context = RunContext(self._plan.run, self._network, self._plan.data, self._dataset, self._device.name)
        model = context.model(finished.checkpoint.parameters, finished.test_score)
        try:
            if self._folder:
                model.save(self._folder.model_path)
            if self._plan.save is not None:
                model.save(self._plan.save)
        except InputError as error:
            return error
        return None

    # -- the run's folder -----------------------------------------------------------------------------------

    def _open_folder(self) -> "RunFolder | None":
        if self._plan.folder is None:
            return None
        from core.training.run_folder import RunFolder

        folder = RunFolder(self._plan.folder)
        if not self._plan.resumes:
            folder.begin(self._card("running"))
        return folder

    def _resume(self, folder: "RunFolder") -> "Checkpoint | None":
        checkpoint = folder.read_checkpoint(self._network, self._plan.run)
        folder.read_history(checkpoint.epoch if checkpoint else 0)
        return checkpoint

    def _card(self, state: str) -> "RunInfo":
        from core.training.run_folder import RunInfo

        data = self._plan.data
        data = str(Path(data).absolute()) if Path(data).exists() else data
        return RunInfo(self._plan.run, data, self._device.name, self._network.text, state)
