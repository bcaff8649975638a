"""The menus: every command of the window, with the standard keyboard shortcuts."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from gui.widgets.theme import SCHEMES
from gui.window.help.lessons_menu import fill_lessons_menu
from gui.window.help.manual import show_manual
from gui.window.help.tour import show_tour

if TYPE_CHECKING:
    from gui.window.main_window import MainWindow

Key = QKeySequence.StandardKey


def _tr(text: str) -> str:
    return QCoreApplication.translate("Menus", text)


def _add(menu: QMenu, text: str, slot: Callable[[], object], key: Key | str | None = None) -> QAction:
    action = menu.addAction(text)
    if key is not None:
        action.setShortcuts(QKeySequence.keyBindings(key) if isinstance(key, Key) else [QKeySequence(key)])
    action.triggered.connect(lambda: slot())
    return action


def build_menus(window: "MainWindow") -> None:
    """Fill the window's menu bar."""
    bar = window.menuBar()
    _file(bar.addMenu(_tr("&File")), window)
    _edit(bar.addMenu(_tr("&Edit")), window)
    _view(bar.addMenu(_tr("&View")), window)
    train = bar.addMenu(_tr("&Train"))
    controls = window.controls
    train.addActions([controls.train, controls.pause, controls.step, controls.stop])
    train.addSeparator()
    _add(train, _tr("&Fit the plots to the run"), window.training.fit, "Ctrl+0")
    fill_lessons_menu(bar.addMenu(_tr("Lessons")), window)
    _help(bar.addMenu(_tr("&Help")), window)
    _disable_menu_roles(bar)


def _disable_menu_roles(bar: QMenuBar) -> None:
    """Set no menu role: by default macOS moves actions with texts such as "Settings..." to the application menu."""
    for menu in bar.findChildren(QMenu):
        for action in (menu.menuAction(), *menu.actions()):
            if action.menuRole() == QAction.MenuRole.TextHeuristicRole:
                action.setMenuRole(QAction.MenuRole.NoRole)


def _file(menu: QMenu, window: "MainWindow") -> None:
    files = window.files
    _add(menu, _tr("&Open model…"), files.open_model, Key.Open)
    recent = menu.addMenu(_tr("Open &recent"))
    recent.setObjectName("recentMenu")
    files.set_recent_menu(recent)
    menu.aboutToShow.connect(files.fill_recent)
    menu.addSeparator()
    _add(menu, _tr("&Save model"), files.save, Key.Save)
    _add(menu, _tr("Save model &as…"), files.save_as, Key.SaveAs)
    _add(menu, _tr("&Export model…"), window.exchange.ask_export, "Ctrl+Shift+X")
    _add(menu, _tr("I&mport model…"), window.exchange.ask_import, "Ctrl+Shift+I")
    menu.addSeparator()
    _add(menu, _tr("Open settin&gs…"), window.run_actions.ask_open_settings, "Ctrl+Shift+O")
    _add(menu, _tr("Save setti&ngs…"), window.run_actions.ask_save_settings, "Ctrl+Shift+G")
    _add(menu, _tr("Open st&udy…"), window.run_actions.open_study, "Ctrl+Shift+U")
    menu.addSeparator()
    _add(menu, _tr("Export &plots…"), files.export_plots, "Ctrl+E")
    _add(menu, _tr("Export &table of epochs…"), files.export_table, "Ctrl+Shift+E")
    _add(menu, _tr("Export r&esults…"), partial(_export_results, window), "Ctrl+Shift+R")
    menu.addSeparator()
    _add(menu, _tr("Open &image…"), files.open_image, "Ctrl+I")
    menu.addSeparator()
    quit_action = _add(menu, _tr("&Quit"), window.close, Key.Quit)
    quit_action.setMenuRole(QAction.MenuRole.QuitRole)
    if quit_action.shortcut().isEmpty():
        quit_action.setShortcut("Ctrl+Q")


def _export_results(window: "MainWindow") -> None:
    """Show the Results tab, whose banner reports the files or that there are no results, and export."""
    window.tabs.setCurrentWidget(window.results)
    window.results.export()


def _edit(menu: QMenu, window: "MainWindow") -> None:
    undo, redo = window.drawing.undo_action, window.drawing.redo_action
    undo.setShortcuts(QKeySequence.keyBindings(Key.Undo))
    redo.setShortcuts(QKeySequence.keyBindings(Key.Redo))
    menu.addActions([undo, redo])
    menu.addSeparator()
    _add(menu, _tr("&Paste image"), window.drawing.paste_image, Key.Paste)
    window.drawing.copy_action.setShortcut("Ctrl+Shift+C")
    menu.addAction(window.drawing.copy_action)
    menu.addMenu(window.drawing.own_digits)
    _add(menu, _tr("&My digits…"), window.own_digits.open_list, "Ctrl+D")
    _add(menu, _tr("&Clear drawing"), window.drawing.tools.clearButton.click, "Ctrl+Backspace")


def _view(menu: QMenu, window: "MainWindow") -> None:
    tabs = window.tabs
    for index in range(tabs.count()):
        text = _tr("Show {tab}").format(tab=tabs.tabText(index))
        action = _add(menu, text, partial(tabs.setCurrentIndex, index))
        # On a Mac, Alt and a digit type a character.
        action.setShortcuts([QKeySequence(f"Alt+{index + 1}"), QKeySequence(f"Ctrl+{index + 1}")])
    menu.addSeparator()
    menu.addActions(window.columns.switches)
    menu.addSeparator()
    window.drawing.set_wide(window.preferences.wide_canvas)
    window.drawing.undo_stack.clear()
    window.drawing.wide_changed.connect(window.preferences.keep_wide_canvas)
    wide = menu.addAction(_tr("&Wide canvas"))
    wide.setCheckable(True)
    wide.setShortcut("Ctrl+Shift+W")
    wide.setChecked(window.drawing.wideBox.isChecked())
    wide.toggled.connect(window.drawing.wideBox.setChecked)
    window.drawing.wideBox.toggled.connect(wide.setChecked)
    menu.addSeparator()
    logarithmic = window.training.log_action
    logarithmic.setChecked(window.preferences.logarithmic_loss)
    logarithmic.toggled.connect(window.preferences.save_logarithmic_loss)
    menu.addAction(logarithmic)
    menu.addAction(window.training.last_action)
    menu.addSeparator()
    group = QActionGroup(menu)
    titles = {"system": _tr("&As the system"), "light": _tr("&Light"), "dark": _tr("&Dark")}
    for choice in SCHEMES:
        action = menu.addAction(titles[choice])
        action.setCheckable(True)
        action.setChecked(window.theme.choice == choice)
        action.triggered.connect(lambda _=False, choice=choice: window.choose_theme(choice))
        group.addAction(action)
    menu.addSeparator()
    full_screen = _add(menu, _tr("&Full screen"), window.toggle_full_screen, Key.FullScreen)
    if full_screen.shortcut().isEmpty():
        full_screen.setShortcut("F11")

    _add(menu, _tr("&Reset layout"), window.reset_layout)


def _help(menu: QMenu, window: "MainWindow") -> None:
    manual = _add(menu, _tr("&Manual…"), lambda: show_manual(window))
    keys = [QKeySequence("F1"), *QKeySequence.keyBindings(Key.HelpContents)]
    manual.setShortcuts(list(dict.fromkeys(keys)))
    shortcuts = _add(menu, _tr("&Keys…"), partial(_show_keys, window))
    shortcuts.setShortcuts([QKeySequence("Ctrl+F1"), QKeySequence("Ctrl+K")])
    _add(menu, _tr("&Tour…"), lambda: show_tour(window))
    about = _add(menu, _tr("&About DigitLab…"), partial(_show_about, window))
    about.setMenuRole(QAction.MenuRole.AboutRole)


def _show_keys(window: "MainWindow") -> None:
    from gui.window.help.shortcuts_dialog import ShortcutsDialog

    ShortcutsDialog(window).show()


def _show_about(window: "MainWindow") -> None:
    from gui.window.help.about_dialog import AboutDialog

    AboutDialog(window.devices.known(), window).show()
