"""Every text of the window is marked for translation, is whole, and has room for a longer language."""

import re

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from core.program import RESOURCES
from core.runs.library import RunLibrary
from gui.labs.check_dialog import NewLabDialog
from gui.results.data_browser import DataBrowser
from gui.runs.dialogs import ContinueDialog, LimitDialog, device_items
from gui.stage.captions import caption
from gui.studies.dialog import ComparisonDialog
from gui.window.application import CrashDialog
from gui.window.help import AboutDialog, ShortcutsDialog
from gui.window.main_window import MainWindow
from gui.window.share import ShareDialog
from gui.words import network_words
from gui.workshop.operator_dialog import OperatorDialog
from tests.gui.person import LONG, choose_simple_run, ended, part
from tests.gui.pseudo_language import PseudoLanguage, is_cut, problem, pseudo, shown_texts
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
            "auto|sequential|vectorized|cuda(: .*)?",  # names of devices are typed; what a driver says is in English
            r"[\dA-Z]+(:\w+)?(-[\dA-Z]+(:\w+)?)+",  # the notation of a network
            r"SGD [\d.]+",  # the name of a run is kept with it
            r"\((Ctrl|Alt|Shift|Del|Space|Return|Esc|Enter|F\d)[+\w]*\)",  # the names of keys are Qt's
            "&nbsp;|nbsp;",
            "float32|int64",  # Numba's names of types
            "ms|ns|µs|px|MB|GB|kB|bytes|R²",  # units
        )
    )
)
# Labs and exercises are files, one for each language.
FILES = {
    line.strip("#* ") for path in RESOURCES.rglob("*.md") for line in path.read_text("utf-8").splitlines()
}


class Reader:
    """Reads the windows of a program in the pseudo-language; `problems`: a line for each."""

    def __init__(self, language):
        self.language = language
        self.problems = {}

    def note(self, place, text, where="text"):
        found = problem(text, DATA)
        if found and text not in FILES:
            self.problems.setdefault(f"{found}: {where}: {text!r}", place)

    def read(self, place, root):
        QCoreApplication.processEvents()
        for widget, kind, text in shown_texts(root):
            self.note(place, text, f"{kind} of {widget.objectName() or type(widget).__name__}")
        for widget in (root, *root.findChildren(QWidget)):
            if is_cut(widget):
                QCoreApplication.processEvents()  # a text that has just been changed has no room yet
            if is_cut(widget):
                name = widget.objectName() or type(widget).__name__
                self.problems.setdefault(
                    f"cut: {name}: {widget.text()!r}: {widget.sizeHint().width()} in {widget.width()}", place
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
    """A helper of a module or a template of `core` is found where it is shown, and translators get what is shown."""
    # Qt looks in the contexts of the base classes, too.
    collected = {text.source for text in texts.all_texts()}
    missed = [
        f"not collected: {asked}" for asked in sorted(reader.language.asked) if asked[1] not in collected
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
    read_pages(window.inside, window.inside.chooser, window, reader, qtbot)
    window.tabs.setCurrentWidget(window.measuring)
    qtbot.waitUntil(lambda: bool(window.measuring.pages), timeout=LONG)
    read_pages(window.measuring, window.measuring.chooser, window, reader, qtbot)
    read_pages(window.compare, window.compare.comparison.chooser, window, reader, qtbot)
    assert_no_problem(reader)


def read_pages(tab, chooser, window, reader, qtbot):
    window.tabs.setCurrentWidget(tab)
    for index in range(chooser.count()):
        chooser.setCurrentIndex(index)
        if tab is window.inside:
            qtbot.waitUntil(lambda: not tab.busy, timeout=LONG)
        reader.read(f"{type(tab).__name__} {index}", window)


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
    exercises.table.selectRow(0)
    exercises.open_button.click()
    bench = window.workshop.bench
    qtbot.waitUntil(lambda: bench.block is not None, timeout=LONG)
    bench.kernel.check_button.click()
    qtbot.waitUntil(lambda: not bench.tasks.runner.busy, timeout=LONG)
    for index in range(bench.findings.chooser.count()):
        bench.findings.chooser.setCurrentIndex(index)
        reader.read(f"findings {index}", window)
    assert_no_problem(reader)


def test_every_text_of_the_dialogs(window, reader, qtbot):
    train(window, qtbot)
    entry = next(iter(RunLibrary().entries()))
    plan = window.settings.plan
    known = window.devices.known()
    window.study_actions.ask("learning_rate")
    comparison = window.findChild(ComparisonDialog)
    for dialog in (
        ShortcutsDialog(window),
        AboutDialog(known, window),
        CrashDialog("zzz", "zzz", None, window),
        ContinueDialog(entry, device_items(window.settings.device_box), window),
        LimitDialog(RunLibrary(), print, window),
        NewLabDialog(window.preferences, window),
        comparison,
        DataBrowser(plan, window.dataset_cache, window),
        OperatorDialog("forward", pseudo("Forward"), window),
        window.own_digits,
        ShareDialog(pseudo("Share"), window.sharing.shares(), "page", window.preferences, window),
    ):
        dialog.show()
        reader.read(type(dialog).__name__, dialog)
        dialog.close()
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
