"""Messages lie over the page and leave by themselves."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabWidget

from gui.widgets import banner as module
from gui.widgets.banner import Banner


@pytest.fixture
def tabs(qtbot, monkeypatch):
    monkeypatch.setattr(module, "GOOD_MILLISECONDS", 30)
    tabs = QTabWidget()
    qtbot.addWidget(tabs)
    tabs.addTab(QLabel("page"), "Training")
    tabs.resize(600, 400)
    tabs.show()
    return tabs


def test_a_message_covers_the_lower_edge_of_the_page_and_moves_nothing(tabs):
    page = tabs.currentWidget()
    before = page.geometry()
    banner = Banner(tabs)
    banner.show_text("word " * 40, "bad", "details")
    assert page.geometry() == before
    for width in (600, 300):
        tabs.resize(width, 400)
        assert tabs.rect().contains(banner.geometry())
        assert tabs.rect().bottom() - banner.geometry().bottom() < 10


def test_how_much_is_covered_is_told(tabs):
    banner, covered = Banner(tabs), []
    banner.covers.connect(covered.append)
    banner.show_text("Saved.")
    assert covered[-1] > banner.height()
    banner.hide()
    assert covered[-1] == 0


def test_success_messages_disappear_and_errors_stay(tabs, qtbot):
    good, bad = Banner(tabs), Banner(tabs)
    bad.show_text("The disk is full.", "bad")
    good.show_text("Saved.", "good")
    qtbot.waitUntil(good.isHidden)
    assert bad.isVisible()


def test_a_new_message_replaces_the_old_one_with_its_button(tabs, qtbot):
    banner = Banner(tabs)
    banner.show_text("Saved.", "good")
    banner.offer("Undo", lambda: None)
    banner.show_text("The disk is full.", "bad")
    assert banner.text.text() == "The disk is full."
    assert not banner.action_button.isVisible()
    other = Banner(tabs)
    other.show_text("Saved.", "good")
    qtbot.waitUntil(other.isHidden)  # so long that the first message would have left
    assert banner.isVisible()


def test_escape_closes_a_message(tabs, qtbot):
    banner = Banner(tabs)
    banner.show_text("The disk is full.", "bad")
    tabs.activateWindow()
    qtbot.waitUntil(tabs.isActiveWindow)
    banner.copy_button.setFocus()
    QTest.keyClick(banner.copy_button, Qt.Key.Key_Escape)
    assert banner.isHidden()
