"""The main window: creates its parts, connects them, and fills its menus."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from core.data.dataset_cache import DatasetCache
from core.inference.model_file import Model
from core.labs.blocks.setup import TABS as LAB_TABS
from core.labs.package import lessons
from core.runs.library import unfinished_run
from core.training.presets import Preset
from gui.background.history import RunHistory
from gui.background.task_runner import Failure, end_background_work
from gui.devices.tab import DevicesTab
from gui.drawing.panel import DrawingPanel
from gui.labs.panel import LabPanel
from gui.own_digits.dialog import OwnDigitsDialog
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.runs.tab import CompareTab
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.stage.ask import AskPage
from gui.studies.training import StudyTraining
from gui.training.controls import RunControls
from gui.training.progress import RunProgress
from gui.training.session import Session, State
from gui.training.tab import TrainingTab
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.basics import PrimaryButton, delayed
from gui.widgets.make import entry
from gui.widgets.style import LetterKeys
from gui.widgets.tab import Tab, tab_widget
from gui.widgets.theme import theme
from gui.window import menus, startup
from gui.window.files import FileActions
from gui.window.kinds import DropTarget, Opening
from gui.window.labs import LabActions, LabColumn
from gui.window.lock import ActivityLock
from gui.window.menus import Appearance
from gui.window.model_selector import RUN, ModelSelector, are_drawings, available_source
from gui.window.presenter import PresenterBar, PresenterMode
from gui.window.runs import (
    ReplacedSettings,
    RunActions,
    RunDisplay,
    RunParts,
    RunReport,
    StudyActions,
    TypedRate,
)
from gui.window.share import Sharing
from gui.window.startup import PageBuilder, WarmUp
from gui.window.training_page import TrainingPage, View, ViewChooser
from gui.workshop.tab import WorkshopTab
from kernels.registry import is_cpu_device


class Notices(QObject):
    """Shows each warning once, and each advice on devices once for all starts."""

    def __init__(self, preferences: Preferences, banner: Banner) -> None:
        super().__init__(banner)
        self._preferences = preferences
        self._banner = banner
        self._warnings: set[str] = set()  # shown since the start
        preferences.file.failed.connect(self._report_unsaved_preferences)

    def warn(self, failure: Failure) -> None:
        """Show each warning once, even if it comes after every run."""
        if failure.text not in self._warnings:
            self._warnings.add(failure.text)
            self._banner.append_text(failure.text, failure.tone, failure.details)

    def _report_unsaved_preferences(self, reason: str) -> None:
        text = self.tr(
            "Settings, layout and drawing cannot be kept for the next start, because {path} "
            "cannot be written ({reason}). It is tried again with each change."
        )
        self.warn(Failure(text.format(path=self._preferences.path, reason=reason), tone="info"))

    def report_replaced_settings(self, preset: Preset) -> None:
        text = self.tr(
            "The settings before were not for these data: those of “{preset}” are shown instead."
        )
        self._banner.show_text(
            text.format(preset=QCoreApplication.translate("Preset", preset.title))
        )

    def show_advice(self, text: str) -> None:
        """Show what would make a device available, unless it was shown before."""
        if self._preferences.shown_advice != text:
            self._preferences.shown_advice = text
            self._banner.append_text(text, "info", "")


class MainWindow(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("DigitLab")
        self.setObjectName("mainWindow")
        self.preferences = Preferences()
        self.appearance = Appearance(self.preferences, self)
        self._lab_step = -1  # that is shown, -1 without a lab
        self._make_parts()
        self._make_actions()
        LetterKeys(self)
        self._lay_out()
        self._connect_runs()
        self._connect_models()
        self._connect_labs()
        startup.restore_drawing(self.drawing, self.preferences)
        self._fill_menus()
        startup.restore_settings(self.settings, self.preferences.last_settings())
        startup.restore_layout(self, self.training.plots.splitter, self.preferences)
        self._refresh()
        self._on_tab()
        # With 0 ms it fires when the event loop has come to it: the window is on the screen by
        # then.
        self._loading = delayed(self, self._load_model)
        self._loading.start()

    # -- the parts ---------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        """What is seen: the tabs, and what they share."""
        self.dataset_cache = DatasetCache()
        self.session = Session(self.dataset_cache, self)
        self.settings = SettingsPanel(self.dataset_cache, self.preferences)
        self.controls = RunControls(self.session)
        self.tabs = tab_widget()
        self.status = RunProgress()
        self.banner = Banner(self)
        self.training = TrainingTab()
        self.labs = LabPanel(self.session, self.training, self.preferences, self.banner)
        self.history = RunHistory(self.dataset_cache, partial(available_source, self.settings.data))
        self.results = ResultsTab(self.history)
        self.compare = CompareTab(self.preferences, self.dataset_cache, self.banner)
        self.studies = StudyTraining(self.preferences, self.dataset_cache, self.banner, self)
        self.drawing = DrawingPanel(None)
        self.model_selector = ModelSelector(self.drawing)
        self.own_digits = OwnDigitsDialog(self.model_selector.current, self)
        self.devices = DevicePicker(self.settings.device_box, self)
        self.measuring = DevicesTab((self.settings, self.dataset_cache, self.devices))
        self.workshop = WorkshopTab(self.preferences, self.banner)
        self.ask = AskPage(self.drawing.stage, self.history)
        self.page = TrainingPage(
            self.settings, self.controls, self.drawing, self.training, self.ask
        )
        progress = self.training.result.progress_part
        self.lab_column = LabColumn(self.labs, (self.settings.line, self.controls, progress))
        self.chooser = ViewChooser(self.page, self.tabs)
        self.training.result.progress.insertWidget(0, self.status)
        self._tabs: tuple[Tab, ...] = (
            self.page, self.results, self.compare, self.measuring, self.workshop,
        )  # fmt: skip

    def _make_actions(self) -> None:
        """What is done with several parts: files, runs, labs, and what follows the start."""
        # The Workshop is created when it is opened.
        self.page_builder = PageBuilder(self._tabs[:-1], self.drawing, self)
        self.warm_up = WarmUp(self.settings, self.dataset_cache, self.devices, self)
        self.files = FileActions(self.session, self.settings, self.preferences, self.banner)
        self.opening = Opening(self.files, self.preferences, self.banner)
        self.saving = self.files.saving
        self.sharing = Sharing(
            self,
            self.saving,
            self.settings,
            self.model_selector.name_of,
            (self.drawing, self.training, self.results, self.compare),
            self.dataset_cache,
            self.preferences,
        )
        self.lock = ActivityLock(self.session, self.measuring, self.studies, self.banner)
        self.measuring.busy_changed.connect(self.warm_up.cancel)
        self.session.preparing.connect(self.warm_up.give_way)
        self.studies.busy_changed.connect(self.warm_up.give_way)
        self.session.prepared.connect(self.warm_up.load_for_reading)
        replaced = ReplacedSettings(self.settings, self.session, self.banner)
        self._parts = RunParts(
            self.session,
            self.settings,
            self.tabs,
            self.page,
            self.training,
            self.status,
            replaced,
            self.banner,
        )
        self.run_actions = RunActions(self._parts, self.lock, self.compare.commands)
        self.study_actions = StudyActions(self._parts, self.studies, self.compare, self.preferences)
        TypedRate(self._parts)
        shown = (
            self.settings,
            self.page,
            self.training,
            self.results,
            self.model_selector,
            self.saving,
            self.status,
        )
        self.lab_actions = LabActions(
            self.labs,
            self.tabs,
            self.compare,
            self.studies,
            shown,
            partial(startup.settings_values, self.settings),
            self.preferences,
            self.banner,
        )

    def _lay_out(self) -> None:
        self.results.previous_in_tab_order = self.tabs.tabBar()
        for tab in self._tabs:
            self.tabs.addTab(tab, tab.title())
            if tab is not self.page:  # which has cards with margins of their own
                tab.setContentsMargins(16, 8, 16, 12)
            tab.title_changed.connect(
                lambda tab=tab: self.tabs.setTabText(self.tabs.indexOf(tab), tab.title())
            )
        for tab in (self.measuring, self.workshop):
            # Until it is used, or a card is found.
            self.tabs.setTabVisible(self.tabs.indexOf(tab), False)
        corner = QWidget()
        make.row(
            self.lab_column.unfold_button,
            self.chooser,
            self.compare.corner,
            owner=corner,
            spacing=12,
        ).setContentsMargins(0, 0, 16, 4)
        self.tabs.setCornerWidget(corner)
        QWidget.setTabOrder(self.tabs.tabBar(), self.chooser)
        self.presenter_bar = PresenterBar(self.page, self.lab_column)
        self.presenter_bar.setContentsMargins(16, 0, 16, 8)
        center = QWidget()
        body = make.row(self.lab_column, (self.tabs, 1), spacing=0)
        make.column((body, 1), self.presenter_bar, owner=center, spacing=0)
        self.setCentralWidget(center)
        hidden = self.menuBar(), self.tabs.tabBar(), self.chooser
        self._presenter_mode = PresenterMode(self, hidden, self.presenter_bar)
        DropTarget(self, self.tabs, self.opening)

    def _connect_runs(self) -> None:
        self.tabs.currentChanged.connect(self.banner.leave_place)
        self.tabs.currentChanged.connect(self._on_tab)
        self.tabs.currentChanged.connect(self.presenter_bar.show_parts)
        self.settings.changed.connect(self._refresh)
        self.drawing.stage.parts.end_requested.connect(self.training.plots.replay.go_to_end)
        yours = self.drawing.yours.edits
        yours.refused.connect(self.banner.show_text)
        yours.edited.connect(self.settings.network.edit.setText)
        yours.check = self.settings.network.check
        self.drawing.yours.read_asked.connect(self._read_by_yours)
        self.session.state_changed.connect(self._show_yours)
        self.training.shown_changed.connect(self._show_yours)
        self.controls.train.triggered.connect(lambda: self.run_actions.start())
        step = self.page.step
        self.controls.step.triggered.connect(lambda: self.run_actions.step())
        self.controls.step_at_once.triggered.connect(step.leave)
        self.controls.step_at_once.triggered.connect(lambda: self.run_actions.step(looks=False))
        step.steps_asked.connect(self.run_actions.step)
        self.session.looked.connect(step.show_step)
        self.session.records.connect(step.add_records)
        self.session.state_changed.connect(step.follow)
        self.controls.approached.connect(self.warm_up.expect_run)
        self.studies.busy_changed.connect(
            lambda busy: self.controls.offer_stop(self.studies.stop if busy else None)
        )
        self.controls.obstacle_button.clicked.connect(self._show_start_problem)
        self.studies.busy_changed.connect(self._refresh)
        self._presenter_mode.changed.connect(self._on_tab)
        self._presenter_mode.changed.connect(partial(self.settings.more_button.setChecked, False))
        self.training.plots.replay.moment_shown.connect(self._show_moment)
        self.training.plots.replay.changed.connect(self._on_tab)
        self.training.shown_changed.connect(self._on_tab)
        self.training.conclusion.asked.connect(self._follow_link)
        display = RunDisplay(self._parts, self._tabs[1:], self.devices, self.model_selector)
        self.run_actions.starting.connect(self._save_settings)
        self.run_actions.starting.connect(display.begin)
        self.session.state_changed.connect(self._on_tab)
        self.session.snapshot.connect(self.saving.set_model)
        self.session.ended.connect(self._refresh)
        self.studies.trained.connect(partial(self.training.show_study, load=self.dataset_cache.get))
        RunReport(self._parts, self.labs.runs.curves)
        notices = Notices(self.preferences, self.banner)
        self.session.warned.connect(notices.warn)
        self.settings.data.failed.connect(self.banner.show_failure)
        self.settings.preset_replaced.connect(notices.report_replaced_settings)
        self.devices.advised.connect(notices.show_advice)
        self.devices.probed.connect(self._on_probed)

    def _connect_labs(self) -> None:
        self.files.lab_chosen.connect(self.lab_actions.open)
        self.lab_actions.doors_changed.connect(self.lock.close)
        self.lab_actions.doors_changed.connect(self.files.close)
        self.page.welcome.show_lessons(lessons(language=QLocale().name().partition("_")[0]))
        self.page.welcome.lesson_asked.connect(self.lab_actions.open)
        self.labs.step_settings.setup_asked.connect(
            lambda plan: self.settings.restore(plan.data, plan.settings)
        )
        self.labs.step_settings.controls_asked.connect(self.settings.show_only)
        self.labs.refreshed.connect(self._on_lab)
        self.labs.closed.connect(self.workshop.leave_lab)
        self.labs.step_settings.controls_asked.connect(self.lab_column.place)
        self.labs.step_settings.controls_asked.connect(self._on_lab)
        self.lab_column.placed.connect(self.page.set_lab)
        self.lab_column.placed.connect(self.presenter_bar.arrange)
        self.labs.step_settings.stage_asked.connect(
            lambda on: self.page.show_view(View.BOTH if on else View.CURVE)
        )
        self.labs.runs.asked.connect(self.run_actions.start_plan)
        self.labs.step_settings.model_asked.connect(self.files.open_path)
        self.labs.kernel_asked.connect(self.workshop.show_kernel)
        for tab in (self.measuring, self.workshop):
            tab.lab_asked.connect(self.lab_actions.open)
        self.workshop.trained.connect(partial(self.files.open_path, shows_settings=False))
        self.workshop.checked.connect(self.labs.keep_kernel)
        places = (
            self.page,
            self.results,
            self.compare,
            self.compare,
            self.measuring,
            self.workshop,
        )
        tabs = dict(zip(LAB_TABS, places, strict=True))
        self.labs.tab_asked.connect(lambda name: self.tabs.setCurrentWidget(tabs[name]))

    def _connect_models(self) -> None:
        # Probe devices after the recognizer is compiled: compiling at the same time would delay it.
        self.drawing.ready.connect(self.devices.probe)
        self.drawing.ready.connect(self.page_builder.begin)
        self.drawing.kept.connect(self.settings.data.reload_own_digits)
        self.drawing.kept.connect(self.own_digits.reload)
        self.drawing.status.connect(self.banner.show_text)
        self.drawing.canvas.pressed.connect(self.banner.leave)
        # A picture is now the drawing: it is shown with its answer.
        self.drawing.pictures.replaced.connect(self.chooser.show_stage)
        self.results.open_image.connect(self.drawing.pictures.open_image)
        self.results.export_asked.connect(partial(self.sharing.ask, "results"))
        self.compare.share_asked.connect(partial(self.sharing.ask, ""))
        self.files.opened.connect(self._show_opened)
        self.files.digits.image_chosen.connect(self.drawing.pictures.open_image)
        self.files.study_chosen.connect(self.study_actions.open_study)
        self.run_actions.opened.connect(self.files.show_unsaved)
        self.own_digits.drawings_changed.connect(self.settings.data.reload_own_digits)
        self.own_digits.learned.connect(self._show_learned)
        self.own_digits.undone.connect(self.model_selector.undo_own)

    # -- menus -------------------------------------------------------------------------------------

    def _fill_menus(self) -> None:
        bar = self.menuBar()
        show_manual = partial(menus.show_manual, self, self.lab_actions)
        opened = self.measuring, self.workshop
        fillers: dict[str, Callable[[QMenu], object]] = {
            self.tr("&File"): partial(
                menus.fill_file_menu, self, self.opening, self.saving, self.sharing
            ),
            self.tr("&Edit"): partial(menus.fill_edit_menu, self.drawing, self.own_digits),
            self.tr("&View"): self._fill_view_menu,
            self.tr("&Train"): partial(
                menus.fill_train_menu, self.controls, self.study_actions, self.tabs, opened
            ),
            self.tr("Lessons"): partial(self.lab_actions.fill_menu, show_manual),
            self.tr("&Help"): partial(menus.fill_help_menu, self, show_manual, self.devices),
        }
        for title, fill in fillers.items():
            menu = bar.addMenu(title)
            menu.aboutToShow.connect(self.banner.leave)
            fill(menu)
        menus.add_tab_keys(self, self.tabs, self.lab_actions.show_tab)
        menus.keep_entries_in_their_menus(bar)

    def _fill_view_menu(self, menu: QMenu) -> None:
        entry(menu, self.tr("&Data…"), self.show_data, "Ctrl+Shift+D")
        menu.addSeparator()
        more = self.settings.more_button
        drawer = entry(
            menu,
            self.tr("All &settings"),
            more.setChecked,
            "F8",
            "Ctrl+8",
            checked=more.isChecked(),
        )
        more.toggled.connect(drawer.setChecked)
        # While a step of a lab shows some of the settings, there is no page of all.
        self.labs.step_settings.controls_asked.connect(
            lambda names: drawer.setEnabled(names is None)
        )
        self.lab_column.fill_menu(menu)
        self.chooser.fill_menu(menu)
        menu.addSeparator()
        menus.add_stage_entries(self, menu, self.drawing, self.preferences)
        menu.addAction(self.training.plots.table_action)
        menu.addSeparator()
        self.appearance.fill_menu(self, menu)
        menu.addSeparator()
        self.presenter = self._presenter_mode.fill_menu(menu)

        def toggle_full_screen() -> None:
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

        entry(menu, self.tr("&Full screen"), toggle_full_screen, menus.Key.FullScreen, "F11")

    # -- what is shown -----------------------------------------------------------------------------

    def _refresh(self) -> None:
        """The settings have changed, or whether they can be trained with."""
        start_problem = self.settings.start_problem()
        text = start_problem.text if start_problem else ""
        if self.studies.busy and not text:
            text = self.tr("These values are being compared. Train is free again at the end.")
        self.controls.set_start_problem(
            text, is_wrong=start_problem is not None and start_problem.is_wrong
        )
        reads_drawings = are_drawings(self.settings.data)
        self.model_selector.set_data_readable(reads_drawings)
        self.page.welcome.show_data(are_drawings=reads_drawings)
        self.status.describe(data=self.settings.data.summary())
        self.training.show_plan(self.settings.plan, self.settings.data.kind())
        self.compare.show_plan(self.settings.plan)
        self._show_yours()

    def _show_yours(self) -> None:
        """Show the network of the settings below that which reads; during a run it cannot be
        changed.
        """
        editor = self.settings.network
        is_run = self.session.state is not State.IDLE
        self.drawing.yours.edits.show_network(
            editor.network, editor.default_activations(), locked=is_run
        )
        result = self.training.result_of(self.settings.plan)
        self.drawing.yours.show_state(result, can_read=are_drawings(self.settings.data))
        if not is_run:
            self.model_selector.show_untrained(self.settings.plan, self.settings.data)

    def _read_by_yours(self) -> None:
        """Let the network of the settings read: as its run has left it, or with its first
        weights.
        """
        if self.training.result_of(self.settings.plan):
            self.model_selector.choose(RUN)
        else:
            self.model_selector.show_untrained(self.settings.plan, self.settings.data, reads=True)

    def _show_start_problem(self) -> None:
        if self.studies.busy and self.settings.start_problem() is None:
            self.tabs.setCurrentWidget(self.compare)
        self.settings.show_start_problem()

    def _on_tab(self) -> None:
        """Only one button of the window is marked as the main one; the replay is below the tabs
        that it moves.

        In the Workshop the buttons of a run are shown during a run only.
        """
        self._show_controls()
        is_page = self.tabs.currentWidget() is self.page
        if isinstance(button := self.controls.train_button, PrimaryButton):
            button.set_main(is_page)
        self.compare.corner.setVisible(self.tabs.currentWidget() is self.compare)
        self.chooser.setVisible(is_page and self.training.has_shown and not theme().presenting)
        # Elsewhere nobody would see that an earlier epoch is shown.
        if self.tabs.currentWidget() not in (self.page, self.results):
            self.training.plots.replay.go_to_end()
        self.training.plots.replay.setVisible(self.training.plots.replay.can_replay)

    def _on_lab(self) -> None:
        """A lab was opened or closed, or what a person may do in it can be another."""
        step = self.labs.answers.step if self.labs.answers else -1
        if step != self._lab_step:
            self._lab_step = step
            self.banner.leave_place()
        self.run_actions.lab = self.labs.answers.lab.title if self.labs.answers else ""
        self._show_controls()

    def _show_controls(self) -> None:
        """Show the buttons of a run where one can be started, and during one."""
        self.controls.offer_start(self.labs.may_train())
        self.controls.setVisible(self.labs.may_train() or self.session.active)
        self.training.result.progress_part.setHidden(
            self.labs.answers is not None and not self.session.active
        )

    def _follow_link(self, key: str) -> None:
        """Do what a link of the conclusion about a run or a comparison stands for."""
        what, _, which = key.partition(":")
        if what == "compare":
            self.study_actions.ask(which)
        elif what == "use":
            self.study_actions.use_run(int(which))
        elif what == "share":
            self.sharing.ask(which)
        elif what == "ask":
            self.chooser.show_stage()
            self.drawing.stage.ask(0)
        else:
            self.tabs.setCurrentWidget(self.compare if what == "compared" else self.results)

    def _on_probed(self) -> None:
        """Where a graphics card is in the machine, the tab of the devices is there from the
        start.
        """
        if any(info.available and not is_cpu_device(info.name) for info in self.devices.known()):
            self.tabs.setTabVisible(self.tabs.indexOf(self.measuring), True)

    def _load_model(self) -> None:
        """Read the first model and the last run, once the window is on the screen."""
        if not self.session.active:
            if model := self.model_selector.show_first():
                self.saving.set_model(model)
            if shown := self.run_actions.show_last_run():
                self._show_last(*shown)
            if not self.lab_actions.offer_left():
                self._offer_unfinished()
        if not self.drawing.isVisible():
            self.drawing.prepare()  # a panel that is folded away is not shown

    def _offer_unfinished(self) -> None:
        """Offer to go on with the last study or run, if it was stopped or interrupted."""
        unfinished = unfinished_run()
        info = None if unfinished is None else unfinished[1]
        if not self.study_actions.offer_left(info) and unfinished is not None:
            self.run_actions.offer_unfinished(*unfinished)

    def _show_opened(self, model: Model, path: Path | None) -> None:
        """Show an opened model. `path`: its file; None: of the last run.

        It is tested on the chosen data, but not during a run: then Results keep the network of the
        run.
        """
        self.model_selector.show(model, str(path or RUN))
        if not self.session.active:
            self.results.show_model(model, self.dataset_cache, available_source(self.settings.data))

    def _show_last(self, model: Model, source: str) -> None:
        """Show results of the last run, which learned from the data `source`; another
        model may read.
        """
        available = self.settings.data.has(source)
        self.results.show_model(model, self.dataset_cache, source if available else "")

    def _show_moment(self, model: Model, moment: str) -> None:
        """Show the network as it was at an epoch of its run; moment: that in words, empty for the
        end.
        """
        self.model_selector.show_moment(model, moment)
        self.drawing.stage.parts.show_moment(moment)
        self.results.show_moment(model)

    def _show_learned(self, model: Model) -> None:
        """Show a model that has learned the user's digits; during a run it can be chosen in the
        menu.
        """
        if not self.session.active:
            self.saving.set_model(model)
            self.model_selector.show_own(model)

    # -- windows above this one --------------------------------------------------------------------

    def show_data(self) -> None:
        from gui.results.data_browser import DataBrowser

        plan = self.settings.plan
        if plan is None or not available_source(self.settings.data):
            self.banner.show_text(
                self.tr("Choose data that are there, and correct the settings first.")
            )
            return
        browser = DataBrowser(plan, self.dataset_cache, self)
        browser.open_image.connect(self.drawing.pictures.open_image)
        browser.show()

    # -- size, and the end -------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Before the parts are laid out: their sizes follow from the theme's.
        theme().fit(self.width())
        self.lab_column.fit(self.width())
        super().resizeEvent(event)

    def _save_settings(self) -> None:
        """Save the settings; while a lab is open those that were shown before it.

        Also when a run starts, so that a crash does not lose them.
        """
        values = self.lab_actions.settings_before or startup.settings_values(self.settings)
        self.preferences.save_settings(values)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the run, which is saved, without asking."""
        startup.save_layout(self, self.training.plots.splitter, self.preferences)
        self._save_settings()
        self.preferences.sync()
        # Stopping may take until the end of a long batch.
        self.hide()
        self._loading.stop()
        end_background_work()
        super().closeEvent(event)
