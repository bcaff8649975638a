import threading
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import gui.drawing.recognizer
from core.inference.model_file import bundled_model
from gui.background import task_runner
from gui.drawing.panel import DrawingPanel
from gui.drawing.recognizer import Recognizer
from tests.gui.hand import DIGITS, at, drag, draw
from tests.limits import LONG, SECONDS


@pytest.fixture(scope="module")
def model():
    return bundled_model()


@pytest.fixture
def panel(qtbot, model):
    panel = DrawingPanel(model)
    qtbot.addWidget(panel)
    panel.resize(1248, 356)
    panel.show()
    return panel


@pytest.fixture
def told(panel):
    said = []
    panel.status.connect(said.append)
    return said


def begins(qtbot, panel, text):
    qtbot.waitUntil(lambda: panel.stage.accessibleDescription().startswith(text), timeout=LONG)


def says_words(qtbot, panel):
    """Nothing read: the text begins with a word."""
    qtbot.waitUntil(lambda: panel.stage.accessibleDescription()[:1].isalpha(), timeout=LONG)


@pytest.mark.parametrize("digit", DIGITS)
def test_a_digit_drawn_with_the_mouse_is_read(qtbot, panel, digit):
    draw(panel.canvas, digit)
    begins(qtbot, panel, digit)
    qtbot.waitUntil(lambda: panel.stage.answers.answer.row == int(digit), timeout=LONG)


@pytest.mark.parametrize(
    "place", [(1.0, 0, 0), (0.3, 0.02, 0.02), (0.45, 0.53, 0.53), (1.2, -0.1, -0.1)]
)
def test_size_and_position_do_not_change_the_prediction(qtbot, panel, place):
    size, left, top = place
    panel.canvas.tool.set_pen_width(40)
    draw(panel.canvas, "3", size=size, left=left, top=top)
    begins(qtbot, panel, "3")


def seen(qtbot, panel):
    """What the network sees of the drawing, int (28, 28)."""
    with qtbot.waitSignal(panel._recognizer.recognized, timeout=LONG) as caught:
        panel._submit()
    return caught.args[0].image.astype(int)


def test_the_network_sees_the_same_whatever_the_size_and_the_pen(qtbot, panel):
    draw(panel.canvas, "3")
    begins(qtbot, panel, "3")
    large = seen(qtbot, panel)
    panel.tools.clearButton.click()
    panel.canvas.tool.set_pen_width(40)
    draw(panel.canvas, "3", size=0.4)
    # The first answers may be those to a part of the stroke.
    qtbot.waitUntil(lambda: np.abs(seen(qtbot, panel) - large).mean() < 4, timeout=LONG)


def test_erased_ink_is_not_seen(qtbot, panel):
    draw(panel.canvas, "1")
    begins(qtbot, panel, "1")
    whole = seen(qtbot, panel)
    panel.canvas.tool.set_eraser(True)
    drag(panel.canvas, [(0.3, 0.5), (0.7, 0.5)])
    assert whole[14].any()
    # The first answers may be those to the drawing before.
    qtbot.waitUntil(lambda: not seen(qtbot, panel)[13:15].any(), timeout=LONG)
    panel.undo_action.trigger()
    qtbot.waitUntil(lambda: np.array_equal(seen(qtbot, panel), whole), timeout=LONG)


def test_it_is_read_while_it_is_drawn(qtbot, panel):
    drag(panel.canvas, DIGITS["7"][0], release=False)
    drag(
        panel.canvas, [(x, y) for y, x in ((0.24, 0.27), (0.24, 0.7), (0.82, 0.44))], release=False
    )
    # Back along the same line: a line from the last point to the first would make a loop, as of a
    # 9.
    for x, y in reversed(DIGITS["7"][0]):
        QTest.mouseMove(panel.canvas, at(panel.canvas, x, y))
    begins(qtbot, panel, "7")
    assert not panel.undo_stack.isClean()


def test_an_empty_canvas_predicts_nothing_and_a_dot_neither(qtbot, panel):
    assert not panel.stage.accessibleDescription()[0].isdigit()
    QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=at(panel.canvas, 0.5, 0.5))
    qtbot.waitUntil(
        lambda: panel.stage.accessibleDescription().startswith("Too little ink"), timeout=LONG
    )
    assert panel.stage.answers.answer.probabilities is None


def test_clear_undo_and_redo_are_read_too(qtbot, panel):
    assert not panel.tools.undoButton.isEnabled()
    draw(panel.canvas, "7")
    begins(qtbot, panel, "7")
    panel.tools.clearButton.click()
    says_words(qtbot, panel)
    panel.tools.undoButton.click()
    begins(qtbot, panel, "7")
    panel.tools.redoButton.click()
    says_words(qtbot, panel)
    assert panel.undo_stack.undoText() == "clear"


def test_a_new_model_reads_the_drawing_again(qtbot, panel, model):
    draw(panel.canvas, "7")
    begins(qtbot, panel, "7")
    parameters = model.parameters.copy()
    parameters[-10:] = 0
    parameters[-7] = 1000  # the bias of class 3
    panel.set_model(replace(model, parameters=parameters))
    begins(qtbot, panel, "3")
    panel.set_model(model)
    begins(qtbot, panel, "7")
    panel.set_model(None)
    says_words(qtbot, panel)


def test_what_a_network_has_learned_since_reads_the_next_stroke(qtbot, panel, model):
    says_words(qtbot, panel)
    read = []
    panel.reading_changed.connect(lambda reading, steps: read.append(reading))
    parameters = model.parameters.copy()
    parameters[-10:] = 0
    parameters[-7] = 1000  # the bias of class 3
    panel.set_model(replace(model, parameters=parameters))
    assert not read  # the canvas is empty
    draw(panel.canvas, "7")
    begins(qtbot, panel, "3")


def test_a_large_network_reads_the_newest_drawing_in_the_background(qtbot, panel, monkeypatch):
    monkeypatch.setattr(gui.drawing.recognizer, "SMALL_NETWORK", 0)
    draw(panel.canvas, "7")
    begins(qtbot, panel, "7")
    asked, answered = [], []
    panel._document.changed.connect(lambda: asked.append(1))
    panel._recognizer.recognized.connect(answered.append)
    panel.tools.clearButton.click()
    draw(panel.canvas, "3")
    begins(qtbot, panel, "3")
    assert len(answered) <= 3 < len(asked)


def test_class_names_are_shown_instead_of_digits(qtbot, panel, model):
    names = (
        "Top",
        "Trouser",
        "Pullover",
        "Dress",
        "Coat",
        "Sandal",
        "Shirt",
        "Ankle boot",
        "Bag",
        "Sneaker",
    )
    panel.set_model(replace(model, classes=names))
    draw(panel.canvas, "7")
    begins(qtbot, panel, "Ankle boot, ")


def test_raw_gives_the_network_the_canvas_as_it_is(qtbot, panel):
    seen = []
    panel._recognizer.recognized.connect(lambda reading: seen.append(reading.image))
    panel.canvas.tool.set_pen_width(8)
    draw(panel.canvas, "3", size=0.3)
    begins(qtbot, panel, "3")
    assert (seen[-1][14:] > 0).any()
    panel.rawBox.setChecked(True)
    qtbot.waitUntil(lambda: not (seen[-1][14:] > 0).any(), timeout=LONG)
    panel.rawBox.setChecked(False)
    begins(qtbot, panel, "3")


@pytest.fixture
def seven(tmp_path, panel):
    """A picture of a 7, dark on light, as a phone would send it."""
    draw(panel.canvas, "7")
    path = tmp_path / "seven.png"
    panel.pictures.save_image(path)
    panel.tools.clearButton.click()
    assert not panel.canvas.document.ink.pixels().any()
    return path


def test_a_saved_drawing_opens_as_it_was(qtbot, panel, told, seven):
    panel.tools.undoButton.click()
    drawn = panel.canvas.document.ink.pixels()
    panel.tools.redoButton.click()
    panel.pictures.open_image(seven)
    assert np.array_equal(panel.canvas.document.ink.pixels(), drawn)
    begins(qtbot, panel, "7")
    assert panel.undo_stack.undoText() == "open image"
    panel.tools.undoButton.click()
    assert not panel.canvas.document.ink.pixels().any()
    assert told == []


def drop(canvas, data):
    """Whether the canvas took what was dropped."""
    how = (
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    enter, event = QDragEnterEvent(QPoint(9, 9), *how), QDropEvent(QPointF(9, 9), *how)
    QApplication.sendEvent(canvas, enter)
    if enter.isAccepted():
        QApplication.sendEvent(canvas, event)
    return enter.isAccepted()


def test_a_file_dropped_is_left_to_the_window(panel, tmp_path, seven):
    for path in (tmp_path, tmp_path / "model.safetensors", seven):
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        assert not drop(panel.canvas, data)


def test_a_picture_is_dropped_or_pasted(qtbot, panel, told, seven):
    data = QMimeData()
    data.setImageData(QImage(str(seven)))
    data.setUrls([QUrl("https://example.org/seven.png")])  # as a browser gives a picture of a page
    assert drop(panel.canvas, data)
    begins(qtbot, panel, "7")
    panel.tools.clearButton.click()
    says_words(qtbot, panel)
    QGuiApplication.clipboard().setImage(QImage(str(seven)))
    panel.tools.pasteButton.click()
    begins(qtbot, panel, "7")
    assert told == []


def test_a_file_that_is_not_a_picture_is_reported_and_changes_nothing(qtbot, panel, told, tmp_path):
    draw(panel.canvas, "3")
    drawn, steps = panel.canvas.document.ink.pixels(), panel.undo_stack.count()
    text = tmp_path / "notes.png"
    text.write_text("no picture")
    blank = tmp_path / "blank.png"
    Image.new("L", (40, 40), 255).save(blank)
    for path, words in (
        (text, "not a picture"),
        (tmp_path / "missing.png", "does not exist"),
        (blank, "is empty"),
    ):
        panel.pictures.open_image(path)
        assert words in told[-1]
        assert path == blank or str(path) in told[-1]  # what is empty was just chosen
    QGuiApplication.clipboard().setText("some words")
    panel.pictures.paste_image()
    assert "no picture to paste" in told[-1]
    panel.pictures.save_image(text / "below-a-file.png")
    assert len(told) == 5
    assert np.array_equal(panel.canvas.document.ink.pixels(), drawn)
    assert panel.undo_stack.count() == steps
    begins(qtbot, panel, "3")


def test_a_disabled_panel_shows_the_reason_and_accepts_no_ink(qtbot, panel, told, seven):
    panel.disable("Points have no pictures.")
    assert panel.stage.accessibleDescription() == "Points have no pictures."
    draw(panel.canvas, "7")
    panel.pictures.open_image(seven)
    assert not panel.canvas.document.ink.pixels().any()
    assert told == ["Points have no pictures."]
    panel.disable(None)
    draw(panel.canvas, "7")
    begins(qtbot, panel, "7")


def test_a_network_that_cannot_read_drawings_is_reported_once(qtbot, panel, told, model):
    panel.set_model(replace(model, parameters=np.full_like(model.parameters, np.nan)))
    draw(panel.canvas, "3")
    qtbot.waitUntil(lambda: bool(told), timeout=LONG)
    draw(panel.canvas, "7")
    says_words(qtbot, panel)
    assert len(told) == 1
    assert "lower the learning rate" in told[0]
    panel.set_model(model)
    panel.tools.clearButton.click()
    draw(panel.canvas, "7")
    begins(qtbot, panel, "7")


def test_tools_and_keys_show_the_same(panel):
    panel.tools.eraserButton.click()
    assert panel.canvas.tool.eraser
    QTest.keyClick(panel.canvas, Qt.Key.Key_E)
    assert panel.tools.penButton.isChecked()
    panel.tools.widthSlider.setValue(31)
    assert panel.canvas.tool.pen_width == 31
    QTest.keyClick(panel.canvas, Qt.Key.Key_Minus)
    assert panel.tools.widthSlider.value() == 29
    assert (
        panel.tools.widthSlider.accessibleDescription()
        == f"{round(panel.canvas.shown_pen_width)} px"
    )


def running_threads():
    return [thread for thread in task_runner._running if thread.isRunning()]


def test_the_end_of_background_work_leaves_no_thread(qtbot, panel):
    draw(panel.canvas, "7")
    task_runner.end_background_work()
    assert not running_threads()
    draw(panel.canvas, "7")
    assert not running_threads()


def test_a_panel_can_be_destroyed_while_its_thread_runs(qtbot, model, monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(
        Recognizer, "_recognize", lambda recognizer, request: released.wait(SECONDS)
    )
    panel = DrawingPanel(model)
    draw(panel.canvas, "7")
    assert running_threads()
    with qtbot.waitSignal(panel.destroyed):
        panel.deleteLater()
    released.set()
    qtbot.waitUntil(lambda: not running_threads(), timeout=LONG)


def test_undo_in_the_middle_of_a_stroke_takes_back_that_stroke_alone(panel):
    drag(panel.canvas, [(0.2, 0.2), (0.8, 0.2)])
    finished = panel._document.ink.pixels()
    drag(panel.canvas, [(0.2, 0.8), (0.8, 0.8)], release=False)
    assert not np.array_equal(panel._document.ink.pixels(), finished)
    assert panel.undo_action.isEnabled()
    panel.undo_action.trigger()
    assert np.array_equal(panel._document.ink.pixels(), finished)
    QTest.mouseMove(panel.canvas, at(panel.canvas, 0.5, 0.5))
    QTest.mouseRelease(panel.canvas, Qt.MouseButton.LeftButton, pos=at(panel.canvas, 0.5, 0.5))
    assert np.array_equal(panel._document.ink.pixels(), finished)
    assert panel.undo_stack.count() == 1
    panel.undo_action.trigger()
    assert not panel._document.ink.pixels().any()


def test_the_first_stroke_can_be_undone_while_it_is_drawn(panel):
    drag(panel.canvas, [(0.2, 0.2), (0.8, 0.2)], release=False)
    panel.undo_action.trigger()
    assert not panel._document.ink.pixels().any()
    assert not panel.undo_action.isEnabled()


def test_a_drawing_is_kept_as_ones_own_digit_and_the_canvas_is_ready_for_the_next(
    panel, told, home, qtbot
):
    assert not panel.keepButton.isEnabled()
    draw(panel.canvas, "7")
    assert panel.keepButton.isEnabled()
    with qtbot.waitSignal(panel.kept):
        panel.own_digits.actions()[7].trigger()
    assert len(list((home / "data").rglob("7/*.png"))) == 1
    assert told[-1].startswith("Kept as a 7: 1 of it")
    assert not panel._document.ink.pixels().any()
    panel.undo_action.trigger()
    assert panel._document.ink.pixels().any()


def test_a_key_of_the_window_keeps_nothing(panel, told, home):
    """Alt+6 is the key of a tab, which may not be shown yet."""
    draw(panel.canvas, "7")
    QTest.keyClick(panel.canvas, Qt.Key.Key_6, Qt.KeyboardModifier.AltModifier)
    assert panel._document.ink.pixels().any()
    assert not list((home / "data").rglob("6/*.png"))


def test_too_little_ink_is_not_saved_as_an_own_digit(panel, told, home):
    QTest.mouseClick(panel.canvas, Qt.MouseButton.LeftButton, pos=at(panel.canvas, 0.5, 0.5))
    panel.own_digits.actions()[7].trigger()
    assert "too little ink" in told[-1]
    assert panel._document.ink.pixels().any()


def test_an_empty_clipboard_is_reported(panel, told):
    QGuiApplication.clipboard().clear()
    panel.pictures.paste_image()
    assert "no picture to paste" in told[-1]


def test_a_wide_canvas_leaves_room_for_the_answer(panel, qtbot):
    panel.set_wide(True)
    qtbot.waitUntil(lambda: panel.canvas.width() > 1.5 * panel.canvas.height())
    assert panel.canvas.geometry().right() < panel.width() / 2
