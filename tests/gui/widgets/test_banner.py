"""Messages lie over the status bar and leave by themselves."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow

from gui.widgets import banner as module
from gui.widgets.banner import Banner
from tests.limits import LONG


@pytest.fixture
def bar(qtbot, monkeypatch):
    """The status bar of a window with a page."""
    monkeypatch.setattr(module, "SHOWN_MILLISECONDS", 30)
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLabel("page"))
    window.resize(600, 400)
    bar = window.statusBar()
    bar.setMinimumWidth(1)
    window.show()
    yield bar
    window.close()


def test_a_message_floats_over_the_page_and_moves_nothing(bar, qtbot):
    window = bar.window()
    page = window.centralWidget()
    banner = Banner(page)
    before = page.geometry()
    banner.show_text("word " * 40, "bad", "details")
    for width in (600, 300):
        window.resize(width, 400)
        qtbot.waitUntil(lambda: banner.height() >= banner.heightForWidth(banner.width()))
        assert page.rect().contains(banner.geometry())
    banner.hide()
    window.resize(600, 400)
    qtbot.waitUntil(lambda: page.geometry() == before)


def test_a_longer_message_that_replaces_a_short_one_has_room(bar, qtbot):
    banner = Banner(bar.window().centralWidget())
    banner.show_text("word " * 12)
    banner.show_text("word " * 80)
    qtbot.waitUntil(
        lambda: banner.text.height() >= banner.text.heightForWidth(banner.text.width()),
        timeout=LONG,
    )


def test_what_is_said_leaves_at_the_next_action_and_errors_and_offers_stay(bar):
    banner = Banner(bar)
    for text, tone, offer, stays in (
        ("The settings are shown.", "info", "", False),
        ("The last run was stopped.", "info", "Continue", True),
        ("The disk is full.", "bad", "", True),
    ):
        banner.show_text(text, tone)
        if offer:
            banner.offer(offer, lambda: None)
        banner.leave()
        assert banner.isVisible() == stays


def test_what_is_said_disappears_and_errors_and_offers_stay(bar, qtbot):
    good, info, offered, bad = (Banner(bar) for _ in range(4))
    bad.show_text("The disk is full.", "bad")
    offered.show_text("The run is in the trash.")
    offered.offer("Undo", lambda: None)
    good.show_text("Saved.", "good")
    info.show_text("The settings are shown.")
    qtbot.waitUntil(lambda: good.isHidden() and info.isHidden())
    assert bad.isVisible()
    assert offered.isVisible()


def test_a_new_message_replaces_the_old_one_with_its_button(bar, qtbot):
    banner = Banner(bar)
    banner.show_text("Saved.", "good")
    banner.offer("Undo", lambda: None)
    banner.show_text("The disk is full.", "bad")
    assert banner.text.text() == "The disk is full."
    assert not banner.action_button.isVisible()
    other = Banner(bar)
    other.show_text("Saved.", "good")
    qtbot.waitUntil(other.isHidden)  # so long that the first message would have left
    assert banner.isVisible()


def test_escape_closes_a_message(bar, qtbot):
    banner = Banner(bar)
    banner.show_text("The disk is full.", "bad")
    bar.window().activateWindow()
    qtbot.waitUntil(bar.window().isActiveWindow)
    banner.copy_button.setFocus()
    QTest.keyClick(banner.copy_button, Qt.Key.Key_Escape)
    assert banner.isHidden()
