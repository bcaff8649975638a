"""A scrolled form in which the focused editor stays in sight and in place."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from gui.widgets.basics import lay_out_now


class FormArea(QScrollArea):
    """Scrolls down a page of editors."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    def _on_focus(self, before: QWidget | None, focused: QWidget | None) -> None:
        """Scroll to an editor that gets the focus, as Qt does for the Tab key only; without one keep none in place."""
        page = self.widget()
        if focused is not None and page is not None and page.isAncestorOf(focused):
            self.ensureWidgetVisible(focused, 0, 20)
        elif page is not None:
            page.setMinimumHeight(0)

    def scroll_to(self, widget: QWidget) -> None:
        """Show this part of the page."""
        # The layout of the page is updated only after this event.
        QTimer.singleShot(0, widget, lambda: self.ensureWidgetVisible(widget))

    @contextmanager
    def focused_in_place(self) -> Iterator[None]:
        """Scroll so that the focused editor stays where it is when a message above it appears or disappears."""
        page = self.widget()
        focused = QApplication.focusWidget()
        bar = self.verticalScrollBar()
        if focused is None or page is None or not page.isAncestorOf(focused):
            yield
            return
        before = focused.mapTo(self, QPoint()).y()
        yield
        page.setMinimumHeight(0)
        for _ in range(3):  # a message with several lines, and rows of fields, get their heights one by one
            lay_out_now()
        value = bar.value() + focused.mapTo(self, QPoint()).y() - before
        # The page gets its new height in the next turn of the event loop only.
        highest = max(page.heightForWidth(page.width()) - self.viewport().height(), 0)
        if value > highest:
            page.setMinimumHeight(self.viewport().height() + value)
            lay_out_now()
        bar.setValue(value)
