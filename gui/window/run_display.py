"""What the window shows of the run or study in progress, and what it says when a run has ended."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject

from core.data.dataset_cache import DatasetCache
from core.inspection.health import Finding
from core.runs.plan import RunContext
from core.training.records import Finished
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure
from gui.labs.curves import LabCurves
from gui.runs.tab import CompareTab
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.studies.training import StudyTraining
from gui.text import finding_text
from gui.training.progress import RunProgress
from gui.training.session import Session, State, run_summary
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.tab import Tab
from gui.window.model_selector import ModelSelector, are_drawings
from gui.window.replaced_settings import ReplacedSettings
from kernels.registry import default_cpu_device


class RunDisplay(QObject):
    """Passes the records of the session's run to the progress and to `tabs`, and locks the settings meanwhile."""

    def __init__(
        self,
        session: Session,
        training: TrainingTab,
        tabs: Sequence[Tab],
        settings: SettingsPanel,
        devices: DevicePicker,
        progress: RunProgress,
        model_selector: ModelSelector,
    ) -> None:
        super().__init__(session)
        self._tabs = (training, *tabs)
        self._training = training
        self._settings = settings
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
        devices.chosen.connect(progress.show_device)

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


class StudyDisplay(QObject):
    """Shows the study that is trained in the tab Compare, in the band and as a progress."""

    def __init__(
        self,
        studies: StudyTraining,
        compare: CompareTab,
        training: TrainingTab,
        progress: RunProgress,
        dataset_cache: DatasetCache,
    ) -> None:
        super().__init__(studies)
        self._compare = compare
        self._progress = progress
        studies.busy_changed.connect(progress.end_run)
        studies.trained.connect(partial(training.show_study, load=dataset_cache.get))
        studies.progressed.connect(self._show_progress)

    def _show_progress(self, name: str, text: str, done: int, total: int) -> None:
        self._compare.show_training(name, text, done, total)
        if text:
            self._progress.show_preparation(text, done, total)


class RunReport(QObject):
    """Says in the banner how a run has ended, and offers what can be done about it."""

    def __init__(
        self,
        session: Session,
        training: TrainingTab,
        progress: RunProgress,
        lab_curves: LabCurves,
        replaced: ReplacedSettings,
        banner: Banner,
    ) -> None:
        super().__init__(session)
        self._session = session
        self._training = training
        self._progress = progress
        self._lab_curves = lab_curves
        self._replaced = replaced
        self._banner = banner
        self._outcome: Any = None  # of the run that was reported last
        session.ended.connect(self._show)
        training.conclusion.found.connect(self._explain)

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
                self.tr("Continue on the CPU"), lambda: self._session.continue_on(default_cpu_device())
            )

    def _explain(self, finding: Finding) -> None:
        """Say what Health finds in a network that has learned nothing, instead of general advice."""
        outcome = self._outcome
        is_explained = isinstance(outcome, Finished) and outcome.advice and outcome.reason != "diverged"
        if is_explained and self._banner.isVisible() and not self._session.active:
            self._banner.show_text(*self._summary(outcome, finding_text(finding)))
