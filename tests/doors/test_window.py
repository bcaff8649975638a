"""The window's first minutes, by mouse."""

import os
import subprocess
import sys

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from core.labs.package import lessons
from gui.window.main_window import MainWindow
from tests.doors.conftest import ROOT
from tests.doors.test_window_stage import click_layer
from tests.gui.conftest import write_small_mnist
from tests.gui.hand import draw
from tests.gui.person import choose_simple_run, ended, part
from tests.limits import LONG, SECONDS


def test_a_drawing_is_read_without_any_training(window, qtbot):
    stage = window.drawing.stage
    alone = []  # answers beside an empty picture

    def note_answer():
        answer = stage.answers.answer.name
        if answer and stage.picture.content.input is None:
            alone.append(answer)

    stage.answers.changed.connect(note_answer)
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: stage.accessibleDescription().startswith("3"), timeout=LONG)
    assert alone == []


class TopLevels(QObject):
    """Notes each widget that is shown without a parent: on a screen it is a window for a moment."""

    def __init__(self):
        super().__init__()
        self.seen: list[str] = []

    def eventFilter(self, watched, event):  # noqa: N802
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.seen.append(f"{type(watched).__name__} {watched.objectName()}")
        return False


def test_nothing_but_the_window_is_shown_as_a_window(qtbot, home, tmp_path, monkeypatch):
    """From the start through a run to all tabs and the second step of a lesson."""
    write_small_mnist(tmp_path / "data" / "mnist")
    monkeypatch.setenv("DIGITLAB_DATA", str(tmp_path / "data"))
    shown = TopLevels()
    QApplication.instance().installEventFilter(shown)
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    choose_simple_run(window)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    window.tabs.setCurrentWidget(window.page)
    click_layer(window.drawing, 0)
    assert part(window, "layerPage").isVisible()
    for index in range(window.tabs.count()):
        window.tabs.setCurrentWidget(window.tabs.widget(index))
    window.labs.open(lessons()[0][1])
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    part(window, "labNext").click()
    QApplication.instance().removeEventFilter(shown)
    assert shown.seen == ["MainWindow mainWindow"]


# The program at its first start: draw a digit, and press Train. It prints what was imported when the
# digit was read.
FIRST_START = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from gui.training.session import State
from gui.window.application import run_window
from tests.gui.hand import draw
from tests.gui.person import choose_simple_run, part

seen = []

def note():
    maps = Path("/proc/self/maps")
    libraries = maps.read_text() if maps.exists() else ""
    seen.append([name for name in ("numba",) if name in sys.modules]
        + [name for name in ("libllvmlite", "libnv", "libcuda") if name in libraries])
    print("imported", seen)

def drive(window):
    choose_simple_run(window)
    draw(part(window, "canvas"), "3")
    stage = window.drawing.stage

    def look():
        if not seen and stage.accessibleDescription().startswith("3"):
            note()
            window.warm_up.begin()
            part(window, "trainButton").click()
            assert window.session.state is State.PREPARING
        elif window.training.epochs.records:
            window.close()

    clock = QTimer(window, interval=20)
    clock.timeout.connect(look)
    clock.start()

sys.exit(run_window(["digitlab"], drive))
"""


def test_a_first_run_waits_for_another_process_that_compiles(home, tmp_path):
    write_small_mnist(tmp_path / "data" / "mnist")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_START],
        cwd=ROOT,
        env=os.environ
        | {
            "DIGITLAB_DATA": str(tmp_path / "data"),
            "NUMBA_DEBUG_CACHE": "1",  # says what is saved
            "QT_QPA_PLATFORM": "offscreen",
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert (home / "cache" / "compiled.txt").exists()
    said = done.stdout.splitlines()
    assert "imported [[]]" in said
    assert any("index loaded" in line for line in said)
    # Those of threads are compiled when work is divided for the first time.
    assert [each for each in said if "saved" in each and "instruction_threads" not in each] == []


def test_what_compiles_ends_with_the_window(home):
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "main.py"), "--compile"], stdin=subprocess.PIPE
    )
    process.stdin.write(b'{"run": {}, "data": "builtin"}\n')
    process.stdin.close()
    assert process.wait(SECONDS) == 1
