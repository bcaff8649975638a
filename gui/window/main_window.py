"""The main window: lays out its parts and connects their signals."""

import time
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow

from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model, reads_drawings
from core.runs.plan import RunContext, RunPlan
from core.runs.recorder import RunRecorder
from core.training.presets import Preset
from core.training.records import Finished, Record
from gui.background.failure import Failure
from gui.background.task_runner import end_background_work
from gui.devices.tab import DevicesTab
from gui.drawing.panel import DrawingPanel
from gui.inside.tab import InsideTab
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.runs.tab import RunsTab
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.studies.tab import StudiesTab
from gui.training.controls import RunControls
from gui.training.session import Session, State, run_summary
from gui.training.tab import TrainingTab
from gui.widgets.banner import Banner
from gui.widgets.basics import Highlight
from gui.widgets.tab import Tab
from gui.widgets.theme import theme
from gui.window.activity_lock import ActivityLock
from gui.window.device_advice import DeviceAdvice
from gui.window.drag_and_drop import drop_hint, is_droppable, open_dropped
from gui.window.file_actions import FileActions
from gui.window.main_splitter import MainSplitter, column, tab_widget
from gui.window.menus import build_menus
from gui.window.model_exchange import ModelExchange
from gui.window.model_selector import RUN, ModelSelector
from gui.window.opened_model import show_settings_of
from gui.window.own_digits import make_own_digits
from gui.window.rate_control import RateControl
from gui.window.run_actions import RunActions
from gui.window.settings_store import panel_values, restore_layout, restore_panel, save_layout
from gui.window.startup.page_builder import PageBuilder
from gui.window.startup.unfinished_run import offer_unfinished_run
from gui.window.startup.warm_up import WarmUp
from gui.window.status_bar import StatusBar
from kernels.registry import default_cpu_device

STATUS_SECONDS = 0.25


class MainWindow(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("DigitLab")
        self.setObjectName("mainWindow")
        self.setAcceptDrops(True)
        self.preferences = Preferences()
        self.theme = theme()
        self.theme.choose(self.preferences.theme)
        self.dataset_cache = DatasetCache()
        self.session = Session(self.dataset_cache, self)
        self.settings = SettingsPanel(self.dataset_cache, self.preferences)
        self.controls = RunControls(self.session)
        self.tabs = tab_widget()
        self.banner = Banner(self.tabs)
        self.training = TrainingTab()
        self.results = ResultsTab(self.preferences, self.banner)
        self.inside = InsideTab(self.dataset_cache, self._data_source)
        self.runs = RunsTab(self.preferences, self.dataset_cache, self.banner)
        self.studies = StudiesTab(
            self.preferences, self.dataset_cache, lambda: self.settings.plan, self.banner
        )
        self.drawing = DrawingPanel(None)
        self._model_selector = ModelSelector(self.drawing)
        self.status = StatusBar()
        self.devices = DevicePicker(self.settings.device_box, self)
        self.measuring = DevicesTab(self.settings, self.dataset_cache, self.devices)
        self.warm_up = WarmUp(self.settings, self.dataset_cache, self.devices, self)
        self.files = FileActions(self, self.preferences, self.training)
        self._drop_frame = Highlight(self)
        self._tabs: tuple[Tab, ...] = (
            self.training, self.results, self.inside, self.runs, self.studies, self.measuring,
        )  # fmt: skip
        self._page_builder = PageBuilder(self._tabs, self)
        self._newest: Record | None = None
        self._status_shown_at = 0.0
        self._trained_on = ""
        self._warnings: set[str] = set()
        self._lay_out()
        self._name_parts()
        self._connect()
        self.own_digits = make_own_digits(self, self._model_selector)
        build_menus(self)
        restore_panel(self.settings, self.preferences.last_settings())
        restore_layout(self)
        self._refresh()
        self._loading = QTimer(self, singleShot=True, interval=0)
        self._loading.timeout.connect(self._load_model)
        self._loading.start()

    # -- the parts ----------------------------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.results.previous_in_tab_order = self.tabs.tabBar()
        for tab in self._tabs:
            self.tabs.addTab(tab, tab.title())
            tab.title_changed.connect(partial(self._show_title, tab))
        self.columns = MainSplitter(
            column(self.settings, self.controls, margins=(0, 0, 0, 0), spacing=0),
            column(self.tabs, margins=(4, 10, 4, 8)),
            column(self.drawing, margins=(8, 10, 12, 10)),
        )
        self.setCentralWidget(self.columns)
        self.setStatusBar(self.status)

    def _name_parts(self) -> None:
        """Widgets by their object names, for scripts and tests."""
        fields, controls = self.settings.fields, self.controls
        self.datasetBox, self.presetBox = self.settings.data.box, self.settings.preset_box
        self.activationBox, self.lossBox = fields["activation"].editor, fields["loss"].editor
        self.optimizerBox, self.deviceBox = fields["optimizer"].editor, self.settings.device_box
        self.networkEdit, self.learningRateEdit = self.settings.network.edit, fields["learning_rate"].editor
        self.batchSizeBox, self.epochsBox = fields["batch_size"].editor, fields["epochs"].editor
        self.seedBox = fields["seed"].editor
        self.trainButton, self.pauseButton = controls.train_button, controls.pause_button
        self.stepButton, self.stopButton = controls.step_button, controls.stop_button
        self.clearButton, self.undoButton = self.drawing.tools.clearButton, self.drawing.tools.undoButton
        self.canvas, self.predictionLabel = self.drawing.canvas, self.drawing.predictionLabel
        self.lossPlot, self.accuracyPlot = self.training.loss_plot, self.training.accuracy_plot

    def _connect(self) -> None:
        self.banner.covers.connect(self.training.keep_free)
        self.settings.changed.connect(self._refresh)
        self.settings.data.failed.connect(self._show_failure)
        self.settings.preset_replaced.connect(self._report_replaced_settings)
        self.controls.train.triggered.connect(lambda: self.start())
        self.controls.step.triggered.connect(self._step)
        self.controls.start_problem_asked.connect(self.settings.show_start_problem)
        self.session.state_changed.connect(self._on_state)
        self.session.preparing.connect(self._on_preparing)
        self.session.prepared.connect(self._on_prepared)
        self.session.history.connect(self.training.show_history)
        self.session.records.connect(self._on_records)
        self.session.snapshot.connect(self._show_model)
        self.session.ticked.connect(self._on_tick)
        for tab in self._tabs:
            self.session.records.connect(tab.add_records)
            self.session.snapshot.connect(tab.show_snapshot)
            self.session.ticked.connect(tab.update_if_due)
        self.session.ended.connect(self._on_ended)
        self.session.warned.connect(self._warn)
        self.devices.chosen.connect(self.status.show_device)
        self._advice = DeviceAdvice(self.devices, self.preferences, self.banner)
        self.session.device_noticed.connect(self.devices.show_notice)
        # Probe devices after the recognizer is compiled: compiling at the same time would delay it.
        self.drawing.ready.connect(self.devices.probe)
        self.drawing.ready.connect(self._page_builder.begin)
        self.drawing.kept.connect(self.settings.data.reload_own_digits)
        self.drawing.status.connect(self.banner.show_text)
        self.files.opened.connect(lambda model: self._model_selector.show(model, str(self.files.path or RUN)))
        self.files.opened.connect(lambda model: show_settings_of(model, self.settings, self.banner))
        self.files.opened.connect(self._test)
        self.files.message.connect(self.banner.show_text)
        self.files.image_chosen.connect(self.drawing.open_image)
        self.files.opened.connect(self.inside.show_model)
        self.drawing.model_changed.connect(self.inside.show_model)
        self.drawing.recognized.connect(self.inside.show_drawing)
        self.results.open_image.connect(self.drawing.open_image)
        self.run_actions = RunActions(self)
        self.exclusion = ActivityLock(self)
        self.exchange = ModelExchange(self)
        self.files.import_chosen.connect(self.exchange.import_file)
        self._rate_control = RateControl(self.settings, self.session, self.banner, self)

    def _load_model(self) -> None:
        """Read the first model, once the window is on the screen."""
        if not self.session.active:
            if model := self._model_selector.show_first():
                self.files.set_model(model)
            offer_unfinished_run(self)
        if not self.drawing.isVisible():
            self.drawing.ready.emit()  # a panel that is folded away never becomes ready

    # -- a run --------------------------------------------------------------------------------------------

    def start(self, *, stepping: bool = False) -> None:
        """Start a run with the settings of the panel; `stepping`: pause after one batch."""
        plan = self.settings.plan
        if plan is None or self.session.active or not self.settings.data.is_available():
            return
        if self.exclusion.refuses_run():
            return
        self._prepare_start(plan)
        # Saved now and not only when the window is closed, so that a crash does not lose the settings.
        self.preferences.save_settings(panel_values(self.settings))
        self.session.start_run(plan, stepping=stepping)
        self._model_selector.start_run(self._data_match_drawings())

    def continue_run(self, plan: RunPlan, recorder: RunRecorder) -> None:
        """Continue a saved run from its checkpoint."""
        self._prepare_start(plan)
        self.session.start_run(plan, recorder=recorder)
        self._model_selector.start_run(self._data_match_drawings())

    def _prepare_start(self, plan: RunPlan) -> None:
        self.banner.hide()
        self._newest = None
        self.status.start_run(plan.settings.epochs)

    def _step(self) -> None:
        if self.session.active:
            self.session.step()
        else:
            self.start(stepping=True)

    def _refresh(self) -> None:
        start_problem = self.settings.start_problem()
        self.controls.set_start_problem(start_problem.text if start_problem else "")
        self._model_selector.set_data_readable(self._data_match_drawings())
        self.status.show_data(self.settings.data.summary())
        self.training.show_plan(self.settings.plan, self.settings.data.kind())
        self.studies.refresh()
        if not self.session.active and self._trained_on != self.settings.data.source():
            # The status bar shows a run on another data set.
            self._trained_on = ""
            self.status.end_run()

    def _data_match_drawings(self) -> bool:
        """Whether a network trained on the chosen data classifies drawings."""
        return reads_drawings(self.settings.data.kind(), self.settings.data.shape()[0])

    def _on_state(self, state: State) -> None:
        self.settings.lock(state is not State.IDLE)
        # An opened model would be replaced at the next step of the run: the canvas uses the network in training.
        reason = self.tr("Stop the run first: the network that learns reads your drawings.")
        self.files.disable_opening("" if state is State.IDLE else reason)
        self.training.set_paused(state is State.PAUSED)
        if state is State.PAUSED:
            self._show_numbers()

    def _show_title(self, tab: Tab) -> None:
        self.tabs.setTabText(self.tabs.indexOf(tab), tab.title())

    def _on_preparing(self, what: str) -> None:
        self.status.show_preparation(
            self.tr("reading the data…") if what == "data" else self.tr("preparing…")
        )

    def _on_prepared(self, context: RunContext) -> None:
        kind = context.dataset.kind
        for tab in self._tabs:
            tab.start_run(context)
        self.status.set_kind(kind)
        self.devices.show_running(context.plan.device)
        self._model_selector.start_run(reads_drawings(kind, context.dataset.input_shape))
        self._trained_on = context.plan.data
        self.settings.data.on_loaded(context.plan.data, context.dataset)

    def _on_records(self, records: list[Record]) -> None:
        progress = [record for record in records if not isinstance(record, Finished)]
        if progress:
            first, self._newest = self._newest is None, progress[-1]
            if first:
                self._show_numbers()

    def _on_tick(self) -> None:
        if time.monotonic() - self._status_shown_at >= STATUS_SECONDS:
            self._show_numbers()

    def _show_numbers(self) -> None:
        self._status_shown_at = time.monotonic()
        if self._newest is not None:
            self.status.show_record(self._newest)
            if self.session.state is State.PAUSED:
                self.status.show_paused()
            return
        done, total = self.session.loaded()
        if total:
            self.status.show_preparation(self.tr("preparing the data…"), done, total)

    def _on_ended(self, outcome: Any) -> None:
        for tab in self._tabs:
            tab.end_run()
        self._model_selector.end_run()
        self._show_numbers()
        self.status.end_run(self.status.epoch.text() if self._newest else "")
        self.settings.data.refresh()
        self._refresh()
        text, tone, details = run_summary(outcome, self._newest, self.training.epochs.kind)
        if text:
            self.banner.show_text(text, tone, details)
        if isinstance(outcome, Failure) and outcome.device_error:
            self.banner.offer(
                self.tr("Go on on the CPU"), lambda: self.session.continue_on(default_cpu_device())
            )

    # -- models and messages ------------------------------------------------------------------------------

    def _show_model(self, model: Model) -> None:
        """Recognize drawings with a model that has no file yet, and let it be saved."""
        self.files.set_model(model)
        self._model_selector.show(model)

    def show_opened(self, model: Model, path: Path | None = None) -> None:
        """Show a model from `path`, which Save does not overwrite; None: of the last run. It is tested on the data."""
        self.files.set_model(model)
        self._model_selector.show(model, str(path or RUN))
        self._test(model)

    def _test(self, model: Model) -> None:
        """Test an opened model on the chosen data."""
        if not self.session.active:
            self.results.show_model(model, self.dataset_cache, self._data_source())

    def _data_source(self) -> str:
        """The chosen data set, or an empty text where it is not available."""
        data = self.settings.data
        return data.source() if data.is_available() else ""

    def _warn(self, failure: Failure) -> None:
        """Show each warning once, even if it comes after every run."""
        if failure.text not in self._warnings:
            self._warnings.add(failure.text)
            self.banner.add(failure.text, failure.tone, failure.details)

    def _report_replaced_settings(self, preset: Preset) -> None:
        text = self.tr("The settings before were not for these data: those of “{preset}” are shown instead.")
        self.banner.show_text(text.format(preset=QCoreApplication.translate("Preset", preset.title)))

    def _show_failure(self, failure: Failure) -> None:
        self.banner.show_text(failure.text, "bad", failure.details)

    # -- looks --------------------------------------------------------------------------------------------

    def choose_theme(self, choice: str) -> None:
        self.preferences.theme = choice
        self.theme.choose(choice)

    def toggle_full_screen(self) -> None:
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def reset_layout(self) -> None:
        self.columns.reset()
        self.training.reset_layout()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if is_droppable(event.mimeData()):
            event.acceptProposedAction()
            self._drop_frame.surround(self.columns.geometry().adjusted(6, 6, -6, -6), drop_hint())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_frame.hide()
        open_dropped(self, event.mimeData())

    # -- preferences ---------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the run, which is saved, without asking."""
        save_layout(self)
        self.preferences.save_settings(panel_values(self.settings))
        self.preferences.sync()
        # Stopping may take until the end of a long batch.
        self.hide()
        self._loading.stop()
        end_background_work()
        super().closeEvent(event)
