"""Starts and continues runs, and shows runs and their settings."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import RunEntry, last_run, unfinished_run
from core.runs.plan import RunPlan
from core.runs.recorder import RunRecorder, Start
from core.studies.study import study_names
from core.training.run_settings import RunSettings
from gui.devices.tab import DevicesTab
from gui.runs.dialogs import ContinueDialog, device_items
from gui.runs.rows import plain_title
from gui.runs.tab import CompareTab
from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.studies.training import StudyTraining
from gui.text import data_title, number
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.dialogs import reporting
from gui.window.startup import WarmUp

# Not at every letter: a person who types 0.05 instead of 0.1 passes 0.
DELAY_MILLISECONDS = 400


class RunActions(QObject):
    """Starts runs, and does what the tab Compare asks for.

    Training, measuring and studies exclude each other, because each would slow the others down.
    """

    starting = Signal(object)  # RunSettings, before the session starts the run
    opened = Signal(object, object)  # Model and its file; None for the last run

    def __init__(
        self,
        settings: SettingsPanel,
        session: Session,
        tabs: QTabWidget,
        page: QWidget,
        training: TrainingTab,
        compare: CompareTab,
        studies: StudyTraining,
        measuring: DevicesTab,
        warm_up: WarmUp,
        banner: Banner,
    ) -> None:
        super().__init__(session)
        self._settings = settings
        self._session = session
        self._tabs = tabs
        self._page = page  # the tab Training
        self._training = training
        self._compare = compare
        self._studies = studies
        self._measuring = measuring
        self._warm_up = warm_up
        self._banner = banner
        self.lab = ""  # the title of the lab that is open
        self._closed = ""  # why a lab lets no other run be started; empty: runs may be
        self._way_back: Callable[[], None] | None = None  # to the settings before those of a run were shown
        session.state_changed.connect(self._update)
        for part in (measuring, studies):
            part.busy_changed.connect(partial(self._on_busy, part))
        compare.commands.continue_run_asked.connect(self.ask_continue)
        compare.commands.settings_asked.connect(self._show_settings)
        compare.commands.open_asked.connect(self.open_run)
        studies.settings_asked.connect(self._show_of_study)
        studies.settings_said.connect(self.offer_back)
        field = settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        self._rate_field = field
        self._rate_delay = delay = QTimer(self, interval=DELAY_MILLISECONDS, singleShot=True)
        delay.timeout.connect(self._apply_rate)
        field.edit.textChanged.connect(lambda: delay.start() if session.active else None)
        field.edit.editingFinished.connect(lambda: self._apply_rate() if delay.isActive() else None)
        session.ended.connect(delay.stop)

    def close(self, reason: str) -> None:
        """Start nothing but the runs of a lab, for this reason; an empty one ends that."""
        self._closed = reason
        self._update()

    def _refuses_own_run(self) -> bool:
        """Whether no run but one of a lab can start now; the banner then says why."""
        if self._closed:
            self._banner.show_text(self._closed)
        return bool(self._closed) or self._refuses_run()

    def _refuses_run(self) -> bool:
        """Whether no run can start now. The banner then says why, and offers to stop what is going on."""
        if self._measuring.busy:
            self._banner.show_text(self.tr("A device is being measured; training would falsify the times."))
            self._banner.offer(self.tr("Stop measuring"), self._measuring.stop)
        elif self._studies.busy:
            self._studies.say_busy()
        return self._measuring.busy or self._studies.busy

    def _on_busy(self, part: DevicesTab | StudyTraining, busy: bool) -> None:
        self._warm_up.cancel()
        if not busy:
            self._banner.withdraw(part.stop)
        self._update()

    def _update(self) -> None:
        training = self._session.active
        measuring = self._measuring.busy
        self._measuring.set_training(training or self._studies.busy)
        reason = self.tr("A run is in progress: stop it first; one thing is trained at a time.")
        if measuring and not training:
            reason = self.tr(
                "A device is being measured: stop it first, because a training would falsify the times."
            )
        self._studies.disable(reason if training or measuring else self._closed)
        self._measuring.disable(self._closed)

    def start(self, *, stepping: bool = False) -> None:
        """Start a run with the settings of the panel; `stepping`: pause after one batch."""
        plan = self._settings.plan
        if plan is None or self._session.active or self._settings.start_problem() is not None:
            return
        if not self._refuses_own_run():
            self._begin(plan, stepping=stepping)

    def start_plan(self, plan: RunPlan) -> None:
        """Start a run of a lab with its settings, which are shown."""
        self._restore(plan)
        if not self._session.active and not self._refuses_run():
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
        if self._refuses_own_run():
            return
        self._replace(plan.change(schedule_epochs=""))
        if self._session.active or self._measuring.busy or self._studies.busy:
            self._banner.show_text(self.tr("Stop what is running first: the run was not continued."))
            return
        self._tabs.setCurrentWidget(self._page)
        self._begin(plan, RunRecorder(start=start, lab=self.lab))

    def offer_unfinished_run(self) -> None:
        """Show a message with "Continue" and "Open" if the last run or study was interrupted or stopped."""
        unfinished = unfinished_run()
        study = unfinished[1].study if unfinished else self._studies.left()
        if study in study_names():
            self._banner.show_text(self.tr("“{name}” was stopped before its end.").format(name=study))
            self._banner.offer(self.tr("Continue"), lambda: self._continue_study(study))
            return
        if unfinished is None:
            return
        folder, info = unfinished
        text = self.tr("The last run, {network} on {data}, was stopped before its end.")
        if info.state == "running":
            text = self.tr(
                "The last run, {network} on {data}, was interrupted: the program ended while it trained."
            )
        self._banner.show_text(text.format(network=info.network, data=data_title(info.plan.data)))
        self._banner.offer(self.tr("Continue"), lambda: self._continue_unfinished(folder.path, info))
        if folder.model_path.exists():
            self._banner.offer(self.tr("Open"), lambda: self._open_unfinished(folder, info), instead=True)

    def _continue_study(self, name: str) -> None:
        self._tabs.setCurrentWidget(self._compare)
        self._studies.continue_study(name)

    def _continue_unfinished(self, path: Path, info: RunInfo) -> None:
        """Continue an interrupted run in its folder, on its device if that is here."""
        plan = info.plan
        if plan.device not in dict(device_items(self._settings.device_box)):
            plan = replace(plan, device=self._settings.device())
        self.continue_run(plan, Start(path))

    def _open_unfinished(self, folder: RunFolder, info: RunInfo) -> None:
        with reporting(self._banner.show_text):
            model = load_model(folder.model_path)
            self._replace(info.plan)
            self.opened.emit(model, None)
            self._tabs.setCurrentWidget(self._page)
            self._training.show_saved(info.repeatable_plan(), folder.read_history(), model)
            text = self.tr("This run reads your drawings now; its settings are shown above.")
            self._banner.show_text(text)
            self.offer_back()

    def show_last_run(self) -> tuple[Model, str] | None:
        """Show the curves of the last run, as after its end; returns its model and the name of its data."""
        folder = last_run()
        if folder is None:
            return None
        try:
            info = folder.read_info()
            model = load_model(folder.model_path)
            self._training.show_saved(info.repeatable_plan(), folder.read_history(), model)
        except (InputError, OSError):
            return None
        return model, info.plan.data

    def open_run(self, entry: RunEntry) -> None:
        """Let the run's network read the drawing, and show its curves and its settings."""
        with reporting(self._banner.show_text):
            model = load_model(entry.folder.model_path)
            self._replace(entry.info.repeatable_plan())
            self.opened.emit(model, entry.folder.model_path)
            self._tabs.setCurrentWidget(self._page)
            self._training.show_saved(entry.info.repeatable_plan(), entry.folder.read_history(), model)
            text = self.tr("{run} reads your drawings now; its settings are shown above.")
            if model.kind != "classes":
                text = self.tr("{run} is open; its settings are shown above.")
            self._banner.show_text(text.format(run=plain_title(entry)))
            self.offer_back()

    def open_study(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        self._tabs.setCurrentWidget(self._compare)
        self._studies.open_study(path)

    def _show_settings(self, entry: RunEntry) -> None:
        """Show the settings of a run, with the rates that were typed while it ran."""
        self._replace(entry.info.repeatable_plan())
        self._banner.show_text(self.tr("The settings of this run are shown under Training."))
        self.offer_back()

    def _show_of_study(self, settings: RunSettings, data: str) -> None:
        self._replace(RunPlan(settings, data))

    def _replace(self, plan: RunPlan) -> None:
        """Show the settings of a run in place of the user's, who can have them back by `offer_back`."""
        before = self._settings.plan
        back = self._settings.remember()
        self._restore(plan)
        self._way_back = None if before == self._settings.plan else back

    @property
    def has_way_back(self) -> bool:
        """Whether the user's settings were replaced, and have not been offered since."""
        return self._way_back is not None

    def offer_back(self, *, instead: bool = False) -> None:
        """Let the message offer the settings that were replaced. During a run they are locked: it is offered later."""
        if self._way_back and not self._session.active:
            self._banner.offer(self.tr("Back to my settings"), self._way_back, instead=instead)
            self._way_back = None

    def _restore(self, plan: RunPlan) -> None:
        self._settings.restore(plan.data, plan.settings)

    def _apply_rate(self) -> None:
        """Let the typed rate replace the schedule, say so, and offer to return to the schedule."""
        self._rate_delay.stop()
        plan = self._settings.plan
        settings = self._session.settings
        if plan is None or settings is None:
            return
        rate = plan.settings.learning_rate
        self._session.set_learning_rate(rate)
        text = self.tr("The learning rate is {rate} from now on. This is recorded with the run.")
        if settings.schedule != "constant":
            text = self.tr(
                "The learning rate is {rate} from now on, and the schedule ({schedule}) is off. This is recorded with "
                "the run."
            )
        self._banner.show_text(text.format(rate=number(rate), schedule=settings.schedule))
        self._banner.offer(self.tr("Return to the schedule"), self._return_to_schedule)

    def _return_to_schedule(self) -> None:
        settings = self._session.settings
        if settings is None or not self._session.active:
            return
        self._session.set_learning_rate(None)
        with QSignalBlocker(self._rate_field.edit):
            self._rate_field.show_value(settings.learning_rate)
        self._banner.show_text(self.tr("The learning rate follows the schedule of the run again."), "good")
