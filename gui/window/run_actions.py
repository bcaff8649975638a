"""Starts and continues runs, and shows the settings of runs, models, lessons and files in the settings panel."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QTabWidget

from core.errors import InputError
from core.inference.model_file import Model, load_model
from core.runs.folder import RunFolder, RunInfo
from core.runs.library import RunEntry, unfinished_run
from core.runs.plan import RunPlan, read_settings, write_settings
from core.runs.recorder import RunRecorder, Start
from core.training.lessons import DATA, Experiment
from core.training.run_settings import RunSettings
from gui.devices.tab import DevicesTab
from gui.preferences import Preferences
from gui.runs.dialogs import ContinueDialog, device_items
from gui.runs.tab import RunsTab
from gui.settings.dataset_picker import DatasetPicker
from gui.settings.fields import NumberField
from gui.settings.panel import SettingsPanel
from gui.studies.tab import StudiesTab
from gui.text import number
from gui.training.session import Session
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.dialogs import ask_open, ask_save, reporting
from gui.window.settings_store import panel_values
from gui.window.startup import WarmUp

# Not at every letter: a person who types 0.05 instead of 0.1 passes 0.
DELAY_MILLISECONDS = 400


class ActivityLock(QObject):
    """Training, measuring and studies exclude each other, because each would slow the others down."""

    def __init__(
        self, session: Session, measuring: DevicesTab, studies: StudiesTab, warm_up: WarmUp, banner: Banner
    ) -> None:
        super().__init__(session)
        self._session, self._measuring, self._studies = session, measuring, studies
        self._warm_up, self._banner = warm_up, banner
        session.state_changed.connect(self._update)
        measuring.busy_changed.connect(lambda busy: self._on_busy(busy, measuring))
        studies.busy_changed.connect(lambda busy: self._on_busy(busy, studies))

    @property
    def busy(self) -> bool:
        """Whether a run, a measurement or a study is going on."""
        return self._session.active or self._measuring.busy or self._studies.busy

    def refuses_run(self) -> bool:
        """Whether no run can start now. The banner then says why, and offers to stop what is going on."""
        if self._measuring.busy:
            self._banner.show_text(self.tr("A device is being measured; training would falsify the times."))
            self._banner.offer(self.tr("Stop measuring"), self._measuring.stop)
        elif self._studies.busy:
            self._banner.show_text(self.tr("A study is being trained: stop it first, or wait for its end."))
            self._banner.offer(self.tr("Stop the study"), self._studies.stop)
        return self._measuring.busy or self._studies.busy

    def _on_busy(self, busy: bool, part: DevicesTab | StudiesTab) -> None:
        self._warm_up.cancel()
        if not busy:
            self._banner.withdraw(part.stop)
        self._update()

    def _update(self) -> None:
        training, measuring = self._session.active, self._measuring.busy
        self._measuring.set_training(training or self._studies.busy)
        reason = self.tr("A run is in progress: stop it first; one thing is trained at a time.")
        if measuring and not training:
            reason = self.tr(
                "A device is being measured: stop it first, because a study would falsify the times."
            )
        self._studies.disable(reason if training or measuring else "")


class RunActions(QObject):
    """What the menus, the tabs Runs and Studies, and files of settings ask for."""

    starting = Signal(object)  # RunSettings, before the session starts the run
    started = Signal()
    opened = Signal(object, object)  # Model and its file; None for the last run

    def __init__(
        self,
        settings: SettingsPanel,
        session: Session,
        lock: ActivityLock,
        tabs: QTabWidget,
        training: TrainingTab,
        runs: RunsTab,
        studies: StudiesTab,
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(session)
        self._settings, self._session, self._lock = settings, session, lock
        self._tabs, self._training, self._runs, self._studies = tabs, training, runs, studies
        self._preferences, self._banner = preferences, banner
        runs.continue_asked.connect(self.ask_continue)
        runs.settings_asked.connect(lambda entry: self.show_settings(entry.info))
        runs.open_asked.connect(self.open_run)
        studies.run_asked.connect(self.show_run)
        studies.settings_asked.connect(lambda chosen, data: settings.restore(data, chosen))

    # -- starting and continuing --------------------------------------------------------------------------

    def start(self, *, stepping: bool = False) -> None:
        """Start a run with the settings of the panel; `stepping`: pause after one batch."""
        plan = self._settings.plan
        if plan is None or self._session.active or not self._settings.data.is_available():
            return
        if self._lock.refuses_run():
            return
        # Saved now and not only when the window is closed, so that a crash does not lose the settings.
        self._preferences.save_settings(panel_values(self._settings))
        self._begin(plan, stepping=stepping)

    def step(self) -> None:
        """Train on one batch, and start a run for that if there is none."""
        if self._session.active:
            self._session.step()
        else:
            self.start(stepping=True)

    def _begin(self, plan: RunPlan, recorder: RunRecorder | None = None, *, stepping: bool = False) -> None:
        self._banner.hide()
        self.starting.emit(plan.settings)
        self._session.start_run(plan, recorder=recorder, stepping=stepping)
        self.started.emit()

    def ask_continue(self, entry: RunEntry) -> None:
        """Ask how to continue the run, and do so."""
        dialog = ContinueDialog(entry, device_items(self._settings.device_box), self._tabs.window())

        def go_on() -> None:
            if dialog.outcome is not None:
                self.continue_run(*dialog.outcome)

        dialog.accepted.connect(go_on)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def continue_run(self, plan: RunPlan, start: Start) -> None:
        """Show the settings of a run, and continue it from one of its checkpoints."""
        self._restore(plan)
        if self._lock.busy:
            self._banner.show_text(self.tr("Stop what is running first: the run was not continued."))
            return
        self._tabs.setCurrentWidget(self._training)
        self._begin(plan, RunRecorder(start=start))

    def offer_unfinished_run(self) -> None:
        """Show a message with "Continue" and "Open" if the last run was interrupted or stopped."""
        if (unfinished := unfinished_run()) is None:
            return
        folder, info = unfinished
        text = self.tr("The last run, {network} on {data}, was stopped before its end.")
        if info.state == "running":
            text = self.tr(
                "The last run, {network} on {data}, was interrupted: the program ended while it trained."
            )
        self._banner.show_text(text.format(network=info.network, data=info.plan.data))
        self._banner.offer(self.tr("Continue"), lambda: self.continue_unfinished(folder.path, info))
        if folder.model_path.exists():
            self._banner.offer(self.tr("Open"), lambda: self._open_unfinished(folder, info), instead=True)

    def continue_unfinished(self, path: Path, info: RunInfo) -> None:
        """Continue an interrupted run in its folder, on its device if that is here."""
        plan = info.plan
        if plan.device not in dict(device_items(self._settings.device_box)):
            plan = replace(plan, device=self._settings.device())
        self.continue_run(plan, Start(path))

    def _open_unfinished(self, folder: RunFolder, info: RunInfo) -> None:
        with reporting(self._banner.show_text):
            model = load_model(folder.model_path)
            self._restore(info.plan)
            self.opened.emit(model, None)

    # -- showing ------------------------------------------------------------------------------------------

    def open_run(self, entry: RunEntry) -> None:
        """Let the run's network read the drawing, and show its settings."""
        with reporting(self._banner.show_text):
            model = load_model(entry.folder.model_path)
            self._restore(entry.info.repeatable_plan())
            self.opened.emit(model, entry.folder.model_path)
            text = self.tr("The network of {run} reads your drawings now; its results are under Results.")
            if model.kind != "classes":
                text = self.tr("The network of {run} is open: see Results.")
            self._banner.show_text(text.format(run=entry.title))

    def show_run(self, run_id: str) -> None:
        """Show a run of a study in the library."""
        self._tabs.setCurrentWidget(self._runs)
        self._runs.show_run(run_id)

    def open_study(self, path: Path | None = None) -> None:
        """Show the study that a TOML file describes; None: ask for the file."""
        self._tabs.setCurrentWidget(self._studies)
        self._studies.open_study(path)

    def show_settings(self, info: RunInfo) -> None:
        """Show the settings of a run, with the rates that were typed while it ran."""
        self._restore(info.repeatable_plan())
        self._banner.show_text(self.tr("The settings of this run are shown at the left."), "good")

    def _restore(self, plan: RunPlan) -> None:
        self._settings.restore(plan.data, plan.settings)

    def set_up_experiment(self, lesson: int, experiment: Experiment) -> None:
        """Show the data and settings of an experiment of the manual, and offer to train."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first; then choose the experiment again."))
            return
        self._settings.restore(DATA, experiment.settings, "")
        self._tabs.setCurrentWidget(self._training)
        text = self.tr("Lesson {n}, {title}: the data and settings are ready.")
        if experiment.accuracy is not None:
            text += " " + self.tr("The manual prints {accuracy} % for it.")
        accuracy, title = number(experiment.accuracy or 0), experiment.title
        self._banner.show_text(
            text.format(n=lesson, title=QCoreApplication.translate("Lesson", title), accuracy=accuracy)
        )
        self._banner.offer(self.tr("Train"), self.start)

    # -- files of settings --------------------------------------------------------------------------------

    def open_settings(self, path: Path) -> None:
        """Show the settings in a file."""
        if self._session.active:
            self._banner.show_text(self.tr("Stop the run first: its settings are shown at the left."))
            return
        with reporting(self._banner.show_text):
            self._restore(read_settings(path))
            self._preferences.save_folder(path)
            text = self.tr("The settings in {name} are shown at the left.")
            self._banner.show_text(text.format(name=path.name), "good")

    def ask_open_settings(self) -> None:
        path = ask_open(self._tabs, self._preferences, self.tr("Open settings"), self._kinds())
        if path:
            self.open_settings(path)

    def ask_save_settings(self) -> None:
        """Ask for a file, and save the settings in it."""
        plan = self._settings.plan
        if plan is None:
            self._banner.show_text(self.tr("A setting is wrong: correct it first."))
            return
        title = self.tr("Save settings")
        path = ask_save(self._tabs, self._preferences, title, "settings.json", self._kinds())
        if path:
            with reporting(self._banner.show_text):
                write_settings(path, plan)
                self._banner.show_text(self.tr("The settings are saved as {path}.").format(path=path), "good")

    def _kinds(self) -> list[str]:
        return [self.tr("Settings (*.json)")]


class RateControl(QObject):
    """The new rate replaces the schedule. The banner says so, and offers to return to the schedule."""

    def __init__(self, settings: SettingsPanel, session: Session, banner: Banner, parent: QObject) -> None:
        super().__init__(parent)
        self._settings, self._session, self._banner = settings, session, banner
        field = settings.fields["learning_rate"]
        assert isinstance(field, NumberField)
        self._field = field
        self._delay = QTimer(self, interval=DELAY_MILLISECONDS, singleShot=True)
        self._delay.timeout.connect(self._apply)
        field.edit.textChanged.connect(self._on_typed)
        field.edit.editingFinished.connect(self._on_entered)
        session.ended.connect(self._delay.stop)

    def _on_typed(self) -> None:
        if self._session.active:
            self._delay.start()

    def _on_entered(self) -> None:
        if self._delay.isActive():
            self._delay.stop()
            self._apply()

    def _apply(self) -> None:
        rate, run = self._settings.learning_rate(), self._session.settings
        if rate is None or run is None:
            return
        self._session.set_learning_rate(rate)
        text = self.tr("The learning rate is {rate} from now on. This is recorded with the run.")
        if run.schedule != "constant":
            text = self.tr(
                "The learning rate is {rate} from now on, and the schedule ({schedule}) is off. This is recorded with "
                "the run."
            )
        self._banner.show_text(text.format(rate=number(rate), schedule=run.schedule))
        self._banner.offer(self.tr("Return to the schedule"), self._return_to_schedule)

    def _return_to_schedule(self) -> None:
        run = self._session.settings
        if run is None or not self._session.active:
            return
        self._session.set_learning_rate(None)
        with QSignalBlocker(self._field.edit):
            self._field.show_value(run.learning_rate)
        self._banner.show_text(self.tr("The learning rate follows the schedule of the run again."), "good")


def show_settings_of(model: Model, panel: SettingsPanel, banner: Banner) -> None:
    """Show the network and settings of `model` if they fit the chosen data; else say that others are shown.

    The settings before can be brought back by a button in the banner.
    """
    before, preset = panel.plan, panel.preset_box.currentData()
    try:
        run = (
            model.settings()
            if model.run
            else (before.settings if before else RunSettings()).change(
                network=model.network.text, activation=model.activation, loss=model.loss
            )
        )
    except InputError:
        run = None
    if run is None or not _fits(model, panel.data):
        banner.append_text(panel.tr("The settings at the left are not those of this model."), "info", "")
        return
    if before and run == before.settings:
        return
    panel.show_run(run)
    banner.append_text(panel.tr("Its network and settings are shown at the left."), "info", "")
    if before:
        banner.offer(
            panel.tr("Back to my settings"), lambda: panel.restore(before.data, before.settings, preset)
        )


def _fits(model: Model, data: DatasetPicker) -> bool:
    """Whether the model has learned from data like the chosen ones, as far as is known before they are loaded."""
    network = model.network
    return (model.kind, network.input_shape, network.outputs) == (data.kind(), *data.shape())
