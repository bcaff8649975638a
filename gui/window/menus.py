"""The menus: every command of the window, with the standard keyboard shortcuts.

Each function fills one menu, and gets the parts whose commands it shows.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QTabWidget

from core.training.lessons import LESSONS
from gui.drawing.panel import DrawingPanel
from gui.own_digits.dialog import OwnDigitsDialog
from gui.preferences import Preferences
from gui.results.tab import ResultsTab
from gui.settings.device_picker import DevicePicker
from gui.training.controls import RunControls
from gui.training.tab import TrainingTab
from gui.widgets.theme import SCHEMES, theme
from gui.window.file_actions import FileActions
from gui.window.main_splitter import MainSplitter
from gui.window.model_exchange import ModelExchange
from gui.window.run_actions import RunActions

Key = QKeySequence.StandardKey


def _tr(text: str) -> str:
    return QCoreApplication.translate("Menus", text)


def _add(menu: QMenu, text: str, slot: Callable[[], object], key: Key | str | None = None) -> QAction:
    action = menu.addAction(text)
    if key is not None:
        action.setShortcuts(QKeySequence.keyBindings(key) if isinstance(key, Key) else [QKeySequence(key)])
    action.triggered.connect(lambda: slot())
    return action


def disable_menu_roles(bar: QMenuBar) -> None:
    """Set no menu role: by default macOS moves actions with texts such as "Settings..." to the application menu."""
    for menu in bar.findChildren(QMenu):
        for action in (menu.menuAction(), *menu.actions()):
            if action.menuRole() == QAction.MenuRole.TextHeuristicRole:
                action.setMenuRole(QAction.MenuRole.NoRole)


def fill_file_menu(
    menu: QMenu,
    files: FileActions,
    exchange: ModelExchange,
    actions: RunActions,
    tabs: QTabWidget,
    results: ResultsTab,
    quit_program: Callable[[], object],
) -> None:
    _add(menu, _tr("&Open model…"), files.open_model, Key.Open)
    recent = menu.addMenu(_tr("Open &recent"))
    recent.setObjectName("recentMenu")
    files.set_recent_menu(recent)
    menu.aboutToShow.connect(files.fill_recent)
    menu.addSeparator()
    _add(menu, _tr("&Save model"), files.save, Key.Save)
    _add(menu, _tr("Save model &as…"), files.save_as, Key.SaveAs)
    _add(menu, _tr("&Export model…"), exchange.ask_export, "Ctrl+Shift+X")
    _add(menu, _tr("I&mport model…"), exchange.ask_import, "Ctrl+Shift+I")
    menu.addSeparator()
    _add(menu, _tr("Open settin&gs…"), actions.ask_open_settings, "Ctrl+Shift+O")
    _add(menu, _tr("Save setti&ngs…"), actions.ask_save_settings, "Ctrl+Shift+G")
    _add(menu, _tr("Open st&udy…"), actions.open_study, "Ctrl+Shift+U")
    menu.addSeparator()
    _add(menu, _tr("Export &plots…"), files.export_plots, "Ctrl+E")
    _add(menu, _tr("Export &table of epochs…"), files.export_table, "Ctrl+Shift+E")
    export = _add(menu, _tr("Export r&esults…"), partial(tabs.setCurrentWidget, results), "Ctrl+Shift+R")
    export.triggered.connect(
        lambda: results.export()
    )  # its banner reports the files, or that there are no results
    menu.addSeparator()
    _add(menu, _tr("Open &image…"), files.open_image, "Ctrl+I")
    menu.addSeparator()
    quit_action = _add(menu, _tr("&Quit"), quit_program, Key.Quit)
    quit_action.setMenuRole(QAction.MenuRole.QuitRole)
    if quit_action.shortcut().isEmpty():
        quit_action.setShortcut("Ctrl+Q")


def fill_edit_menu(menu: QMenu, drawing: DrawingPanel, own_digits: OwnDigitsDialog) -> None:
    drawing.undo_action.setShortcuts(QKeySequence.keyBindings(Key.Undo))
    drawing.redo_action.setShortcuts(QKeySequence.keyBindings(Key.Redo))
    menu.addActions([drawing.undo_action, drawing.redo_action])
    menu.addSeparator()
    _add(menu, _tr("&Paste image"), drawing.paste_image, Key.Paste)
    drawing.copy_action.setShortcut("Ctrl+Shift+C")
    menu.addAction(drawing.copy_action)
    menu.addMenu(drawing.own_digits)
    _add(menu, _tr("&My digits…"), own_digits.open_list, "Ctrl+D")
    _add(menu, _tr("&Clear drawing"), drawing.clearButton.click, "Ctrl+Backspace")


def fill_view_menu(
    menu: QMenu,
    tabs: QTabWidget,
    columns: MainSplitter,
    drawing: DrawingPanel,
    training: TrainingTab,
    preferences: Preferences,
    reset_layout: Callable[[], object],
) -> None:
    for index in range(tabs.count()):
        text = _tr("Show {tab}").format(tab=tabs.tabText(index))
        action = _add(menu, text, partial(tabs.setCurrentIndex, index))
        # On a Mac, Alt and a digit type a character.
        action.setShortcuts([QKeySequence(f"Alt+{index + 1}"), QKeySequence(f"Ctrl+{index + 1}")])
    menu.addSeparator()
    menu.addActions(columns.switches)
    menu.addSeparator()
    drawing.set_wide(preferences.wide_canvas)
    drawing.undo_stack.clear()
    drawing.wide_changed.connect(partial(setattr, preferences, "wide_canvas"))
    box = drawing.wideBox
    wide = _add(menu, _tr("&Wide canvas"), box.toggle, "Ctrl+Shift+W")
    wide.setCheckable(True)
    wide.setChecked(box.isChecked())
    box.toggled.connect(wide.setChecked)
    menu.addSeparator()
    training.log_action.setChecked(preferences.logarithmic_loss)
    training.log_action.toggled.connect(partial(setattr, preferences, "logarithmic_loss"))
    menu.addActions([training.log_action, training.last_action])
    menu.addSeparator()

    def choose_theme(choice: str) -> None:
        preferences.theme = choice
        theme().choose(choice)

    group = QActionGroup(menu)
    titles = {"system": _tr("&As the system"), "light": _tr("&Light"), "dark": _tr("&Dark")}
    for choice in SCHEMES:
        switch = _add(menu, titles[choice], partial(choose_theme, choice))
        switch.setCheckable(True)
        switch.setChecked(theme().choice == choice)
        group.addAction(switch)
    menu.addSeparator()

    def toggle_full_screen() -> None:
        window = columns.window()
        window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen)

    full_screen = _add(menu, _tr("&Full screen"), toggle_full_screen, Key.FullScreen)
    if full_screen.shortcut().isEmpty():
        full_screen.setShortcut("F11")
    _add(menu, _tr("&Reset layout"), reset_layout)


def fill_train_menu(menu: QMenu, controls: RunControls, training: TrainingTab) -> None:
    menu.addActions([controls.train, controls.pause, controls.step, controls.stop])
    menu.addSeparator()
    _add(menu, _tr("&Fit the plots to the run"), training.fit, "Ctrl+0")


def fill_lessons_menu(menu: QMenu, actions: RunActions, window: QMainWindow) -> None:
    """Each entry shows the settings of an experiment of the manual."""
    for count, lesson in enumerate(LESSONS, 1):
        question = QCoreApplication.translate("Lesson", lesson.question)
        experiments = menu.addMenu(f"{'&' if count < 10 else ''}{count}  {question}")
        for experiment in lesson.experiments:
            title = QCoreApplication.translate("Lesson", experiment.title)
            _add(experiments, title, partial(actions.set_up_experiment, count, experiment))
    menu.addSeparator()
    _add(menu, _tr("&Read the lessons…"), lambda: _help().show_manual(window, "lessons.md"))


def fill_help_menu(
    menu: QMenu, window: QMainWindow, devices: DevicePicker, show_tour: Callable[[], object]
) -> None:
    """window: the parent of the dialogs, whose menus have the keys that are listed."""
    manual = _add(menu, _tr("&Manual…"), lambda: _help().show_manual(window))
    keys = [QKeySequence("F1"), *QKeySequence.keyBindings(Key.HelpContents)]
    manual.setShortcuts(list(dict.fromkeys(keys)))
    shortcuts = _add(menu, _tr("&Keys…"), lambda: _help().ShortcutsDialog(window).show())
    shortcuts.setShortcuts([QKeySequence("Ctrl+F1"), QKeySequence("Ctrl+K")])
    _add(menu, _tr("&Tour…"), show_tour)
    about = _add(menu, _tr("&About DigitLab…"), lambda: _help().AboutDialog(devices.known(), window).show())
    about.setMenuRole(QAction.MenuRole.AboutRole)


def _help() -> Any:
    """The module of the dialogs; imported when one is shown, so that the window starts sooner."""
    from gui.window import help as dialogs

    return dialogs
