"""The pages of the tabs are created after the start, a part at a time."""

import sys

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.window.main_window import MainWindow
from gui.window.startup import MODULES
from tests.gui.hand import draw
from tests.gui.person import part
from tests.limits import LONG


def test_the_modules_are_imported_and_the_pages_created_before_their_tabs_are_shown(window, qtbot):
    window.page_builder._timer.setInterval(0)
    qtbot.waitUntil(lambda: all(name in sys.modules for name in MODULES), timeout=LONG)
    qtbot.waitUntil(lambda: bool(window.measuring.pages), timeout=LONG)
    qtbot.waitUntil(lambda: not window.page_builder._timer.isActive(), timeout=LONG)
    assert window.tabs.currentWidget() is window.page


def test_pages_that_were_created_while_the_tab_was_hidden_can_be_chosen(window):
    while window.compare.create_next():
        pass
    window.tabs.setCurrentWidget(window.compare)
    chooser = window.compare.comparison.quantity_box
    assert chooser.height() >= chooser.sizeHint().height() > 20


def test_a_tab_that_is_shown_earlier_is_complete_at_once(window):
    assert window.measuring.create_next()  # the page builder has made one step
    window.tabs.setCurrentWidget(window.measuring)
    assert all(page.parent() is not None for page in window.measuring.pages)
    assert not window.measuring.create_next()


def test_no_page_is_created_during_a_stroke(window, qtbot):
    window.show()
    canvas = part(window, "canvas")
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().center())
    assert window.drawing.is_drawing
    for _ in range(20):
        window.page_builder._create_next()
    assert not window.measuring.pages
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=canvas.rect().center())
    for _ in range(20):
        window.page_builder._create_next()
    assert window.measuring.pages


def test_nothing_is_remembered_when_the_closed_window_is_deleted(qapp):
    """The interpreter may be ending then: since Python 3.12 it starts no thread that writes."""
    window = MainWindow()
    window.show()
    draw(part(window, "canvas"), "3")
    window.close()
    preferences = window.preferences.file
    before = dict(preferences._values)
    shiboken6.delete(window)
    assert preferences._values == before
    assert not preferences._changes
