"""What the window shows of the study that is trained."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QTabWidget, QWidget

from core.data.dataset_cache import DatasetCache
from gui.runs.tab import CompareTab
from gui.studies.training import StudyTraining
from gui.training.progress import RunProgress
from gui.training.tab import TrainingTab


class StudyDisplay(QObject):
    """The tab Compare lists what the studies train; each asks the other for what it does not do itself.

    page: the tab Training; training: the band in it.
    """

    def __init__(
        self,
        studies: StudyTraining,
        compare: CompareTab,
        tabs: QTabWidget,
        page: QWidget,
        training: TrainingTab,
        progress: RunProgress,
        dataset_cache: DatasetCache,
    ) -> None:
        super().__init__(studies)
        self._studies = studies
        self._compare = compare
        self._tabs = tabs
        self._page = page
        self._progress = progress
        studies.busy_changed.connect(progress.end_run)
        studies.trained.connect(partial(training.show_study, load=dataset_cache.get))
        studies.progressed.connect(self._show_progress)
        studies.shown.connect(self._show_study)
        studies.deleted.connect(compare.commands.study_deleted)
        compare.comparison_asked.connect(studies.ask)
        compare.stop_asked.connect(studies.stop)
        compare.values_asked.connect(self._use_values)
        compare.commands.study_asked.connect(studies.ask_like)
        compare.commands.continue_study_asked.connect(studies.continue_study)
        compare.commands.deletion_asked.connect(studies.delete)
        compare.commands.restored.connect(studies.undo_delete)

    def open_study(self, path: Path) -> None:
        """Show the study that a TOML file describes."""
        self._tabs.setCurrentWidget(self._compare)
        self._studies.open_study(path)

    def continue_study(self, name: str) -> None:
        """Train what is left of a study of the library."""
        self._tabs.setCurrentWidget(self._compare)
        self._studies.continue_study(name)

    def _show_progress(self, name: str, text: str, done: int, total: int) -> None:
        self._compare.show_training(name, text, done, total)
        if text:
            self._progress.show_preparation(text, done, total)

    def _show_study(self, name: str) -> None:
        self._tabs.setCurrentWidget(self._compare)
        self._compare.show_study(name)

    def _use_values(self, values: dict[str, Any]) -> None:
        """Show these values in the settings, beside the button that trains with them."""
        self._tabs.setCurrentWidget(self._page)
        self._studies.use_values(values)
