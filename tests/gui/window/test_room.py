"""The window in front of a class: presenter mode and large text at 1280x720."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QScrollArea

from gui.widgets.theme import theme
from tests.gui.person import part

RUN_BUTTONS = ("trainButton", "pauseButton", "stepButton", "stopButton", "speedBox")


@pytest.fixture
def desk(window, qtbot):
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: part(window, "canvas").isVisible())
    yield window
    if theme().presenting:
        window.presenter.trigger()
    window._change_text_size(0)


def test_f12_shows_plot_canvas_answer_and_the_buttons_of_a_run(desk, qtbot):
    before = desk.columns.sizes()
    QTest.keyClick(desk, Qt.Key.Key_F12)
    shown = ("accuracyPlot", "canvas", "predictionLabel", *RUN_BUTTONS, "endPresentingButton")
    qtbot.waitUntil(lambda: all(part(desk, name).isVisible() for name in shown))
    hidden = (desk.settings, desk.menuBar(), desk.tabs.tabBar(), part(desk, "epochTableButton"))
    assert not any(widget.isVisible() for widget in hidden)
    assert QFontInfo(part(desk, "trainButton").font()).pixelSize() == 26
    qtbot.waitUntil(lambda: part(desk, "predictionLabel").height() >= 160)
    assert (desk.width(), desk.height()) == (1280, 720)
    QTest.keyClick(desk, Qt.Key.Key_F12)  # with the menu bar hidden
    assert desk.settings.isVisible()
    assert desk.columns.sizes()[::2] == before[::2]
    assert all(part(desk, name).window() is desk for name in RUN_BUTTONS)


def test_f12_hides_the_settings_that_were_shown_with_their_key(desk, qtbot):
    settings, canvas = desk.columns.switches
    settings.trigger()
    settings.trigger()
    QTest.keyClick(desk, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: part(desk, "endPresentingButton").isVisible())
    assert not desk.settings.isVisible()
    settings.trigger()  # beside the plot, and instead of the canvas where there is no room for it
    qtbot.waitUntil(lambda: desk.settings.width() >= desk.settings.widget().minimumSizeHint().width())
    assert desk.width() == 1280
    QTest.keyClick(desk, Qt.Key.Key_F12)
    assert settings.isChecked()
    assert canvas.isChecked()


def test_f8_twice_in_presenter_mode_shows_the_canvas_again(desk, qtbot):
    QTest.keyClick(desk, Qt.Key.Key_F12)
    settings, canvas = desk.columns.switches
    settings.trigger()
    settings.trigger()
    assert not settings.isChecked()
    assert canvas.isChecked()


def test_the_usual_text_brings_back_the_settings_that_made_room_for_the_canvas(desk, qtbot):
    for _ in range(6):
        desk._change_text_size(1)
    settings, canvas = desk.columns.switches
    if not canvas.isChecked():
        canvas.trigger()
    assert not settings.isChecked()
    desk._change_text_size(0)
    assert settings.isChecked()
    assert canvas.isChecked()


def test_no_button_is_lost_in_text_of_twice_the_size(desk, qtbot):
    QTest.keySequence(desk, "Ctrl++")
    assert theme().text_size == 120
    for _ in range(6):
        desk._change_text_size(1)
    assert theme().text_size == 200
    assert (desk.width(), desk.height()) == (1280, 720)
    bar = desk.tabs.tabBar()
    assert bar.tabRect(bar.count() - 1).right() <= bar.width()

    def lost():
        scrolled = [
            button for area in desk.findChildren(QScrollArea) for button in area.findChildren(QAbstractButton)
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
