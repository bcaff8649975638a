"""The tabs of the window, and the row of buttons that chooses one page of a tab."""

from collections.abc import Generator

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QTabWidget, QToolButton, QWidget

from core.inference.model_file import Model
from core.runs.plan import RunContext
from core.training.records import Record
from gui.widgets.basics import FitsOnResize, KeyFocus, named, paint_border
from gui.widgets.shapes import paint_rounded
from gui.widgets.theme import SMALL, theme

_AROUND_TAB = (10, 28)  # pixels, at the least and at the most


class Tab(QWidget):
    """A tab of the window. The window calls these methods in its own thread; a tab overrides those
    it needs.
    """

    title_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._parts = self.create_parts()

    def title(self) -> str:
        """The text on the tab; `title_changed` is emitted when it changes."""
        raise NotImplementedError

    def start_run(self, context: RunContext) -> None:
        """A run has loaded its data and opened its device; records follow."""

    def add_records(self, records: list[Record]) -> None:
        """New records of the run, in order."""

    def show_snapshot(self, model: Model, epoch_ended: bool) -> None:
        """The newest parameters of the run; `epoch_ended`: an epoch has ended since the last
        call.
        """

    def update_if_due(self) -> None:
        """Called regularly during a run, to redraw what has changed."""

    def end_run(self) -> None:
        """The run has ended; no more records follow."""

    def create_parts(self) -> Generator[None]:
        """Create what is not needed before the tab is shown, in steps that do not hold the window
        up.
        """
        yield from ()

    def create_next(self) -> bool:
        """Do one step of `create_parts`; returns False when all parts are there."""
        return next(self._parts, False) is None

    def create_all(self) -> None:
        while self.create_next():
            pass

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.create_all()


_PADDING = QSize(24, 14)  # pixels around a title


class PageChooser(FitsOnResize, KeyFocus):
    """Short titles replace the long ones where these do not fit. scrolls: arrows scroll to titles
    that do not fit; is_whole: the short ones always have their room.

    It paints itself: with a style sheet, the widgets around it would no longer follow the theme.
    """

    def __init__(
        self, name: str, title: str, *, scrolls: bool = False, is_whole: bool = False
    ) -> None:
        super().__init__()
        self._is_whole = is_whole
        named(self, name, title)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMinimumWidth(0 if is_whole else 60)
        self.setElideMode(Qt.TextElideMode.ElideNone if scrolls else Qt.TextElideMode.ElideRight)
        self.setUsesScrollButtons(scrolls)
        # The arrow keys choose a page, so that the arrow buttons need no focus.
        for arrow in self.findChildren(QToolButton):
            arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self._titles: list[tuple[str, str]] = []

    def add_page(self, title: str, tip: str, short: str = "") -> None:
        """Add a button. `short`: the title where there is little room."""
        self._titles.append((title, short or title))  # before the size of the new tab is asked for
        index = self.addTab(title)
        self.setTabToolTip(index, tip)
        self.setAccessibleTabName(index, title)
        # A hidden QTabBar does not tell its layout that it has become higher.
        self.updateGeometry()
        self.fit()

    def rename(self, index: int, title: str, short: str = "") -> None:
        """Give a button another title."""
        self._titles[index] = (title, short or title)
        self.setAccessibleTabName(index, title)
        self.fit()

    def fit(self) -> None:
        """Use the long titles if they fit, else the short ones."""
        for short in (0, 1):
            for index, titles in enumerate(self._titles):
                self.setTabText(index, titles[short])
            if self.sizeHint().width() <= self.width():
                return

    def tabSizeHint(self, index: int) -> QSize:
        return self._size(self.tabText(index))

    def minimumTabSizeHint(self, index: int) -> QSize:
        if self._is_whole:
            return self._size(self._titles[index][1])
        return self._size(self.tabText(index) if self.usesScrollButtons() else "…")

    def paintEvent(self, event: QPaintEvent) -> None:
        """One frame around all titles, lines between them, the chosen one on a tint of the
        accent.
        """
        colors = theme().colors
        shown = [index for index in range(self.count()) if self.isTabVisible(index)]
        if not shown:
            return
        frame = self.tabRect(shown[0]).united(self.tabRect(shown[-1]))
        pointer = self.mapFromGlobal(self.cursor().pos()) if self.underMouse() else None
        with QPainter(self) as painter:
            paint_rounded(painter, frame, colors.border, colors.raised)
            for index in shown:
                room = self.tabRect(index)
                if index != shown[-1]:
                    painter.setPen(colors.line)
                    painter.drawLine(room.right(), room.top() + 1, room.right(), room.bottom() - 1)
                self._paint_tab(painter, index, pointer is not None and room.contains(pointer))

    def _paint_tab(self, painter: QPainter, index: int, hovered: bool) -> None:
        colors = theme().colors
        room = self.tabRect(index)
        is_chosen = index == self.currentIndex()
        if is_chosen:
            width = 2 if self.shows_focus() else 1
            line = colors.accent if self.shows_focus() or theme().high_contrast else colors.border
            paint_rounded(painter, room, line, colors.info_back, width)
        painter.setFont(theme().font(bold=is_chosen))
        painter.setPen(colors.accent if is_chosen or hovered else colors.text)
        text = painter.fontMetrics().elidedText(
            self.tabText(index), self.elideMode(), room.width() - 8
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _size(self, text: str) -> QSize:
        metrics = QFontMetrics(theme().font(bold=True))
        return QSize(metrics.horizontalAdvance(text), metrics.height()) + _PADDING


class _TabBar(KeyFocus):
    """Flat titles; the chosen one is underlined in the accent color. Less room is around them where
    there is little.
    """

    _around = _AROUND_TAB[1]
    _size = 1.0

    def fit(self, width: int) -> None:
        """Share `width` pixels among the titles, which are a little smaller where they would not
        fit otherwise.
        """
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
            metrics.horizontalAdvance(self.tabText(index)) + self._around,
            metrics.height() + theme().px(24),
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
                painter.setPen(color)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
                pointed = self.underMouse() and rect.contains(
                    self.mapFromGlobal(self.cursor().pos())
                )
                hovered = pointed and is_open
                if chosen or hovered:
                    line = rect.adjusted(6, rect.height() - 3, -6, 0)
                    painter.fillRect(line, colors.accent if chosen else colors.border)
                if chosen and self.shows_focus():
                    paint_border(painter, QRectF(rect), colors.accent)


class Tabs(QTabWidget):
    """A tab that is hidden appears when it is shown for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self._bar = _TabBar()
        self.setTabBar(self._bar)
        self._sizes: list[tuple[bool, QSize]] = []  # of the titles and the corner as laid out

    def event(self, event: QEvent) -> bool:
        """Lay out again only for other titles or another corner: Qt would do so, and paint the
        whole window, for each text that changes on a page.
        """
        if event.type() == QEvent.Type.LayoutRequest:
            parts = filter(None, (self._bar, self.cornerWidget()))
            sizes = [(part.isHidden(), part.sizeHint()) for part in parts]
            if sizes == self._sizes:
                return True
            self._sizes = sizes
        return super().event(event)

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
    # Its own minimum is the width of a tab and two arrow buttons, and the height of the tallest
    # page: a page that is created after the start would enlarge the window.
    tabs.setMinimumSize(74, 230)
    return tabs
