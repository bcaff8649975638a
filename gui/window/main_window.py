"""The main window: lays out its parts, connects their signals, and has a menu entry for every command."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale, QSignalBlocker, QSize, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QWidget

from core.data.dataset_cache import DatasetCache
from core.files.log import logger
from core.inference.model_file import Model, reads_drawings
from core.inspection.health import Finding
from core.labs.blocks.setup import TABS as LAB_TABS
from core.labs.package import lessons
from core.runs.plan import RunContext
from core.training.presets import Preset, find_preset
from core.training.records import Finished
from core.training.run_settings import RunSettings
from gui.background.task_runner import Failure, end_background_work
from gui.devices.tab import DevicesTab
from gui.drawing.panel import DrawingPanel
from gui.inside.tab import InsideTab
from gui.labs.panel import LabPanel
from gui.own_digits.dialog import OwnDigitsDialog
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.runs.tab import CompareTab
from gui.settings.device_picker import DevicePicker
from gui.settings.panel import SettingsPanel
from gui.settings.preset_box import CUSTOM
from gui.studies.training import StudyTraining
from gui.text import finding_text
from gui.training.controls import RunControls
from gui.training.progress import RunProgress
from gui.training.session import Session, State, run_summary
from gui.training.tab import TrainingTab
from gui.widgets import make
from gui.widgets.banner import Banner
from gui.widgets.basics import Highlight, PrimaryButton, resize_on_screen
from gui.widgets.make import entry
from gui.widgets.style import LetterKeys
from gui.widgets.tab import PageChooser, Tab
from gui.widgets.theme import PRESENTED_SIZES, SCHEMES, TEXT_SIZES, next_size, theme
from gui.window.file_actions import FileActions
from gui.window.lab_actions import LabActions
from gui.window.lab_column import LabColumn
from gui.window.model_selector import RUN, ModelSelector
from gui.window.presenter_bar import PresenterBar
from gui.window.room import View
from gui.window.run_actions import RunActions
from gui.window.share import Sharing
from gui.window.startup import PageBuilder, WarmUp
from gui.window.tab_bar import tab_widget
from gui.window.tour import Tour
from gui.window.training_page import VIEWS, TrainingPage
from gui.workshop.tab import WorkshopTab
from kernels.registry import default_cpu_device, is_cpu_device, is_device_name

Key = QKeySequence.StandardKey
_SIZE = QSize(1240, 690)  # at the least
_SCREEN_SHARE = 0.8  # of a large screen


def _look_as(saved: Preferences) -> None:
    """Draw everything in the saved theme and text size, at the desk."""
    percent = int(saved.text_size) if saved.text_size.isdecimal() else 100
    theme().presenting = False
    theme().is_large = False
    theme().choose(saved.theme, high_contrast=saved.high_contrast, text_size=percent)


class MainWindow(QMainWindow):
    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("DigitLab")
        self.setObjectName("mainWindow")
        self.setAcceptDrops(True)
        self.preferences = Preferences()
        saved = self.preferences
        _look_as(saved)
        self._make_parts()
        self._make_actions()
        self._drop_frame = Highlight(self)
        LetterKeys(self)
        self._trained_on = ""
        self._first_network = ""  # of the settings at the start
        self._has_own_network = False  # whether the settings' network has been another since
        self._warnings: set[str] = set()
        self._outcome: Any = None
        self._lay_out()
        self._connect_runs()
        self._connect_models()
        self._connect_labs()
        self._fill_menus()
        self._restore_settings(self.preferences.last_settings())
        self.reset_layout()
        self._restore_layout()
        self._refresh()
        self._on_tab()
        self._loading = QTimer(self, singleShot=True, interval=0)
        self._loading.timeout.connect(self._load_model)
        self._loading.start()

    # -- the parts ----------------------------------------------------------------------------------------

    def _make_parts(self) -> None:
        """What is seen: the tabs, and what they share."""
        self.dataset_cache = DatasetCache()
        self.session = Session(self.dataset_cache, self)
        self.settings = SettingsPanel(self.dataset_cache, self.preferences)
        self.controls = RunControls(self.session)
        self.tabs = tab_widget()
        self.status = RunProgress()
        self.banner = Banner(self.tabs)
        self.training = TrainingTab()
        self.labs = LabPanel(self.session, self.training, self.preferences, self.banner)
        self.results = ResultsTab()
        self.inside = InsideTab(self.dataset_cache, self._data_source)
        self.compare = CompareTab(self.preferences, self.dataset_cache, self.banner)
        self.studies = StudyTraining(
            self.preferences, self.dataset_cache, lambda: self.settings.plan, self.banner, self
        )
        self.drawing = DrawingPanel(None)
        self.model_selector = ModelSelector(self.drawing)
        self.own_digits = OwnDigitsDialog(self.model_selector.current, self)
        self.devices = DevicePicker(self.settings.device_box, self)
        self.measuring = DevicesTab((self.settings, self.dataset_cache, self.devices))
        self.workshop = WorkshopTab(self.preferences, self.banner)
        self.page = TrainingPage(self.settings, self.controls, self.drawing, self.training)
        self.lab_column = LabColumn(self.labs)
        self.training.result.progress.insertWidget(0, self.status)
        self._tabs: tuple[Tab, ...] = (
            self.page, self.results, self.inside, self.compare, self.measuring, self.workshop,
        )  # fmt: skip
        # What is told of a run: of the tab Training the band in it.
        self._following: tuple[Tab, ...] = (self.training, *self._tabs[1:])

    def _make_actions(self) -> None:
        """What is done with several parts: files, runs, labs, and what follows the start."""
        saved = self.preferences
        self.page_builder = PageBuilder(
            self._tabs[:-1], self.drawing, self
        )  # the Workshop is created when it is opened
        self.warm_up = WarmUp(self.settings, self.dataset_cache, self.devices, self)
        self.files = FileActions(
            self, self.session, self.settings, self.dataset_cache, self.training, self.preferences, self.banner,
        )  # fmt: skip
        self.sharing = Sharing(
            self, self.files, self.model_selector.name_of, self.training, self.results, self.dataset_cache, saved,
        )  # fmt: skip
        self.run_actions = RunActions(
            self.settings, self.session, self.tabs, self.page, self.training, self.compare, self.studies,
            self.measuring, self.warm_up, self.banner,
        )  # fmt: skip
        shown = (
            self.settings, self.page, self.training, self.results, self.inside, self.model_selector, self.files,
            self.status,
        )  # fmt: skip
        self.lab_actions = LabActions(
            self.labs, self.tabs, self.compare, self.studies, shown, self._settings_values, self.preferences,
            self.banner,
        )  # fmt: skip

    def _restore_layout(self) -> None:
        """Take the size and the place of the last start, or a part of the screen."""
        size = (self.screen().availableSize() * _SCREEN_SHARE).expandedTo(_SIZE)
        resize_on_screen(self, size.width(), size.height())
        for name, restore in (
            ("window", self.restoreGeometry),
            ("rows", self.training.plots.splitter.restoreState),
        ):
            if (state := self.preferences.layout(name)) is not None:
                restore(state)

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
            self.tabs.setTabVisible(self.tabs.indexOf(tab), False)  # until it is used, or a card is found
        self.chooser = PageChooser("viewChooser", self.tr("What the tab Training shows"))
        self.chooser.add_page(self.tr("Network"), self.tr("Show the drawing and the network alone."))
        self.chooser.add_page(self.tr("Curve"), self.tr("Show the curve alone, large."))
        self.chooser.add_page(self.tr("Both"), self.tr("Show the network, and the curve below it."))
        corner = QWidget()
        tip = make.tip_with_key(self.tr("Show the text of the lab again."), "Shift+F8")
        self._lab_button = make.button(
            self.tr("Text of the lab"), "labUnfold", tip, lambda: self.lab_column.fold(False)
        )
        self._lab_button.hide()
        parts = self._lab_button, self.chooser, self.compare.corner
        make.row(*parts, owner=corner, spacing=12).setContentsMargins(0, 0, 16, 4)
        self.tabs.setCornerWidget(corner)
        QWidget.setTabOrder(self.tabs.tabBar(), self.chooser)
        self.presenter_bar = PresenterBar(
            self.page, self.controls, self.drawing, self.training, self.labs, self.lab_column
        )
        self.presenter_bar.setContentsMargins(16, 0, 16, 8)
        center = QWidget()
        body = make.row(self.lab_column, (self.tabs, 1), spacing=0)
        make.column((body, 1), self.presenter_bar, owner=center, spacing=0)
        self.setCentralWidget(center)

    def _connect_runs(self) -> None:
        self.tabs.currentChanged.connect(self.banner.leave)
        self.tabs.currentChanged.connect(self._on_tab)
        self.settings.changed.connect(self._refresh)
        self.settings.data.failed.connect(
            lambda failure: self.banner.show_text(failure.text, "bad", failure.details)
        )
        self.drawing.stage.layer_activated.connect(lambda layer: self._edit_network())
        self.drawing.stage.parts.end_requested.connect(self.training.plots.replay.go_to_end)
        self.drawing.stage.edited.connect(self.settings.network.edit.setText)
        self.drawing.stage.refused.connect(self.banner.show_text)
        self.drawing.stage.edits.check = self.settings.network.check
        self.settings.preset_replaced.connect(self._report_replaced_settings)
        self.controls.train.triggered.connect(lambda: self.run_actions.start())
        self.controls.step.triggered.connect(self.run_actions.step)
        self.controls.start_problem_asked.connect(self._show_start_problem)
        self.studies.busy_changed.connect(self._on_study)
        self._connect_comparisons()
        self.studies.trained.connect(partial(self.training.show_study, load=self.dataset_cache.get))
        self.training.plots.replay.moment_shown.connect(self._show_moment)
        self.training.plots.replay.changed.connect(self._on_tab)
        self.training.shown_changed.connect(self._on_tab)
        self.training.shown_changed.connect(self._show_network)
        self.training.conclusion.asked.connect(self._follow_link)
        self.training.conclusion.found.connect(self._explain)
        self.run_actions.starting.connect(self._on_starting)
        self.session.state_changed.connect(self._on_state)
        self.session.prepared.connect(self._on_prepared)
        self.session.history.connect(self.training.show_history)
        self.session.snapshot.connect(self.files.set_model)
        self.session.snapshot.connect(lambda model: self.model_selector.show(model))
        self.status.follow(self.session)
        for tab in self._following:
            self.session.records.connect(tab.add_records)
            self.session.snapshot.connect(tab.show_snapshot)
            self.session.ticked.connect(tab.update_if_due)
        self.session.ended.connect(self._on_ended)
        self.session.warned.connect(self._warn)
        self.session.device_noticed.connect(self.devices.show_notice)
        self.devices.chosen.connect(self.status.show_device)
        self.devices.probed.connect(self._on_probed)
        self.devices.advised.connect(self._show_advice)
        self.measuring.operator_asked.connect(self._show_operator)
        self.preferences.failed.connect(self._report_unsaved_preferences)

    def _connect_comparisons(self) -> None:
        """The tab Compare lists what the studies train; each asks the other for what it does not do itself."""
        studies = self.studies
        compare = self.compare
        studies.progressed.connect(self._show_study_progress)
        studies.shown.connect(self._show_study)
        studies.deleted.connect(compare.commands.study_deleted)
        compare.comparison_asked.connect(studies.ask)
        compare.stop_asked.connect(studies.stop)
        compare.values_asked.connect(self._use_values)
        compare.commands.study_asked.connect(studies.ask_like)
        compare.commands.continue_study_asked.connect(studies.continue_study)
        compare.commands.deletion_asked.connect(studies.delete)
        compare.commands.restored.connect(studies.undo_delete)

    def _show_study_progress(self, name: str, text: str, done: int, total: int) -> None:
        self.compare.show_training(name, text, done, total)
        if text:
            self.status.show_preparation(text, done, total)

    def _show_study(self, name: str) -> None:
        self.tabs.setCurrentWidget(self.compare)
        self.compare.show_study(name)

    def _use_values(self, values: dict[str, Any]) -> None:
        """Show these values in the settings, beside the button that trains with them."""
        self.tabs.setCurrentWidget(self.page)
        self.studies.use_values(values)

    def _connect_labs(self) -> None:
        self.files.lab_chosen.connect(self.lab_actions.open)
        self.lab_actions.doors_changed.connect(self.run_actions.close)
        self.lab_actions.doors_changed.connect(self.files.close)
        self.page.welcome.show_lessons(lessons(language=QLocale().name().partition("_")[0]))
        self.page.welcome.lesson_asked.connect(self.lab_actions.open)
        self.labs.setup_asked.connect(lambda plan: self.settings.restore(plan.data, plan.settings))
        self.labs.controls_asked.connect(self.settings.show_only)
        self.labs.refreshed.connect(self._on_lab)
        self.labs.closed.connect(self.workshop.leave_lab)
        self.labs.controls_asked.connect(self._place_lab)
        self.labs.stage_asked.connect(lambda on: self.page.show_view(View.BOTH if on else View.CURVE))
        self.lab_column.changed.connect(lambda: self._lab_button.setVisible(self.lab_column.is_folded))
        self.labs.run_asked.connect(self.run_actions.start_plan)
        self.labs.model_asked.connect(self.files.open_path)
        self.labs.kernel_asked.connect(self.workshop.show_kernel)
        self.workshop.lab_asked.connect(self.lab_actions.open)
        self.workshop.trained.connect(partial(self.files.open_path, shows_settings=False))
        self.workshop.checked.connect(self.labs.keep_kernel)
        places = (
            self.page, self.results, self.inside, self.compare, self.compare, self.measuring, self.workshop,
        )  # fmt: skip
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
        self.drawing.model_changed.connect(self.inside.show_model)
        self.drawing.recognized.connect(self.inside.input.set_drawing)
        self.results.open_image.connect(self.drawing.pictures.open_image)
        self.results.export_asked.connect(partial(self.sharing.ask, "results"))
        self.files.opened.connect(self._show_opened)
        self.files.image_chosen.connect(self.drawing.pictures.open_image)
        self.files.study_chosen.connect(self.run_actions.open_study)
        self.run_actions.opened.connect(self.files.show_unsaved)
        self.own_digits.drawings_changed.connect(self.settings.data.reload_own_digits)
        self.own_digits.learned.connect(self._show_learned)
        self.own_digits.undone.connect(self.model_selector.undo_own)

    # -- menus --------------------------------------------------------------------------------------------

    def _fill_menus(self) -> None:
        bar = self.menuBar()
        for title, fill in (
            (self.tr("&File"), self._fill_file_menu),
            (self.tr("&Edit"), self._fill_edit_menu),
            (self.tr("&View"), self._fill_view_menu),
            (self.tr("&Train"), self._fill_train_menu),
            (self.tr("Lessons"), partial(self.lab_actions.fill_menu, self._show_manual)),
            (self.tr("&Help"), self._fill_help_menu),
        ):
            menu = bar.addMenu(title)
            menu.aboutToShow.connect(self.banner.leave)
            fill(menu)
        for menu in bar.findChildren(QMenu):
            for action in (menu.menuAction(), *menu.actions()):
                # By default macOS moves actions with texts such as "Settings..." to the application menu.
                if action.menuRole() == QAction.MenuRole.TextHeuristicRole:
                    action.setMenuRole(QAction.MenuRole.NoRole)

    def _fill_file_menu(self, menu: QMenu) -> None:
        files = self.files
        tr = self.tr
        entry(menu, tr("&Open…"), files.open_any, Key.Open)
        entry(menu, tr("Open &folder…"), files.open_folder, "Ctrl+Shift+F")
        files.fill_recent()
        menu.addMenu(files.recent_menu)
        menu.aboutToShow.connect(files.fill_recent)
        menu.addSeparator()
        entry(menu, tr("&Save model"), files.save, Key.Save)
        entry(menu, tr("Save model &as…"), files.save_as, Key.SaveAs)
        entry(menu, tr("Save setti&ngs…"), files.save_settings, "Ctrl+Shift+G")
        entry(menu, tr("Save e&xperiment…"), files.save_experiment, "Ctrl+Shift+B")
        menu.addSeparator()
        entry(menu, tr("S&hare…"), self.sharing.ask, "Ctrl+Shift+X")
        menu.addSeparator()
        entry(menu, tr("&Quit"), self.close, Key.Quit, "Ctrl+Q").setMenuRole(QAction.MenuRole.QuitRole)
        self._add_file_keys()

    def _add_file_keys(self) -> None:
        """Keys that open Open or Share at one kind of file."""
        opens = self.files.open_any
        share = self.sharing.ask
        for text, key, slot in (
            (self.tr("Open a model of another program"), "Ctrl+Shift+I", partial(opens, "others")),
            (self.tr("Open settings"), "Ctrl+Shift+O", partial(opens, "settings")),
            (self.tr("Open a study"), "Ctrl+Shift+U", partial(opens, "studies")),
            (self.tr("Open a lab or an experiment"), "Ctrl+B", partial(opens, "labs")),
            (self.tr("Open digits, also to join them"), "Ctrl+Shift+J", partial(opens, "digits")),
            (self.tr("Open a picture"), "Ctrl+I", partial(opens, "pictures")),
            (self.tr("Share the curves"), "Ctrl+E", partial(share, "curves")),
            (self.tr("Share the table of epochs"), "Ctrl+Shift+E", partial(share, "table")),
            (self.tr("Share the results"), "Ctrl+Shift+R", self._share_results),
        ):
            make.action(self, text, keys=(key,), slot=make.ignoring_arguments(slot))

    def _share_results(self) -> None:
        """Share the results, which are computed in their tab."""
        self.tabs.setCurrentWidget(self.results)
        self.results.export()

    def _fill_edit_menu(self, menu: QMenu) -> None:
        drawing = self.drawing
        drawing.undo_action.setShortcuts(Key.Undo)
        drawing.redo_action.setShortcuts(Key.Redo)
        menu.addActions([drawing.undo_action, drawing.redo_action])
        menu.addSeparator()
        entry(menu, self.tr("&Paste image"), drawing.pictures.paste_image, Key.Paste)
        drawing.copy_action.setShortcut("Ctrl+Shift+C")
        menu.addAction(drawing.copy_action)
        menu.addMenu(drawing.own_digits)
        entry(menu, self.tr("&My digits…"), self.own_digits.open_list, "Ctrl+D")
        entry(menu, self.tr("&Clear drawing"), drawing.tools.clearButton.click, "Ctrl+Backspace")

    def _fill_view_menu(self, menu: QMenu) -> None:
        for index in range(self.tabs.count()):
            text = self.tr("Show {tab}").format(tab=self.tabs.tabText(index))
            # On a Mac, Alt and a digit type a character.
            keys = f"Alt+{index + 1}", f"Ctrl+{index + 1}"
            entry(menu, text, partial(self.lab_actions.show_tab, index), *keys)
        menu.addSeparator()
        entry(menu, self.tr("&Data…"), self.show_data, "Ctrl+Shift+D")
        menu.addSeparator()
        self._fill_views(menu)
        menu.addSeparator()
        self.drawing.set_wide(self.preferences.wide_canvas)
        self.drawing.undo_stack.clear()
        self.drawing.restore(self.preferences.drawing)
        self.drawing.undo_stack.indexChanged.connect(self._keep_drawing)
        self.drawing.wide_changed.connect(partial(setattr, self.preferences, "wide_canvas"))
        box = self.drawing.tools.wideBox
        wide = entry(menu, self.tr("&Wide canvas"), box.setChecked, "Ctrl+Shift+W", checked=box.isChecked())
        box.toggled.connect(wide.setChecked)
        text = self.tr("All un&its and filters")
        entry(menu, text, self._show_all_units, "Ctrl+Shift+A", checked=self.preferences.all_units)
        self._show_all_units(self.preferences.all_units)
        menu.addSeparator()
        logarithmic = self.training.plots.zoom.log_action
        logarithmic.setChecked(self.preferences.logarithmic_loss)
        logarithmic.toggled.connect(partial(setattr, self.preferences, "logarithmic_loss"))
        training = self.training
        plots = training.plots
        menu.addActions([plots.both_action, plots.zoom.end_action, plots.table_action, logarithmic])
        menu.addSeparator()
        group = QActionGroup(menu)
        titles = {"system": self.tr("&As the system"), "light": self.tr("&Light"), "dark": self.tr("&Dark")}
        for choice in SCHEMES:
            is_chosen = theme().choice == choice
            group.addAction(
                entry(menu, titles[choice], partial(self._choose_theme, choice), checked=is_chosen)
            )
        entry(menu, self.tr("High &contrast"), self._set_high_contrast, checked=theme().high_contrast)
        menu.addSeparator()
        entry(menu, self.tr("La&rger text"), lambda: self._change_text_size(1), Key.ZoomIn, "Ctrl++")
        entry(menu, self.tr("S&maller text"), lambda: self._change_text_size(-1), Key.ZoomOut, "Ctrl+-")
        entry(menu, self.tr("&Usual text size"), lambda: self._change_text_size(0), "Ctrl+0")
        menu.addSeparator()
        keys = "F12", "Ctrl+Shift+T"
        self.presenter = entry(menu, self.tr("&Presenter mode"), self.present, *keys, checked=False)
        self.presenter_bar.end_asked.connect(self.presenter.toggle)
        full_screen = Qt.WindowState.WindowFullScreen
        entry(
            menu, self.tr("&Full screen"), lambda: self.setWindowState(self.windowState() ^ full_screen),
            Key.FullScreen, "F11",
        )  # fmt: skip
        entry(menu, self.tr("&Reset layout"), self.reset_layout)

    def _show_all_units(self, wanted: bool) -> None:
        """Let the stage show all units and filters of each layer, and not only the strongest."""
        self.preferences.all_units = wanted
        self.drawing.stage.scene.show_all_units(wanted)
        self.inside.show_all_units(wanted)

    def _fill_views(self, menu: QMenu) -> None:
        """What the tab Training shows, and the drawer of all settings."""
        more = self.settings.more_button
        self._drawer_entry = entry(
            menu, self.tr("All &settings"), more.setChecked, "F8", "Ctrl+8", checked=more.isChecked()
        )
        more.toggled.connect(self._drawer_entry.setChecked)
        self._fold_entry = entry(
            menu, self.tr("Text of the la&b"), self._show_lab_text, "Shift+F8", "Ctrl+Shift+8", checked=True
        )
        self._fold_entry.setEnabled(False)
        column = self.lab_column
        column.changed.connect(lambda: self._fold_entry.setChecked(not column.is_folded))
        for index, view in enumerate(VIEWS):
            text = self.tr("{view} alone").format(view=self.chooser.tabText(index))
            if view is View.BOTH:
                text = self.tr("Network and curve")
            keys = f"F9, {index + 1}", f"Ctrl+Shift+{index + 1}"
            entry(menu, text, partial(self._show_view, view), *keys)
        self.chooser.currentChanged.connect(lambda index: self._show_view(VIEWS[index]))
        self.page.view_changed.connect(self._on_view)
        self._on_view()

    def _show_lab_text(self, shown: bool) -> None:
        self.lab_column.fold(not shown)

    def _show_view(self, view: View) -> None:
        self.tabs.setCurrentWidget(self.page)
        if view is not self.page.view:
            self.page.show_view(view)

    def _on_view(self) -> None:
        with QSignalBlocker(self.chooser):  # it would show the tab
            self.chooser.setCurrentIndex(VIEWS.index(self.page.view))

    def _keep_drawing(self) -> None:
        """Keep what is on the canvas for the next start, also if the program is killed."""
        self.preferences.drawing = self.drawing.drawing_text()

    def present(self, on: bool) -> None:
        """Show stage, curve and the text of a lab in large type, and nothing else but the bar below them."""
        # A hidden menu bar has no shortcuts.
        change = self.addAction if on else self.removeAction
        for menu in self.menuBar().findChildren(QMenu):
            for action in menu.actions():
                if action.shortcuts() and menu.menuAction() in self.menuBar().actions():
                    change(action)
        for part in (self.menuBar(), self.tabs.tabBar(), self.chooser):
            part.setHidden(on)
        theme().presenting = on
        self.page.present(on)
        self.lab_column.fit(self.width())
        self.presenter_bar.present(on)
        theme().present(on)
        self._on_tab()
        # Where the focus was is hidden now: the plot would have it, with a frame that a class asks about.
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _change_text_size(self, step: int) -> None:
        """Take the next larger or smaller of TEXT_SIZES, or of those of presenter mode; 0 takes the usual one."""
        if theme().presenting:
            theme().present(True, next_size(PRESENTED_SIZES, theme().presented_size, step))
            return
        size = next_size(TEXT_SIZES, theme().text_size, step)
        self.preferences.text_size = str(size)
        theme().choose(theme().choice, text_size=size)

    def _set_high_contrast(self, on: bool) -> None:
        self.preferences.high_contrast = on
        theme().choose(theme().choice, high_contrast=on)

    def _choose_theme(self, choice: str, on: bool) -> None:
        if on:
            self.preferences.theme = choice
            theme().choose(choice)

    def _fill_train_menu(self, menu: QMenu) -> None:
        controls = self.controls
        menu.addActions([controls.train, controls.pause, controls.step, controls.stop, controls.epoch_end])
        menu.addSeparator()
        entry(menu, self.tr("&Compare: all that was trained"), partial(self.show_tab, self.compare))
        cards = menu.addMenu(self.tr("&Graphics cards"))
        entry(cards, self.tr("&Devices: race, profile, comparisons"), partial(self.show_tab, self.measuring))
        entry(cards, self.tr("&Workshop: write kernels"), partial(self.show_tab, self.workshop))
        menu.addSeparator()
        entry(
            menu,
            self.tr("&New comparison…"),
            lambda: self.studies.ask("learning_rate"),
            "Ctrl+Shift+V",
        )
        entry(menu, self.tr("&Fit the plots to the run"), self.training.plots.zoom.fit, "Ctrl+Home")

    def show_tab(self, tab: QWidget) -> None:
        """Show a tab, which may be hidden until it is used."""
        self.tabs.setCurrentWidget(tab)

    def _show_manual(self, name: str = "manual.md") -> None:
        """Show a document of the manual; its lessons hold the answers to the labs."""
        _help().show_manual(self, name, lambda: self.lab_actions.closed_reason)

    def _fill_help_menu(self, menu: QMenu) -> None:
        entry(menu, self.tr("&Manual…"), self._show_manual, "F1", Key.HelpContents)
        entry(menu, self.tr("&Keys…"), lambda: _help().ShortcutsDialog(self).show(), "Ctrl+F1", "Ctrl+K")
        entry(menu, self.tr("&Tour…"), self.show_tour)
        about = entry(
            menu, self.tr("&About DigitLab…"), lambda: _help().AboutDialog(self.devices.known(), self).show()
        )
        about.setMenuRole(QAction.MenuRole.AboutRole)

    # -- a run --------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        start_problem = self.settings.start_problem()
        text = start_problem.text if start_problem else ""
        if self.studies.busy and not text:
            text = self.tr("These values are being compared. Train is free again at the end.")
        self.controls.set_start_problem(text, is_wrong=start_problem is not None and start_problem.is_wrong)
        self.model_selector.set_data_readable(self._data_match_drawings())
        self.status.show_data(self.settings.data.summary())
        self.training.show_plan(self.settings.plan, self.settings.data.kind())
        self._show_network()
        if not self.session.active and self._trained_on != self.settings.data.source():
            # The progress is that of a run on another data set.
            self._trained_on = ""
            self.status.end_run()

    def _show_network(self) -> None:
        """The stage shows the network that reads; once there is a run or a change, it edits that of the settings."""
        network = self.settings.network.network
        text = network.text if network else ""
        self._first_network = self._first_network or text
        self._has_own_network = (
            self._has_own_network or self.training.has_shown or text != self._first_network
        )
        is_editable = self._has_own_network and not self.session.active
        self._stage_network(is_shown=is_editable)

    def _edit_network(self) -> None:
        """A layer was chosen on the stage: show the network of the settings, which can be changed there."""
        if not self.session.active:
            self._has_own_network = True
            self._stage_network(is_shown=True)

    def _stage_network(self, *, is_shown: bool) -> None:
        """Let the stage show and edit the network of the settings, or that which reads."""
        network = self.settings.network
        self.drawing.stage.scene.set_network(
            network.network if is_shown else None, network.default_activations()
        )

    def _show_start_problem(self) -> None:
        if self.studies.busy and self.settings.start_problem() is None:
            self.tabs.setCurrentWidget(self.compare)
        self.settings.show_start_problem()

    def _on_study(self) -> None:
        self._refresh()
        self.status.end_run()

    def _data_match_drawings(self) -> bool:
        """Whether a network trained on the chosen data classifies drawings."""
        return reads_drawings(self.settings.data.kind(), self.settings.data.shape()[0])

    def _on_tab(self) -> None:
        """Only one button of the window is marked as the main one; the replay is below the tabs that it moves.

        In the Workshop the buttons of a run are shown during a run only.
        """
        self._show_controls()
        if isinstance(button := self.controls.train_button, PrimaryButton):
            button.set_main(self.tabs.currentWidget() is self.page)
        is_page = self.tabs.currentWidget() is self.page
        self.compare.corner.setVisible(self.tabs.currentWidget() is self.compare)
        self.chooser.setVisible(is_page and self.training.has_shown and not theme().presenting)
        if self.tabs.currentWidget() not in (self.page, self.results, self.inside):
            self.training.plots.replay.go_to_end()
        has_room = self.labs.answers is None or not theme().presenting
        self.training.plots.replay.setVisible(self.training.plots.replay.can_replay and has_room)

    def _on_lab(self) -> None:
        """A lab was opened or closed, or what a person may do in it can be another."""
        self.run_actions.lab = self.labs.answers.lab.title if self.labs.answers else ""
        self._show_controls()

    def _place_lab(self, controls: object) -> None:
        """Open the column of a lab beside the tabs, or close it. controls: as of `LabPanel.controls_asked`."""
        is_open = self.labs.answers is not None
        if is_open and not self.lab_column.is_open:
            self.lab_column.open(self.settings.line, self.controls, self.training.result.progress_part)
        elif not is_open:
            self.lab_column.leave()
        self.page.set_lab(is_open)
        self.presenter_bar.arrange()
        self._drawer_entry.setEnabled(controls is None)
        self._fold_entry.setEnabled(is_open)

    def _show_controls(self) -> None:
        """Show the buttons of a run where one can be started, and during one."""
        self.controls.offer_start(self.labs.may_train())
        self.controls.setVisible(self.labs.may_train() or self.session.active)
        self.training.result.progress_part.setHidden(
            self.labs.answers is not None and not self.session.active
        )

    def _on_starting(self, settings: RunSettings) -> None:
        # Saved now and not only when the window is closed, so that a crash does not lose the settings.
        self._save_settings()
        self.status.start_run(settings.epochs)
        self.model_selector.start_run(self._data_match_drawings())

    def _on_state(self, state: State) -> None:
        self.settings.lock(state is not State.IDLE)
        self._show_network()
        self.training.set_paused(state is State.PAUSED)
        self._on_tab()

    def _on_prepared(self, context: RunContext) -> None:
        kind = context.dataset.kind
        for tab in self._following:
            tab.start_run(context)
        self.status.set_kind(kind)
        self.devices.show_running(context.plan.device)
        self.model_selector.start_run(reads_drawings(kind, context.dataset.input_shape))
        self._trained_on = context.plan.data
        self.settings.data.on_loaded(context.plan.data, context.dataset)

    def _on_ended(self, outcome: Any) -> None:
        for tab in self._following:
            tab.end_run()
        self.model_selector.end_run()
        self.status.end_run()
        self.settings.data.refresh()
        self._refresh()
        text, tone, details = run_summary(outcome, self.status.newest, self.training.epochs.kind)
        if self.labs.runs.is_explained and tone != "bad":
            return
        # A good end stands in the band; a message is needed for what went wrong, and for an offer.
        has_offer = self.run_actions.has_way_back
        if text and (tone != "good" or has_offer):
            self.banner.show_text(text, tone, details)
            self.run_actions.offer_back(instead=True)
        self._outcome = outcome
        if isinstance(outcome, Failure) and outcome.device_error:
            self.banner.offer(
                self.tr("Continue on the CPU"), lambda: self.session.continue_on(default_cpu_device())
            )

    def _explain(self, finding: Finding) -> None:
        """Say what Health finds in a network that has learned nothing, instead of general advice."""
        outcome = self._outcome
        is_explained = isinstance(outcome, Finished) and outcome.advice and outcome.reason != "diverged"
        if is_explained and self.banner.isVisible() and not self.session.active:
            outcome = replace(outcome, advice=finding_text(finding))
            self.banner.show_text(*run_summary(outcome, self.status.newest, self.training.epochs.kind))

    def _follow_link(self, key: str) -> None:
        """Do what a link of the conclusion about a run or a comparison stands for."""
        what, _, which = key.partition(":")
        if what == "stop":
            self.studies.stop()
        elif what == "compare":
            self.studies.ask(which)
        elif what == "use":
            self.studies.use_run(int(which))
        elif what == "share":
            self.sharing.ask(which)
        elif what == "inside":
            self.tabs.setCurrentWidget(self.inside)
            self.inside.show_page("weightsPage")
        else:
            self.tabs.setCurrentWidget(self.compare if what == "compared" else self.results)

    # -- models and messages ------------------------------------------------------------------------------

    def _load_model(self) -> None:
        """Read the first model, once the window is on the screen."""
        if not self.session.active:
            if model := self.model_selector.show_first():
                self.files.set_model(model)
            self._show_last_run()
            if not self.lab_actions.offer_left():
                self.run_actions.offer_unfinished_run()
        if not self.drawing.isVisible():
            self.drawing.prepare()  # a panel that is folded away is not shown

    def _show_last_run(self) -> None:
        """The window begins as it was left: with the curves, results and filters of the last run."""
        if shown := self.run_actions.show_last_run():
            model, source = shown
            available = self.settings.data.has(source)
            self.results.show_model(model, self.dataset_cache, source if available else "")
            self.inside.show_model(model)

    def _show_moment(self, model: Model, moment: str) -> None:
        """Show the network as it was at an epoch of its run; moment: that in words, empty for the end."""
        self.model_selector.show_moment(model, moment)
        self.drawing.stage.parts.show_moment(moment)
        self.results.show_moment(model)
        self.inside.show_model(model)

    def show_data(self) -> None:
        from gui.results.data_browser import DataBrowser

        plan = self.settings.plan
        if plan is None or not self._data_source():
            self.banner.show_text(self.tr("Choose data that are there, and correct the settings first."))
            return
        browser = DataBrowser(plan, self.dataset_cache, self)
        browser.open_image.connect(self.drawing.pictures.open_image)
        browser.show()

    def _show_operator(self, name: str, title: str) -> None:
        from gui.workshop.operator_dialog import OperatorDialog

        OperatorDialog(name, title, self).show()

    def _show_opened(self, model: Model, path: Path | None) -> None:
        """Show an opened model, and test it on the chosen data. `path`: its file; None: of the last run."""
        self.model_selector.show(model, str(path or RUN))
        if not self.session.active:
            self.results.show_model(model, self.dataset_cache, self._data_source())
        self.inside.show_model(model)

    def _show_learned(self, model: Model) -> None:
        """Show a model that has learned the user's digits; during a run it can be chosen in the menu."""
        if not self.session.active:
            self.files.set_model(model)
            self.model_selector.show_own(model)

    def _data_source(self) -> str:
        """The chosen data set, or an empty text where it is not available."""
        data = self.settings.data
        return data.source() if data.is_available() else ""

    def _warn(self, failure: Failure) -> None:
        """Show each warning once, even if it comes after every run."""
        if failure.text not in self._warnings:
            self._warnings.add(failure.text)
            self.banner.append_text(failure.text, failure.tone, failure.details)

    def _report_unsaved_preferences(self, reason: str) -> None:
        text = self.tr(
            "Settings, layout and drawing cannot be kept for the next start, because {path} cannot be written "
            "({reason}). It is tried again with each change."
        )
        self._warn(Failure(text.format(path=self.preferences.path, reason=reason), tone="info"))

    def _report_replaced_settings(self, preset: Preset) -> None:
        text = self.tr("The settings before were not for these data: those of “{preset}” are shown instead.")
        self.banner.show_text(text.format(preset=QCoreApplication.translate("Preset", preset.title)))

    def _on_probed(self) -> None:
        """Where a graphics card is in the machine, the tab of the devices is there from the start."""
        if any(info.available and not is_cpu_device(info.name) for info in self.devices.known()):
            self.tabs.setTabVisible(self.tabs.indexOf(self.measuring), True)

    def _show_advice(self, text: str, command: str) -> None:
        """Show what would make a device available, unless it was shown before, with a button that copies `command`."""
        if self.preferences.shown_advice != text:
            self.preferences.shown_advice = text
            self.banner.append_text(text, "info", "")
            if command:
                copy = partial(QGuiApplication.clipboard().setText, command)
                self.banner.offer(self.tr("Copy command"), copy)

    # -- what the next start restores -----------------------------------------------------------------------

    def _settings_values(self) -> dict[str, Any]:
        panel = self.settings
        return {
            "run": panel.plan.settings.as_dict() if panel.plan else None,  # None: not valid
            "preset": panel.preset_box.currentData(),
            "data": panel.data.source(),
            "device": panel.device_box.currentData(),
            "more": panel.more_button.isChecked(),
        }

    def _save_settings(self) -> None:
        """Save the settings; while a lab is open those that were shown before it."""
        self.preferences.save_settings(self.lab_actions.settings_before or self._settings_values())

    def _restore_settings(self, values: dict[str, Any]) -> None:
        """Show saved settings; those that cannot be used are replaced by those of the default preset."""
        panel = self.settings
        default = find_preset("default")
        run = default.settings
        preset = default.name
        try:
            if values.get("run") is not None:
                run = RunSettings.from_dict(values["run"])
                preset = str(values.get("preset", CUSTOM))
        except Exception as error:  # the file may hold anything
            logger.info("the saved settings cannot be used: %s", error)
        source = values.get("data")
        panel.restore(source if isinstance(source, str) else "", run, preset)
        device = str(values.get("device", "auto"))
        if panel.device_box.findData(device) < 0 and is_device_name(device):
            # One of several cards: they are listed when they have been probed.
            panel.device_box.addItem(device, device)
        panel.device_box.setCurrentIndex(max(panel.device_box.findData(device), 0))
        panel.more_button.setChecked(values.get("more") is True)

    # -- looks --------------------------------------------------------------------------------------------

    def show_tour(self) -> None:
        """Show the tour from its first note; a tour that is open is closed."""
        for earlier in self.findChildren(Tour):
            earlier.close_tour()
        self._show_view(View.BOTH)
        drawing = self.drawing
        train = self.controls.train_button
        reader = drawing.modelBox if drawing.modelBox.isVisible() else drawing.canvas
        parts = drawing.canvas, self.settings.preset_box, train, self.training, reader
        tour = Tour(self, parts, learns=self.session.active)
        self.session.prepared.connect(tour.on_training_started)
        tour.show()

    def show_tour_once(self) -> None:
        if not self.preferences.tour_shown:
            self.preferences.tour_shown = True
            self.show_tour()

    def reset_layout(self) -> None:
        self.page.reset_layout()
        self.training.plots.reset_layout()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept any URL: a message says why a file cannot be opened."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            hint = self.tr(
                "Drop a lab, answers, a model, a run, a study, a data set or a picture of a digit."
            )
            self._drop_frame.surround(self.tabs.geometry().adjusted(6, 6, -6, -6), hint)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        self._drop_frame.hide()
        self.files.open_dropped(event.mimeData())

    def resizeEvent(self, event: QResizeEvent) -> None:
        theme().fit(self.width())
        self.lab_column.fit(self.width())
        super().resizeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the run, which is saved, without asking."""
        rows = self.training.plots.splitter.saveState()
        self.preferences.save_layout(window=self.saveGeometry(), rows=rows)
        self._save_settings()
        self.preferences.sync()
        # Stopping may take until the end of a long batch.
        self.hide()
        self._loading.stop()
        end_background_work()
        super().closeEvent(event)


def _help() -> Any:
    """The module of the dialogs; imported when one is shown, so that the window starts sooner."""
    from gui.window import help as dialogs

    return dialogs
