"""Trains studies in the background, and asks for new ones. A study is a name on ordinary runs of the library."""

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.library import saved_runs
from core.runs.plan import RunPlan
from core.studies import study as studies
from core.studies.cluster import ClusterExecutor
from core.studies.executor import Executor, LocalExecutor, load_study_data
from core.studies.spec import StudySpec, Value, plan_with, read_study
from core.studies.study import Study, StudyRun, study_names
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.runs.rows import setting_title, value_text
from gui.text import count
from gui.widgets.banner import Banner
from gui.widgets.dialogs import reporting
from gui.widgets.plots.other_curves import MAX_OTHERS

if TYPE_CHECKING:
    from gui.studies.dialog import ComparisonDialog

# A study with its runs so far; a run that has started, trained an epoch, or ended; the address of a cluster without
# workers.
StudyRecord = tuple[StudySpec, list[StudyRun]] | StudyRun | str
# What is told of a study that is being trained, at most this often.
TELL_SECONDS = 0.5


class StudyTraining(QObject):
    """One study is trained at a time. `plan` returns what the window would train, None while its settings are wrong.

    shown: the list is to show this study. deleted, restored: a study was moved to the trash, or back.
    """

    busy_changed = Signal(bool)
    shown = Signal(str)
    deleted = Signal()
    settings_asked = Signal(object, str)  # RunSettings and data, to be shown in the window
    settings_said = Signal()  # a message says what has changed by that
    trained = Signal(
        object, list, bool
    )  # StudySpec, its StudyRuns so far, whether they are still being trained
    progressed = Signal(
        str, str, int, int
    )  # the study, what is being done, and how many runs of all have ended

    def __init__(
        self,
        preferences: Preferences,
        dataset_cache: DatasetCache,
        plan: Callable[[], RunPlan | None],
        banner: Banner,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._preferences = preferences
        self._dataset_cache = dataset_cache
        self._plan = plan
        self._banner = banner
        self.spec: StudySpec | None = None  # that was trained last
        self.runs: list[StudyRun] = []  # of it
        self._name = ""  # of the study that is being trained
        self._disabled_reason = ""
        self._waiting_for = ""  # the address of a cluster without workers
        self._told_at = 0.0
        self.runner = TaskRunner(self, low_priority=True)
        self.runner.records.connect(self._on_records)
        self.runner.ticked.connect(self._tell_if_due)
        self.runner.ended.connect(self._on_ended)

    @property
    def busy(self) -> bool:
        """Whether a study is being trained."""
        return bool(self._name)

    def disable(self, reason: str) -> None:
        """Start nothing, for this reason; an empty text ends that."""
        self._disabled_reason = reason

    # -- new studies --------------------------------------------------------------------------------------

    def ask(self, name: str) -> None:
        """Ask which values of the setting `name` are to be compared, and train them."""
        plan = self._plan()
        if self._refuses():
            return
        if plan is None:
            self._banner.show_text(self.tr("Correct the settings under Training first."))
            return
        dialog = self._dialog(plan)
        dialog.editor.show_new(name, plan)
        dialog.open()

    def ask_like(self, name: str) -> None:
        """Show the settings of the study `name` in the window, and what it varies in the form of a new one."""
        if self._refuses():
            return
        with reporting(self._banner.show_text):
            spec = studies.stored_spec(name)
            before = self._plan()
            self.settings_asked.emit(spec.plan.settings, spec.plan.data)
            self._say_changes(before, self._plan())
            dialog = self._dialog(self._plan() or spec.plan)
            dialog.editor.show_like(spec)
            dialog.open()

    def open_study(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        if self._refuses():
            return
        with reporting(self._banner.show_text):
            spec = read_study(path)
            self._preferences.save_folder(path)
            if spec.name in study_names():
                self.shown.emit(spec.name)
                return
            dialog = self._dialog(spec.plan)
            dialog.show_file(spec)
            dialog.open()

    def _refuses(self) -> bool:
        """Whether no study can be started now; the banner then says why."""
        if self.busy:
            self.say_busy()
        elif self._disabled_reason:
            self._banner.show_text(self._disabled_reason)
        return self.busy or bool(self._disabled_reason)

    def say_busy(self) -> None:
        """Say that values are being compared, and offer to stop that."""
        self._banner.show_text(self.busy_text())
        self._banner.offer(self.tr("Stop the comparison"), self.stop)

    def busy_text(self) -> str:
        return self.tr("Several values are being compared: stop that first, or wait for its end.")

    def _dialog(self, plan: RunPlan) -> "ComparisonDialog":
        # Imported when it is needed, so that the window starts sooner.
        from gui.studies.dialog import ComparisonDialog

        dialog = ComparisonDialog(plan, self._preferences, self._window)
        dialog.accepted_study.connect(self.start)
        return dialog

    # -- training -----------------------------------------------------------------------------------------

    def start(self, spec: StudySpec, address: str = "") -> None:
        """Train what is left of the study. address: of a cluster; empty: train in this program."""
        if not self._refuses():
            self.spec = spec
            self.runs = []
            self._train(spec.name, lambda: spec, address)
            self.trained.emit(spec, [], True)

    def continue_study(self, name: str) -> None:
        """Train what is left of a study of the library."""
        if not self._refuses():
            self._train(name, lambda: studies.stored_spec(name), "")

    def _train(self, name: str, find: Callable[[], StudySpec], address: str) -> None:
        self._banner.hide()
        self._name = name
        self._waiting_for = ""
        self._preferences.study_left = name

        def executor(spec: StudySpec, control: TaskControl) -> Executor:
            datasets, _ = load_study_data(spec, control.progress, self._dataset_cache.get)
            if address:
                return ClusterExecutor(address, datasets)
            return LocalExecutor(datasets, spec.runs if _is_side_by_side(spec) else 1)

        self.runner.start_latest(_study_task(find, executor))
        self.busy_changed.emit(True)
        self.progressed.emit(name, self.tr("{study}: reading the data…").format(study=name), 0, 0)

    def stop(self) -> None:
        """Stop the study after the present step; its runs can be continued."""
        if self.busy:
            self.runner.cancel()
            self.progressed.emit(self._name, self.tr("{study}: stopping…").format(study=self._name), 0, 0)

    def left(self) -> str:
        """The study that was trained last, if it has runs left and no other run was trained since; else empty."""
        name = self._preferences.study_left
        newest = next(iter(saved_runs()), None)
        with suppress(InputError):
            if name in study_names() and newest and newest.read_info().study == name:
                return name
        return ""

    def _on_records(self, records: list[StudyRecord]) -> None:
        for record in records:
            self._waiting_for = record if isinstance(record, str) else ""
            if isinstance(record, StudyRun):
                self._keep(record)
            elif isinstance(record, tuple):
                self.spec, self.runs = record
        if self.spec is not None:
            self.trained.emit(self.spec, self.runs, True)

    def _keep(self, run: StudyRun) -> None:
        numbers = [known.number for known in self.runs]
        if run.number in numbers:
            self.runs[numbers.index(run.number)] = run
        else:
            self.runs.append(run)

    def _tell_if_due(self) -> None:
        if self.spec is None or self.runner.cancelling or time.monotonic() - self._told_at < TELL_SECONDS:
            return
        self._told_at = time.monotonic()
        done = sum(run.has_ended for run in self.runs)
        text = self.tr("{study}: {n} of {total} runs have ended.", None, self.spec.runs)
        text = text.format(study=self._name, n=count(done), total=count(self.spec.runs))
        if self._waiting_for:
            text = self.tr("Waiting for workers of the cluster at {address}.").format(
                address=self._waiting_for
            )
        if self._waiting_for or any(run.state == "running" for run in self.runs):
            self.progressed.emit(self._name, text, done, self.spec.runs)

    def _on_ended(self, failure: Failure | None) -> None:
        self._name = ""
        for run in self.runs:
            if run.state == "running":
                run.state = "stopped"
        spec = self.spec
        ended = spec is not None and len(self.runs) >= spec.runs and all(run.has_ended for run in self.runs)
        if ended:
            self._preferences.study_left = ""
        self.progressed.emit("", "", 0, 0)
        self.busy_changed.emit(False)
        if failure:
            self._banner.show_text(failure.text, "bad", failure.details)
        else:
            self._say_end(ended)
        if spec is not None:
            self.trained.emit(spec, self.runs, False)

    def _say_end(self, ended: bool) -> None:
        """Say what the curves do not show. `ended`: all runs have, with or without a result."""
        failed = [run for run in self.runs if run.state == "fault"]
        if not ended and not failed:
            self._banner.show_text(self.tr("The comparison was stopped: Continue trains what is left."))
        elif failed:
            text = self.tr("Failed runs: {n} ({reason}). Continue tries them again.")
            reason = failed[0].message or self.tr("no reason is known")
            self._banner.show_text(text.format(n=count(len(failed)), reason=reason.rstrip(".")), "bad")

    # -- using what was found -----------------------------------------------------------------------------

    def use_run(self, number: int) -> None:
        """Use the values of the run with this number, of the study that was trained last, but for its seed."""
        run = next((run for run in self.runs if run.number == number), None)
        if run is not None:
            self.use_values({name: value for name, value in run.values.items() if name != "seed"})

    def use_values(self, values: Mapping[str, Value]) -> None:
        """Show these values of settings in the window, and say what has changed by them."""
        before = self._plan()
        if before is None:
            self._banner.show_text(self.tr("Correct the settings under Training first."))
            return
        with reporting(self._banner.show_text):
            plan = plan_with(before, values)
            self.settings_asked.emit(plan.settings, plan.data)
            self._say_changes(before, self._plan())

    def _say_changes(self, before: RunPlan | None, after: RunPlan | None) -> None:
        text = self.tr("The settings under Training are those already.")
        if before and after:
            old = {"data": before.data, **before.settings.as_dict()}
            new = {"data": after.data, **after.settings.as_dict()}
            changes = [name for name in new if new[name] != old[name]]
            if changes:
                text = self.tr("Changed under Training, for all later runs, too: {settings}.")
                texts = (f"{setting_title(name).lower()} {value_text(name, new[name])}" for name in changes)
                text = text.format(settings=", ".join(texts))
        self._banner.show_text(text)
        self.settings_said.emit()

    # -- trash --------------------------------------------------------------------------------------------

    def delete(self, name: str, runs: list[str]) -> None:
        """Move the study with these runs to the trash, and offer to undo that."""
        with reporting(self._banner.show_text):
            studies.delete_study(name, runs)
            self._banner.show_text(self.tr("“{name}” and its runs are in the trash.").format(name=name))
            self._banner.offer(self.tr("Undo"), self.undo_delete)
            self.deleted.emit()

    def undo_delete(self) -> None:
        """Restore the study that was deleted last, also after a restart."""
        with reporting(self._banner.show_text):
            names = studies.deleted_studies()
            if not names:
                self._banner.show_text(self.tr("The trash is empty."))
                return
            studies.restore_study(names[0])
            self._banner.show_text(self.tr("“{name}” is back.").format(name=names[0]), "good")
            self.shown.emit(names[0])


def _is_side_by_side(spec: StudySpec) -> bool:
    """Whether all runs learn by turns, so that their curves grow together."""
    return spec.sampler == "grid" and not spec.prune and spec.runs <= MAX_OTHERS


# -- what is done in the background -----------------------------------------------------------------------


def _study_task(
    find: Callable[[], StudySpec], executor: Callable[[StudySpec, TaskControl], Executor]
) -> Task:
    """Reads a study from its database, and trains what is left of it."""

    def work(control: TaskControl) -> Generator[StudyRecord]:
        spec = find()
        train = executor(spec, control)  # before the study: one whose data are missing is not begun
        with closing(Study(spec)) as opened:
            yield opened.spec, [replace(run) for run in opened.runs]
            if not opened.can_continue:
                train.close()
                return
            with closing(opened.iter_runs(train)) as runs:
                for run in runs:
                    control.check()
                    if run is not None:
                        yield replace(run)
                    elif train.waiting_for:
                        yield train.waiting_for

    return work
