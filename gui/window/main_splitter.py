"""The columns are the window's three parts side by side: settings, tabs, canvas."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabWidget, QToolButton, QVBoxLayout, QWidget

from gui.widgets.basics import named, scroll_area

WIDTHS = (366, 594, 320)
LEAST = 420  # of the middle, for a tab that wants room: below this the canvas makes way for it


class MainSplitter(QSplitter):
    """On a small screen the middle has room only without one of its neighbours, which `switches` hide.

    For a tab with `wants_room` the canvas makes way by itself, and comes back with another tab or a larger window;
    once the person has used a switch, nothing moves by itself any more.
    """

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("mainSplitter")
        # The drawing is the tallest part, and would make the window too tall for a large scaling.
        scroll = named(scroll_area(right), "drawingScroll")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(right.minimumSizeHint().width())
        for widget in (left, middle, scroll):
            self.addWidget(widget)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self._person_chose = self._makes_way = False
        self._tabs = middle.findChild(QTabWidget)
        self.switches = (
            self._switch(self.tr("&Settings, at the left"), left, "F8"),
            self._switch(self.tr("&Canvas, at the right"), scroll, "F9"),
        )
        if self._tabs:
            self._tabs.currentChanged.connect(self._make_way)

    def show_all(self) -> None:
        self._makes_way = False
        for switch in self.switches:
            switch.setChecked(True)

    def reset(self) -> None:
        self._person_chose = False
        self.show_all()
        self.setSizes(list(WIDTHS))
        self._make_way()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_way()

    def _make_way(self) -> None:
        """Hide the canvas, or show it again, if that is not the person's business by now."""
        wanted = self._tabs and getattr(self._tabs.currentWidget(), "wants_room", False)
        narrow = bool(wanted) and self.width() < WIDTHS[0] + LEAST + WIDTHS[2]
        if narrow != self._makes_way and not self._person_chose:
            self._makes_way = narrow
            self.switches[1].setChecked(not narrow)

    def _choose(self) -> None:
        self._person_chose = True

    def _switch(self, text: str, column: QWidget, key: str) -> QAction:
        action = QAction(text, self)
        action.setCheckable(True)
        action.setChecked(True)
        action.setShortcut(key)
        action.toggled.connect(column.setVisible)
        action.triggered.connect(self._choose)
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
