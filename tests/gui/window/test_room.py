"""The window in front of a class: presenter mode and large text at 1280x720."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QScrollArea

from gui.widgets.theme import theme
from tests.gui.person import give_size, part


@pytest.fixture
def desk(window, qtbot):
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: part(window, "canvas").isVisible())
    yield window
    if theme().presenting:
        window.presenter.trigger()
    window.appearance.change_text_size(0)


def test_f12_shows_stage_curve_and_the_buttons_of_a_run(desk, qtbot):
    QTest.keyClick(desk, Qt.Key.Key_F12)
    assert desk.isFullScreen()
    give_size(desk, 1280, 720)
    shown = ("canvas", "stage", "trainButton", "endPresentingButton")
    qtbot.waitUntil(lambda: all(part(desk, name).isVisible() for name in shown))
    hidden = (desk.settings.line, desk.menuBar(), desk.tabs.tabBar(), desk.training.plots.table)
    assert not any(widget.isVisible() for widget in hidden)
    assert QFontInfo(part(desk, "trainButton").font()).pixelSize() == 26
    assert (desk.width(), desk.height()) == (1280, 720)
    QTest.keyClick(desk, Qt.Key.Key_F12)  # with the menu bar hidden
    assert desk.settings.line.isVisible()
    assert desk.menuBar().isVisible()


def test_no_button_is_lost_in_text_of_twice_the_size(desk, qtbot):
    QTest.keySequence(desk, "Ctrl++")
    assert theme().text_size == 120
    desk.appearance.change_text_size(4)
    assert theme().text_size == 200
    assert (desk.width(), desk.height()) == (1280, 720)
    bar = desk.tabs.tabBar()
    assert bar.tabRect(bar.count() - 1).right() <= bar.width()

    def lost():
        scrolled = [
            button
            for area in desk.findChildren(QScrollArea)
            for button in area.findChildren(QAbstractButton)
        ]
        return [
            button.objectName() or button.text() for button in desk.findChildren(QAbstractButton)
            if button.isVisible() and button not in scrolled
            and button.visibleRegion().boundingRect().width() < 0.9 * button.width()
        ]  # fmt: skip

    qtbot.waitUntil(lambda: not lost())
    assert desk.preferences.text_size == "200"
    QTest.keySequence(desk, "Ctrl+0")
    assert theme().text_size == 100
