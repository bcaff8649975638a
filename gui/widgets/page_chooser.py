"""A row of buttons that chooses one page of a tab."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar

from gui.widgets.colours import Colours


class PageChooser(QTabBar):
    """Short titles replace the long ones where these do not fit."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMinimumWidth(60)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setUsesScrollButtons(False)
        self._titles: list[tuple[str, str]] = []

    def add_page(self, title: str, tip: str, short: str = "") -> None:
        """Add a button. `short`: the title where there is little room."""
        index = self.addTab(title)
        self._titles.append((title, short or title))
        self.setTabToolTip(index, tip)
        self.setAccessibleTabName(index, title)

    def fit(self, width: int) -> None:
        """Use the long titles if they fit into `width` pixels, else the short ones."""
        for short in (0, 1):
            for index, titles in enumerate(self._titles):
                self.setTabText(index, titles[short])
            if self.sizeHint().width() <= width:
                return

    def apply_theme(self, colours: Colours) -> None:
        self.setStyleSheet(
            f"QTabBar::tab {{ background: {colours.raised}; color: {colours.text}; border: 1px solid {colours.line};"
            " padding: 5px 14px; margin-right: 6px; border-radius: 4px; }"
            f"QTabBar::tab:hover {{ border-color: {colours.accent}; }}"
            f"QTabBar::tab:selected {{ background: {colours.info_back}; border-color: {colours.accent}; }}"
            f"QTabBar::tab:selected:focus {{ border: 2px solid {colours.accent}; padding: 4px 13px; }}"
        )
