"""A run or study that was going on when the program ended, or was stopped before its end."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from core.runs.folder import RunInfo
from core.runs.library import unfinished_run
from core.runs.recorder import Start
from core.studies.study import study_names
from gui.runs.dialogs import device_items
from gui.settings.panel import SettingsPanel
from gui.studies.training import StudyTraining
from gui.text import data_title
from gui.widgets.banner import Banner
from gui.window.run_actions import RunActions
from gui.window.study_actions import StudyActions
from gui.words import network_words


class UnfinishedRun(QObject):
    """Offers at the start to continue it, or to open what it has learned so far."""

    def __init__(
        self,
        settings: SettingsPanel,
        studies: StudyTraining,
        study_actions: StudyActions,
        run_actions: RunActions,
        banner: Banner,
    ) -> None:
        super().__init__(banner)
        self._settings = settings
        self._studies = studies
        self._study_actions = study_actions
        self._run_actions = run_actions
        self._banner = banner

    def offer(self) -> None:
        """Show a message with "Continue" and "Open" if the last run or study was interrupted or stopped."""
        unfinished = unfinished_run()
        study = unfinished[1].study if unfinished else self._studies.left()
        if study in study_names():
            self._banner.show_text(self.tr("“{name}” was stopped before its end.").format(name=study))
            self._banner.offer(self.tr("Continue"), partial(self._study_actions.continue_study, study))
            return
        if unfinished is None:
            return
        folder, info = unfinished
        text = self.tr("The last run, {network} on {data}, was stopped before its end.")
        if info.state == "running":
            text = self.tr(
                "The last run, {network} on {data}, was interrupted: the program ended while it trained."
            )
        self._banner.show_text(
            text.format(network=network_words(info.network), data=data_title(info.plan.data))
        )
        self._banner.offer(self.tr("Continue"), partial(self._continue, folder.path, info))
        if folder.model_path.exists():
            open_it = partial(self._run_actions.open_unfinished, folder, info)
            self._banner.offer(self.tr("Open"), open_it, instead=True)

    def _continue(self, path: Path, info: RunInfo) -> None:
        """Continue an interrupted run in its folder, on its device if that is here."""
        plan = info.plan
        if plan.device not in dict(device_items(self._settings.device_box)):
            plan = replace(plan, device=self._settings.device())
        self._run_actions.continue_run(plan, Start(path))
