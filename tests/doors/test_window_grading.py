"""The answers to a lab in the window: whatever a pupil does, they are there the next day, and can
be marked.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction

from core.labs.answers_file import answers_path
from core.labs.package import open_lab
from core.runs.library import RunLibrary
from core.runs.training import continued
from gui.labs.dialogs import GradeDialog
from tests.core.labs.sample import DIGITS, write_digits
from tests.gui.person import drop, ended, part
from tests.limits import LONG

TASK = DIGITS[: DIGITS.index("```run")] + DIGITS[DIGITS.index("```task") :]


@pytest.fixture
def lab(tmp_path):
    """A lab with a task."""
    return open_lab(write_digits(tmp_path / "lab", TASK))


def open_in(window, lab, qtbot):
    """Drop the lab's folder on the window, and wait for its data; returns the panel."""
    drop(window, lab.folder)
    qtbot.waitUntil(lambda: window.labs.answers is not None, timeout=LONG)
    qtbot.waitUntil(lambda: window.settings.data.source() == str(lab.folder / "bars"), timeout=LONG)
    return window.labs


def train(window, qtbot):
    panel, count = window.labs, len(window.labs.answers.attempts)
    qtbot.mouseClick(part(window, "trainButton"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(panel.answers.attempts) > count and ended(window)(), timeout=LONG)


def close(window, qtbot):
    qtbot.mouseClick(part(window, "labClose"), Qt.MouseButton.LeftButton)
    assert window.labs.answers is None


def test_long_runs_are_kept_handed_in_and_marked(window, qtbot, tmp_path):
    text = TASK.replace("epochs = 3", "epochs = 1010").replace(
        "epochs_at_most = 3", "epochs_at_most = 2000"
    )
    lab = open_lab(write_digits(tmp_path / "lab", text))
    panel = open_in(window, lab, qtbot)
    train(window, qtbot)
    assert part(window, "lab-goalGoal-epochs_at_most").is_right
    close(window, qtbot)
    open_in(window, lab, qtbot)
    (attempt,) = panel.answers.attempts
    assert (attempt.epochs_done, len(attempt.epochs) < 110) == (1010, True)
    assert answers_path(lab).stat().st_size < 40_000
    assert not window.banner.isVisible()

    (tmp_path / "class").mkdir()
    panel.answers.save(tmp_path / "class" / "Ada.json")
    (tmp_path / "class" / "bad.json").write_text('{"version": ' + "[" * 900 + "]" * 900 + "}")
    drop(window, tmp_path / "class")
    qtbot.waitUntil(lambda: window.findChild(GradeDialog) is not None, timeout=LONG)
    dialog = window.findChild(GradeDialog)
    assert "Attempts count as the files say" in part(dialog, "gradeMessage").text()
    qtbot.mouseClick(dialog.again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: "Of a task only attempts count" in part(dialog, "gradeMessage").text(), timeout=LONG
    )
    assert "1 of 1 attempts are the same to the bit" in part(dialog, "gradeMessage").text()
    (ada,) = [row for row in dialog.model.records if row.marked.file == "Ada.json"]
    cells = [column.text(ada) for column in dialog.model.columns]
    assert any(cell.startswith("✓ met, ") for cell in cells)
    assert "1 of 1 run the same to the bit" in cells
    dialog.close()


def test_answers_that_cannot_be_read_are_put_aside_and_the_window_says_where(window, qtbot, lab):
    path = answers_path(lab)
    path.parent.mkdir(parents=True)
    path.write_text("{damaged")
    panel = open_in(window, lab, qtbot)
    said = window.banner.text.text().replace("\u200b", "")
    (aside,) = path.parent.glob("*unreadable*")
    assert str(aside) in said
    assert "Nothing was deleted" in said
    assert aside.read_text() == "{damaged"
    panel.close_lab()
    assert aside.read_text() == "{damaged"


def test_two_windows_on_one_home_keep_the_attempts_of_both(window, qtbot, lab):
    from gui.window.main_window import MainWindow

    other = MainWindow()
    qtbot.addWidget(other)
    other.show()
    for each in (window, other):
        open_in(each, lab, qtbot)
    for each in (window, other, window):
        train(each, qtbot)
    assert len(window.labs.answers.attempts) == 3
    close(window, qtbot)
    close(other, qtbot)
    open_in(window, lab, qtbot)
    assert len(window.labs.answers.attempts) == 3


def test_beginning_again_keeps_the_answers_so_far(window, qtbot, lab):
    panel = open_in(window, lab, qtbot)
    train(window, qtbot)
    window.findChild(QAction, "labAgain").trigger()
    assert panel.answers.attempts == []
    (aside,) = answers_path(lab).parent.glob("*before*")
    assert str(aside) in window.banner.text.text().replace("\u200b", "")
    close(window, qtbot)
    open_in(window, lab, qtbot)
    assert panel.answers.attempts == []
    assert aside.exists()


def test_a_run_that_was_continued_is_no_attempt(window, qtbot, lab):
    """Its settings alone do not repeat it, so that it could not be marked."""
    panel = open_in(window, lab, qtbot)
    train(window, qtbot)
    (entry,) = RunLibrary().entries()
    window.run_actions.continue_run(*continued(entry, {"epochs": 5, "learning_rate": 0.01}))
    qtbot.waitUntil(
        lambda: "A run that was continued is no attempt" in window.banner.text.text(), timeout=LONG
    )
    assert len(panel.answers.attempts) == 1
