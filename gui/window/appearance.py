"""How the window looks: theme, contrast and size of the text."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from gui.preferences import Preferences
from gui.widgets.make import entry
from gui.widgets.theme import PRESENTED_SIZES, TEXT_SIZES, next_size, theme

Key = QKeySequence.StandardKey


class Appearance(QObject):
    """Takes the saved theme, contrast and size of the text at the start; changes and saves them."""

    def __init__(self, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._preferences = preferences
        percent = int(preferences.text_size) if preferences.text_size.isdecimal() else 100
        theme().presenting = False
        theme().is_large = False
        theme().choose(preferences.theme, high_contrast=preferences.high_contrast, text_size=percent)

    def fill_menu(self, menu: QMenu) -> None:
        """Add the entries of the dark theme, of the contrast and of the size of the text."""
        tr = self.tr
        entry(menu, tr("&Dark"), self._set_dark, checked=theme().is_dark)
        entry(menu, tr("High &contrast"), self._set_high_contrast, checked=theme().high_contrast)
        menu.addSeparator()
        entry(menu, tr("La&rger text"), partial(self.change_text_size, 1), Key.ZoomIn, "Ctrl++")
        entry(menu, tr("S&maller text"), partial(self.change_text_size, -1), Key.ZoomOut, "Ctrl+-")
        entry(menu, tr("&Usual text size"), partial(self.change_text_size, 0), "Ctrl+0")

    def change_text_size(self, step: int) -> None:
        """Take the next larger or smaller of TEXT_SIZES, or of those of presenter mode; 0 takes the usual one."""
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
