"""The tabs of the window: flat titles, the chosen one underlined."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget

from gui.widgets.basics import KeyFocus, named, paint_border
from gui.widgets.theme import SMALL, theme

_AROUND_TAB = (10, 28)  # pixels, at the least and at the most


class _TabBar(KeyFocus):
    """Flat titles; the chosen one is underlined in the accent color. Less room is around them where there is little."""

    _around = _AROUND_TAB[1]
    _size = 1.0

    def fit(self, width: int) -> None:
        """Share `width` pixels among the titles, which are a little smaller where they would not fit otherwise."""
        titles = [self.tabText(index) for index in range(self.count())]
        least = _AROUND_TAB[0]
        for size in (1.0, SMALL, SMALL * SMALL):
            metrics = QFontMetrics(theme().font(size, bold=True))
            around = (width - sum(map(metrics.horizontalAdvance, titles))) // max(len(titles), 1)
            if around >= least:
                break
        self._around = min(max(around, least), _AROUND_TAB[1])
        self._size = size
        self.setElideMode(Qt.TextElideMode.ElideNone)  # lets Qt ask for the sizes again

    def tabSizeHint(self, index: int) -> QSize:
        metrics = QFontMetrics(theme().font(self._size, bold=True))
        return QSize(
            metrics.horizontalAdvance(self.tabText(index)) + self._around, metrics.height() + theme().px(24)
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = theme().colors
        current = self.currentIndex()
        with QPainter(self) as painter:
            for index in range(self.count()):
                rect = self.tabRect(index)
                chosen = index == current
                is_open = self.isTabEnabled(index)
                color = colors.text if chosen else colors.muted
                font = theme().font(self._size, bold=chosen)
                font.setItalic(not is_open)
                painter.setFont(font)
                painter.setPen(QColor(color))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
                pointed = self.underMouse() and rect.contains(self.mapFromGlobal(self.cursor().pos()))
                hovered = pointed and is_open
                if chosen or hovered:
                    line = rect.adjusted(6, rect.height() - 3, -6, 0)
                    painter.fillRect(line, QColor(colors.accent if chosen else colors.border))
                if chosen and self.shows_focus():
                    paint_border(painter, QRectF(rect), QColor(colors.accent))


class Tabs(QTabWidget):
    """A tab that is hidden appears when it is shown for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = _TabBar()
        self.setTabBar(self._bar)

    def setCurrentWidget(self, widget: QWidget) -> None:
        self.setTabVisible(self.indexOf(widget), True)
        super().setCurrentWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.fit_titles()
        super().resizeEvent(event)

    def setTabText(self, index: int, title: str) -> None:
        """Name a tab, and share the room among the titles anew."""
        super().setTabText(index, title)
        self.fit_titles()

    def fit_titles(self) -> None:
        corner = self.cornerWidget()
        self._bar.fit(self.width() - (corner.sizeHint().width() if corner else 0))


def tab_widget() -> Tabs:
    tabs = named(Tabs(), "tabs")
    tabs.setDocumentMode(True)
    tabs.tabBar().setDrawBase(False)
    # The arrow keys switch tabs, so that its arrow buttons need no focus.
    for arrow in tabs.tabBar().findChildren(QToolButton):
        arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # Its own minimum is the width of a tab and two arrow buttons, and the height of the tallest page: a page that is
    # created after the start would enlarge the window.
    tabs.setMinimumSize(74, 230)
    return tabs
