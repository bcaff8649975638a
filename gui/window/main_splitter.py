"""The three columns of the window: settings, tabs, canvas."""

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QTabWidget, QToolButton, QWidget

from gui.widgets import make
from gui.widgets.basics import KeyFocus, key_text, named, paint_border, scroll_area
from gui.widgets.theme import SMALL, theme

# Pixels, at a text size of 100 %: the settings, at the most and at the least. What does not grow with the text: the
# least width of the picture in the middle, for most tabs and for those that want room.
SETTINGS_WIDTH, MIN_SETTINGS = 366, 340
MIN_MIDDLE, MIN_WIDE_MIDDLE = 420, 520
# The canvas column's share of the width; its width less its height at the most, so that the answer fits below. That of
# the settings while they hold a text to read.
_CANVAS_SHARE, _BELOW_CANVAS, _TEXT_SHARE = 0.274, 260, 0.26
_PRESENTED_SHARE, _PRESENTED_BELOW = 0.4, 290
_AROUND_TAB = (10, 28)  # pixels, at the least and at the most
# The least height of the picture above a wide canvas.
_MIN_ABOVE = 240


class MainSplitter(QSplitter):
    """Three columns, of which `switches` hide the first and the last.

    In a narrow window the canvas is hidden automatically, and shown when there is room for it, until the user has used
    a switch; the settings too, while a tab is shown that wants room. In a window that has room for one side only, a
    switch that shows one side hides the other. The canvas grows with the window until the user moves a handle. A wide
    canvas lies below the tabs. In presenter mode there are no settings.
    """

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("mainSplitter")
        # The canvas column is the tallest, and would make the window too tall for a screen with a large scale factor.
        scroll = named(scroll_area(right), "drawingScroll")
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._right = right
        self._middle = QSplitter(Qt.Orientation.Vertical)
        self._middle.addWidget(middle)
        self._middle.setChildrenCollapsible(False)
        self._middle.setStretchFactor(0, 1)
        for widget in (left, self._middle, scroll):
            self.addWidget(widget)
        self.setStretchFactor(1, 1)
        self.setChildrenCollapsible(False)
        self._switched_by_user = self._sized_by_user = self._is_wide = self._has_text = False
        self._has_swapped = False  # whether a side was hidden to make room for the other
        self._folded = self._at_desk = (False, False)
        self._corner: list[tuple[QPushButton, str, str]] = []
        self._text_title = self.tr("Text")
        scroll.setMinimumWidth(self._least_canvas())
        self._laid_out_for = theme().scale, theme().presenting
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
        theme().changed.connect(self._on_theme)

    def _folded_columns(self) -> QWidget:
        """Buttons that show the columns that are folded away, and name their keys."""
        titles = self.tr("Settings"), self.tr("Canvas")
        corner = QWidget()
        row = make.row(owner=corner, spacing=4)
        for switch, title, name, key in zip(
            self.switches, titles, ("showSettings", "showCanvas"), ("F8", "F9"), strict=True
        ):
            tip = self.tr("This column is folded away; show it.")
            shown = named(make.button("", name, tip, switch.trigger), name, title)
            self._corner.append((shown, f"{title} ({key_text(key)})", key_text(key)))
            switch.toggled.connect(shown.setHidden)
            shown.setHidden(switch.isChecked())
            row.addWidget(shown)
        self._name_corner()
        return corner

    def _name_corner(self) -> None:
        """Name columns and keys; only the keys in large text, which leaves the tabs no room."""
        for number, (button, text, key) in enumerate(self._corner):
            title = f"{self._text_title} ({key})" if self._has_text and number == 0 else text
            button.setText(key if theme().scale > 1.4 else title)

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
        """Put a wide canvas below the tabs, where it is as high as a square one was, and take it back later."""
        if wide == self._is_wide:
            return
        left, middle, *right = self.sizes()
        self._is_wide = wide
        _, scroll = self._sides
        (self._middle if wide else self).addWidget(scroll)
        if self._sized_by_user and wide:
            self._set_strip(left, right[0])
        elif self._sized_by_user:
            right_width = self._canvas_width()
            self.setSizes([left, middle - right_width, right_width])
        else:
            self._set_widths()

    def set_text(self, has_text: bool) -> None:
        """Give the column of the settings the width for a text that is read in it, or take it back."""
        if has_text != self._has_text:
            self._has_text = has_text
            self._name_corner()
            if not self._sized_by_user:
                self._set_widths()

    def _on_theme(self) -> None:
        """Lay out anew where the size of the text or presenter mode has changed."""
        state = theme().scale, theme().presenting
        if state != self._laid_out_for:
            if theme().presenting != self._laid_out_for[1]:
                self._on_presenting()
            self._laid_out_for = state
            if self._has_swapped:  # for lack of room, which the new text may give
                self._has_swapped = self._switched_by_user = False
            self._name_corner()
            self._lay_out()
            # Once more, when the columns have the least widths of the new text.
            QTimer.singleShot(0, self, self._lay_out)

    def _on_presenting(self) -> None:
        """Show the canvas alone beside the tabs, also if a switch was used; afterwards what was shown before."""
        if theme().presenting:
            self._at_desk = not self.switches[0].isChecked(), not self.switches[1].isChecked()
        self._folded = (True, False) if theme().presenting else self._at_desk
        self._show_unfolded()

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

    def _lay_out(self) -> None:
        self._fold()
        self._set_widths()
        if isinstance(self._tabs, _Tabs):
            self._tabs.fit_titles()

    def _least_settings(self) -> int:
        """The least width of the settings, whose fields grow less than their labels."""
        return round(MIN_SETTINGS * (1 + 0.6 * (theme().scale - 1)))

    def _least_canvas(self) -> int:
        """The least width of the canvas column."""
        if not self._is_wide:
            self._least = self._right.minimumSizeHint().width()
        return self._least

    def _canvas_width(self) -> int:
        """The width of the canvas column: a share of the window, but not more than its height has use for."""
        if theme().presenting:
            return min(round(_PRESENTED_SHARE * self.width()), self.height() - _PRESENTED_BELOW)
        most = self.height() - theme().px(_BELOW_CANVAS)
        return max(min(round(_CANVAS_SHARE * self.width()), most), self._least_canvas())

    def _settings_width(self) -> int:
        if theme().presenting:
            return self._least_settings() if self.switches[0].isChecked() else 0
        room = self.width() - MIN_MIDDLE - self._canvas_width() - 2 * self.handleWidth()
        least = self._least_settings()
        most = max(least + SETTINGS_WIDTH - MIN_SETTINGS, round(_TEXT_SHARE * self.width()) * self._has_text)
        return min(max(room, least), most)

    def _set_widths(self) -> None:
        self._sides[1].setMinimumWidth(self._least_canvas())
        left, right = self._settings_width(), self._canvas_width()
        if self._is_wide:
            self.setSizes([left, self.width() - left])
            self._set_strip(left, right)
        else:
            right = min(
                right, max(self.width() - left - MIN_MIDDLE - 2 * self.handleWidth(), self._least_canvas())
            )
            self.setSizes([left, max(self.width() - left - right, 0), right])

    def _set_strip(self, left: int, side: int) -> None:
        """Make the strip so high that a wide canvas is as high as a square one in a column of width `side`.

        Less, where its width, or the tabs above it, leave less. left: the width of the settings.
        """
        margins = 20
        room = self.width() - (left if self._sides[0].isVisibleTo(self) else 0)
        canvas = min(side - margins, (room - self._least_canvas() - margins) // 2)
        height = max(min(canvas + margins + theme().px(34), self.height() - _MIN_ABOVE), self._least_canvas())
        self._middle.setSizes([self.height() - height, height])

    def _keep_middle(self) -> None:
        """Take from the canvas, then from the settings, what the middle lacks of its minimum."""
        if self._is_wide:
            return
        left, middle, right = self.sizes()
        most = max(self.height() - theme().px(_BELOW_CANVAS), self._least_canvas())
        for_canvas = max(min(MIN_MIDDLE - middle, right - self._least_canvas()), right - most, 0)
        least = self._least_settings()
        for_settings = min(max(MIN_MIDDLE - middle - for_canvas, 0), max(left - least, 0))
        if for_canvas or for_settings:
            self.setSizes([left - for_settings, middle + for_canvas + for_settings, right - for_canvas])

    def _is_narrow(self, middle: int) -> bool:
        """Whether less than `middle` pixels are left for the middle column beside both others."""
        sides = self._least_settings() + (0 if self._is_wide else self._least_canvas())
        return self.width() < sides + middle + 2 * self.handleWidth()

    def _fold(self) -> None:
        """Fold the sides away, or unfold them, unless the user has used a switch."""
        tab = self._tabs.currentWidget() if self._tabs else None
        wants_room = int(getattr(tab, "wants_room", False))
        folded = (
            bool(wants_room) and self.width() < self._least_settings() + MIN_WIDE_MIDDLE,
            self._is_narrow(max(wants_room, MIN_WIDE_MIDDLE) if wants_room else MIN_MIDDLE),
        )
        if theme().presenting:
            folded = (True, False)
        if folded != self._folded and not self._switched_by_user:
            self._folded = folded
            self._show_unfolded()

    def _make_room_for(self, switch: QAction) -> None:
        """Hide the side of the other switch if there is room for one side only."""
        # The buttons of presenter mode need more.
        if self._is_narrow(max(MIN_MIDDLE, self._middle.minimumSizeHint().width() * theme().presenting)):
            for other in self.switches:
                if other is not switch and other.isChecked():
                    other.setChecked(False)
                    self._has_swapped = True

    def _switch(self, text: str, column: QWidget, *keys: str) -> QAction:
        switch = make.action(self, text, keys=keys)
        switch.setCheckable(True)
        switch.setChecked(True)
        switch.toggled.connect(column.setVisible)

        def on_switched(shown: bool) -> None:
            self._switched_by_user = True
            if shown:
                self._make_room_for(switch)
            if theme().presenting:
                if switch is self.switches[0] and not shown:
                    self.switches[1].setChecked(True)  # which may have made room for the settings
                self._set_widths()

        switch.triggered.connect(on_switched)
        return switch


def column(*widgets: QWidget, margins: tuple[int, int, int, int], spacing: int = 6) -> QWidget:
    """A widget with these widgets one below the other."""
    owner = QWidget()
    make.column(*widgets, owner=owner, spacing=spacing).setContentsMargins(*margins)
    return owner


class _TabBar(KeyFocus):
    """Flat titles; the chosen one is underlined in the accent color. Less room is around them where there is little."""

    _around, _size = _AROUND_TAB[1], 1.0

    def fit(self, width: int) -> None:
        """Share `width` pixels among the titles, which are a little smaller where they would not fit otherwise."""
        titles, least = [self.tabText(index) for index in range(self.count())], _AROUND_TAB[0]
        for size in (1.0, SMALL, SMALL * SMALL):
            metrics = QFontMetrics(theme().font(size))
            around = (width - sum(map(metrics.horizontalAdvance, titles))) // max(len(titles), 1)
            if around >= least:
                break
        self._around, self._size = min(max(around, least), _AROUND_TAB[1]), size
        self.setElideMode(Qt.TextElideMode.ElideNone)  # lets Qt ask for the sizes again

    def tabSizeHint(self, index: int) -> QSize:
        metrics = QFontMetrics(theme().font(self._size))
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + self._around, metrics.height() + 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors, current = theme().colors, self.currentIndex()
        with QPainter(self) as painter:
            painter.setFont(theme().font(self._size))
            for index in range(self.count()):
                rect, chosen = self.tabRect(index), index == current
                is_open = self.isTabEnabled(index)
                color = colors.text if chosen else colors.muted
                painter.setPen(QColor(color if is_open else colors.line))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
                pointed = self.underMouse() and rect.contains(self.mapFromGlobal(self.cursor().pos()))
                hovered = pointed and is_open
                if chosen or hovered:
                    line = rect.adjusted(6, rect.height() - 3, -6, 0)
                    painter.fillRect(line, QColor(colors.accent if chosen else colors.border))
                if chosen and self.shows_focus():
                    paint_border(painter, QRectF(rect), QColor(colors.accent))


class _Tabs(QTabWidget):
    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit_titles()
        super().resizeEvent(event)

    def setTabText(self, index: int, title: str) -> None:
        """Name a tab, and share the room among the titles anew."""
        super().setTabText(index, title)
        self.fit_titles()

    def fit_titles(self) -> None:
        bar, corner = self.tabBar(), self.cornerWidget()
        if isinstance(bar, _TabBar):
            bar.fit(self.width() - (corner.sizeHint().width() if corner else 0))


def tab_widget() -> QTabWidget:
    tabs = named(_Tabs(), "tabs")
    tabs.setTabBar(_TabBar())
    tabs.setDocumentMode(True)
    # The arrow keys switch tabs, so that its arrow buttons need no focus.
    for arrow in tabs.tabBar().findChildren(QToolButton):
        arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # Its own minimum is the width of a tab and two arrow buttons, and the height of the tallest page: a page that is
    # created after the start would enlarge the window.
    tabs.setMinimumSize(74, 230)
    return tabs
