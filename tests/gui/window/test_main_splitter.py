"""In a narrow window the canvas makes way for a tab that wants room, and never against the person's will."""

import pytest


@pytest.fixture
def narrow(window):
    window.resize(980, 640)
    return window


def test_the_canvas_makes_way_for_the_devices_and_comes_back_with_another_tab(narrow):
    assert narrow.canvas.isVisible()
    narrow.tabs.setCurrentWidget(narrow.measuring)
    assert not narrow.canvas.isVisible()
    assert not narrow.columns.switches[1].isChecked()
    narrow.tabs.setCurrentWidget(narrow.results)
    assert narrow.canvas.isVisible()


def test_it_comes_back_when_there_is_room(narrow):
    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.resize(1400, 700)
    assert narrow.canvas.isVisible()
    narrow.resize(980, 640)
    assert not narrow.canvas.isVisible()
    narrow.reset_layout()
    assert not narrow.canvas.isVisible()


def test_what_the_person_switches_stays(narrow):
    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.columns.switches[1].trigger()
    assert narrow.canvas.isVisible()
    narrow.tabs.setCurrentWidget(narrow.training)
    narrow.tabs.setCurrentWidget(narrow.measuring)
    assert narrow.canvas.isVisible()
    narrow.columns.switches[1].trigger()
    narrow.tabs.setCurrentWidget(narrow.training)
    assert not narrow.canvas.isVisible()


def test_a_window_closed_meanwhile_opens_with_its_canvas(narrow, qtbot):
    from gui.window.main_window import MainWindow

    narrow.tabs.setCurrentWidget(narrow.measuring)
    narrow.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    assert again.canvas.isVisible()
    assert again.canvas.width() > 100
