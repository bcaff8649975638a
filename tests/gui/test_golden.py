"""Preferences, settings, layout, runs and drawings of an earlier version, as the window shows
them.
"""

import pytest

from gui.window.main_window import MainWindow
from tests.golden_home import copy_golden
from tests.gui.person import drop, part


@pytest.fixture
def earlier_window(home, qtbot):
    copy_golden(home)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    return window


def settings_shown(window):
    edits = (part(window, "networkEdit"), part(window, "learningRateEdit"))
    boxes = (part(window, "activationBox"), part(window, "optimizerBox"), part(window, "lossBox"))
    return (
        *(edit.text() for edit in edits),
        *(box.currentData() for box in boxes),
        part(window, "epochsBox").value(),
        part(window, "batchSizeBox").value(),
        window.settings.data.source(),
    )


EARLIER = ("2-5-1", "0.003", "tanh", "adam", "squared-error", 1000, 100, "rastrigin:200")


def test_the_window_starts_with_the_preferences_that_it_saved(earlier_window, home):
    window, preferences = earlier_window, earlier_window.preferences
    assert settings_shown(window) == EARLIER
    assert part(window, "deviceBox").currentData() == "sequential"
    assert preferences.theme == "dark"
    assert preferences.shown_advice == "some advice"
    assert preferences.recent() == [home / "files" / "dense.safetensors"]
    assert preferences.folder() == (home / "files").as_posix()
    assert not preferences.wide_canvas
    assert all(preferences.layout(name) for name in ("window", "columns", "rows"))


def test_a_file_of_settings_opens(earlier_window, home):
    part(earlier_window, "epochsBox").setValue(5)
    drop(earlier_window, home / "files" / "settings.json")
    assert settings_shown(earlier_window) == EARLIER


def test_the_runs_and_the_drawings_are_there(earlier_window):
    from core.data.own_digits import counts

    earlier_window.tabs.setCurrentWidget(earlier_window.compare)
    assert counts()[:2] == (1, 2)
