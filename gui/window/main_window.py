"""The main window: lays out its parts and connects their signals."""

from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QMainWindow

from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model, reads_drawings
from core.runs.plan import RunContext
from core.training.presets import Preset
from gui.background.failure import Failure
from gui.background.task_runner import end_background_work
from gui.devices.tab import DevicesTab
from gui.drawing.panel import DrawingPanel
from gui.inside.tab import InsideTab
from gui.own_digits.dialog import OwnDigitsDialog
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
from gui.window import menus
from gui.window.file_actions import FileActions
from gui.window.main_splitter import MainSplitter, column, tab_widget
from gui.window.model_exchange import ModelExchange
from gui.window.model_selector import RUN, ModelSelector
from gui.window.run_actions import ActivityLock, RateControl, RunActions, show_settings_of
from gui.window.settings_store import panel_values, restore_layout, restore_panel, save_layout
from gui.window.startup import DeviceAdvice, PageBuilder, WarmUp
from gui.window.status_bar import StatusBar
from gui.window.tour import Tour, tour_steps
from kernels.registry import default_cpu_device


class MainWindow(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("DigitLab")
        self.setObjectName("mainWindow")
        self.setAcceptDrops(True)
        self.preferences = Preferences()
        theme().choose(self.preferences.theme)
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
        self.model_selector = ModelSelector(self.drawing)
        self.own_digits = OwnDigitsDialog(self.model_selector.current, self)
        self.status = StatusBar()
        self.devices = DevicePicker(self.settings.device_box, self)
        self.measuring = DevicesTab(self.settings, self.dataset_cache, self.devices)
        self._tabs: tuple[Tab, ...] = (
            self.training, self.results, self.inside, self.runs, self.studies, self.measuring,
        )  # fmt: skip
        self.page_builder = PageBuilder(self._tabs, self)
        self.warm_up = WarmUp(self.settings, self.dataset_cache, self.devices, self)
        self.files = FileActions(self, self.preferences, self.training)
        self.exchange = ModelExchange(self, self.files, self.settings, self.dataset_cache, self.preferences)
        self.activity_lock = ActivityLock(
            self.session, self.measuring, self.studies, self.warm_up, self.banner
        )
        self.run_actions = RunActions(
            self.settings, self.session, self.activity_lock, self.tabs, self.training, self.runs,
            self.studies, self.preferences, self.banner,
        )  # fmt: skip
        DeviceAdvice(self.devices, self.preferences, self.banner)
        RateControl(self.settings, self.session, self.banner, self)
        self._drop_frame = Highlight(self)
        self._trained_on = ""
        self._warnings: set[str] = set()
        self._lay_out()
        self._connect_runs()
        self._connect_models()
        self._fill_menus()
        restore_panel(self.settings, self.preferences.last_settings())
        self.reset_layout()
        restore_layout(self.preferences, self, self.columns, self.training.splitter)
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

    def _connect_runs(self) -> None:
        self.banner.covers.connect(self.training.keep_free)
        self.settings.changed.connect(self._refresh)
        self.settings.data.failed.connect(self._show_failure)
        self.settings.preset_replaced.connect(self._report_replaced_settings)
        self.controls.train.triggered.connect(lambda: self.run_actions.start())
        self.controls.step.triggered.connect(self.run_actions.step)
        self.controls.start_problem_asked.connect(self.settings.show_start_problem)
        self.run_actions.starting.connect(lambda settings: self.status.start_run(settings.epochs))
        self.run_actions.started.connect(lambda: self.model_selector.start_run(self._data_match_drawings()))
        self.session.state_changed.connect(self._on_state)
        self.session.prepared.connect(self._on_prepared)
        self.session.history.connect(self.training.show_history)
        self.session.snapshot.connect(self._show_model)
        self.status.follow(self.session)
        for tab in self._tabs:
            self.session.records.connect(tab.add_records)
            self.session.snapshot.connect(tab.show_snapshot)
            self.session.ticked.connect(tab.update_if_due)
        self.session.ended.connect(self._on_ended)
        self.session.warned.connect(self._warn)
        self.session.device_noticed.connect(self.devices.show_notice)
        self.devices.chosen.connect(self.status.show_device)

    def _connect_models(self) -> None:
        # Probe devices after the recognizer is compiled: compiling at the same time would delay it.
        self.drawing.ready.connect(self.devices.probe)
        self.drawing.ready.connect(self.page_builder.begin)
        self.drawing.kept.connect(self.settings.data.reload_own_digits)
        self.drawing.kept.connect(self.own_digits.reload)
        self.drawing.status.connect(self.banner.show_text)
        self.drawing.model_changed.connect(self.inside.show_model)
        self.drawing.recognized.connect(self.inside.show_drawing)
        self.results.open_image.connect(self.drawing.open_image)
        self.files.opened.connect(self._show_opened_file)
        self.files.message.connect(self.banner.show_text)
        self.files.image_chosen.connect(self.drawing.open_image)
        self.files.data_chosen.connect(self.settings.data.choose)
        self.files.settings_chosen.connect(self.run_actions.open_settings)
        self.files.study_chosen.connect(self.run_actions.open_study)
        self.files.import_chosen.connect(self.exchange.import_file)
        self.exchange.imported.connect(self.show_opened)
        self.exchange.message.connect(self.banner.show_text)
        self.run_actions.opened.connect(self.show_opened)
        self.own_digits.drawings_changed.connect(self.settings.data.reload_own_digits)
        self.own_digits.learned.connect(self._show_learned)
        self.own_digits.undone.connect(self.model_selector.undo_own)

    def _fill_menus(self) -> None:
        bar, tr = self.menuBar(), partial(QCoreApplication.translate, "Menus")
        menus.fill_file_menu(
            bar.addMenu(tr("&File")), self.files, self.exchange, self.run_actions, self.tabs, self.results, self.close
        )  # fmt: skip
        menus.fill_edit_menu(bar.addMenu(tr("&Edit")), self.drawing, self.own_digits)
        menus.fill_view_menu(
            bar.addMenu(tr("&View")), self.tabs, self.columns, self.drawing, self.training, self.preferences,
            self.reset_layout,
        )  # fmt: skip
        menus.fill_train_menu(bar.addMenu(tr("&Train")), self.controls, self.training)
        menus.fill_lessons_menu(bar.addMenu(tr("Lessons")), self.run_actions, self)
        menus.fill_help_menu(bar.addMenu(tr("&Help")), self, self.devices, self.show_tour)
        menus.disable_menu_roles(bar)

    def _show_title(self, tab: Tab) -> None:
        self.tabs.setTabText(self.tabs.indexOf(tab), tab.title())

    # -- a run --------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        start_problem = self.settings.start_problem()
        self.controls.set_start_problem(start_problem.text if start_problem else "")
        self.model_selector.set_data_readable(self._data_match_drawings())
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

    def _on_prepared(self, context: RunContext) -> None:
        kind = context.dataset.kind
        for tab in self._tabs:
            tab.start_run(context)
        self.status.set_kind(kind)
        self.devices.show_running(context.plan.device)
        self.model_selector.start_run(reads_drawings(kind, context.dataset.input_shape))
        self._trained_on = context.plan.data
        self.settings.data.on_loaded(context.plan.data, context.dataset)

    def _on_ended(self, outcome: Any) -> None:
        for tab in self._tabs:
            tab.end_run()
        self.model_selector.end_run()
        self.status.keep_last_record()
        self.settings.data.refresh()
        self._refresh()
        text, tone, details = run_summary(outcome, self.status.newest, self.training.epochs.kind)
        if text:
            self.banner.show_text(text, tone, details)
        if isinstance(outcome, Failure) and outcome.device_error:
            self.banner.offer(
                self.tr("Continue on the CPU"), lambda: self.session.continue_on(default_cpu_device())
            )

    # -- models and messages ------------------------------------------------------------------------------

    def _load_model(self) -> None:
        """Read the first model, once the window is on the screen."""
        if not self.session.active:
            if model := self.model_selector.show_first():
                self.files.set_model(model)
            self.run_actions.offer_unfinished_run()
        if not self.drawing.isVisible():
            self.drawing.ready.emit()  # a panel that is folded away never becomes ready

    def _show_model(self, model: Model) -> None:
        """Recognize drawings with a model that has no file yet, and let it be saved."""
        self.files.set_model(model)
        self.model_selector.show(model)

    def show_opened(self, model: Model, path: Path | None = None) -> None:
        """Show a model from `path`, which Save does not overwrite; None: of the last run. It is tested on the data."""
        self.files.set_model(model)
        self.model_selector.show(model, str(path or RUN))
        self._test(model)

    def _show_opened_file(self, model: Model) -> None:
        """Show a model that was opened from a file, which Save overwrites, and its settings."""
        self.model_selector.show(model, str(self.files.path or RUN))
        show_settings_of(model, self.settings, self.banner)
        self._test(model)
        self.inside.show_model(model)

    def _show_learned(self, model: Model) -> None:
        """Show a model that has learned the user's digits; during a run it can be chosen in the menu."""
        if not self.session.active:
            self.files.set_model(model)
            self.model_selector.show_own(model)

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
            self.banner.append_text(failure.text, failure.tone, failure.details)

    def _report_replaced_settings(self, preset: Preset) -> None:
        text = self.tr("The settings before were not for these data: those of “{preset}” are shown instead.")
        self.banner.show_text(text.format(preset=QCoreApplication.translate("Preset", preset.title)))

    def _show_failure(self, failure: Failure) -> None:
        self.banner.show_text(failure.text, "bad", failure.details)

    # -- looks --------------------------------------------------------------------------------------------

    def show_tour(self) -> None:
        """Show the tour from its first note; a tour that is open is closed."""
        for earlier in self.findChildren(Tour):
            earlier.close_tour()
        self.tabs.setCurrentWidget(self.training)
        steps = tour_steps(
            self.drawing.canvas, self.settings.network.edit, self.controls.train_button, self.training,
            self.drawing.predictionLabel,
        )  # fmt: skip
        tour = Tour(self, self.columns, steps)
        self.session.prepared.connect(tour.on_training_started)
        tour.show()

    def show_tour_once(self) -> None:
        """Show the tour at the first start."""
        if not self.preferences.tour_shown:
            self.preferences.tour_shown = True
            self.show_tour()

    def reset_layout(self) -> None:
        self.columns.reset()
        self.training.reset_layout()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept any URL: a message says why a file cannot be opened."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            hint = self.tr("Drop a model, a run, a study, a data set or a picture of a digit.")
            self._drop_frame.surround(self.columns.geometry().adjusted(6, 6, -6, -6), hint)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_frame.hide()
        self.files.open_dropped(event.mimeData())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the run, which is saved, without asking."""
        save_layout(self.preferences, self, self.columns, self.training.splitter)
        self.preferences.save_settings(panel_values(self.settings))
        self.preferences.sync()
        # Stopping may take until the end of a long batch.
        self.hide()
        self._loading.stop()
        end_background_work()
        super().closeEvent(event)
