"""A row of buttons that chooses one page of a tab."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QToolButton

from gui.widgets.theme import theme

_GAP = 6  # pixels between two buttons
_PADDING = QSize(28, 10)


class PageChooser(QTabBar):
    """Short titles replace the long ones where these do not fit. scrolls: arrows scroll to titles that do not fit.

    It paints itself: with a style sheet, the widgets around it would no longer follow the theme.
    """

    def __init__(self, name: str, title: str, *, scrolls: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMinimumWidth(60)
        self.setElideMode(Qt.TextElideMode.ElideNone if scrolls else Qt.TextElideMode.ElideRight)
        self.setUsesScrollButtons(scrolls)
        # The arrow keys choose a page, so that the arrow buttons need no focus.
        for arrow in self.findChildren(QToolButton):
            arrow.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self._titles: list[tuple[str, str]] = []

    def add_page(self, title: str, tip: str, short: str = "") -> None:
        """Add a button. `short`: the title where there is little room."""
        index = self.addTab(title)
        self._titles.append((title, short or title))
        self.setTabToolTip(index, tip)
        self.setAccessibleTabName(index, title)
        # A hidden QTabBar does not tell its layout that it has become higher.
        self.updateGeometry()

    def fit(self, width: int) -> None:
        """Use the long titles if they fit into `width` pixels, else the short ones."""
        for short in (0, 1):
            for index, titles in enumerate(self._titles):
                self.setTabText(index, titles[short])
            if self.sizeHint().width() <= width:
                return

    def tabSizeHint(self, index: int) -> QSize:
        return self._size(self.tabText(index))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self._size(self.tabText(index) if self.usesScrollButtons() else "…")

    def paintEvent(self, event: QPaintEvent) -> None:
        pointer = self.mapFromGlobal(self.cursor().pos()) if self.underMouse() else None
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for index in range(self.count()):
                rect = self.tabRect(index).adjusted(0, 0, -_GAP, 0)
                self._paint_tab(painter, index, rect, pointer is not None and rect.contains(pointer))

    def _paint_tab(self, painter: QPainter, index: int, rect: QRect, hovered: bool) -> None:
        colors = theme().colors
        selected = index == self.currentIndex()
        width = 2 if selected and self.hasFocus() else 1
        painter.setPen(QPen(QColor(colors.accent if selected or hovered else colors.line), width))
        painter.setBrush(QColor(colors.info_back if selected else colors.raised))
        margin = width / 2
        painter.drawRoundedRect(QRectF(rect).adjusted(margin, margin, -margin, -margin), 4, 4)
        room = rect.adjusted(6, 0, -6, 0)
        text = self.fontMetrics().elidedText(self.tabText(index), self.elideMode(), room.width())
        painter.setPen(QColor(colors.text))
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _size(self, text: str) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(text) + _GAP, metrics.height()) + _PADDING
