"""The canvas of the window over a kill and the next start."""

import re
import subprocess
import sys
from time import monotonic, sleep

from PIL import Image, ImageDraw
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.window.main_window import MainWindow
from tests.doors.conftest import ROOT
from tests.gui.hand import DIGITS, drag, draw
from tests.gui.person import drop, part
from tests.limits import LONG, SECONDS

DRAWS_A_SEVEN = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
import main
from gui.window.main_window import MainWindow
from tests.gui.hand import draw
from tests.gui.person import part

def drive():
    windows = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MainWindow)]
    if windows and windows[0].isVisible():
        draw(part(windows[0], "canvas"), "7")
    else:
        QTimer.singleShot(50, drive)

from gui.window import application
make = application.make_application

def make_application(*given):
    made = make(*given)
    QTimer.singleShot(0, drive)
    return made

application.make_application = make_application
main.main([])
"""


def test_the_drawing_survives_a_kill_and_can_be_drawn_on(home, qtbot):
    child = subprocess.Popen([sys.executable, "-c", DRAWS_A_SEVEN], cwd=ROOT)
    end = monotonic() + SECONDS
    while not any("drawing=" in path.read_text("utf-8") for path in home.rglob("window.ini")):
        assert child.poll() is None, "the child has ended"
        assert monotonic() < end, "the drawing was not kept"
        sleep(0.1)
    child.kill()
    child.wait()

    window = MainWindow()
    qtbot.addWidget(window)
    window.resize(1280, 720)  # with less room the canvas is folded away
    window.show()
    stage = window.drawing.stage
    qtbot.waitUntil(lambda: stage.accessibleDescription().startswith("7"), timeout=LONG)
    part(window, "clearButton").click()
    assert window.drawing.drawing_text() == ""
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: stage.accessibleDescription().startswith("3"), timeout=LONG)


def test_two_strokes_side_by_side_are_never_read_as_one_digit(window, qtbot):
    window.resize(1280, 720)
    canvas = part(window, "canvas")
    stage = window.drawing.stage
    draw(canvas, "3", size=0.8, left=-0.1)
    qtbot.waitUntil(lambda: stage.answers.answer.name == "3", timeout=LONG)
    assert not part(window, "howLink").isVisible()
    draw(canvas, "1", size=0.5, left=0.4, top=0.3)
    qtbot.waitUntil(lambda: stage.answers.answer.name == "31", timeout=LONG)


def test_the_answers_for_each_column_of_a_number_in_one_stroke_are_shown(window, qtbot):
    window.resize(1280, 720)
    canvas = part(window, "canvas")
    places = [(0.7 * x - 0.1, 0.7 * y + 0.1) for x, y in DIGITS["3"][0]]
    places += [(0.7 * x + 0.25, 0.7 * y + 0.1) for x, y in DIGITS["0"][0]]
    drag(canvas, places)  # in one stroke
    link = part(window, "howLink")
    qtbot.waitUntil(link.isVisible, timeout=LONG)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    columns = part(window, "readingSteps")
    assert columns.isVisible()
    assert re.findall(r"(\d), [^:]*: columns", columns.toHtml()) == ["3", "0"]
    part(window, "clearButton").click()
    qtbot.waitUntil(lambda: not columns.isVisible(), timeout=LONG)
    assert not link.isVisible()


def test_one_click_shows_how_an_opened_picture_is_read(window, qtbot, tmp_path):
    window.resize(1280, 720)
    drawing = Image.new("RGB", (300, 200), "orange")
    ImageDraw.Draw(drawing).line(((200, 40), (200, 160)), "white", 14)
    drawing.save(tmp_path / "one.png")
    drop(window, tmp_path / "one.png")
    link = part(window, "howLink")
    stage = window.drawing.stage
    qtbot.waitUntil(lambda: stage.answers.answer.name == "1", timeout=LONG)
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)
    steps = part(window, "readingSteps")
    assert steps.isVisible()
    assert "picture → ink → part with ink → 28×28 pixels" in steps.toHtml()
    part(window, "undoButton").click()
    qtbot.waitUntil(lambda: not steps.isVisible(), timeout=LONG)
    assert not link.isVisible()
    part(window, "redoButton").click()
    qtbot.waitUntil(link.isVisible, timeout=LONG)
