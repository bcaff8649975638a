"""The entries of the menus with their keys; those that belong to one part are added by its method
`fill_menu`.
"""

from collections.abc import Callable
from functools import partial
from types import ModuleType

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QTabWidget, QWidget

from gui.drawing.panel import DrawingPanel
from gui.own_digits.dialog import OwnDigitsDialog
from gui.preferences import Preferences
from gui.settings.device_picker import DevicePicker
from gui.text import translator
from gui.training.controls import RunControls
from gui.widgets import make
from gui.widgets.make import entry
from gui.widgets.theme import PRESENTED_SIZES, TEXT_SIZES, next_size, theme
from gui.window.files import SaveActions
from gui.window.kinds import Opening
from gui.window.labs import LabActions
from gui.window.runs import StudyActions
from gui.window.share import Sharing

_tr = translator("Menus")

Key = QKeySequence.StandardKey


def keep_entries_in_their_menus(bar: QMenuBar) -> None:
    """By default macOS moves actions with texts such as "Settings..." to the application menu."""
    for menu in bar.findChildren(QMenu):
        for action in (menu.menuAction(), *menu.actions()):
            if action.menuRole() == QAction.MenuRole.TextHeuristicRole:
                action.setMenuRole(QAction.MenuRole.NoRole)


def fill_file_menu(
    window: QMainWindow,
    opening: Opening,
    saving: SaveActions,
    sharing: Sharing,
    menu: QMenu,
) -> None:
    entry(menu, _tr("&Open…"), opening.ask, Key.Open)
    entry(menu, _tr("Open &folder…"), opening.ask_folder, "Ctrl+Shift+F")
    recent = saving.recent
    recent.fill()
    menu.addMenu(recent)
    menu.aboutToShow.connect(recent.fill)
    menu.addSeparator()
    entry(menu, _tr("&Save model"), saving.save, Key.Save)
    entry(menu, _tr("S&hare…"), sharing.ask, "Ctrl+Shift+X")
    menu.addSeparator()
    entry(menu, _tr("&Quit"), window.close, Key.Quit, "Ctrl+Q").setMenuRole(
        QAction.MenuRole.QuitRole
    )


def fill_edit_menu(drawing: DrawingPanel, own_digits: OwnDigitsDialog, menu: QMenu) -> None:
    drawing.undo_action.setShortcuts(Key.Undo)
    # Not every system has Ctrl+Y among its keys of Redo.
    keys = dict.fromkeys([*QKeySequence.keyBindings(Key.Redo), QKeySequence("Ctrl+Y")])
    drawing.redo_action.setShortcuts([*keys])
    menu.addActions([drawing.undo_action, drawing.redo_action])
    menu.addSeparator()
    entry(menu, _tr("&Paste image"), drawing.pictures.paste_image, Key.Paste)
    drawing.copy_action.setShortcut("Ctrl+Shift+C")
    menu.addAction(drawing.copy_action)
    menu.addMenu(drawing.own_digits)
    entry(menu, _tr("&My digits…"), own_digits.open_list, "Ctrl+D")
    entry(menu, _tr("&Clear drawing"), drawing.tools.clearButton.click, "Ctrl+Backspace")


def add_tab_keys(window: QMainWindow, tabs: QTabWidget, show_tab: Callable[[int], object]) -> None:
    """Add the keys of the tabs. show_tab: shows the one of this index."""
    for index in range(tabs.count()):
        # On a Mac, Alt and a digit type a character.
        keys = f"Alt+{index + 1}", f"Ctrl+{index + 1}"
        slot = make.ignoring_arguments(partial(show_tab, index))
        make.action(window, tabs.tabText(index), keys=keys, slot=slot)


def add_stage_entries(
    window: QWidget, menu: QMenu, drawing: DrawingPanel, preferences: Preferences
) -> None:
    """Add what changes the stage: a key for the width of the canvas, and whether all units are
    shown.
    """

    def show_all_units(wanted: bool) -> None:
        preferences.all_units = wanted
        drawing.stage.scene.show_all_units(wanted)

    toggle_wide = make.ignoring_arguments(drawing.tools.wideBox.toggle)
    make.action(window, _tr("Wide canvas"), keys=("Ctrl+Shift+W",), slot=toggle_wide)
    is_wanted = preferences.all_units
    entry(menu, _tr("All un&its and filters"), show_all_units, "Ctrl+Shift+A", checked=is_wanted)
    show_all_units(is_wanted)


def fill_train_menu(
    controls: RunControls,
    study_actions: StudyActions,
    tabs: QTabWidget,
    shown: tuple[QWidget, QWidget],
    menu: QMenu,
) -> None:
    """shown: the tabs Devices and Workshop, which are hidden until they are used, or a card is
    found.
    """

    def ask() -> None:
        study_actions.ask("learning_rate")

    devices, workshop = shown
    show = tabs.setCurrentWidget
    menu.addActions(
        [controls.train, controls.pause, controls.step, controls.step_at_once, controls.stop]
    )
    menu.addSeparator()
    cards = menu.addMenu(_tr("&Graphics cards"))
    entry(cards, _tr("&Devices: race, profile, comparisons"), partial(show, devices))
    entry(cards, _tr("&Workshop: write kernels"), partial(show, workshop))
    menu.addSeparator()
    entry(menu, _tr("&New comparison…"), ask, "Ctrl+Shift+V")


def fill_help_menu(
    window: QMainWindow,
    show_manual: Callable[[], object],
    devices: DevicePicker,
    menu: QMenu,
) -> None:
    def show_about() -> None:
        _dialogs().AboutDialog(devices.known(), window).show()

    entry(menu, _tr("&Manual…"), show_manual, "F1", Key.HelpContents)
    entry(menu, _tr("&About DigitLab…"), show_about).setMenuRole(QAction.MenuRole.AboutRole)


def show_manual(window: QMainWindow, lab_actions: LabActions, name: str = "manual.md") -> None:
    """Show a document of the manual; its lessons hold the answers to the labs."""
    _dialogs().show_manual(window, name, lambda: lab_actions.closed_reason)


def _dialogs() -> ModuleType:
    """The module of the dialogs; imported when one is shown, so that the window starts sooner."""
    from gui.window import help as dialogs

    return dialogs


class Appearance(QObject):
    """Takes the saved theme, contrast and size of the text at the start; changes and saves them."""

    def __init__(self, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._preferences = preferences
        percent = int(preferences.text_size) if preferences.text_size.isdecimal() else 100
        theme().presenting = False
        theme().is_large = False
        theme().choose(
            preferences.theme, high_contrast=preferences.high_contrast, text_size=percent
        )

    def fill_menu(self, window: QWidget, menu: QMenu) -> None:
        """Add the entries of the dark theme, of the contrast and of the size of the text, whose
        usual one has a key.
        """
        tr = self.tr
        usual = make.ignoring_arguments(partial(self.change_text_size, 0))
        make.action(window, tr("Usual text size"), keys=("Ctrl+0",), slot=usual)
        entry(menu, tr("Dar&k"), self._set_dark, checked=theme().is_dark)
        entry(menu, tr("High &contrast"), self._set_high_contrast, checked=theme().high_contrast)
        menu.addSeparator()
        entry(menu, tr("La&rger text"), partial(self.change_text_size, 1), Key.ZoomIn, "Ctrl++")
        entry(menu, tr("S&maller text"), partial(self.change_text_size, -1), Key.ZoomOut, "Ctrl+-")

    def change_text_size(self, step: int) -> None:
        """Take the next larger or smaller of TEXT_SIZES, or of those of presenter mode; 0 takes the
        usual one.
        """
        if theme().presenting:
            theme().present(True, next_size(PRESENTED_SIZES, theme().presented_size, step))
            return
        size = next_size(TEXT_SIZES, theme().text_size, step)
        self._preferences.text_size = str(size)
        theme().choose(theme().choice, text_size=size)

    def _set_high_contrast(self, on: bool) -> None:
        self._preferences.high_contrast = on
        theme().choose(theme().choice, high_contrast=on)

    def _set_dark(self, on: bool) -> None:
        """Follow the system from now on where it has this theme, else keep it."""
        theme().choose("system")
        if theme().is_dark != on:
            theme().choose("dark" if on else "light")
        self._preferences.theme = theme().choice
