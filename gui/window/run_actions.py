"""What the Runs tab and files of settings do with the window: continue a run, open it, show its settings."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from core.errors import InputError
from core.inference.model_file import load_model
from core.runs.folder import RunInfo
from core.runs.library import RunEntry
from core.runs.plan import RunPlan, read_settings, write_settings
from core.runs.recorder import RunRecorder, Start
from gui.background.failure import failure_of
from gui.runs.dialogs import ContinueDialog, device_items

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

SUFFIX = ".json"


class RunActions(QObject):
    """Connects the tab to the settings, the session and the canvas."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        window.runs.continue_asked.connect(self.ask_continue)
        window.runs.settings_asked.connect(lambda entry: self.show_settings(entry.info))
        window.runs.open_asked.connect(self.open)
        window.files.settings_chosen.connect(self.open_settings)
        window.files.study_chosen.connect(self.open_study)
        window.studies.run_asked.connect(self.show_run)
        window.studies.settings_asked.connect(self._show)

    def ask_continue(self, entry: RunEntry) -> None:
        """Ask how to continue the run, and do so."""
        dialog = ContinueDialog(entry, device_items(self._window.settings.device_box), self._window)
        dialog.accepted.connect(lambda: self._continue(entry, dialog))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _continue(self, entry: RunEntry, dialog: ContinueDialog) -> None:
        if dialog.outcome is not None:
            self._show(dialog.outcome[0])
            self.start(*dialog.outcome)

    def start(self, plan: RunPlan, start: Start) -> None:
        """Continue a run from one of its checkpoints."""
        window = self._window
        if window.session.active or window.measuring.busy or window.studies.busy:
            window.banner.show_text(self.tr("Stop what is running first: the run was not continued."))
            return
        window.tabs.setCurrentWidget(window.training)
        window.continue_run(plan, RunRecorder(start=start))

    def continue_unfinished(self, path: Path, info: RunInfo) -> None:
        """Continue an interrupted run in its folder, on its device if that is here."""
        plan = info.plan
        self._show(plan)
        if plan.device not in dict(device_items(self._window.settings.device_box)):
            plan = replace(plan, device=self._window.devices.choice())
        self.start(plan, Start(path))

    def open(self, entry: RunEntry) -> None:
        """Let the run's network read the drawing, and show its settings."""
        try:
            model = load_model(entry.folder.model_path)
        except InputError as error:
            self._window.banner.show_text(failure_of(error).text, "bad")
            return
        self._show(entry.info.repeatable_plan())
        self._window.show_opened(model, entry.folder.model_path)
        text = self.tr("The network of {run} reads your drawings now; its results are under Results.")
        if model.kind != "classes":
            text = self.tr("The network of {run} is open: see Results.")
        self._window.banner.show_text(text.format(run=entry.title))

    def show_run(self, run_id: str) -> None:
        """Show a run of a study in the library."""
        self._window.tabs.setCurrentWidget(self._window.runs)
        self._window.runs.show_run(run_id)

    def open_study(self, path: Path | None = None) -> None:
        """Show the study that a TOML file describes; None: ask for the file."""
        self._window.tabs.setCurrentWidget(self._window.studies)
        self._window.studies.open(path)

    def show_settings(self, info: RunInfo) -> None:
        """Show the settings of a run, with the rates that were typed while it ran."""
        self._show(info.repeatable_plan())
        self._window.banner.show_text(self.tr("The settings of this run are shown at the left."), "good")

    def _show(self, plan: RunPlan) -> None:
        self._window.settings.restore(plan.data, plan.settings)

    # -- files of settings --------------------------------------------------------------------------------

    def open_settings(self, path: Path) -> None:
        """Show the settings in a file."""
        window = self._window
        if window.session.active:
            window.banner.show_text(self.tr("Stop the run first: its settings are shown at the left."))
            return
        try:
            plan = read_settings(path)
        except InputError as error:
            window.banner.show_text(failure_of(error).text, "bad")
            return
        self._show(plan)
        window.preferences.save_folder(path)
        window.banner.show_text(
            self.tr("The settings in {name} are shown at the left.").format(name=path.name), "good"
        )

    def ask_open_settings(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open settings"), self._window.preferences.folder(), self._kinds()
        )
        if path:
            self.open_settings(Path(path))

    def ask_save_settings(self) -> None:
        """Ask for a file, and save the settings in it."""
        window = self._window
        plan = window.settings.plan
        if plan is None:
            window.banner.show_text(self.tr("A setting is wrong: correct it first."))
            return
        start = str(Path(window.preferences.folder()) / f"settings{SUFFIX}")
        chosen, _ = QFileDialog.getSaveFileName(window, self.tr("Save settings"), start, self._kinds())
        if not chosen:
            return
        path = Path(chosen if chosen.lower().endswith(SUFFIX) else chosen + SUFFIX)
        try:
            write_settings(path, plan)
        except InputError as error:
            window.banner.show_text(failure_of(error).text, "bad")
            return
        window.preferences.save_folder(path)
        window.banner.show_text(self.tr("The settings are saved as {path}.").format(path=path), "good")

    def _kinds(self) -> str:
        return self.tr("Settings (*.json)")
