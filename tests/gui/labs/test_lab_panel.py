"""A lab in the window: what a pupil sees, predicts, runs, answers and hands in."""

import json
import time
from threading import Event

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextBrowser

from core.labs.answers import Answers
from core.labs.answers_file import answers_path
from core.labs.grading import iter_repeats, read_folder
from core.labs.package import write_experiment
from core.labs.reader import parse_lab
from gui.labs.dialogs import GradeDialog, HandInDialog
from gui.labs.texts import LabText, unsize_code
from gui.window.main_window import MainWindow
from tests.gui.conftest import bars
from tests.gui.person import choose_files, drop, ended, file_dialogs, part, train_for_long
from tests.idx_files import write_idx
from tests.limits import LONG

LAB = """# Does it learn?

```lab
version = 1
```

A network of 16 units.

## Predict

```setup
network = "16"
epochs = 2
batch_size = 50
data = "mnist"
controls = ["learning_rate"]
```

```predict
id = "choice"
ask = "Will it learn?"
choices = ["yes", "no"]
right = "yes"
```

```predict
id = "curve"
ask = "Draw the accuracy."
curve = "test_accuracy"
```

```run
id = "run"
figures = { test_accuracy = 99.9 }
```

```reveal
It **learned**: a secret.
```

## Answer

```question
id = "why"
ask = "Why?"
[[choices]]
text = "Somebody programmed it."
misconception = "somebody programmed it"
reply = "Nobody wrote a rule."
[[choices]]
text = "It followed the gradient."
right = true
```

```task
id = "goal"
ask = "Read half of them."
test_accuracy_at_least = 50
epochs_at_most = 2
```
"""


@pytest.fixture
def lab(window, small_mnist):
    window.labs.open_lab(parse_lab(LAB, "lab.md"))
    return window.labs


def texts(panel):
    return " ".join(
        each.toPlainText() for each in panel.findChildren(QTextBrowser) if each.isVisible()
    )


def lab_entry(window, name):
    """The entry of the lab's menu with this name."""
    return next(action for action in window.labs.head.menu.actions() if action.objectName() == name)


def draw_curve(panel, plot, qtbot):
    viewport = plot.viewport()
    area = plot.plotItem.vb.sceneBoundingRect().toRect()
    start, end = area.bottomLeft() + QPoint(2, -20), area.topRight() + QPoint(-30, 30)
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for share in (0.25, 0.5, 0.75, 1.0):
        at = start + (end - start) * share
        qtbot.mouseMove(viewport, at)
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=end)


def test_the_arrow_keys_draw_a_curve_epoch_by_epoch_where_the_focus_is_seen(lab, window, qtbot):
    part(window, "labNext").click()
    keys = part(window, "curveKeys")
    window.activateWindow()
    part(window, "lab-choiceChoice1").setFocus()
    without = keys.grab().toImage()
    keys.setFocus()
    qtbot.waitUntil(keys.hasFocus)
    assert keys.grab().toImage() != without
    epochs = window.settings.plan.settings.epochs
    for epoch in range(epochs + 1):
        qtbot.keyClick(keys, Qt.Key.Key_PageUp)
        assert f"Epoch {epoch}: " in keys.text()
        qtbot.keyClick(keys, Qt.Key.Key_Right)
    part(window, "lab-curveKeep").click()
    curve = lab.answers.predictions["curve"]
    assert (curve[0][0], curve[-1][0]) == (0, epochs)


def test_a_pupil_predicts_runs_compares_answers_and_hands_in(lab, window, qtbot, tmp_path):
    assert lab.isVisible()
    assert not window.settings.line.isVisible()
    assert "16 units" in texts(lab)
    part(window, "labNext").click()
    assert "secret" not in texts(lab)
    assert not window.controls.train.isEnabled()
    assert not part(window, "lab-runStart").isEnabled()
    choice = part(window, "lab-choiceChoice1")
    qtbot.mouseClick(
        choice, Qt.MouseButton.LeftButton, pos=choice.rect().bottomRight() - QPoint(9, 9)
    )
    assert choice.isChecked()
    assert lab.answers.predictions == {"choice": "yes"}
    assert not part(window, "lab-runStart").isEnabled()
    keys = part(window, "curveKeys")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right):
        qtbot.keyClick(keys, key)
    assert len(lab.answers.predictions["curve"]) >= 2
    assert part(window, "lab-runStart").isEnabled()
    part(window, "lab-runStart").click()
    qtbot.waitUntil(lambda: bool(lab.answers.attempts) and ended(window)(), timeout=LONG)
    assert "secret" in texts(lab)
    assert "and so it is" in part(window, "lab-choiceMessage").text()
    assert choice.is_right
    assert "Expected" in part(window, "lab-curveMessage").text()
    assert not window.banner.isVisible()  # the lab says what came out
    assert not window.training.conclusion.isVisible()
    part(window, "labNext").click()
    assert window.settings.fields["learning_rate"].isVisible()
    assert not window.settings.fields["batch_size"].isVisible()
    part(window, "lab-whyChoice1").click()
    part(window, "lab-whyAnswer").click()
    assert "Nobody wrote a rule" in part(window, "lab-whyMessage").text()
    part(window, "lab-whyChoice2").click()
    part(window, "lab-whyAnswer").click()
    assert lab.answers.tries["why"] == ["Somebody programmed it.", "It followed the gradient."]
    assert part(window, "trainButton").isVisible()
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: len(lab.answers.attempts) == 2 and ended(window)(), timeout=LONG)
    assert part(window, "lab-goalGoal-test_accuracy_at_least").is_right
    lab.hand_in()
    dialog = window.findChild(HandInDialog)
    dialog.name.setText("Zoë")
    content = part(dialog, "handInContent")
    assert not content.isVisible()
    part(dialog, "handInFold").click()
    shown = json.loads(content.toPlainText())
    choose_files(tmp_path / "zoe.json")
    part(dialog, "destinationChange").click()
    part(dialog, "handInSave").click()
    saved = json.loads((tmp_path / "zoe.json").read_text("utf-8"))
    assert saved == shown
    assert saved["name"] == "Zoë"


def test_a_curve_is_drawn_with_the_mouse_and_kept_until_tomorrow(lab, window, qtbot):
    part(window, "labNext").click()
    draw_curve(lab, window.training.plots.accuracy_plot, qtbot)
    points = lab.answers.predictions["curve"]
    assert points[-1][1] > points[0][1] + 30
    lab.close_lab()
    qtbot.waitUntil(window.settings.fields["batch_size"].isVisible, timeout=LONG)
    lab.open_lab(parse_lab(LAB, "lab.md"))
    assert lab.answers.predictions["curve"] == points
    assert lab.answers.step == 1


def test_start_again_puts_the_answers_aside(lab, window):
    part(window, "labNext").click()
    part(window, "lab-choiceChoice2").click()
    lab_entry(window, "labAgain").trigger()
    assert not lab.answers.predictions
    assert lab.answers.step == 0
    part(window, "bannerActionButton").click()
    assert lab.answers.predictions["choice"] == "no"
    assert lab.answers.step == 1


def test_an_experiment_file_restores_the_settings(window, tmp_path, small_mnist, qtbot):
    window.settings.fields["learning_rate"].edit.setText("0.03")
    before = window.settings.plan
    path = tmp_path / "mine.md"
    write_experiment(path, before, "Mine")
    window.settings.fields["learning_rate"].edit.setText("0.5")
    window.opening.open(path)
    qtbot.waitUntil(lambda: "Mine" in window.banner.text.text(), timeout=LONG)
    assert window.settings.plan.settings == before.settings


def test_what_a_pupil_trained_repeats_to_the_bit(lab, window, qtbot, tmp_path):
    answers = lab.answers
    answers.predict(answers.lab.part("choice"), "yes")
    answers.predict(answers.lab.part("curve"), [(0.0, 10.0), (2.0, 90.0)])
    lab.show_step(1)
    part(window, "lab-runStart").click()
    qtbot.waitUntil(lambda: len(answers.attempts) == 1 and ended(window)(), timeout=LONG)
    lab.show_step(1)
    part(window, "trainButton").click()
    window.session.set_learning_rate(0.02)
    qtbot.waitUntil(lambda: len(answers.attempts) == 2 and ended(window)(), timeout=LONG)
    assert answers.attempts[1].settings["rate_changes"]
    (tmp_path / "class").mkdir()
    answers.save(tmp_path / "class" / "a.json")
    grades = read_folder(tmp_path / "class", answers.lab)
    assert [text for _, _, text in iter_repeats(grades, None)] == ["same to the bit"] * 2


def smaller(text, *parts):
    """The text of a lab of one step with the setup and these blocks."""
    setup = LAB[LAB.index("```setup") : LAB.index("```predict")]
    blocks = (f"```{kind}\n{content}\n```\n" for kind, content in parts)
    return f"# {text}\n\n```lab\nversion = 1\n```\n\n{setup}{''.join(blocks)}"


def test_a_race_says_how_long_each_device_took_and_which_is_faster(window, small_mnist, qtbot):
    devices = 'id = "race"\nshow = "race"\ndevices = ["sequential", "vectorized"]'
    window.labs.open_lab(parse_lab(smaller("Race", ("run", devices)), "lab.md"))
    part(window, "lab-raceStart").click()
    qtbot.waitUntil(
        lambda: len(window.labs.answers.attempts) == 2 and ended(window)(), timeout=LONG
    )
    *each, said = part(window, "lab-raceResults").text().splitlines()
    assert [line.partition(":")[0] for line in each] == ["plain loops", "processor"]
    assert all(" ms; " in line or " s; " in line for line in each)
    assert "times as fast as" in said


def test_a_task_counts_what_is_reached_on_the_data_that_it_names(window, small_mnist, qtbot):
    """The network has learned bars; on the digits of another data set it guesses."""
    task = 'id = "goal"\ntest_accuracy_at_least = 90\non = "fashion"'
    images, labels = bars(200, 2)
    write_idx(small_mnist.parent / "fashion", images, labels[::-1], "train")
    write_idx(small_mnist.parent / "fashion", images, labels[::-1], "t10k")
    window.labs.open_lab(parse_lab(smaller("On", ("task", task)), "lab.md"))
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: bool(window.labs.answers.attempts), timeout=LONG)
    (attempt,) = window.labs.answers.attempts
    assert attempt.score < 0.3 < 0.9 < attempt.values("test_accuracy")[-1][1]
    assert part(window, "lab-goalGoal-test_accuracy_at_least").is_right is False


def test_a_loss_is_drawn_on_an_axis_that_ends_where_the_lab_says(window, small_mnist, qtbot):
    curve = "ask = '?'\ncurve = 'test_loss'\nhighest = 0.5"
    window.labs.open_lab(
        parse_lab(smaller("Axis", ("predict", curve), ("run", "id = 'run'")), "lab.md")
    )
    plot = window.training.plots.loss_plot
    assert plot.viewRange()[1][1] == pytest.approx(0.5)
    draw_curve(window.labs, plot, qtbot)
    assert max(y for _, y in window.labs.answers.predictions["predict-1"]) <= 0.5
    part(window, "lab-runStart").click()
    qtbot.waitUntil(lambda: bool(window.labs.answers.attempts) and ended(window)(), timeout=LONG)
    assert plot.viewRange()[1][1] == pytest.approx(0.5)
    assert any("xpected" in other.name for other in plot.others.shown)
    # As after the lab's text was corrected: an attempt without what was expected.
    window.labs.answers.predictions.clear()
    window.labs.runs.curves.show_run(window.labs.answers.lab.part("run"))
    assert not any("xpected" in other.name for other in plot.others.shown)


def test_a_run_is_compared_with_what_was_expected_in_a_step_before(window, small_mnist, qtbot):
    number = "ask = '?'\nnumber = 'test_accuracy'"
    text = smaller("Compare", ("predict", number)) + "\n## Run\n\n```run\nid = 'run'\n```\n"
    labs = window.labs
    labs.open_lab(parse_lab(text, "lab.md"))
    assert part(window, "labReason").text() == "first your number"
    qtbot.keyClicks(part(window, "lab-predict-1Number"), "30")
    part(window, "labNext").click()
    part(window, "lab-runStart").click()
    qtbot.waitUntil(lambda: bool(labs.answers.attempts) and ended(window)(), timeout=LONG)
    assert "Expected 30.0\N{NO-BREAK SPACE}%" in part(window, "lab-predict-1Compared").text()
    labs.close_lab()
    labs.open_lab(parse_lab(text, "lab.md"))
    assert "Expected 30.0\N{NO-BREAK SPACE}%" in part(window, "lab-predict-1Compared").text()


def test_settings_that_follow_from_a_name_wait_for_it(window, small_mnist):
    text = smaller("Vary", ("run", 'id = "run"')).replace(
        "epochs = 2", "epochs = 2\nvary = { seed = true }"
    )
    window.labs.open_lab(parse_lab(text, "lab.md"))
    assert not part(window, "lab-runStart").isEnabled()
    part(window, "labName").setText("Ada")
    assert part(window, "lab-runStart").isEnabled()
    ada = window.settings.plan.settings.seed
    part(window, "labName").setText("Ben")
    assert window.settings.plan.settings.seed != ada


def test_code_in_a_text_grows_with_the_text(window):
    text = LabText("Each `a[i]`:\n\n```\nout[i] = 1\n```", None)
    html = text.document().toHtml()
    assert html.count("monospace") >= 2
    assert "font-size" not in html.split("<p", 1)[1]


def test_a_dropped_folder_of_answers_is_marked_and_a_damaged_lab_is_told(
    lab, window, tmp_path, qtbot
):
    (tmp_path / "class").mkdir()
    for name in ("Ada", "Ben"):
        answers = Answers(lab.answers.lab, name)
        answers.predict(answers.lab.part("choice"), "no")
        answers.save(tmp_path / "class" / f"{name}.json")
    (tmp_path / "class" / "Cem.json").write_text(f'{{"name": "{"a long word " * 20}"')
    drop(window, tmp_path / "class")
    qtbot.waitUntil(lambda: window.findChild(GradeDialog) is not None, timeout=LONG)
    dialog = window.findChild(GradeDialog)
    assert [record.marked.name for record in dialog.model.records][:2] == ["Ada", "Ben"]
    remark = next(k for k, column in enumerate(dialog.model.columns) if column.heading == "Remark")
    row = next(k for k in range(3) if dialog.table.model().index(k, remark).data())
    text, width = dialog.table.model().index(row, remark).data(), dialog.table.columnWidth(remark)
    assert dialog.fontMetrics().horizontalAdvance(text) > width  # it is long
    area = dialog.fontMetrics().boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap, text)
    assert dialog.table.rowHeight(row) >= area.height()
    choose_files()
    file_dialogs.asked.clear()
    part(dialog, "gradeSave").click()
    assert [asked[0] for asked in file_dialogs.asked] == ["Save the marks as a page and a table"]
    dialog.close()
    (tmp_path / "lab.zip").write_bytes(b"no zip")
    drop(window, tmp_path / "lab.zip")
    qtbot.waitUntil(lambda: "is no zip file" in window.banner.text.text(), timeout=LONG)


def test_a_long_line_of_marks_does_not_hold_the_window_up():
    """Fragments are passed, not characters; what Qt itself takes for the text is left out."""
    document = QTextDocument()
    document.setMarkdown("`a` b " * 2500 + "\n\n" + "(" * 5000)
    start = time.process_time()
    unsize_code(document)
    assert time.process_time() - start < 2
    assert "font-size" not in document.toHtml().split("<p", 1)[1]


def test_opening_a_lab_shows_none_of_the_curves_of_before(window, small_mnist, qtbot):
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: window.session.active, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    plot = window.training.plots.accuracy_plot
    assert len(plot.run.curves["test"]) == 2
    wrong = '[[choices]]\ntext = "b"\nmisconception = "c"\nreply = "d"'
    question = f'id = "q"\n[[choices]]\ntext = "a"\nright = true\n{wrong}'
    window.labs.open_lab(parse_lab(smaller("Only a question", ("question", question)), "lab.md"))
    assert not any(
        len(curve) for each in window.training.curves.both for curve in each.run.curves.values()
    )
    assert not window.training.epochs.records
    assert not window.training.result.score.isVisible()
    window.labs.close_lab()
    assert len(plot.run.curves["test"]) == 2


def test_each_attempt_at_a_task_keeps_its_color(window, small_mnist, qtbot):
    window.labs.open_lab(
        parse_lab(smaller("Task", ("task", 'id = "goal"\nepochs_at_most = 1')), "lab.md")
    )
    seen = []
    for rate in ("0.1", "0.05", "0.02"):
        part(window, "learningRateEdit").setText(rate)
        part(window, "trainButton").click()
        count = len(seen) + 1
        qtbot.waitUntil(
            lambda n=count: len(window.labs.answers.attempts) == n and ended(window)(), timeout=LONG
        )
        seen.append(window.training.plots.accuracy_plot.run.series)
    assert len({*seen}) == 3
    assert [kept.series for kept in window.training._earlier.runs] == seen[:2]


TASK = """# Reach it

```lab
version = 1
```

```setup
data = "digits"
network = "16"
epochs = 1
controls = ["learning_rate"]
```

```task
id = "goal"
ask = "Read one in ten."
test_accuracy_at_least = 1
```
"""


@pytest.fixture
def slow_data(window, tmp_path, monkeypatch):
    """A lab whose data are read when the event that is returned is set."""
    for name, images in (("train", 600), ("t10k", 100)):
        write_idx(tmp_path / "digits", *bars(images, images), name)
    (tmp_path / "lab.md").write_text(TASK, "utf-8")
    read, may_read = window.dataset_cache.get, Event()

    def read_slowly(source, *progress):
        if source.endswith("digits"):
            may_read.wait(LONG / 1000)
        return read(source, *progress)

    monkeypatch.setattr(window.dataset_cache, "get", read_slowly)
    return may_read


def test_train_waits_until_the_data_of_the_lab_have_been_read(window, slow_data, tmp_path, qtbot):
    drop(window, tmp_path / "lab.md")
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert not window.session.active
    assert not part(window, "trainButton").isEnabled()
    assert "are being read" in part(window, "obstacleButton").accessibleName()
    slow_data.set()
    qtbot.waitUntil(part(window, "trainButton").isEnabled, timeout=LONG)
    qtbot.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: bool(window.labs.answers.attempts), timeout=LONG)


def test_the_data_of_a_lab_that_was_closed_meanwhile_are_not_chosen(
    window, slow_data, tmp_path, qtbot
):
    drop(window, tmp_path / "lab.md")
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    part(window, "labClose").click()
    slow_data.set()
    qtbot.waitUntil(lambda: not part(window, "downloadProgress").isVisible(), timeout=LONG)
    assert window.settings.data.source() == "mnist"
    assert part(window, "trainButton").isEnabled()


def test_after_a_lab_the_next_start_shows_ones_own_run(window, small_mnist, tmp_path, qtbot):
    part(window, "epochsBox").setValue(3)
    part(window, "trainButton").click()
    qtbot.waitUntil(
        lambda: len(window.training.epochs.records) == 3 and ended(window)(), timeout=LONG
    )
    epoch = window.training.result.epoch_line.text()
    line = window.training.result.run_line.text()
    assert epoch.endswith("epoch 3 of 3")
    (tmp_path / "lab.md").write_text(
        smaller("Task", ("task", 'id = "goal"\nepochs_at_most = 1')), "utf-8"
    )
    drop(window, tmp_path / "lab.md")
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: bool(window.labs.answers.attempts) and ended(window)(), timeout=LONG)
    assert window.training.result.epoch_line.text() != epoch
    part(window, "labClose").click()
    assert window.training.result.epoch_line.text() == epoch
    assert "what was shown before it is back" in window.banner.text.text()
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: bool(again.training.epochs.records), timeout=LONG)
    assert again.training.result.run_line.text() == line
    assert not again.training.result.changed_note.isVisible()


@pytest.fixture
def questions(window, small_mnist):
    """A lab that asks for no run, with all settings shown."""
    wrong = '[[choices]]\ntext = "no"\nmisconception = "it is no"\nreply = "It is."'
    question = f'id = "why"\nask = "Why?"\n[[choices]]\ntext = "so"\nright = true\n{wrong}'
    window.labs.open_lab(parse_lab(smaller("Questions", ("question", question)), "lab.md"))
    lab_entry(window, "labAllSettings").trigger()
    return window.labs


def test_a_run_that_no_task_asks_for_is_said_not_to_count(questions, window, qtbot):
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: "does not count for the lab" in window.banner.text.text(), timeout=LONG)
    assert not questions.answers.attempts


def test_a_lab_says_why_it_does_not_begin_again_during_a_run(questions, window, qtbot):
    all_settings = lab_entry(window, "labAllSettings")
    assert all_settings.toolTip().startswith("Show all settings below the text")
    train_for_long(window, qtbot)
    lab_entry(window, "labAgain").trigger()
    assert "stop it first" in window.banner.text.text()
    window.session.stop()
    qtbot.waitUntil(ended(window), timeout=LONG)


def test_answers_stay_when_the_text_of_the_lab_is_corrected(lab, window, qtbot, tmp_path):
    part(window, "labNext").click()
    part(window, "lab-choiceChoice2").click()
    lab.close_lab()
    before = answers_path(parse_lab(LAB, "lab.md"))
    content = before.read_bytes()
    corrected = tmp_path / "lab.md"
    corrected.write_text(LAB.replace("A network of 16 units.", "It has 16 units."), "utf-8")
    drop(window, corrected)
    qtbot.waitUntil(lambda: lab.answers is not None, timeout=LONG)
    assert "has changed since you began it; all your answers are kept" in window.banner.text.text()
    assert lab.answers.predictions["choice"] == "no"
    assert lab.answers.step == 1
    assert (
        json.loads(answers_path(lab.answers.lab).read_text("utf-8"))["lab"]["digest"]
        == lab.answers.lab.digest
    )
    lab.close_lab()
    corrected.write_text(LAB.replace('"no"', '"never"'), "utf-8")
    drop(window, corrected)
    qtbot.waitUntil(lambda: lab.answers is not None, timeout=LONG)
    assert "1 of your answers fits no longer" in window.banner.text.text()
    assert "choice" not in lab.answers.predictions
    assert before.read_bytes() == content
    lab.close_lab()
    lab.open_lab(parse_lab(LAB, "lab.md"))
    assert lab.answers.predictions["choice"] == "no"
    assert "has changed" not in window.banner.text.text()
