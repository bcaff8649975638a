"""The program from its door to its end, as main() starts it."""

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

import main
from core.files.log import log_path
from core.runs.folder import RunFolder, RunInfo
from core.runs.plan import RunPlan
from core.training.run_settings import RunSettings
from gui.window.main_window import MainWindow

LOOKS = 1500  # of 10 ms, after which nothing more is expected to come


@pytest.fixture
def visit(qapp):
    """Calls main() with a file, hands the window to `look` once something is to be seen, and closes
    it.
    """
    seen = []

    def run(arguments, look):
        looks = iter(range(LOOKS))

        def later():
            window = next(
                (
                    w
                    for w in QApplication.topLevelWidgets()
                    if isinstance(w, MainWindow) and w.isVisible()
                ),
                None,
            )
            try:
                if window is not None and look(window):
                    seen.append(True)
            finally:
                if seen or next(looks, None) is None:
                    QApplication.closeAllWindows()
                else:
                    QTimer.singleShot(10, later)

        QTimer.singleShot(0, later)
        assert main.main(arguments) == 0
        assert seen

    return run


def test_the_log_says_that_the_main_loop_was_reached(visit):
    visit([], lambda window: window.isVisible())
    text = log_path().read_text("utf-8")
    assert "main loop reached" in text
    assert "closed with code 0" in text
    assert "WARNING" not in text


def test_a_picture_named_at_the_start_is_read(visit, tmp_path):
    path = tmp_path / "one.png"
    picture = Image.new("L", (100, 100), 255)
    ImageDraw.Draw(picture).line([(50, 15), (48, 85)], fill=0, width=9)
    picture.save(path)
    visit([str(path)], lambda window: not window.drawing.undo_stack.isClean())


def test_a_run_named_at_the_start_is_opened_or_refused_with_a_message(visit, tmp_path):
    RunFolder(tmp_path / "run").begin(
        RunInfo(RunPlan(RunSettings(network="784-10"), "builtin", "sequential"), "784-10")
    )
    visit([str(tmp_path / "run")], lambda window: "model.safetensors" in window.banner.text.text())


def test_a_file_that_is_not_a_model_is_refused_with_a_message(visit, tmp_path):
    path = tmp_path / "x.digitlab"
    path.write_bytes(b"no model at all")
    visit([str(path)], lambda window: "safetensors" in window.banner.text.text())


def test_a_file_that_the_system_hands_to_the_running_program_is_opened(visit, tmp_path):
    path = tmp_path / "one.png"
    picture = Image.new("L", (100, 100), 255)
    ImageDraw.Draw(picture).line([(50, 15), (48, 85)], fill=0, width=9)
    picture.save(path)
    handed = []

    def look(window):
        if not handed:
            handed.append(
                QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(str(path)))
            )
        return not window.drawing.undo_stack.isClean()

    visit([], look)
