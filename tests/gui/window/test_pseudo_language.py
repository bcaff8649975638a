"""Every text of the window is marked for translation, is whole, and has room for a longer
language.
"""

import re

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from core.labs.answers import Answers
from core.labs.forms import plain
from core.labs.grading import read_folder
from core.labs.reader import parse_lab
from core.program import RESOURCES
from core.runs.library import RunLibrary
from gui.labs.check_dialog import LabCheckDialog
from gui.labs.dialogs import GradeDialog, HandInDialog, PersonDialog
from gui.results.data_browser import DataBrowser
from gui.runs.dialogs import ContinueDialog, LimitDialog, device_items
from gui.stage.captions import caption
from gui.studies.dialog import ComparisonDialog
from gui.window.application import CrashDialog
from gui.window.help import AboutDialog, ManualWindow, show_manual
from gui.window.main_window import MainWindow
from gui.window.share import ShareDialog
from gui.words import network_words
from tests.gui.person import (
    choose,
    choose_files,
    choose_simple_run,
    ended,
    part,
    train_for_long,
    wait_for_ticks,
)
from tests.gui.pseudo_language import PseudoLanguage, is_cut, problem, pseudo, shown_texts
from tests.limits import LONG
from tools import texts

# What is no text of the program's, or the same in all languages.
DATA = re.compile(
    "|".join(
        (
            # What the check of a kernel finds is in English, as what Numba says of it.
            r"[✓✗] .*|[a-z]+(-[a-z]+)+: .*|Numba (compiled it to PTX|checked the types for .*)\.",
            "DigitLab",
            "MNIST|Fashion-MNIST",  # data sets have the names of their papers
            "CUDA|CPU|GPU|BLAS|NumPy|PyTorch|ONNX|PNG|SVG|CSV|PDF|Python|Numba|Qt",
            # Names of devices are typed; what a driver says is in English.
            "auto|sequential|vectorized|cuda(: .*)?",
            r"[\dA-Z]+(:\w+)?(-[\dA-Z]+(:\w+)?)+",  # the notation of a network
            r"/.*|\w+\.json",  # a path; the file of a person
            # A remark on a file is in English, as in the table that is saved.
            "the same run as in .*",
            # The name of a run is kept with it.
            r"(SGD|rate) [\d.]+(, th(…|en [\d.]+))?(, epochs \d+)?",
            # The names of keys are Qt's.
            r"\((Ctrl|Alt|Shift|Del|Space|Return|Esc|Enter|F\d)[+\w]*\)",
            "&nbsp;|nbsp;",
            "float32|int64",  # Numba's names of types
            "ms|ns|µs|px|MB|GB|kB|bytes|R²",  # units
        )
    )
)
# Labs and exercises are files, one for each language.
FILES = {
    line.strip("#* ")
    for path in RESOURCES.rglob("*.md")
    for line in path.read_text("utf-8").splitlines()
}
# Their paragraphs and questions, in one line each.
PARAGRAPHS = plain(" ".join(path.read_text("utf-8") for path in RESOURCES.rglob("*.md")))


def is_of_file(text):
    """Whether the text is a line of a lab, or a paragraph or question of one."""
    text = plain(re.sub(r"^\d+\. ", "", text))
    if f'group = "{text}"' in FILES:
        return True
    return text in FILES or (len(text) > 20 and text in PARAGRAPHS)


class Reader:
    """Reads the windows of a program in the pseudo-language; `problems`: a line for each."""

    def __init__(self, language):
        self.language = language
        self.problems = {}

    def note(self, place, text, where="text"):
        found = problem(text, DATA)
        if found and not is_of_file(text):
            self.problems.setdefault(f"{found}: {where}: {text!r}", place)

    def read(self, place, root):
        QCoreApplication.processEvents()
        for widget, kind, text in shown_texts(root):
            self.note(place, text, f"{kind} of {widget.objectName() or type(widget).__name__}")
        for widget in (root, *root.findChildren(QWidget)):
            for _ in range(40):
                if not is_cut(widget):
                    break
                QTest.qWait(5)  # a text that has just been changed has no room yet
            else:
                name = widget.objectName() or type(widget).__name__
                self.problems.setdefault(
                    f"cut: {name}: {widget.text()!r}: {widget.sizeHint().width()} in "
                    f"{widget.width()}",
                    place,
                )
        if root.minimumSizeHint().width() > 1280 or root.minimumSizeHint().height() > 720:
            self.problems.setdefault(f"too large: {root.minimumSizeHint()}", place)


@pytest.fixture
def reader(qapp):
    language = PseudoLanguage()
    qapp.installTranslator(language)
    network_words.cache_clear()
    yield Reader(language)
    qapp.removeTranslator(language)
    network_words.cache_clear()


@pytest.fixture
def window(reader, qtbot, small_mnist):
    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 720)
    window.show()
    choose_simple_run(window)
    return window


def train(window, qtbot):
    qtbot.waitUntil(part(window, "trainButton").isEnabled, timeout=LONG)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)


def assert_no_problem(reader):
    """A helper of a module or a template of `core` is found where it is shown, and translators get
    what is shown.
    """
    # Qt looks in the contexts of the base classes, too.
    collected = {text.source for text in texts.all_texts()}
    missed = [
        f"not collected: {asked}"
        for asked in sorted(reader.language.asked)
        if asked[1] not in collected
    ]
    found = [f"{place}: {text}" for text, place in reader.problems.items()]
    assert not found + missed, "\n".join(found + missed)


def test_every_text_of_the_tabs_is_marked_whole_and_has_room(window, reader, qtbot):
    reader.read("start", window)
    for menu in window.menuBar().findChildren(QMenu):
        menu.aboutToShow.emit()
        reader.read("menus", menu)
    train(window, qtbot)
    reader.read("trained", window)
    train(window, qtbot)
    reader.read("trained again", window)
    read_stage(window, reader)
    for tab in range(window.tabs.count()):
        window.tabs.setCurrentIndex(tab)
        reader.read(f"tab {tab}", window)
    read_pages(window.results, window.results.chooser, window, reader, qtbot)
    read_band(window, reader, qtbot)
    window.tabs.setCurrentWidget(window.measuring)
    qtbot.waitUntil(lambda: bool(window.measuring.pages), timeout=LONG)
    window.measuring.more.click()
    reader.read("Devices", window)
    assert_no_problem(reader)


def read_pages(tab, chooser, window, reader, qtbot):
    window.tabs.setCurrentWidget(tab)
    for index in range(chooser.count()):
        chooser.setCurrentIndex(index)
        reader.read(f"{type(tab).__name__} {index}", window)


def read_band(window, reader, qtbot):
    """What the band says of a unit of each layer, for the drawing and in general."""
    window.tabs.setCurrentWidget(window.page)
    stage = window.drawing.stage
    qtbot.waitUntil(lambda: not stage.is_waiting, timeout=LONG)
    for leaf, widget in enumerate((window.ask.terms, window.ask.general)):
        window.ask.leaves.setCurrentIndex(leaf)
        for position in range(len(stage.picture.content.columns)):
            stage.ask(position)
            reader.read(f"asked {position}", window)
            for line in widget.toPlainText().splitlines():
                reader.note("band", line)
    stage.leave()


def read_stage(window, reader):
    """The layers and units of the stage, as a screen reader hears them and as they are painted."""
    stage = window.drawing.stage
    item = QAccessible.queryAccessibleInterface(stage)
    for layer in range(item.childCount()):
        reader.note("stage", item.child(layer).text(QAccessible.Text.Name))
        reader.note("stage", caption(stage.picture.content, layer).text)


def test_every_text_of_the_workshop_and_of_a_lab(window, reader, qtbot):
    window.tabs.setCurrentWidget(window.workshop)
    exercises = window.workshop.exercises
    qtbot.waitUntil(exercises.open_button.isEnabled, timeout=LONG)
    reader.read("Workshop", window)
    part(window, "exercise1").click()
    exercises.open_button.click()
    bench = window.workshop.bench
    qtbot.waitUntil(lambda: bench.block is not None, timeout=LONG)
    bench.kernel.check_button.click()
    qtbot.waitUntil(lambda: not bench.tasks.runner.busy, timeout=LONG)
    for index in range(bench.findings.chooser.count()):
        bench.findings.chooser.setCurrentIndex(index)
        reader.read(f"findings {index}", window)
    assert_no_problem(reader)


def test_every_text_while_a_run_trains_and_after_it_has_ended(window, reader, qtbot):
    part(window, "learningRateEdit").setText("0.001")  # so that mistakes are left
    train_for_long(window, qtbot)
    wait_for_ticks(window, qtbot, 20)
    reader.read("training", window)
    part(window, "learningRateEdit").setText("0.002")
    choose(part(window, "speedBox"), 100)
    wait_for_ticks(window, qtbot, 20)
    reader.read("training slowly", window)
    part(window, "pauseButton").click()
    qtbot.waitUntil(part(window, "stepButton").isVisible, timeout=LONG)
    part(window, "stepButton").click()
    wait_for_ticks(window, qtbot, 20)
    reader.read("paused", window)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    reader.read("stopped", window)
    assert window.training.conclusion.isVisible()
    part(window, "epochsBox").setValue(2)
    part(window, "learningRateEdit").setText("100000")
    train(window, qtbot)
    reader.read("diverged", window)
    other = MainWindow()
    qtbot.addWidget(other)
    other.resize(1280, 720)
    other.show()
    reader.read("window with an unfinished run", other)
    assert_no_problem(reader)


def test_every_text_of_a_comparison(window, reader, qtbot):
    window.study_actions.ask("learning_rate")
    dialog = window.findChild(ComparisonDialog)
    reader.read("comparison", dialog)
    dialog.start.click()
    qtbot.waitUntil(lambda: any(run.epochs for run in window.studies.runs), timeout=LONG)
    reader.read("comparing", window)
    window.tabs.setCurrentWidget(window.page)
    reader.read("comparing, Training", window)
    qtbot.waitUntil(lambda: not window.studies.busy, timeout=LONG)
    qtbot.waitUntil(lambda: window.training.conclusion.has_links, timeout=LONG)
    reader.read("compared, Training", window)
    window.tabs.setCurrentWidget(window.compare)
    reader.read("compared", window)
    assert_no_problem(reader)


def test_every_text_of_the_dialogs(window, reader, qtbot):
    train(window, qtbot)
    entry = next(iter(RunLibrary().entries()))
    plan = window.settings.plan
    known = window.devices.known()
    window.study_actions.ask("learning_rate")
    comparison = window.findChild(ComparisonDialog)
    for dialog in (
        AboutDialog(known, window),
        CrashDialog("zzz", "zzz", None, window),
        ContinueDialog(entry, device_items(window.settings.device_box), window),
        LimitDialog(RunLibrary(), print, window),
        comparison,
        DataBrowser(plan, window.dataset_cache, window),
        window.own_digits,
        ShareDialog(pseudo("Share"), window.sharing.shares(), window.preferences, window),
    ):
        dialog.show()
        reader.read(type(dialog).__name__, dialog)
        dialog.close()
    assert_no_problem(reader)


# A lab with each kind of part that is shown; its texts are in the language of the window, as those
# of its file are.
LAB = f"""# {pseudo("A lab")}

```lab
version = 1
```

```setup
network = "16"
epochs = 2
batch_size = 50
data = "mnist"
controls = ["learning_rate", "batch_size"]
```

## {pseudo("Predict")}

```predict
id = "choice"
ask = "{pseudo("Will it learn?")}"
choices = ["{pseudo("yes")}", "{pseudo("no")}"]
right = "{pseudo("yes")}"
```

```predict
id = "number"
ask = "{pseudo("How much?")}"
number = "test_accuracy"
```

```predict
id = "curve"
ask = "{pseudo("Draw the accuracy.")}"
curve = "test_accuracy"
```

```run
id = "run"
figures = {{ test_accuracy = 12 }}
```

## {pseudo("Answer")}

```question
id = "why"
ask = "{pseudo("Why?")}"
[[choices]]
text = "{pseudo("Somebody programmed it.")}"
misconception = "{pseudo("somebody programmed it")}"
reply = "{pseudo("Nobody wrote a rule.")}"
[[choices]]
text = "{pseudo("It followed the gradient.")}"
right = true
```

```task
id = "goal"
ask = "{pseudo("Read half of them.")}"
test_accuracy_at_least = 50
epochs_at_most = 2
```

## {pseudo("Compare devices")}

```run
id = "race"
show = "race"
devices = ["sequential", "vectorized"]
```
"""


def test_every_text_of_a_lab_with_its_steps(window, reader, qtbot, tmp_path):
    labs = window.labs
    labs.open_lab(parse_lab(LAB, "lab.md"))
    reader.read("lab", window)
    part(window, "labNext").click()
    reader.read("lab, nothing expected", window)
    part(window, "lab-choiceChoice2").click()
    qtbot.keyClicks(part(window, "lab-numberNumber"), "30")
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Right):
        qtbot.keyClick(part(window, "curveKeys"), key)
    reader.read("lab, all expected", window)
    part(window, "lab-runStart").click()
    reader.read("lab, a run begins", window)
    qtbot.waitUntil(lambda: bool(labs.answers.attempts) and ended(window)(), timeout=LONG)
    reader.read("lab, a run has ended", window)
    part(window, "labNext").click()
    reader.read("lab, question", window)
    for choice in (1, 2):
        part(window, f"lab-whyChoice{choice}").click()
        part(window, "lab-whyAnswer").click()
        reader.read(f"lab, answer {choice}", window)
    for rate in ("0.00001", "0.1"):
        part(window, "learningRateEdit").setText(rate)
        count = len(labs.answers.attempts)
        part(window, "trainButton").click()
        qtbot.waitUntil(
            lambda n=count: len(labs.answers.attempts) > n and ended(window)(), timeout=LONG
        )
        reader.read("lab, task", window)
    part(window, "labNext").click()
    reader.read("lab, race", window)
    labs.hand_in()
    dialog = window.findChild(HandInDialog)
    reader.read("Hand in, something missing", dialog)
    dialog.close()
    part(window, "lab-raceStart").click()
    qtbot.waitUntil(lambda: len(labs.answers.attempts) == 5 and ended(window)(), timeout=LONG)
    reader.read("lab, race has ended", window)
    labs.hand_in()
    dialog = next(each for each in window.findChildren(HandInDialog) if each.isVisible())
    part(dialog, "handInFold").click()
    reader.read("Hand in", dialog)
    choose_files(tmp_path / "zoe.json")
    part(dialog, "destinationChange").click()
    part(dialog, "handInSave").click()
    reader.read("handed in", part(window, "savedDialog"))
    part(window, "savedDialog").close()
    labs.head.menu.aboutToShow.emit()
    reader.read("menu of the lab", labs.head.menu)
    labs.start_again()
    reader.read("lab, again", window)
    labs.close_lab()
    reader.read("lab closed", window)
    assert_no_problem(reader)


def test_every_text_of_the_marking_of_a_class(window, reader, qtbot, tmp_path):
    lab = parse_lab(LAB, "lab.md")
    attempts = trained_attempts(window, lab, qtbot)
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("zoe", "noa"):
        answers = Answers(lab, pseudo(name))
        answers.predict(lab.part("choice"), pseudo("no"))
        answers.predict(lab.part("number"), 30.0)
        answers.predict(lab.part("curve"), [(0.0, 10.0), (2.0, 90.0)])
        answers.answer(lab.part("why"), pseudo("Somebody programmed it."))
        answers.attempts = list(attempts)
        answers.save(folder / f"{name}.json")
    (folder / "ben.json").write_text("{", "utf-8")
    dialog = GradeDialog(read_folder(folder, lab), window.preferences, window)
    dialog.show()
    reader.read("GradeDialog", dialog)
    part(dialog, "gradeAgain").click()
    qtbot.waitUntil(part(dialog, "gradeAgain").isEnabled, timeout=LONG)
    reader.read("GradeDialog, run again", dialog)
    for row in range(dialog.table.model().rowCount()):
        dialog.table.doubleClicked.emit(dialog.table.model().index(row, 0))
    persons = dialog.findChildren(PersonDialog)
    assert len(persons) == 2
    for person in persons:
        reader.read("PersonDialog", person)
    assert_no_problem(reader)


def trained_attempts(window, lab, qtbot):
    """The attempts of a person who ran the first run of the lab."""
    labs = window.labs
    labs.open_lab(lab)
    answers = labs.answers
    answers.predict(lab.part("choice"), pseudo("yes"))
    answers.predict(lab.part("number"), 30.0)
    answers.predict(lab.part("curve"), [(0.0, 10.0), (2.0, 90.0)])
    labs.show_step(1)
    part(window, "lab-runStart").click()
    qtbot.waitUntil(lambda: bool(answers.attempts) and ended(window)(), timeout=LONG)
    attempts = answers.attempts
    labs.close_lab()
    return attempts


def test_every_text_of_the_check_of_a_lab_and_of_the_manual(window, reader, qtbot, tmp_path):
    path = tmp_path / "lab.md"
    path.write_text(LAB, "utf-8")
    busy = LabCheckDialog(path, lambda: True, window)
    dialog = LabCheckDialog(path, lambda: False, window)
    for shown in (busy, dialog):
        shown.show()
        shown.check()
        reader.read("LabCheckDialog", shown)
    qtbot.waitUntil(dialog.again.isEnabled, timeout=LONG)
    reader.read("LabCheckDialog, checked", dialog)
    path.write_text(LAB + "\n", "utf-8")
    qtbot.waitUntil(lambda: "chaangeed" in dialog.message.text(), timeout=LONG)
    reader.read("LabCheckDialog, changed", dialog)
    dialog.again.click()
    dialog.stop.click()
    qtbot.waitUntil(dialog.again.isEnabled, timeout=LONG)
    reader.read("LabCheckDialog, stopped", dialog)
    show_manual(window)
    reader.read("manual", window.findChild(ManualWindow))
    show_manual(window, "missing.md")
    reader.read("manual", window.findChild(ManualWindow))
    assert_no_problem(reader)


def test_the_pseudo_language():
    assert pseudo("&Train {n} runs") == "‹&Traaiin {n} ruuns~›"
    assert not problem(pseudo("A sentence.") + " " + pseudo("Another one."), DATA)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Train", "unmarked"),
        (f"{pseudo('Layer')} dense", "joined"),
        (f"{pseudo('8 filters')} {pseudo('of 5')}", "joined"),
        (pseudo("{n} runs"), "placeholder"),
    ],
)
def test_a_text_that_cannot_be_translated_is_found(qtbot, reader, text, fault):
    shown = QLabel(text)
    qtbot.addWidget(shown)
    shown.show()
    reader.read("mutation", shown)
    assert [line.partition(":")[0] for line in reader.problems] == [fault]


def test_a_text_that_is_too_long_for_its_place_is_found(qtbot, reader):
    shown = QPushButton(pseudo("Compare these runs with others"))
    shown.setFixedWidth(60)
    qtbot.addWidget(shown)
    shown.show()
    reader.read("mutation", shown)
    assert [line.partition(":")[0] for line in reader.problems] == ["cut"]
