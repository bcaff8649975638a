"""Starts and continues runs, and shows runs and their settings."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import RunEntry, last_run
from core.runs.plan import RunPlan
from core.runs.recorder import RunRecorder, Start
from core.training.run_settings import RunSettings
from gui.runs.commands import RunCommands
from gui.runs.dialogs import ContinueDialog, device_items
from gui.runs.rows import plain_title
from gui.settings.panel import SettingsPanel
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.dialogs import reporting
from gui.window.activity_lock import ActivityLock
from gui.window.replaced_settings import ReplacedSettings
from gui.window.study_actions import StudyActions


class RunActions(QObject):
    """Starts runs, and does with those of the library what `commands` of the tab Compare ask for."""

    starting = Signal(object)  # RunSettings, before the session starts the run
    opened = Signal(object, object)  # Model and its file; None for the last run

    def __init__(
        self,
        settings: SettingsPanel,
        session: Session,
        tabs: QTabWidget,
        page: QWidget,
        training: TrainingTab,
        lock: ActivityLock,
        replaced: ReplacedSettings,
        banner: Banner,
    ) -> None:
        super().__init__(session)
        self._settings = settings
        self._session = session
        self._tabs = tabs
        self._page = page  # the tab Training
        self._training = training
        self._lock = lock
        self._replaced = replaced
        self._banner = banner
        self.lab = ""  # the title of the lab that is open

    def follow(self, commands: RunCommands, study_actions: StudyActions) -> None:
        """Do what these ask for."""
        commands.continue_run_asked.connect(self.ask_continue)
        commands.settings_asked.connect(self._show_settings)
        commands.open_asked.connect(self.open_run)
        study_actions.settings_asked.connect(self._show_of_study)
        study_actions.settings_said.connect(self._replaced.offer_back)

    def start(self, *, stepping: bool = False) -> None:
        """Start a run with the settings of the panel; `stepping`: pause after one batch."""
        plan = self._settings.plan
        if plan is None or self._session.active or self._settings.start_problem() is not None:
            return
        if not self._lock.refuses_own_run():
            self._begin(plan, stepping=stepping)

    def start_plan(self, plan: RunPlan) -> None:
        """Start a run of a lab with its settings, which are shown."""
        self._settings.restore(plan.data, plan.settings)
        if not self._session.active and not self._lock.refuses_run():
            self._tabs.setCurrentWidget(self._page)
            self._begin(
                replace(plan, device=plan.device if plan.device != "auto" else self._settings.device())
            )

    def step(self) -> None:
        """Train on one batch, and start a run for that if there is none."""
        if self._session.active:
            self._session.step()
        else:
            self.start(stepping=True)

    def _begin(self, plan: RunPlan, recorder: RunRecorder | None = None, *, stepping: bool = False) -> None:
        self._banner.hide()
        self.starting.emit(plan.settings)
        recorder = recorder or RunRecorder(lab=self.lab)
        self._session.start_run(plan, recorder=recorder, stepping=stepping)

    def ask_continue(self, entry: RunEntry) -> None:
        """Ask how to continue the run, and do so."""
        dialog = ContinueDialog(entry, device_items(self._settings.device_box), self._tabs.window())
        dialog.accepted.connect(lambda: self.continue_run(*dialog.outcome) if dialog.outcome else None)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def continue_run(self, plan: RunPlan, start: Start) -> None:
        """Show the settings of a run, and continue it from one of its checkpoints.

        Where its schedule began belongs to this run alone: a next one would begin at the end of the schedule.
        """
        if self._lock.refuses_own_run():
            return
        self._replaced.show(plan.change(schedule_epochs=""))
        if self._lock.is_busy:
            self._banner.show_text(self.tr("Stop what is running first: the run was not continued."))
            return
        self._tabs.setCurrentWidget(self._page)
        self._begin(plan, RunRecorder(start=start, lab=self.lab))

    def show_last_run(self) -> tuple[Model, str] | None:
        """Show the curves of the last run, as after its end; returns its model and the name of its data."""
        folder = last_run()
        if folder is None:
            return None
        try:
            info = folder.read_info()
            model = load_model(folder.model_path)
            self._training.show_saved(folder.path.name, info.repeatable_plan(), folder.read_history(), model)
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

    def open_unfinished(self, folder: RunFolder, info: RunInfo) -> None:
        """Open the last run, which was stopped or interrupted, as after its end."""
        with reporting(self._banner.show_text):
            self._open(folder, info, info.plan, None)
            text = self.tr("This run reads your drawings now; its settings are shown above.")
            self._banner.show_text(text)
            self._replaced.offer_back()

    def _open(self, folder: RunFolder, info: RunInfo, plan: RunPlan, source: Path | None) -> Model:
        """Show the model of a run, its curves and the settings `plan`; source: as of `opened`. Raises InputError."""
        model = load_model(folder.model_path)
        self._replaced.show(plan)
        self.opened.emit(model, source)
        self._tabs.setCurrentWidget(self._page)
        self._training.show_saved(folder.path.name, info.repeatable_plan(), folder.read_history(), model)
        return model

    def _show_settings(self, entry: RunEntry) -> None:
        """Show the settings of a run, with the rates that were typed while it ran."""
        self._replaced.show(entry.info.repeatable_plan())
        self._banner.show_text(self.tr("The settings of this run are shown under Training."))
        self._replaced.offer_back()

    def _show_of_study(self, settings: RunSettings, data: str) -> None:
        self._replaced.show(RunPlan(settings, data), keeps_preset=data == self._settings.data.source())
