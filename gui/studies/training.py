"""Trains studies in the background. A study is a name on ordinary runs of the library."""

import time
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from core.data.dataset_cache import DatasetCache
from core.errors import InputError
from core.runs.compiling import compile_elsewhere
from core.runs.library import saved_runs
from core.studies import study as studies
from core.studies.spec import StudySpec
from core.studies.study import Study, StudyRun, study_names
from core.studies.training import load_study_data
from gui.background.task_runner import Failure, Task, TaskControl, TaskRunner
from gui.preferences import Preferences
from gui.text import count
from gui.widgets.banner import Banner
from gui.widgets.plots.other_curves import MAX_OTHERS

# What is told of a study that is being trained, at most this often.
TELL_SECONDS = 0.5


class StudyTraining(QObject):
    """One study is trained at a time."""

    busy_changed = Signal(bool)
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
        banner: Banner,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._dataset_cache = dataset_cache
        self._banner = banner
        self.spec: StudySpec | None = None  # that was trained last
        self.runs: list[StudyRun] = []  # of it
        self._name = ""  # of the study that is being trained
        self._disabled_reason = ""
        self._told_at = 0.0
        self.runner = TaskRunner(self, self._on_records, self._on_ended, low_priority=True)
        self.runner.ticked.connect(self._tell_if_due)

    @property
    def busy(self) -> bool:
        """Whether a study is being trained."""
        return bool(self._name)

    def disable(self, reason: str) -> None:
        """Start nothing, for this reason; an empty text ends that."""
        self._disabled_reason = reason

    def refuses(self) -> bool:
        """Whether no study can be started now; the banner then says why."""
        if self.busy:
            self.say_busy()
        elif self._disabled_reason:
            self._banner.show_text(self._disabled_reason)
        return self.busy or bool(self._disabled_reason)

    def say_busy(self) -> None:
        """Say that values are being compared, and offer to stop that."""
        text = self.tr("Several values are being compared: stop that first, or wait for its end.")
        self._banner.show_text(text)
        self._banner.offer(self.tr("Stop the comparison"), self.stop)

    # -- training ----------------------------------------------------------------------------------

    def start(self, spec: StudySpec) -> None:
        """Train what is left of the study."""
        if not self.refuses():
            self.spec = spec
            self.runs = []
            self._train(spec.name, lambda: spec)
            self.trained.emit(spec, [], True)

    def continue_study(self, name: str) -> None:
        """Train what is left of a study of the library."""
        if not self.refuses():
            self._train(name, lambda: studies.stored_spec(name))

    def _train(self, name: str, find: Callable[[], StudySpec]) -> None:
        self._banner.hide()
        self._name = name
        self._preferences.study_left = name
        self.runner.start_latest(self._study_task(find))
        self.busy_changed.emit(True)
        self.progressed.emit(name, self.tr("Reading the data…"), 0, 0)

    def stop(self) -> None:
        """Stop the study after the present step; its runs can be continued."""
        if self.busy:
            self.runner.cancel()
            self.progressed.emit(self._name, self.tr("Stopping…"), 0, 0)

    def _study_task(self, find: Callable[[], StudySpec]) -> Task:
        """Reads a study, and trains what is left of it."""

        def work(control: TaskControl) -> Generator[Callable[[], None]]:
            spec = find()
            compile_elsewhere(spec.plan, control.check)
            # Before the study: one whose data are missing is not begun.
            datasets, _ = load_study_data(spec, control.progress, self._dataset_cache.get)
            # By turns, so that the curves grow together.
            at_once = spec.runs if spec.runs <= MAX_OTHERS else 1
            with closing(Study(spec)) as opened:
                yield partial(self._show, opened.spec, [replace(run) for run in opened.runs])
                with closing(opened.iter_runs(datasets, at_once)) as runs:
                    for run in runs:
                        control.check()
                        if run is not None:
                            # Copies: the runs change while the window's thread looks at them.
                            shown = [replace(each) for each in opened.runs]
                            yield partial(self._show, opened.spec, shown)

        return work

    def _on_records(self, records: list[Callable[[], None]]) -> None:
        for show in records:
            show()
        if self.spec is not None:
            self.trained.emit(self.spec, self.runs, True)

    def _show(self, spec: StudySpec, runs: list[StudyRun]) -> None:
        self.spec = spec
        self.runs = runs

    def _tell_if_due(self) -> None:
        if (
            self.spec is None
            or self.runner.cancelling
            or time.monotonic() - self._told_at < TELL_SECONDS
        ):
            return
        self._told_at = time.monotonic()
        done = sum(run.has_ended for run in self.runs)
        text = self.tr("{n} of {total} runs have ended.", None, self.spec.runs)
        text = text.format(n=count(done), total=count(self.spec.runs))
        if any(run.state == "running" for run in self.runs):
            self.progressed.emit(self._name, text, *_epochs(self.spec, self.runs))

    def _on_ended(self, failure: Failure | None) -> None:
        self._name = ""
        # The copies that are shown: nobody writes their end after a stop.
        for run in self.runs:
            if run.state == "running":
                run.state = "stopped"
        spec = self.spec
        ended = (
            spec is not None
            and len(self.runs) >= spec.runs
            and all(run.has_ended for run in self.runs)
        )
        if ended:
            self._preferences.study_left = ""
        self.progressed.emit("", "", 0, 0)
        # Before the message: the lock then withdraws the one that offers to stop.
        self.busy_changed.emit(False)
        if failure:
            self._banner.show_failure(failure)
        else:
            self._say_end(ended)
        if spec is not None:
            self.trained.emit(spec, self.runs, False)

    def _say_end(self, ended: bool) -> None:
        """Say what the curves do not show. `ended`: all runs have, with or without a result."""
        failed = [run for run in self.runs if run.state == "fault"]
        if not ended and not failed:
            self._banner.show_text(
                self.tr("The comparison was stopped: under Compare, Continue trains what is left.")
            )
        elif failed:
            text = self.tr("Failed runs: {n} ({reason}). Under Compare, Continue tries them again.")
            reason = failed[0].message or self.tr("no reason is known")
            self._banner.show_text(
                text.format(n=count(len(failed)), reason=reason.rstrip(".")), "bad"
            )


def study_left(preferences: Preferences) -> str:
    """The study that was trained last, if it has runs left and no other run was trained since; else
    empty.
    """
    name = preferences.study_left
    newest = next(iter(saved_runs()), None)
    with suppress(InputError):
        if name in study_names() and newest and newest.read_info().study == name:
            return name
    return ""


def _epochs(spec: StudySpec, runs: list[StudyRun]) -> tuple[int, int]:
    """How many epochs have been trained, and how many are planned; a run that has ended early
    is complete.
    """
    planned = [spec.plan_of(run.values).settings.epochs for run in runs]
    epochs = zip(runs, planned, strict=True)
    done = sum(most if run.has_ended else len(run.epochs) for run, most in epochs)
    left = spec.runs - len(runs)
    return done, sum(planned) + left * spec.plan.settings.epochs
