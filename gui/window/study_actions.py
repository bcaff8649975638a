"""Starts studies, uses what they have found, and deletes them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from core.runs.plan import RunPlan
from core.studies.spec import Value, plan_with, read_study
from core.studies.study import (
    delete_study,
    deleted_studies,
    restore_study,
    stored_spec,
    study_names,
)
from gui.preferences import Preferences
from gui.runs.rows import setting_title, value_text
from gui.runs.tab import CompareTab
from gui.studies.training import StudyTraining
from gui.widgets.banner import Banner
from gui.widgets.dialogs import reporting

if TYPE_CHECKING:
    from gui.studies.dialog import ComparisonDialog


class StudyActions(QObject):
    """Does with studies what the tab Compare, the menus and the sentence about a comparison ask for.

    `plan` returns what the window would train, None while its settings are wrong. page: the tab Training.
    """

    settings_asked = Signal(object, str)  # RunSettings and data, to be shown in the window
    settings_said = Signal()  # a message says what has changed by that

    def __init__(
        self,
        studies: StudyTraining,
        compare: CompareTab,
        plan: Callable[[], RunPlan | None],
        tabs: QTabWidget,
        page: QWidget,
        preferences: Preferences,
        banner: Banner,
    ) -> None:
        super().__init__(studies)
        self._studies = studies
        self._compare = compare
        self._plan = plan
        self._tabs = tabs
        self._page = page
        self._preferences = preferences
        self._banner = banner
        compare.comparison_asked.connect(self.ask)
        compare.stop_asked.connect(studies.stop)
        compare.values_asked.connect(self.use_values)
        compare.commands.study_asked.connect(self.ask_like)
        compare.commands.continue_study_asked.connect(studies.continue_study)
        compare.commands.deletion_asked.connect(self.delete)
        compare.commands.restored.connect(self.undo_delete)

    # -- new studies --------------------------------------------------------------------------------------

    def ask(self, name: str) -> None:
        """Ask which values of the setting `name` are to be compared, and train them."""
        plan = self._plan()
        if self._studies.refuses():
            return
        if plan is None:
            self._banner.show_text(self.tr("Correct the settings under Training first."))
            return
        dialog = self._dialog(plan)
        dialog.editor.show_new(name, plan)
        dialog.open()

    def ask_like(self, name: str) -> None:
        """Show the settings of the study `name` in the window, and what it varies in the form of a new one."""
        if self._studies.refuses():
            return
        with reporting(self._banner.show_text):
            spec = stored_spec(name)
            before = self._plan()
            self.settings_asked.emit(spec.plan.settings, spec.plan.data)
            self._say_changes(before, self._plan())
            dialog = self._dialog(self._plan() or spec.plan)
            dialog.editor.show_like(spec)
            dialog.open()

    def open_study(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        self._tabs.setCurrentWidget(self._compare)
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

        dialog = ComparisonDialog(plan, self._preferences, self._tabs.window())
        dialog.accepted_study.connect(self._studies.start)
        return dialog

    def continue_study(self, name: str) -> None:
        """Train what is left of a study of the library, which is shown."""
        self._tabs.setCurrentWidget(self._compare)
        self._studies.continue_study(name)

    def _show_study(self, name: str) -> None:
        self._tabs.setCurrentWidget(self._compare)
        self._compare.show_study(name)

    # -- using what was found -----------------------------------------------------------------------------

    def use_run(self, number: int) -> None:
        """Use the values of the run with this number, of the study that was trained last, but for its seed."""
        run = next((run for run in self._studies.runs if run.number == number), None)
        if run is not None:
            self.use_values({name: value for name, value in run.values.items() if name != "seed"})

    def use_values(self, values: Mapping[str, Value]) -> None:
        """Show these values of settings beside the button that trains with them, and say what has changed by them."""
        self._tabs.setCurrentWidget(self._page)
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
