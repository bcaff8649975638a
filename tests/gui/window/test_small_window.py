"""A screen of 1280 by 720 at 200 %: a window of 640 by 320 beside title bar and panel of the
desktop.
"""

import pytest
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea

from gui.window.training_page import View
from tests.gui.person import part, rect_in, train_for_long
from tests.limits import LONG

SIZE = (640, 320)


def scrolled(widget, tab):
    """Whether a scroll area of the tab contains the widget."""
    return any(area.isAncestorOf(widget) for area in tab.findChildren(QAbstractScrollArea))


def cut_off(tab):
    """The names of the buttons that are partly below the page."""
    lower = rect_in(tab, tab.window()).bottom()
    buttons = [
        b for b in tab.findChildren(QAbstractButton) if b.isVisible() and not scrolled(b, tab)
    ]
    return [
        button.objectName() for button in buttons if rect_in(button, tab.window()).bottom() > lower
    ]


@pytest.fixture
def small(window):
    window.resize(*SIZE)
    return window


def test_no_tab_enlarges_the_window_and_no_button_is_cut_off(small, qtbot):
    for tab in (small.results, small.compare, small.measuring, small.page):
        small.tabs.setCurrentWidget(tab)
        qtbot.waitUntil(lambda tab=tab: tab.isVisible() and not cut_off(tab))
        assert (small.width(), small.height()) == SIZE


def test_a_run_does_not_enlarge_the_window(small, qtbot):
    train_for_long(small, qtbot)
    qtbot.waitUntil(lambda: small.status.newest is not None, timeout=LONG)
    small.page.show_view(View.CURVE)
    qtbot.waitUntil(small.status.epoch.isVisible)
    assert (small.width(), small.height()) == SIZE
    assert small.status.progress.isVisible()
    assert small.status.progress.geometry().right() <= small.width()
    part(small, "stopButton").click()
