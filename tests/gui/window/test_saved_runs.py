"""Runs are saved while they train, and continued at the next start."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.runs.library import saved_runs
from gui.training.session import save_failure
from gui.window.main_window import MainWindow
from tests.gui.person import choose, ended, part, train_for_long
from tests.limits import LONG


def test_a_run_that_cannot_be_written_says_so_once(window, qtbot, tmp_path, monkeypatch):
    blocked = tmp_path / "a file, no folder"
    blocked.write_text("")
    monkeypatch.setenv("DIGITLAB_HOME", str(blocked))
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    said = window.banner.text.accessibleName()
    assert "could not be kept" in said
    assert "a file, no folder" in said
    assert "Ctrl+S" in said
    assert "choose another folder" not in said
    # Nothing is lost yet.
    assert window.banner.property("tone") == "info"
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert not window.banner.isVisible()


def test_a_save_failure_is_added_to_the_message_and_its_offer(window):
    window.banner.show_text("The card failed.", "bad")
    window.banner.offer("Go on on the CPU", lambda: None)
    window.session.warned.emit(save_failure(OSError(28, "No space left on device")))
    assert window.banner.text.accessibleName().startswith("The card failed. For the next start")
    assert "No space left" in window.banner.text.accessibleName()
    assert window.banner.property("tone") == "bad"
    assert window.banner.action_button.isVisible()


def test_a_typed_rate_is_announced_marked_and_can_be_taken_back(window, qtbot):
    schedule = window.settings.fields["schedule"].editor
    choose(schedule, "cosine")
    train_for_long(window, qtbot)
    part(window, "learningRateEdit").setText("")
    QTest.keyClicks(part(window, "learningRateEdit"), "0.01")
    QTest.keyClick(part(window, "learningRateEdit"), Qt.Key.Key_Return)
    assert "schedule (cosine) is off" in window.banner.text.text()
    qtbot.waitUntil(lambda: window.status.newest.learning_rate == 0.01, timeout=LONG)
    qtbot.waitUntil(lambda: len(part(window, "lossPlot").rates.lines) == 1, timeout=LONG)
    window.banner.action_button.click()
    qtbot.waitUntil(lambda: window.status.newest.learning_rate != 0.01, timeout=LONG)
    assert part(window, "learningRateEdit").text() != "0.01"
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    changes = saved_runs()[0].read_info().rate_changes
    assert [change.learning_rate for change in changes] == [0.01, None]


def test_a_stopped_run_is_offered_at_the_next_start_and_continues(window, qtbot):
    train_for_long(window, qtbot)
    qtbot.waitUntil(lambda: len(window.training.epochs.records) > 2, timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    step, rows = window.status.newest.step, window.training.epochs.records
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: again.banner.action_button.isVisible(), timeout=LONG)
    assert "The last run, 32 units on " in again.banner.text.text()
    assert "stopped before its end" in again.banner.text.text()
    again.banner.action_button.click()
    qtbot.waitUntil(lambda: again.status.newest is not None, timeout=LONG)
    assert again.status.newest.step >= step
    qtbot.waitUntil(lambda: again.status.newest.step > step, timeout=LONG)
    assert again.training.epochs.records[: len(rows)] == rows
    assert part(again, "networkEdit").text() == "784-32-10"
    assert len(saved_runs()) == 1
