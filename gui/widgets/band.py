"""The band: the lower half of the tab Training, and the pages that take its place for a while."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from gui.widgets import make
from gui.widgets.basics import insert_in_tab_order, named, scroll_area, see_through
from gui.widgets.card import Card
from gui.widgets.tab import PageChooser


class BandPage(QWidget):
    """A page of the band: a head, and below it a leaf, or one of several that are chosen in the
    head.

    tools: widgets of the head, left of ✕; more can be added to `tools`. `close_asked`: by its ✕ or
    by Escape. `closed`: the band shows something else.
    """

    close_asked = Signal()
    closed = Signal()

    def __init__(self, name: str, title: str, *tools: QWidget) -> None:
        super().__init__()
        named(self, name, title)
        self.heading = make.label(title, f"{name}Title", "heading", wraps=False)
        self.sentence = make.label("", f"{name}Sentence", "line", wraps=False)
        self.leaves = PageChooser(f"{name}Leaves", self.tr("What is shown of it"), is_whole=True)
        self.leaves.hide()
        self._stack = QStackedWidget()
        self.leaves.currentChanged.connect(self._stack.setCurrentIndex)
        tip = make.tip_with_key(self.tr("Show the curve again."), "Esc")
        self.close_button = make.button(
            "\N{MULTIPLICATION X}", f"{name}Close", tip, self.close_asked, kind=QToolButton
        )
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.close_button.setAccessibleName(self.tr("Close {page}").format(page=title))
        self.tools = make.row(self.leaves, *tools, spacing=12)
        head = QWidget()
        head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        make.row(
            self.heading, (self.sentence, 1), self.tools, self.close_button, owner=head, spacing=16
        )
        make.column(head, (self._stack, 1), owner=self, spacing=6)

    def add_leaf(self, content: QWidget, title: str = "", tip: str = "") -> None:
        """Add a leaf, which scrolls where it does not fit; the only one needs no title."""
        area = scroll_area(content)
        area.setMinimumSize(0, 0)
        see_through(area)
        self._stack.addWidget(area)
        self.leaves.add_page(title, tip)
        self.leaves.setVisible(self._stack.count() > 1)

    def show_widget(self, widget: QWidget) -> None:
        """Scroll to this part of the shown leaf."""
        area = self._stack.currentWidget()
        assert isinstance(area, QScrollArea)
        if area.isAncestorOf(widget):
            # The leaf is laid out only after this event.
            QTimer.singleShot(0, widget, lambda: area.ensureWidgetVisible(widget))

    def show_title(self, title: str, sentence: str = "") -> None:
        """Name what the page shows, and say one sentence on it."""
        self.heading.setText(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_asked.emit()
        else:
            super().keyPressEvent(event)


class Band(Card):
    """Shows what was chosen last: a page, or without one the first of `usual` that `show_usual`
    names.

    `changed`: another page, or none, is shown. `previous_in_tab_order`: what Tab leaves for a page.
    """

    changed = Signal()

    def __init__(self, *usual: QWidget) -> None:
        self._stack = _Stack()
        super().__init__(self._stack, name="band")
        self.page: BandPage | None = None  # that is shown
        self.previous_in_tab_order: QWidget = self
        self._usual = usual[0]
        self._opener: QWidget | None = None  # which gets the focus when the page is closed
        for widget in usual:
            self._stack.addWidget(widget)

    def show_usual(self, widget: QWidget) -> None:
        """Show this widget while there is no page."""
        self._usual = widget
        if self.page is None:
            self._stack.setCurrentWidget(widget)

    def add_page(self, page: BandPage) -> None:
        """Make a page part of the window before it is shown for the first time."""
        if self._stack.indexOf(page) < 0:
            self._stack.addWidget(page)
            page.close_asked.connect(self.close_page)
            insert_in_tab_order(self.previous_in_tab_order, page)

    def show_page(self, page: BandPage) -> None:
        """Show this page in place of the one before; the focus stays where it is."""
        if not self._has_focus_in_page():
            self._opener = QApplication.focusWidget()
        if page is self.page:
            return
        self.add_page(page)
        self._set_page(page)

    def close_page(self) -> None:
        """Show the curve again, or the lessons before there is one; nothing without a page."""
        # Asked before the page is hidden: Qt then moves the focus anywhere.
        had_focus = self._has_focus_in_page()
        opener = self._opener
        self._opener = None
        if self.page is not None:
            self._set_page(None)
        if had_focus and opener is not None:
            opener.setFocus(Qt.FocusReason.OtherFocusReason)

    def _has_focus_in_page(self) -> bool:
        focused = QApplication.focusWidget()
        if focused is None or self.page is None:
            return False
        return focused is self.page or self.page.isAncestorOf(focused)

    def _set_page(self, page: BandPage | None) -> None:
        before = self.page
        self.page = page
        self._stack.setCurrentWidget(page or self._usual)
        if before is not None:
            before.closed.emit()
        self.changed.emit()


class _Stack(QStackedWidget):
    """Has the height that it is given: the texts of its pages do not ask for more."""

    def hasHeightForWidth(self) -> bool:
        return False

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)
