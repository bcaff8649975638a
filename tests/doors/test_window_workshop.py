"""The kernel workshop, by keyboard and mouse in the window, with the processes that really check a
kernel.
"""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from tests.gui.person import part
from tests.limits import LONG

LEFT, CONTROL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def open_exercise(window, qtbot):
    """Opens an exercise by its number in the list, as a person does; returns its bench."""

    def open_one(number):
        tab = window.workshop
        window.tabs.setCurrentWidget(tab)
        qtbot.waitUntil(lambda: part(window, "workshopOpen").isEnabled(), timeout=LONG)
        tab.show_list()
        qtbot.waitUntil(lambda: not tab.exercises.reader.busy, timeout=LONG)
        press(window, f"exercise{number}")
        said = [each.text() for each in tab.exercises.about.findChildren(QLabel)]
        assert said[0].startswith(f"{number}. ")
        assert "What you do" in said
        bench = tab.bench
        before = bench.block
        press(window, "workshopOpen")
        qtbot.waitUntil(lambda: bench.block is not before and bench.block is not None, timeout=LONG)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow, timeout=LONG)
        bench.editor.setFocus()
        return bench

    return open_one


def press(window, name):
    button = part(window, name)
    assert button.isEnabled(), name
    QTest.mouseClick(button, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(8, 8))


def go_to_end_of(editor, line_text):
    """Put the cursor behind a line, as a click does."""
    assert line_text in editor.toPlainText()
    editor.setFocus()
    cursor = editor.document().find(line_text)
    cursor.clearSelection()
    editor.setTextCursor(cursor)


def check(tab, qtbot):
    """Press the key of Check with the window in front: one of an earlier test may close only
    now.
    """
    tab.window().activateWindow()
    qtbot.waitUntil(tab.window().isActiveWindow, timeout=LONG)
    tab.editor.setFocus()
    QTest.keyClick(tab.editor, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: not tab.tasks.runner.busy, timeout=LONG)


def test_an_exercise_is_solved_and_its_tick_stays(window, open_exercise, qtbot):
    tab = open_exercise(1)
    summary = part(window, "workshopSummary")
    go_to_end_of(tab.editor, "result = value")
    QTest.keyClicks(tab.editor, " + 10")
    check(tab, qtbot)
    assert summary.text().startswith("✓ No fault")
    assert window.labs.answers.is_done(tab.block)
    solved = part(window, "workshopSolved")
    assert solved.isVisible()
    assert solved.text().startswith("Solved")
    right = tab.editor.toPlainText()
    # An experiment changes nothing of what was reached.
    QTest.keyClicks(tab.editor, "0 +")
    check(tab, qtbot)
    assert summary.text().startswith("✗ 1 fault")
    assert not solved.isVisible()
    assert window.labs.answers.is_done(tab.block)
    assert window.labs.answers.kernels["map"].source == right
    # A verdict that comes after the text was changed is not that of the text.
    for _ in "0 +":
        QTest.keyClick(tab.editor, Qt.Key.Key_Backspace)
    assert tab.editor.toPlainText() == right
    QTest.keyClick(tab.editor, Qt.Key.Key_Return, CONTROL)
    QTest.keyClicks(tab.editor, " # a thought")
    at = tab.editor.textCursor().position()
    # The check may have come to its end while this was typed.
    assert "before your changes" in summary.text() or not tab.tasks.runner.busy
    qtbot.waitUntil(lambda: not tab.tasks.runner.busy, timeout=LONG)
    assert summary.text().startswith("Changed since the last check")
    assert tab.editor.textCursor().position() == at
    # Ctrl+Return in a check of another text begins anew.
    QTest.keyClick(tab.editor, Qt.Key.Key_Return, CONTROL)
    QTest.keyClicks(tab.editor, "!")
    check(tab, qtbot)
    assert summary.text().startswith("✓ No fault")
    assert tab.verdict.trace.source == tab.editor.toPlainText()


def test_the_text_is_folded_away_so_that_a_line_of_the_kernel_can_be_read(
    window, open_exercise, qtbot
):
    window.resize(1280, 720)
    tab = open_exercise(9)
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    before = tab.editor.viewport().width()
    window.findChild(QAction, "labFold").trigger()
    qtbot.waitUntil(lambda: tab.editor.viewport().width() > before + 100, timeout=LONG)
    widest = max(map(len, tab.editor.toPlainText().splitlines()))
    assert tab.editor.fontMetrics().horizontalAdvance("n" * widest) < tab.editor.viewport().width()


def test_a_race_is_looked_at_in_both_orders(window, open_exercise, qtbot):
    tab = open_exercise(6)
    check(tab, qtbot)  # the barrier is missing
    assert tab.verdict.faults[0].kind == "race"
    assert not tab.editor.step
    tab.findings.chooser.setCurrentIndex(1)
    look = tab.findings.look
    assert tab.editor.step == look.line == tab.verdict.faults[0].line
    assert "thread 7 reads shared[0] while thread 0 writes it" in look.race.text()
    assert look.race.isVisible()
    assert look.thread_box.value() == 7
    assert "other = 0" in look.variables.text()
    assert "int64" in look.variables.text()
    frames = [image for image in look.picture._images if image.conflicts]
    assert [image.title.partition(":")[0] for image in frames] == [
        "Threads of the block",
        "▸ shared",
    ]
    assert frames[0].conflicts == {(0, lane) for lane in range(8)}
    assert frames[1].conflicts == {(0, element) for element in range(8)}
    press(window, "lookGoToRace")
    assert "thread 0 writes shared[0] while thread 7 reads it" in look.race.text()
    assert "other" not in look.variables.text()
    press(window, "lookOtherOrder")
    assert (
        "really run: thread 7 reads shared[0] before thread 0 writes it" in look.other_result.text()
    )
    assert "At the end out[7] is 0, where the first order gave" in look.other_result.text()
    (out,) = [array.data for array in look.replay.trace.arrays if array.name == "out"]
    assert out[7] == 0
    press(window, "lookOtherOrder")
    assert look.other_result.isHidden()


def test_local_arrays_and_variables_of_a_thread_are_shown(window, open_exercise, qtbot):
    tab = open_exercise(20)
    tab.editor.setFocus()
    tab.editor.selectAll()
    QApplication.clipboard().setText(tab.solution())
    tab.editor.paste()
    check(tab, qtbot)
    tab.findings.chooser.setCurrentIndex(1)
    look = tab.findings.look
    look.slider.setValue(2)
    look.thread_box.setValue(3)
    assert "p = 0" in look.variables.text()
    assert "q = 2" in look.variables.text()
    (total,) = [image for image in look.picture._images if "total" in image.title]
    assert "of this thread" in total.title
    assert [total.texts[0, column] for column in range(3)] == ["0", "0", "0"]
    assert (0, 3) not in total.texts  # not written yet
    for step in range(0, len(look._steps), 40):
        look.slider.setValue(step)
    press(window, "lookLast")
    assert f"Step {len(look._steps)}" in look.where.text()
