"""The three columns of the window: settings, tabs, canvas."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QTabWidget, QToolButton, QWidget

from gui.widgets import make
from gui.widgets.basics import key_text, named, scroll_area

SETTINGS_WIDTH, CANVAS_WIDTH = 366, 320
# Below these widths of the middle column the canvas is folded away, for most tabs and for those that want room.
MIN_MIDDLE, MIN_WIDE_MIDDLE = 280, 420
# A large window gives the canvas this share of its width, until the canvas is 480 pixels wide.
_CANVAS_SHARE, _MAX_CANVAS_WIDTH = 0.24, 500


class MainSplitter(QSplitter):
    """Three columns, of which `switches` hide the first and the last.

    In a narrow window the canvas is hidden automatically, and shown when there is room for it, until the user has used
    a switch; the settings too, while a tab is shown that wants room. In a window that has room for one side only, a
    switch that shows one side hides the other. The canvas grows with the window until the user moves a handle.
    """

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("mainSplitter")
        # The canvas column is the tallest, and would make the window too tall for a screen with a large scale factor.
        scroll = named(scroll_area(right), "drawingScroll")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setMinimumWidth(right.minimumSizeHint().width())
        for widget in (left, middle, scroll):
            self.addWidget(widget)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self._switched_by_user = self._sized_by_user = self._is_wide = False
        self._folded = (False, False)
        self._sides = (left, scroll)
        self._tabs = middle.findChild(QTabWidget)
        self.switches = (
            self._switch(self.tr("&Settings, at the left"), left, "F8", "Ctrl+8"),
            self._switch(self.tr("&Canvas, at the right"), scroll, "F9", "Ctrl+9"),
        )
        if self._tabs:
            self._tabs.currentChanged.connect(self._fold)
            self._tabs.setCornerWidget(self._folded_columns())
        self.splitterMoved.connect(lambda: setattr(self, "_sized_by_user", True))

    def _folded_columns(self) -> QWidget:
        """Buttons that show the columns that are folded away, and name their keys."""
        texts, names = (
            (self.tr("Settings ({key})"), self.tr("Canvas ({key})")),
            ("showSettings", "showCanvas"),
        )
        corner = QWidget()
        row = make.row(owner=corner, spacing=4)
        for switch, text, name, key in zip(self.switches, texts, names, ("F8", "F9"), strict=True):
            tip = self.tr("This column is folded away; show it.")
            shown = make.button(text.format(key=key_text(key)), name, tip, switch.trigger)
            switch.toggled.connect(shown.setHidden)
            shown.setHidden(switch.isChecked())
            row.addWidget(shown)
        return corner

    def reveal(self, widget: QWidget) -> None:
        """Show the column that contains `widget`; where there is room for one side only, hide the other."""
        for switch, side in zip(self.switches, self._sides, strict=True):
            if side.isAncestorOf(widget):
                self._make_room_for(switch)
                switch.setChecked(True)

    def fold_again(self) -> None:
        """Hide what `reveal` has shown without room for it, and show the other side."""
        if any(self._folded):
            self._show_unfolded()

    def _show_unfolded(self) -> None:
        # First hide a side: both together would enlarge a small window.
        for fold, switch in sorted(
            zip(self._folded, self.switches, strict=True), key=lambda pair: not pair[0]
        ):
            switch.setChecked(not fold)

    def set_wide(self, wide: bool) -> None:
        """Give a canvas twice as wide as high twice the width, as far as the middle has it, and take it back later."""
        left, middle, right = self.sizes()
        self._is_wide = wide
        if not self._sized_by_user:
            self._set_widths()
        elif wide:
            more = min(right, max(middle - MIN_MIDDLE, 0))
            self.setSizes([left, middle - more, right + more])
        else:
            self.setSizes([left, middle + right // 2, right - right // 2])

    def reset(self) -> None:
        self._switched_by_user = self._sized_by_user = False
        self._folded = (False, False)
        for switch in self.switches:
            switch.setChecked(True)
        self._set_widths()
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fold()
        if self._sized_by_user:
            self._keep_middle()
        else:
            self._set_widths()

    def _set_widths(self) -> None:
        right = min(max(round(_CANVAS_SHARE * self.width()), CANVAS_WIDTH), _MAX_CANVAS_WIDTH)
        if self._is_wide:
            room = self.width() - SETTINGS_WIDTH - MIN_MIDDLE - 2 * self.handleWidth()
            right = max(min(2 * right, room), right)
        self.setSizes([SETTINGS_WIDTH, max(self.width() - SETTINGS_WIDTH - right, 0), right])

    def _keep_middle(self) -> None:
        """Take from the canvas, then from the settings, what the middle lacks of its minimum."""
        left, middle, right = self.sizes()
        for_canvas = min(max(MIN_MIDDLE - middle, 0), max(right - CANVAS_WIDTH, 0))
        for_settings = min(max(MIN_MIDDLE - middle - for_canvas, 0), max(left - SETTINGS_WIDTH, 0))
        if for_canvas or for_settings:
            self.setSizes([left - for_settings, middle + for_canvas + for_settings, right - for_canvas])

    def _is_narrow(self, middle: int) -> bool:
        """Whether less than `middle` pixels are left for the middle column beside both others."""
        return self.width() < SETTINGS_WIDTH + middle + CANVAS_WIDTH

    def _fold(self) -> None:
        """Fold the sides away, or unfold them, unless the user has used a switch."""
        tab = self._tabs.currentWidget() if self._tabs else None
        wants_room = getattr(tab, "wants_room", False)
        folded = (
            wants_room and self.width() < SETTINGS_WIDTH + MIN_WIDE_MIDDLE,
            self._is_narrow(MIN_WIDE_MIDDLE if wants_room else MIN_MIDDLE),
        )
        if folded != self._folded and not self._switched_by_user:
            self._folded = folded
            self._show_unfolded()

    def _make_room_for(self, switch: QAction) -> None:
        """Hide the side of the other switch if there is room for one side only."""
        if self._is_narrow(MIN_MIDDLE):
            for other in self.switches:
                if other is not switch:
                    other.setChecked(False)

    def _switch(self, text: str, column: QWidget, *keys: str) -> QAction:
        switch = make.action(self, text, keys=keys)
        switch.setCheckable(True)
        switch.setChecked(True)
        switch.toggled.connect(column.setVisible)

        def on_switched(shown: bool) -> None:
            self._switched_by_user = True
            if shown:
                self._make_room_for(switch)

        switch.triggered.connect(on_switched)
        return switch


def column(*widgets: QWidget, margins: tuple[int, int, int, int], spacing: int = 6) -> QWidget:
    """A widget with these widgets one below the other."""
    owner = QWidget()
    make.column(*widgets, owner=owner, spacing=spacing).setContentsMargins(*margins)
    return owner


class _TabBar(QTabBar):
    """Higher than Fusion's, which cuts the descenders of a tab that is not chosen."""

    def tabSizeHint(self, index: int) -> QSize:
        return super().tabSizeHint(index) + QSize(0, 4)


def tab_widget() -> QTabWidget:
    tabs = named(QTabWidget(), "tabs")
    tabs.setTabBar(_TabBar())
    tabs.setDocumentMode(True)
    # The arrow keys switch tabs, so that its arrow buttons need no focus.
    for arrow in tabs.tabBar().findChildren(QToolButton):
        arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # Its own minimum is the width of a tab and two arrow buttons, and the height of the tallest page: a page that is
    # created after the start would enlarge the window.
    tabs.setMinimumSize(74, 230)
    return tabs
