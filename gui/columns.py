"""The columns are the window's three parts side by side: settings, tabs, canvas."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QTabWidget, QToolButton, QVBoxLayout, QWidget

from gui.controls import named, scrolling

WIDTHS = (366, 594, 320)


class Columns(QSplitter):
    """On a small screen the middle has room only without one of its neighbours, which `switches` hide."""

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("mainSplitter")
        # The drawing is the tallest part, and would make the window too tall for a large scaling.
        scroll = named(scrolling(right), "drawingScroll")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(right.minimumSizeHint().width())
        for widget in (left, middle, scroll):
            self.addWidget(widget)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self.switches = (
            self._switch(self.tr("&Settings, at the left"), left, "F8"),
            self._switch(self.tr("&Canvas, at the right"), scroll, "F9"),
        )

    def show_all(self) -> None:
        for switch in self.switches:
            switch.setChecked(True)

    def reset(self) -> None:
        self.show_all()
        self.setSizes(list(WIDTHS))

    def _switch(self, text: str, column: QWidget, key: str) -> QAction:
        action = QAction(text, self)
        action.setCheckable(True)
        action.setChecked(True)
        action.setShortcut(key)
        action.toggled.connect(column.setVisible)
        return action


def column(*widgets: QWidget, margins: tuple[int, int, int, int], spacing: int = 6) -> QWidget:
    """Widgets one below the other; those that can grow take what height is over."""
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(*margins)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return column


def tab_widget() -> QTabWidget:
    tabs = named(QTabWidget(), "tabs")
    tabs.setDocumentMode(True)
    # The arrow keys do what its arrows do.
    for arrow in tabs.tabBar().findChildren(QToolButton):
        arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # It would ask for the width of a tab and two arrows.
    tabs.setMinimumWidth(74)
    return tabs
