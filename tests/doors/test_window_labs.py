"""Labs in the window, by mouse: predict, run, answer, hand in, mark; attempts to see the answers
before; closing.
"""

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from core.labs.answers import Answers
from core.labs.blocks.block import LabFinding
from core.labs.blocks.predict import PredictBlock
from core.labs.blocks.run import RunBlock
from core.labs.package import lessons, open_lab
from gui.labs.check_dialog import LabCheckDialog
from gui.labs.dialogs import GradeDialog, HandInDialog, PersonDialog
from tests.gui.conftest import bars
from tests.gui.person import choose_files, drop, ended, part
from tests.idx_files import write_idx
from tests.limits import LONG

LAB = """# What does a rate do: too small, too large?

```lab
version = 1
```

It is `one` network.

## Predict

```setup
data = "digits"
network = "16"
epochs = 2
batch_size = 50
controls = ["learning_rate"]
```

```predict
id = "best"
ask = "Which is best?"
choices = ["0.001", "0.1"]
right = "0.1"
```

```predict
id = "percent"
ask = "How much will 0.1 read?"
number = "test_accuracy"
variant = 2
```

```predict
id = "curve"
ask = "Draw that of 0.001."
curve = "test_accuracy"
variant = 1
```

## Run

```run
id = "rates"
variants = [{ learning_rate = 0.001 }, { learning_rate = 0.1 }]
```

```reveal
So it **is**.
```

## Explain

```question
id = "why"
ask = "Why?"
[[choices]]
text = "By chance."
misconception = "it is chance"
reply = "The seed is the same."
[[choices]]
text = "Its steps are longer."
right = true
```

## Change

```task
id = "goal"
ask = "Read 30 %."
test_accuracy_at_least = 30
```
"""


@pytest.fixture
def lab_file(tmp_path):
    """A lab of two short runs on data of its own, as a teacher hands it out."""
    folder = tmp_path / "handed out"
    for name, images, seed in (("train", 600, 1), ("t10k", 100, 2)):
        write_idx(folder / "digits", *bars(images, seed), name)
    (folder / "lab.md").write_text(LAB, "utf-8")
    return folder / "lab.md"


def press(window, name):
    """Click on the widget of this name, after scrolling to it as a person does."""
    widget = part(window, name)
    if window.labs.view.page.isAncestorOf(widget):
        window.labs.view.area.ensureWidgetVisible(widget)
    assert widget.isVisible(), name
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def entries(window, title):
    menu = next(a.menu() for a in window.menuBar().actions() if a.text().replace("&", "") == title)
    menu.aboutToShow.emit()  # as a click on the menu does
    return {action.text().replace("&", ""): action for action in menu.actions()}


def open_by_menu(window, qtbot, path):
    choose_files(path)
    entries(window, "File")["Open…"].trigger()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)


def draw_curve(plot):
    area = plot.plotItem.vb.sceneBoundingRect().toRect()
    start, end = area.bottomLeft() + QPoint(2, -20), area.topRight() + QPoint(-30, 30)
    QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.mouseMove(plot.viewport(), start + (end - start) * share)
    QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)


def curves(window):
    """Name and color of each curve beside that of the run, and the run's own name."""
    plot = window.training.plots.accuracy_plot
    return [
        (other.name, other.series, other.style == Qt.PenStyle.DashLine)
        for other in plot.others.shown
    ], plot.run.name


def shown(window):
    """All that a lab must not change."""
    training, settings = window.training, window.settings
    chips = [each.text() for each in part(training, "keptRuns").menu().actions()]
    texts = [field.raw() for field in settings.fields.values()]
    plots = [
        (
            plot.others.shown,
            [(*c.x, *c.y) for c in plot.run.curves.values()],
            plot.live_axes.planned,
        )
        for plot in training.curves.both
    ]
    return (
        settings.network.edit.text(),
        settings.data.source(),
        settings.preset_box.currentData(),
        texts,
        plots,
        training.result.score.text(),
        training.result.run_line.text(),
        training.conclusion.said,
        len(training.epochs.records),
        chips,
        training.plots.replay.can_replay,
        training.result.changed_note.text(),
        window.tabs.currentIndex(),
        window.model_selector.current(),
    )


def test_a_pupil_goes_through_a_lab_and_a_teacher_marks_it(window, lab_file, qtbot, tmp_path):
    open_by_menu(window, qtbot, lab_file)
    back = part(window, "labBack")
    qtbot.waitUntil(lambda: back.mapTo(window, QPoint()).y() > window.height() - 100)
    place = back.mapTo(window, QPoint())
    press(window, "labNext")
    assert not part(window, "labNext").isEnabled()
    assert not window.controls.isVisible()  # no row of buttons that cannot be pressed

    # Nothing shows what comes out before it was predicted.
    all_settings = window.findChild(QAction, "labAllSettings")
    assert not all_settings.isEnabled()
    assert "what you expect" in all_settings.toolTip()
    QTest.keyClick(window, Qt.Key.Key_F5)
    QTest.keyClick(window, Qt.Key.Key_F7)
    QTest.keyClick(window, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert not window.session.active
    assert window.labs.answers.step == 1
    index = window.tabs.indexOf(window.compare)
    assert not window.tabs.isTabEnabled(index)
    assert "what you expect" in window.tabs.tabToolTip(index)
    QTest.keyClick(window, Qt.Key.Key_1 + index, Qt.KeyboardModifier.AltModifier)
    assert window.tabs.currentWidget() is window.page
    window.tabs.setCurrentWidget(window.measuring)
    race = part(window, "raceStart")
    QTest.mouseClick(race, Qt.MouseButton.LeftButton)
    assert not race.isEnabled()
    assert not window.measuring.busy
    settings = tmp_path / "settings.json"
    settings.write_text('{"run": {"network": "784-99-10"}}')
    drop(window, settings)
    assert "what you expect" in window.banner.text.text()
    assert "99" not in window.settings.network.edit.text()
    assert not entries(window, "Lessons")["Read the lessons…"].isEnabled()
    window.tabs.setCurrentWidget(window.page)

    assert part(window, "labReason").text() == "first your choice"
    press(window, "lab-bestChoice1")
    percent = part(window, "lab-percentNumber")
    for wrong in ("999", "lots"):
        percent.clear()
        QTest.keyClicks(percent, wrong)
        assert part(window, "lab-percentMessage").text() == "Type a number from 0 to 100."
        assert part(window, "labReason").text() == "first your number"
    percent.clear()
    QTest.keyClicks(percent, "95 %")
    assert part(window, "labReason").text() == "first the curve"
    draw_curve(window.training.plots.accuracy_plot)
    assert curves(window)[0] == [("expected: rate 0.001", 1, True)]
    assert back.mapTo(window, QPoint()) == place
    press(window, "labNext")
    assert not part(window, "labNext").isEnabled()  # a run is to be run
    press(window, "lab-ratesStart")
    qtbot.waitUntil(lambda: "Run 1 of 2" in part(window, "lab-ratesMessage").text(), timeout=LONG)
    assert window.training.result.run_line.text().startswith("run 1 of 2")
    qtbot.waitUntil(
        lambda: len(window.labs.answers.attempts) == 2 and ended(window)(), timeout=LONG
    )
    qtbot.waitUntil(lambda: len(window.training.plots.accuracy_plot.others.shown) == 3)
    assert curves(window)[0] == [
        ("expected: rate 0.001", 1, True), ("rate 0.001", 1, False), ("rate 0.1", 2, False)
    ]  # fmt: skip
    assert not len(window.training.plots.accuracy_plot.run.curves["test"])  # no run twice
    assert window.training.result.run_line.text() == "the best of 2 runs: rate 0.1"
    assert not window.training.result.changed_note.text()
    assert part(window, "labBack").mapTo(window, QPoint()) == place
    press(window, "labNext")
    press(window, "lab-whyChoice1")
    press(window, "lab-whyAnswer")
    assert part(window, "lab-whyMessage").text() == "No. The seed is the same."
    assert part(window, "lab-whyChoice1").is_right is False
    press(window, "lab-whyChoice2")
    press(window, "lab-whyAnswer")
    assert part(window, "lab-whyMessage").text() == "Right."
    assert part(window, "lab-whyChoice2").is_right
    press(window, "labNext")
    assert part(window, "labBack").mapTo(window, QPoint()) == place
    assert part(window, "trainButton").isVisible()
    press(window, "labNext")
    dialog = window.findChild(HandInDialog)
    expected = part(dialog, "expected-best")
    assert (expected.text(), expected.is_right) == ("Expected “0.001”; it is “0.1”.", False)
    assert "expected" in part(dialog, "expected-percent").text().lower()
    assert "Right at attempt 2." in part(dialog, "done-why").text()
    assert part(dialog, "done-goal").text() == "Change: Read 30\N{NO-BREAK SPACE}%. Not tried yet."
    QTest.mouseClick(part(dialog, "goTo-goal"), Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()
    assert window.labs.answers.shown_step.title == "Change"
    (tmp_path / "class").mkdir()
    window.preferences.save_folder(tmp_path / "class" / "any")
    press(window, "labNext")
    dialog = next(each for each in window.findChildren(HandInDialog) if each.isVisible())
    QTest.keyClicks(dialog.name, "Mia")
    QTest.keyClick(dialog.name, Qt.Key.Key_Return)  # the main button
    handed = tmp_path / "class" / "Mia - What does a rate do too small, too large.json"
    assert json.loads(handed.read_text("utf-8"))["name"] == "Mia"
    assert handed.name in part(window, "savedWhere").text().replace("\u200b", "")
    part(window, "savedDialog").close()
    press(window, "labClose")

    # The lab lies beside the class's folder: it need not be open.
    choose_files(handed.parent)
    (tmp_path / "lab.md").write_text(LAB.replace("What", "Why"), "utf-8")  # another one
    lab_file.rename(tmp_path / "rates.md")
    lab_file.parent.joinpath("digits").rename(tmp_path / "digits")
    entries(window, "Lessons")["Mark answers of a class…"].trigger()
    qtbot.waitUntil(lambda: window.findChild(GradeDialog) is not None, timeout=LONG)
    dialog = window.findChild(GradeDialog)
    (row,) = dialog.model.records
    assert [column.text(row) for column in dialog.model.columns][:3] == [
        "Mia",
        "5 of 6",
        "✗ 0.001 (wrong)",
    ]
    assert dialog.model.columns[2].heading == "Which is best?"
    # Return opens the answers of the person.
    QTest.keyClick(dialog.table, Qt.Key.Key_Return)
    person = dialog.findChild(PersonDialog)
    assert "Right at attempt 2." in part(person, "done-why").text()
    assert dialog.isVisible()


def test_closing_a_lesson_puts_everything_back(window, lab_file, qtbot):
    for name, text in (("networkEdit", "784-12-10"), ("learningRateEdit", "0.05")):
        part(window, name).setText(text)
    window.settings.data.choose(str(lab_file.parent / "digits"))
    qtbot.waitUntil(lambda: window.settings.data.source().endswith("digits"), timeout=LONG)
    part(window, "epochsBox").setValue(2)
    for rate in ("0.05", "0.02"):  # the second beside the first
        part(window, "learningRateEdit").setText(rate)
        press(window, "trainButton")
        qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
        qtbot.waitUntil(ended(window), timeout=LONG)
    part(window, "learningRateEdit").setText("0.0x")  # not finished
    window.tabs.setCurrentWidget(window.results)
    before = shown(window)
    assert before[8] == 2

    entries(window, "Lessons")["1  What does the learning rate do?"].trigger()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    assert window.tabs.currentWidget() is window.page
    assert not window.training.epochs.records  # the curves of before are not those of the lab
    assert window.preferences.lab_left
    press(window, "labClose")
    assert shown(window) == before
    assert not window.preferences.lab_left

    # After runs of the lab, too; the second opening goes on where the first ended.
    open_by_menu(window, qtbot, lab_file)
    answers = window.labs.answers
    for block in answers.lab.parts.exercises:
        if isinstance(block, PredictBlock):
            value = {"choices": "0.1", "number": 50.0, "curve": [(0.0, 10.0), (2.0, 90.0)]}[
                block.key
            ]
            answers.predict(block, value)
    window.labs.show_step(2)
    press(window, "lab-ratesStart")
    qtbot.waitUntil(lambda: len(answers.attempts) == 2 and ended(window)(), timeout=LONG)
    qtbot.waitUntil(lambda: window.labs.runs.trained is None)
    press(window, "labClose")
    assert shown(window) == before
    window.close()
    assert window.preferences.last_settings()["data"].endswith("digits")


def test_a_run_that_is_stopped_fixes_the_prediction_and_is_handed_in_as_missing(
    window, lab_file, qtbot
):
    open_by_menu(window, qtbot, lab_file)
    answers = window.labs.answers
    best, percent, curve = (
        block for block in answers.lab.parts.exercises if isinstance(block, PredictBlock)
    )
    for block, value in ((best, "0.001"), (percent, 50.0), (curve, [(0.0, 10.0), (2.0, 90.0)])):
        answers.predict(block, value)
    window.labs.show_step(2)
    press(window, "lab-ratesStart")
    window.session.stop()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert "0 of 2 runs are complete" in part(window, "lab-ratesMessage").text()
    assert part(window, "labNext").isEnabled()
    press(window, "labBack")
    assert not part(window, "lab-bestChoice2").isEnabled()
    window.labs.show_step(9)
    window.labs.hand_in()
    dialog = window.findChild(HandInDialog)
    assert part(dialog, "done-rates").text() == "Run: 0 of 2 runs are complete"
    assert part(dialog, "done-why").text() == "Explain: Why? Not answered yet."
    dialog.reject()

    # A kill in the middle: the next window offers to go on.
    from gui.window.main_window import MainWindow

    window.preferences.sync()
    second = MainWindow()
    qtbot.addWidget(second)
    second.show()
    qtbot.waitUntil(lambda: "What does a rate do" in second.banner.text.text(), timeout=LONG)
    press(second, "bannerActionButton")
    qtbot.waitUntil(second.labs.isVisible, timeout=LONG)
    assert second.labs.answers.has_begun(answers.lab.part("rates"))
    assert not second.labs.answers.is_done(answers.lab.part("rates"))


def test_a_teacher_begins_a_lab_and_checks_it_and_other_files_are_answered(
    window, qtbot, monkeypatch, tmp_path
):
    monkeypatch.setattr(
        "gui.labs.check_dialog.iter_check",
        lambda lab: iter([LabFinding("line 9: no such data", True)]),
    )
    choose_files(tmp_path / "my lab")
    entries(window, "Lessons")["New lab…"].trigger()
    dialog = window.findChild(LabCheckDialog)
    findings = part(dialog, "labCheckFindings")
    qtbot.waitUntil(lambda: findings.toPlainText() == "✗ line 9: no such data", timeout=LONG)
    qtbot.waitUntil(lambda: "Faults: 1" in part(dialog, "labCheckMessage").text(), timeout=LONG)
    lab = tmp_path / "my lab" / "lab.md"
    lab.write_text(lab.read_text("utf-8").replace("# What", "# So what", 1), "utf-8")
    qtbot.waitUntil(lambda: "has changed" in part(dialog, "labCheckMessage").text(), timeout=LONG)
    monkeypatch.setattr(
        "gui.labs.check_dialog.iter_check", lambda lab: iter([LabFinding(lab.title)])
    )
    QTest.mouseClick(part(dialog, "labCheckAgain"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No fault" in part(dialog, "labCheckMessage").text(), timeout=LONG)
    assert "✓ So what" in findings.toPlainText()
    QTest.mouseClick(part(dialog, "labCheckTry"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    dialog.close()
    press(window, "labClose")

    # A page of the program, and one pupil's answers to a lesson that is not open.
    (tmp_path / "page.html").write_text("<html>")
    drop(window, tmp_path / "page.html")
    assert "a browser opens it" in window.banner.text.text()
    assert part(window, "bannerActionButton").isVisible()
    Answers(open_lab(lessons()[0][1]), "Mia").save(tmp_path / "Mia.json")
    drop(window, tmp_path / "Mia.json")
    qtbot.waitUntil(lambda: window.findChild(GradeDialog) is not None, timeout=LONG)
    assert window.findChild(GradeDialog).model.records[0].marked.name == "Mia"


def test_each_lab_of_the_program_opens_and_goes_on_from_its_first_step(window, qtbot):
    window.resize(1400, 900)  # the Workshop folds the text away in a narrow window
    exercises = lessons("workshop")
    found = [*lessons(), *lessons("90-minutes"), exercises[0], exercises[-1]]
    assert len(found) == 16
    for title, path in found:
        window.lab_actions.open(path)
        qtbot.waitUntil(lambda title=title: window.labs.head.title.text() == title, timeout=LONG)
        labs = window.labs
        first = labs.answers.lab.steps[0]
        assert any(label.text() == title for label in labs.findChildren(QLabel))
        runs = any(isinstance(block, RunBlock) for block in first.parts)
        predicts = any(isinstance(block, PredictBlock) for block in first.parts)
        assert part(window, "labNext").isEnabled() == (not runs and not predicts), title
        if not runs and not predicts and len(labs.answers.lab.steps) > 1:
            press(window, "labNext")
            assert labs.answers.step == 1
        press(window, "labClose")
        assert not labs.isVisible()
