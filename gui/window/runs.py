"""Runs and studies in the window: how they start, what is shown of them, what is said at their
end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.inspection.health import Finding
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import RunEntry, last_run
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder, Start
from core.studies.spec import Value, plan_with, read_study
from core.studies.study import (
    delete_study,
    deleted_studies,
    restore_study,
    stored_spec,
    study_names,
)
from core.training.records import Finished
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure
from gui.labs.curves import LabCurves
from gui.preferences import Preferences
from gui.runs.commands import RunCommands
from gui.runs.dialogs import ContinueDialog, device_items
from gui.runs.rows import plain_title, setting_title, value_text
from gui.runs.tab import CompareTab
from gui.settings.device_picker import DevicePicker
from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.settings.preset_box import CUSTOM
from gui.studies.training import StudyTraining, study_left
from gui.text import data_title, finding_text, number
from gui.training.progress import RunProgress
from gui.training.session import Session, State, run_summary
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.basics import delayed
from gui.widgets.dialogs import reporting
from gui.widgets.plots.series import run_series
from gui.widgets.tab import Tab
from gui.window.lock import ActivityLock
from gui.window.model_selector import ModelSelector, are_drawings
from gui.words import network_words
from kernels.registry import default_cpu_device

# Not at every letter: a person who types 0.05 instead of 0.1 passes 0.
DELAY_MILLISECONDS = 400


class ReplacedSettings:
    """Shows the settings of a run, and lets a message of the banner offer those before."""

    def __init__(self, settings: SettingsPanel, session: Session, banner: Banner) -> None:
        self._settings = settings
        self._session = session
        self._banner = banner
        self._way_back: Callable[[], None] | None = None  # to the settings that were replaced

    def show(self, plan: RunPlan, *, keeps_preset: bool = False) -> None:
        """Show the settings of a run in place of the user's, who can have them back by
        `offer_back`.

        keeps_preset: they are the user's with changes, so the preset is named as before.
        """
        box = self._settings.preset_box
        preset = box.currentData() or box.base if keeps_preset else CUSTOM
        before = self._settings.plan
        back = self._settings.remember()
        self._settings.restore(plan.data, plan.settings, preset)
        # Where nothing was replaced, nothing is offered back.
        self._way_back = None if before == self._settings.plan else back

    @property
    def has_way_back(self) -> bool:
        """Whether the user's settings were replaced, and have not been offered since."""
        return self._way_back is not None

    def offer_back(self, *, instead: bool = False) -> None:
        """Let the message offer the settings that were replaced. During a run they are locked: it
        is offered later.
        """
        if self._way_back and not self._session.active:
            text = QCoreApplication.translate("ReplacedSettings", "Back to my settings")
            self._banner.offer(text, self._way_back, instead=instead)
            self._way_back = None


if TYPE_CHECKING:
    from gui.studies.dialog import ComparisonDialog


@dataclass(frozen=True, slots=True)
class RunParts:
    """What a run of the window takes its settings from, and is shown in."""

    session: Session
    settings: SettingsPanel
    tabs: QTabWidget
    page: QWidget  # the tab Training
    training: TrainingTab
    progress: RunProgress
    replaced: ReplacedSettings
    banner: Banner

    def show_page(self) -> None:
        self.tabs.setCurrentWidget(self.page)


class RunActions(QObject):
    """Starts runs, and does with those of the library what `commands` of the tab Compare ask
    for.
    """

    starting = Signal(object)  # RunSettings, before the session starts the run
    opened = Signal(object, object)  # Model and its file; None for the last run

    def __init__(self, parts: RunParts, lock: ActivityLock, commands: RunCommands) -> None:
        super().__init__(parts.session)
        self._parts = parts
        self._settings = parts.settings
        self._session = parts.session
        self._training = parts.training
        self._replaced = parts.replaced
        self._banner = parts.banner
        self._lock = lock
        self.lab = ""  # the title of the lab that is open
        commands.continue_run_asked.connect(self.ask_continue)
        commands.settings_asked.connect(self._show_settings)
        commands.open_asked.connect(self.open_run)

    def start(self, *, stepping: bool = False, looks: bool = False) -> None:
        """Start a run with the settings of the panel; `stepping`: pause after one batch, see
        `Session.start_run`.
        """
        plan = self._settings.plan
        if plan is None or self._session.active or self._settings.start_problem() is not None:
            return
        if not self._lock.refuses_own_run():
            self._begin(plan, stepping=stepping, looks=looks)

    def start_plan(self, plan: RunPlan) -> None:
        """Start a run of a lab with its settings, which are shown."""
        self._settings.restore(plan.data, plan.settings)
        if not self._session.active and not self._lock.refuses_run():
            self._parts.show_page()
            self._begin(
                replace(
                    plan, device=plan.device if plan.device != "auto" else self._settings.device()
                )
            )

    def step(self, count: int = 1, *, looks: bool = True) -> None:
        """Train on so many batches, and start a run for that if there is none; see
        `Session.step`.
        """
        if self._session.active:
            self._session.step(count, looks=looks)
        else:
            self.start(stepping=True, looks=looks)
        settings = self._session.settings
        if looks and self._session.active and settings is not None and settings.group > 1:
            self._banner.show_text(
                self.tr(
                    "The step was made, but cannot be looked at: it is the mean of several batches "
                    "that workers compute."
                )
            )

    def _begin(
        self,
        plan: RunPlan,
        recorder: RunRecorder | None = None,
        *,
        stepping: bool = False,
        looks: bool = False,
    ) -> None:
        self._banner.hide()
        self.starting.emit(plan.settings)
        recorder = recorder or RunRecorder(lab=self.lab)
        self._session.start_run(plan, recorder=recorder, stepping=stepping, looks=looks)

    def ask_continue(self, entry: RunEntry) -> None:
        """Ask how to continue the run, and do so."""
        dialog = ContinueDialog(
            entry, device_items(self._settings.device_box), self._parts.tabs.window()
        )
        dialog.accepted.connect(
            lambda: self.continue_run(*dialog.outcome) if dialog.outcome else None
        )
        # Else each dialog that was closed would stay, as a child of the window.
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def continue_run(self, plan: RunPlan, start: Start) -> None:
        """Show the settings of a run, and continue it from one of its checkpoints.

        Where its schedule began belongs to this run alone: a next one would begin at the end of the
        schedule.
        """
        if self._lock.refuses_own_run():
            return
        self._replaced.show(plan.change(schedule_epochs=""))
        if self._lock.is_busy:
            self._banner.show_text(
                self.tr("Stop what is running first: the run was not continued.")
            )
            return
        self._parts.show_page()
        self._begin(plan, RunRecorder(start=start, lab=self.lab))

    def show_last_run(self) -> tuple[Model, str] | None:
        """Show the curves of the last run, as after its end; returns its model and the name of its
        data.
        """
        folder = last_run()
        if folder is None:
            return None
        try:
            info = folder.read_info()
            model = load_model(folder.model_path)
            self._training.show_saved(folder, info.repeatable_plan(), model)
        except (InputError, OSError):
            return None
        return model, info.plan.data

    def open_run(self, entry: RunEntry) -> None:
        """Let the run's network read the drawing, and show its curves and its settings."""
        with reporting(self._banner.show_text):
            path = entry.folder.model_path
            model = self._open(entry.folder, entry.info, entry.info.repeatable_plan(), path)
            text = self.tr("{run} reads your drawings now; its settings are shown above.")
            if model.kind != "classes":
                text = self.tr("{run} is open; its settings are shown above.")
            self._banner.show_text(text.format(run=plain_title(entry)))
            self._replaced.offer_back()

    def offer_unfinished(self, folder: RunFolder, info: RunInfo) -> None:
        """Offer to continue the last run, which was stopped or interrupted, or to open what it has
        learned so far.
        """
        text = self.tr("The last run, {network} on {data}, was stopped before its end.")
        if info.state == "running":
            text = self.tr(
                "The last run, {network} on {data}, was interrupted: the program ended while it "
                "trained."
            )
        self._banner.show_text(
            text.format(network=network_words(info.network), data=data_title(info.plan.data))
        )
        plan = info.plan
        # A folder of runs may come from another computer.
        if plan.device not in dict(device_items(self._settings.device_box)):
            plan = replace(plan, device=self._settings.device())
        go_on = partial(self.continue_run, plan, Start(folder.path))
        self._banner.offer(self.tr("Continue"), go_on)
        if folder.model_path.exists():
            open_it = partial(self._open_unfinished, folder, info)
            self._banner.offer(self.tr("Open"), open_it, instead=True)

    def _open_unfinished(self, folder: RunFolder, info: RunInfo) -> None:
        """Open the last run, which was stopped or interrupted, as after its end."""
        with reporting(self._banner.show_text):
            self._open(folder, info, info.plan, None)
            text = self.tr("This run reads your drawings now; its settings are shown above.")
            self._banner.show_text(text)
            self._replaced.offer_back()

    def _open(self, folder: RunFolder, info: RunInfo, plan: RunPlan, source: Path | None) -> Model:
        """Show the model of a run, its curves and the settings `plan`; source: as of `opened`.
        Raises InputError.
        """
        model = load_model(folder.model_path)
        self._replaced.show(plan)
        self.opened.emit(model, source)
        self._parts.show_page()
        self._training.show_saved(folder, info.repeatable_plan(), model)
        return model

    def _show_settings(self, entry: RunEntry) -> None:
        """Show the settings of a run, with the rates that were typed while it ran."""
        self._replaced.show(entry.info.repeatable_plan())
        self._banner.show_text(self.tr("The settings of this run are shown under Training."))
        self._replaced.offer_back()


class StudyActions(QObject):
    """Does with studies what the tab Compare, the menus and the sentence about a comparison ask
    for.
    """

    def __init__(
        self, parts: RunParts, studies: StudyTraining, compare: CompareTab, preferences: Preferences
    ) -> None:
        super().__init__(studies)
        studies.busy_changed.connect(parts.progress.end_run)
        studies.progressed.connect(self._show_progress)
        self._studies = studies
        self._compare = compare
        self._preferences = preferences
        self._parts = parts
        self._settings = parts.settings
        self._banner = parts.banner
        compare.verdict.other_values_asked.connect(self.ask)
        compare.verdict.stop_asked.connect(studies.stop)
        compare.verdict.values_asked.connect(self.use_values)
        compare.commands.study_asked.connect(self.ask_like)
        compare.commands.continue_study_asked.connect(studies.continue_study)
        compare.commands.deletion_asked.connect(self.delete)
        compare.commands.restored.connect(self.undo_delete)

    # -- new studies -------------------------------------------------------------------------------

    def ask(self, name: str) -> None:
        """Ask which values of the setting `name` are to be compared, and train them."""
        plan = self._settings.plan
        if self._studies.refuses():
            return
        if plan is None:
            self._banner.show_text(self.tr("Correct the settings under Training first."))
            return
        dialog = self._dialog(plan)
        dialog.editor.show_new(name, plan)
        dialog.open()

    def ask_like(self, name: str) -> None:
        """Show the settings of the study `name` in the window, and what it varies in the form of a
        new one.
        """
        if self._studies.refuses():
            return
        with reporting(self._banner.show_text):
            spec = stored_spec(name)
            before = self._settings.plan
            self._show_settings(spec.plan)
            self._say_changes(before, self._settings.plan)
            dialog = self._dialog(self._settings.plan or spec.plan)
            dialog.editor.show_like(spec)
            dialog.open()

    def open_study(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        self._parts.tabs.setCurrentWidget(self._compare)
        if self._studies.refuses():
            return
        with reporting(self._banner.show_text):
            spec = read_study(path)
            self._preferences.save_folder(path)
            if spec.name in study_names():
                self._show_study(spec.name)
                return
            dialog = self._dialog(spec.plan)
            dialog.show_file(spec)
            dialog.open()

    def _dialog(self, plan: RunPlan) -> "ComparisonDialog":
        # Imported when it is needed, so that the window starts sooner.
        from gui.studies.dialog import ComparisonDialog

        dialog = ComparisonDialog(plan, self._preferences, self._parts.tabs.window())
        dialog.accepted_study.connect(self._studies.start)
        return dialog

    def continue_study(self, name: str) -> None:
        """Train what is left of a study of the library, which is shown."""
        self._parts.tabs.setCurrentWidget(self._compare)
        self._studies.continue_study(name)

    def _show_study(self, name: str) -> None:
        self._parts.tabs.setCurrentWidget(self._compare)
        self._compare.show_study(name)

    # -- using what was found ----------------------------------------------------------------------

    def use_run(self, number: int) -> None:
        """Use the values of the run with this number, of the study that was trained last, but for
        its seed.
        """
        run = next((run for run in self._studies.runs if run.number == number), None)
        if run is not None:
            self.use_values({name: value for name, value in run.values.items() if name != "seed"})

    def use_values(self, values: Mapping[str, Value]) -> None:
        """Show these values of settings beside the button that trains with them, and say what has
        changed by them.
        """
        self._parts.show_page()
        before = self._settings.plan
        if before is None:
            self._banner.show_text(self.tr("Correct the settings under Training first."))
            return
        with reporting(self._banner.show_text):
            plan = plan_with(before, values)
            self._show_settings(plan)
            self._say_changes(before, self._settings.plan)

    def _show_settings(self, plan: RunPlan) -> None:
        is_same = plan.data == self._settings.data.source()
        self._parts.replaced.show(RunPlan(plan.settings, plan.data), keeps_preset=is_same)

    def _say_changes(self, before: RunPlan | None, after: RunPlan | None) -> None:
        text = self.tr("The settings under Training are those already.")
        if before and after:
            old = {"data": before.data, **before.settings.as_dict()}
            new = {"data": after.data, **after.settings.as_dict()}
            changes = [name for name in new if new[name] != old[name]]
            if changes:
                text = self.tr("Changed under Training, for all later runs, too: {settings}.")
                texts = (
                    f"{setting_title(name).lower()} {value_text(name, new[name])}"
                    for name in changes
                )
                text = text.format(settings=", ".join(texts))
        self._banner.show_text(text)
        self._parts.replaced.offer_back()

    def _show_progress(self, name: str, text: str, done: int, total: int) -> None:
        self._compare.show_training(name, text, done, total)
        if text:
            self._parts.progress.show_preparation(text, done, total)

    def offer_left(self, unfinished: RunInfo | None) -> bool:
        """Offer to go on with a study that was stopped before its end, that of the unfinished run
        if there is one; returns whether there is such a study.
        """
        study = study_left(self._preferences) if unfinished is None else unfinished.study
        if study not in study_names():
            return False
        self._banner.show_text(self.tr("“{name}” was stopped before its end.").format(name=study))
        self._banner.offer(self.tr("Continue"), partial(self.continue_study, study))
        return True

    # -- trash -------------------------------------------------------------------------------------

    def delete(self, name: str, runs: list[str]) -> None:
        """Move the study with these runs to the trash, and offer to undo that."""
        with reporting(self._banner.show_text):
            delete_study(name, runs)
            self._banner.show_text(
                self.tr("“{name}” and its runs are in the trash.").format(name=name), "good"
            )
            self._banner.offer(self.tr("Undo"), self.undo_delete)
            self._compare.commands.study_deleted()

    def undo_delete(self) -> None:
        """Restore the study that was deleted last, also after a restart."""
        with reporting(self._banner.show_text):
            names = deleted_studies()
            if not names:
                self._banner.show_text(self.tr("The trash is empty."))
                return
            restore_study(names[0])
            self._banner.show_text(self.tr("“{name}” is back.").format(name=names[0]), "good")
            self._show_study(names[0])


class RunDisplay(QObject):
    """Passes the records of the session's run to the progress and to `tabs`, and locks the settings
    meanwhile.
    """

    def __init__(
        self,
        parts: RunParts,
        tabs: Sequence[Tab],
        devices: DevicePicker,
        model_selector: ModelSelector,
    ) -> None:
        session = parts.session
        training = parts.training
        progress = parts.progress
        super().__init__(session)
        self._tabs = (training, *tabs)
        self._training = training
        self._settings = parts.settings
        self._devices = devices
        self._progress = progress
        self._model_selector = model_selector
        session.state_changed.connect(self._on_state)
        session.prepared.connect(self._on_prepared)
        session.history.connect(training.show_history)
        session.snapshot.connect(lambda model: model_selector.show_snapshot(model))
        progress.follow(session)
        for tab in self._tabs:
            session.records.connect(tab.add_records)
            session.snapshot.connect(tab.show_snapshot)
            session.ticked.connect(tab.update_if_due)
        session.ended.connect(self._on_ended)
        session.device_noticed.connect(devices.show_notice)
        devices.chosen.connect(
            lambda device, reason: progress.describe(device=device, reason=reason)
        )

    def begin(self, settings: RunSettings) -> None:
        """A run with these settings is about to start."""
        self._progress.start_run(settings.epochs)
        self._model_selector.start_run(are_drawings(self._settings.data))

    def _on_state(self, state: State) -> None:
        self._settings.lock(state is not State.IDLE)
        self._training.set_preparing(state is State.PREPARING)
        self._training.set_paused(state is State.PAUSED)

    def _on_prepared(self, context: RunContext) -> None:
        kind = context.dataset.kind
        self._model_selector.begin_run(run_series(context.run_id))
        for tab in self._tabs:
            tab.start_run(context)
        self._progress.set_kind(kind)
        self._devices.show_running(context.plan.device)
        self._settings.data.on_loaded(context.plan.data, context.dataset)

    def _on_ended(self) -> None:
        for tab in self._tabs:
            tab.end_run()
        self._model_selector.end_run()
        self._progress.end_run()
        self._settings.data.refresh()


class RunReport(QObject):
    """Says in the banner how a run has ended, and offers what can be done about it."""

    def __init__(self, parts: RunParts, lab_curves: LabCurves) -> None:
        super().__init__(parts.session)
        self._session = parts.session
        self._training = parts.training
        self._progress = parts.progress
        self._lab_curves = lab_curves
        self._replaced = parts.replaced
        self._banner = parts.banner
        self._outcome: Any = None  # of the run that was reported last
        parts.session.ended.connect(self._show)
        parts.training.conclusion.found.connect(self._explain)

    def _summary(self, outcome: Any, advice: str | None = None) -> tuple[str, str, str]:
        return run_summary(outcome, self._progress.newest, self._training.epochs.kind, advice)

    def _show(self, outcome: Any) -> None:
        text, tone, details = self._summary(outcome)
        if self._lab_curves.is_explained and tone != "bad":
            return
        # A good end stands in the band; a message is needed for what went wrong, and for an offer.
        has_offer = self._replaced.has_way_back
        if text and (tone != "good" or has_offer):
            self._banner.show_text(text, tone, details)
            self._replaced.offer_back(instead=True)
        self._outcome = outcome
        if isinstance(outcome, Failure) and outcome.device_error:
            self._banner.offer(
                self.tr("Continue on the CPU"),
                lambda: self._session.continue_on(default_cpu_device()),
            )

    def _explain(self, finding: Finding) -> None:
        """Say what Health finds in a network that has learned nothing, instead of general
        advice.
        """
        outcome = self._outcome
        is_explained = (
            isinstance(outcome, Finished) and outcome.advice and outcome.reason != "diverged"
        )
        if is_explained and self._banner.isVisible() and not self._session.active:
            self._banner.show_text(*self._summary(outcome, finding_text(finding)))


class TypedRate(QObject):
    """Lets the rate replace the schedule of the run, says so, and offers to return to the
    schedule.
    """

    def __init__(self, parts: RunParts) -> None:
        super().__init__(parts.session)
        self._settings = parts.settings
        self._session = parts.session
        self._banner = parts.banner
        field = parts.settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        self._field = field
        self._delay = delayed(self, self._apply, DELAY_MILLISECONDS)
        field.edit.textChanged.connect(self._wait)
        field.edit.editingFinished.connect(self._apply_now)
        parts.session.ended.connect(self._delay.stop)

    def _wait(self) -> None:
        if self._session.active:
            self._delay.start()

    def _apply_now(self) -> None:
        if self._delay.isActive():
            self._apply()

    def _apply(self) -> None:
        self._delay.stop()
        plan = self._settings.plan
        settings = self._session.settings
        if plan is None or settings is None:
            return
        rate = plan.settings.learning_rate
        self._session.set_learning_rate(rate)
        text = self.tr("The learning rate is {rate} from now on. This is recorded with the run.")
        if settings.schedule != "constant":
            text = self.tr(
                "The learning rate is {rate} from now on, and the schedule ({schedule}) is off. "
                "This is recorded with the run."
            )
        self._banner.show_text(text.format(rate=number(rate), schedule=settings.schedule))
        self._banner.offer(self.tr("Return to the schedule"), self._return_to_schedule)

    def _return_to_schedule(self) -> None:
        settings = self._session.settings
        if settings is None or not self._session.active:
            return
        self._session.set_learning_rate(None)
        # Else this text would be taken for a typed rate, and turn the schedule off again.
        with QSignalBlocker(self._field.edit):
            self._field.show_value(settings.learning_rate)
        self._banner.show_text(
            self.tr("The learning rate follows the schedule of the run again."), "good"
        )
