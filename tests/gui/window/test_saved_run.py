"""Changes of the learning rate and the continuation of a stopped run, in the window."""

import json

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.training.autosave import saved_runs
from gui.window.main_window import MainWindow
from tests.gui.person import LONG, choose, ended, train_for_long


def test_a_typed_rate_is_announced_marked_and_can_be_taken_back(window, qtbot):
    schedule = window.settings.fields["schedule"].editor
    choose(schedule, "cosine")
    train_for_long(window, qtbot)
    window.learningRateEdit.setText("")
    QTest.keyClicks(window.learningRateEdit, "0.01")
    QTest.keyClick(window.learningRateEdit, Qt.Key.Key_Return)
    assert "schedule (cosine) is off" in window.banner.text.text()
    qtbot.waitUntil(lambda: window._newest.learning_rate == 0.01, timeout=LONG)
    qtbot.waitUntil(lambda: len(window.lossPlot._rate_marks) == 1, timeout=LONG)
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: window._newest.learning_rate != 0.01, timeout=LONG)
    assert window.learningRateEdit.text() != "0.01"
    window.stopButton.click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    changes = json.loads((saved_runs()[0].path / "run.json").read_text())["rate_changes"]
    assert [change["learning_rate"] for change in changes] == [0.01, None]


def test_a_stopped_run_is_offered_at_the_next_start_and_continues(window, qtbot):
    train_for_long(window, qtbot)
    window.stopButton.click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    step = window._newest.step
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.banner.action_button.isVisible(), timeout=LONG)
    assert "stopped before its end" in again.banner.text.text()
    again.banner.action_button.click()
    qtbot.waitUntil(lambda: again._newest is not None, timeout=LONG)
    assert again._newest.step > step
    assert again.networkEdit.text() == "784-32-10"
    assert len(saved_runs()) == 1
