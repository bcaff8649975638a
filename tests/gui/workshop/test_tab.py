"""The Workshop tab as a pupil uses it: list, kernel, check, steps, race, solution, own editor."""

import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QPushButton

from gui.workshop.findings import LOOK, RACE, USE, VERDICT, VerdictPage
from tests.core.workshop.checking import check as verdict_of
from tests.gui.person import part, rect_in
from tests.limits import LONG

RIGHT = '''"""Mine."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    out[i] = a[i] + 10
'''


@pytest.fixture
def workshop(window, qtbot):
    """The first exercise, open in the tab."""
    tab = window.workshop
    window.tabs.setCurrentWidget(tab)
    exercises = tab.exercises
    qtbot.waitUntil(lambda: exercises.chosen is not None, timeout=LONG)
    qtbot.waitUntil(lambda: not exercises.reader.busy, timeout=LONG)
    qtbot.mouseDClick(part(window, "exercise1"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: tab.bench.block is not None, timeout=LONG)
    return tab.bench


def test_nothing_is_opened_before_the_list_is_read(window, qtbot):
    window.tabs.setCurrentWidget(window.workshop)
    exercises = window.workshop.exercises
    assert exercises.chosen is None
    assert not exercises.open_button.isEnabled()
    assert not exercises.reading.isHidden()
    assert exercises.reading.text() == "The exercises are being read…"
    qtbot.waitUntil(exercises.open_button.isEnabled, timeout=LONG)
    assert part(window, "exercise22").isVisible()
    assert exercises.reading.isHidden()


def test_an_exercise_is_chosen_by_the_arrow_keys_and_opened_by_return(window, qtbot):
    window.tabs.setCurrentWidget(window.workshop)
    qtbot.waitUntil(lambda: window.workshop.exercises.chosen is not None, timeout=LONG)
    first = part(window, "exercise1")
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    second = part(window, "exercise2")
    assert second.isChecked()
    assert not first.isChecked()
    qtbot.keyClick(second, Qt.Key.Key_Return)
    bench = window.workshop.bench
    qtbot.waitUntil(lambda: bench.block is not None, timeout=LONG)
    assert window.labs.answers.lab.title == "More threads than elements"


def write(tab, text):
    tab.editor.selectAll()
    tab.editor.insertPlainText(text)


def check(tab, qtbot):
    tab.kernel.check_button.click()
    qtbot.waitUntil(lambda: not tab.tasks.runner.busy, timeout=LONG)


def test_a_kernel_is_written_checked_and_kept_in_the_lab(window, workshop, qtbot):
    labs = window.labs
    assert not labs.isHidden()
    assert window.tabs.currentWidget() is window.workshop
    assert "Complete the line" in workshop.editor.toPlainText()
    assert not part(window, "workshopSolution").isEnabled()
    check(workshop, qtbot)  # the skeleton copies
    assert workshop.findings.summary.text().startswith("✗ 1 fault")
    fault = workshop.verdict.faults[0]
    assert fault.kind == "wrong-result"
    assert "must be" in workshop.editor.fault_text(fault.line)
    assert part(window, "workshopFault1").text() == f"Line {fault.line}"
    assert part(window, "workshopSolution").isEnabled()
    write(workshop, RIGHT)
    assert workshop.editor.fault_text(fault.line) == ""
    assert workshop.findings.summary.text().startswith("Changed since")
    check(workshop, qtbot)
    assert workshop.findings.summary.text().startswith("✓ No fault on these")
    window.appearance.change_text_size(1)
    # The text is the same.
    assert workshop.findings.summary.text().startswith("✓ No fault on these")
    window.appearance.change_text_size(0)
    assert labs.answers.kernels["map"].source == RIGHT
    assert labs.answers.is_done(workshop.block)
    part(window, "workshopAll").click()
    said = "1. One thread for each element: 4 minutes, solved, 1 of 3 done"
    qtbot.waitUntil(lambda: part(window, "exercise1").accessibleName() == said, timeout=LONG)
    assert part(window, "exercise2").isChecked()  # the next to solve
    # Of an exercise that no operator is like.
    assert not workshop.findings.chooser.isTabVisible(USE)


def test_the_run_is_stepped_through_forwards_and_back(window, workshop, qtbot):
    write(workshop, RIGHT)
    check(workshop, qtbot)
    workshop.findings.chooser.setCurrentIndex(LOOK)
    look = workshop.findings.look
    look.slider.setValue(0)
    assert "line 9 reads a" in look.where.text()
    assert "lie in one sector" in look.notice.text()
    qtbot.keyClick(look.picture, Qt.Key.Key_Right)
    assert "line 9 writes out" in look.where.text()
    qtbot.keyClick(look.picture, Qt.Key.Key_Left)
    assert "line 9 reads a" in look.where.text()
    window.grab()  # lays the squares out
    grid = next(image for image in look.picture._images if image.choose)
    second = grid.area(0, 1).center()
    assert "Block 1" in look.picture.tip_at(second)
    qtbot.mouseClick(look.picture, Qt.MouseButton.LeftButton, pos=second)
    assert look.block.value() == 1
    window.grab()
    array = next(image for image in look.picture._images if image.title.startswith("▸ a"))
    assert "a[8] = " in look.picture.tip_at(array.area(1, 0).center())
    assert "thread" not in look.picture.tip_at(array.area(0, 0).center())  # of another block
    write(workshop, "def add_ten(")
    check(workshop, qtbot)
    assert (look.where.text(), look.notice.text()) == ("", "")  # nothing has run


def test_a_race_shows_the_counts_side_by_side(window, workshop, qtbot):
    write(workshop, RIGHT)
    check(workshop, qtbot)
    part(window, "workshopRace").click()
    qtbot.waitUntil(lambda: not workshop.tasks.runner.busy, timeout=LONG)
    assert workshop.findings.chooser.currentIndex() == RACE
    rows = {row[0]: row[1:] for row in workshop.findings.race_page.table.record_model.records}
    assert rows["Verdict"] == ("right", "right")
    assert rows["Global reads"][0] == rows["Global reads"][1]


def test_a_file_saved_by_another_editor_is_shown_and_checked(window, workshop, qtbot):
    workshop.file.keep()
    other = workshop.file.path.with_suffix(".new")
    other.write_text(RIGHT, "utf-8")
    os.replace(other, workshop.file.path)  # as many editors save
    qtbot.waitUntil(lambda: workshop.verdict is not None, timeout=LONG)
    assert workshop.editor.toPlainText() == RIGHT
    assert workshop.verdict.passed
    workshop.editor.undo()
    assert "Complete the line" in workshop.editor.toPlainText()


def test_a_file_that_another_editor_emptied_is_left_alone(window, workshop):
    write(workshop, RIGHT)
    workshop.file.keep()
    workshop.file.path.write_bytes(b"")
    window.tabs.setCurrentWidget(window.page)
    assert workshop.file.path.read_bytes() == b""


def test_what_is_typed_is_there_again(window, workshop, qtbot):
    write(workshop, RIGHT)
    window.tabs.setCurrentWidget(window.page)
    assert workshop.file.path.read_text("utf-8") == RIGHT
    workshop.block = None
    window.labs.kernel_asked.emit(window.labs.answers, window.labs.answers.lab.part("map"))
    assert workshop.editor.toPlainText() == RIGHT
    part(window, "workshopAgain").click()
    assert "Complete the line" in workshop.editor.toPlainText()


def test_the_solution_is_shown_after_an_attempt(window, workshop, qtbot):
    check(workshop, qtbot)
    part(window, "workshopSolution").click()
    dialog = window.findChild(QPushButton, "workshopSolution").window()
    assert "value + 10" in part(dialog, "workshopSolutionText").toPlainText()


def test_the_editor_indents(window, workshop, qtbot):
    editor = workshop.editor
    write(workshop, "")
    qtbot.keyClicks(editor, "def f(a):")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, "x = 1")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    qtbot.keyClicks(editor, "y")
    assert editor.toPlainText() == "def f(a):\n    x = 1\ny"
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "    def f(a):\n        x = 1\n    y"
    qtbot.keyClick(editor, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert editor.toPlainText() == "def f(a):\n    x = 1\ny"
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert workshop.kernel.check_button.hasFocus()


def test_the_editor_makes_comments_of_lines_and_code_again(window, workshop, qtbot):
    editor = workshop.editor
    write(workshop, "a = 1\nif a:\n    b = (a + (1))\nc = a\n")
    editor.setFocus()
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert editor.toPlainText() == "# a = 1\n# if a:\n#     b = (a + (1))\n# c = a\n"
    editor.selectAll()
    qtbot.keyClick(editor, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert editor.toPlainText() == "a = 1\nif a:\n    b = (a + (1))\nc = a\n"


def test_keys_of_the_window_open_nothing_over_the_editor(window, workshop, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=LONG)
    before = workshop.editor.toPlainText()
    workshop.editor.setFocus()
    for key in (Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_I, Qt.Key.Key_R, Qt.Key.Key_S):
        qtbot.keyClick(workshop.editor, key, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.activeModalWidget() is None
    assert window.own_digits.isHidden()
    assert not window.session.active
    assert workshop.editor.toPlainText() == before


def test_the_text_of_a_lab_is_folded_away_for_room(window, workshop, qtbot):
    window.resize(1280, 720)
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    qtbot.waitUntil(lambda: rect_in(window.tabs, window).left() > 200, timeout=LONG)
    width = window.tabs.width()
    window.findChild(QAction, "labFold").trigger()
    qtbot.waitUntil(lambda: not window.labs.isVisible(), timeout=LONG)
    qtbot.waitUntil(lambda: window.tabs.width() > width + 200, timeout=LONG)
    part(window, "labUnfold").click()
    assert window.labs.isVisible()
    assert part(window, "labUnfold").isHidden()
    qtbot.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: not window.labs.isVisible(), timeout=LONG)


def test_the_words_of_a_fault_are_never_cut(window, workshop, qtbot):
    check(workshop, qtbot)
    (fault,) = workshop.verdict.faults
    workshop.editor.go_to(fault.line)
    assert part(window, "workshopLine").text().replace("\u200b", "") == fault.text
    workshop.editor.go_to(1)
    assert part(window, "workshopLine").isHidden()


BAD = {
    "endless loop": ("while i >= 0:\n        i = 1", "end"),
    "endless allocation": ("x = []\n    while True:\n        x = x + [0] * 1000000", ""),
    "recursion": ("add_ten(a, out)", "kernel"),
    "no Python": ("out[i = 3", "no Python"),
    "exception": ("raise ValueError", "raise"),
    "exit": ("import sys\n    sys.exit()", "import"),
    "kill": ("os.kill(os.getppid(), 9)", "os"),
    "file": ("f = open('stolen', 'w')", "open"),
    "print": ("for k in range(1000000):\n        print('x' * 50)", "print"),
    "division": ("out[i] = a[i] / 0", ""),
}


@pytest.mark.slow
def test_kernels_that_do_harm_are_answered_in_words(window, workshop, qtbot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window.resize(1280, 720)  # room for the kernel beside what was found
    for name, (line, words) in BAD.items():
        write(workshop, RIGHT.replace("out[i] = a[i] + 10", line))
        workshop.kernel.check_button.click()
        assert workshop.editor.isEnabled()
        qtbot.waitUntil(workshop.kernel.cancel_button.isVisible, timeout=LONG)
        qtbot.waitUntil(lambda: not workshop.tasks.runner.busy, timeout=LONG)
        assert not workshop.verdict.passed, name
        assert words in workshop.verdict.faults[0].text, name
    assert not (tmp_path / "stolen").exists()


def test_cancel_ends_a_check(window, workshop, qtbot):
    write(workshop, RIGHT.replace("out[i] = a[i] + 10", "while i >= 0:\n        i = 1"))
    workshop.kernel.check_button.click()
    part(window, "workshopCancel").click()
    qtbot.waitUntil(lambda: not workshop.tasks.runner.busy, timeout=LONG)
    assert workshop.verdict is None
    assert workshop.kernel.check_button.isEnabled()
    assert workshop.findings.chooser.currentIndex() == VERDICT


def test_another_exercise_that_is_opened_during_a_check_can_be_checked(window, workshop, qtbot):
    write(workshop, RIGHT.replace("out[i] = a[i] + 10", "while i >= 0:\n        i = 1"))
    workshop.kernel.check_button.click()
    workshop.block = None
    window.labs.kernel_asked.emit(window.labs.answers, window.labs.answers.lab.part("map"))
    qtbot.waitUntil(lambda: not workshop.tasks.runner.busy, timeout=LONG)
    assert workshop.verdict is None
    assert workshop.kernel.cancel_button.isHidden()
    assert workshop.kernel.check_button.isEnabled()


@pytest.mark.slow
def test_a_kernel_trains_a_network_that_reads_the_drawing(window, workshop, qtbot):
    assert part(window, "workshopUse").isHidden()  # adding 10 is no operator
    part(window, "workshopAll").click()
    part(window, "exercise11").click()
    part(window, "workshopOpen").click()
    qtbot.waitUntil(
        lambda: workshop.block is not None and workshop.block.id == "product", timeout=LONG
    )
    assert not part(window, "workshopUse").isEnabled()
    write(workshop, workshop.solution())
    check(workshop, qtbot)
    before = window.settings.plan.settings
    part(window, "workshopUse").click()
    qtbot.waitUntil(lambda: not workshop.tasks.runner.busy, timeout=LONG)
    assert "the same but for rounding" in part(window, "workshopUseWords").text()
    curve = workshop.findings.use_page.plot.run.curves["train"]
    assert curve.x[-1] == 1
    assert curve.y[-1] > curve.y[0]
    assert window.saving.path.name == "dot.safetensors"
    assert window.settings.plan.settings == before
    # A page exported now goes to the person's files.
    assert not window.preferences.folder().endswith("workshop")


def test_the_verdict_names_what_is_not_considered_and_the_turns_of_atomic_changes(qtbot):
    text = (
        "from numba import cuda\nprint(1)\n@cuda.jit(fastmath=True)\ndef k(out):\n    "
        "cuda.atomic.add(out, 0, 1)\n"
    )
    page = VerdictPage()
    qtbot.addWidget(page)
    page.show_verdict(
        verdict_of(text, "out: int32[1] = 0", "1", "32", types=False, isolated=False), {}
    )
    said = page.types.text().replace("\u200b", "")
    assert "does not consider “fastmath” of @cuda.jit (line 3)." in said
    assert "The file has other statements, line 2" in said
    model = page.counts.record_model
    assert "32 changes of one element one after the other" in model.data(model.index(0, 2))


def test_a_verdict_says_how_many_blocks_fit_on_a_multiprocessor(window, workshop, qtbot):
    check(workshop, qtbot)
    text = part(window, "workshopOccupancy").text()
    assert "on a multiprocessor at once (8 threads and 0 bytes of shared memory each)" in text
    assert "8.0, 9.0: 32, " in text
    assert "% (B)" in text
