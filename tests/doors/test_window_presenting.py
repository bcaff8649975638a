"""A lesson in front of a class, and by the keyboard alone: presenter mode with its bar, keys that
choose and answer.
"""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.labs.reader import parse_lab
from gui.labs.blocks.part import PartWidget
from gui.widgets.theme import theme
from tests.doors.test_window_labs import LAB
from tests.gui.conftest import bars
from tests.gui.person import ended, give_size, part, rect_in
from tests.idx_files import write_idx
from tests.limits import LONG

KEYS = Qt.Key


@pytest.fixture
def lesson(window, qtbot, tmp_path):
    """A window of 1280x720 with a lab of two short runs."""
    for name, images, seed in (("train", 600, 1), ("t10k", 100, 2)):
        write_idx(tmp_path / "digits", *bars(images, seed), name)
    (tmp_path / "lab.md").write_text(LAB, "utf-8")
    window.resize(1280, 720)
    window.labs.open_lab(parse_lab(LAB, "lab.md", tmp_path), tmp_path / "lab.md")
    window.activateWindow()
    qtbot.waitUntil(window.labs.isVisible, timeout=LONG)
    yield window
    if theme().presenting:
        window.presenter.trigger()


def press(window, name):
    """Click on the widget of this name, after scrolling to it as a person does."""
    QApplication.processEvents()  # a widget that has got another place is shown in the next turn
    widget = part(window, name)
    if window.labs.view.page.isAncestorOf(widget):
        window.labs.view.area.ensureWidgetVisible(widget)
    assert widget.isVisible(), name
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def type_key(window, key, modifier=Qt.KeyboardModifier.NoModifier):
    """Press a key where the focus is."""
    focus = window.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, modifier)


def draw(window):
    plot = window.training.plots.accuracy_plot
    area = plot.plotItem.vb.sceneBoundingRect().toRect()
    start = area.bottomLeft() + QPoint(2, -20)
    end = area.topRight() + QPoint(-10, 30)
    QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=start)
    for share in (0.25, 0.5, 0.75, 1.0):
        QTest.mouseMove(plot.viewport(), start + (end - start) * share)
    QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=end)


def test_a_teacher_goes_through_a_lab_in_presenter_mode(lesson, qtbot):
    window = lesson
    QTest.keyClick(window, KEYS.Key_F12)
    give_size(window, 1280, 720)
    bar = window.presenter_bar
    back = part(window, "labBack")
    qtbot.waitUntil(lambda: rect_in(back, window).top() > 640)
    assert bar.isAncestorOf(back)
    assert not part(window, "labClose").isVisible()
    press(window, "labNext")
    title = part(window, "labStepTitle")
    qtbot.waitUntil(title.isVisible)
    assert title.text() == "Predict"
    (question, *_) = window.labs.view.page.findChildren(PartWidget)
    assert QFontInfo(question.font()).pixelSize() == 26

    # The text is in the window's left part, the plot in the rest, with all of its names.
    assert part(window, "labStep").text() == "Step 2 of 5"
    press(window, "lab-bestChoice1")
    QTest.keyClicks(part(window, "lab-percentNumber"), "90")
    draw(window)
    press(window, "labNext")
    assert not part(window, "lab-ratesStart").isVisible()
    height = window.training.plots.accuracy_plot.height()
    press(window, "labRun")
    answers = window.labs.answers
    qtbot.waitUntil(lambda: len(answers.attempts) == 2 and ended(window)(), timeout=LONG)
    qtbot.waitUntil(lambda: "%" in part(window, "lab-ratesResults").text(), timeout=LONG)
    assert window.training.plots.accuracy_plot.height() == height
    assert part(window, "labRun").text() == "Run again"
    names = window.training.plots.accuracy_plot.labels
    assert names.fits, names.texts
    assert QFontInfo(names.font).pixelSize() >= 36

    chooser = part(window, "plotChooser")
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton, pos=chooser.tabRect(1).center())
    assert window.training.plots.loss_plot.isVisible()
    assert not window.training.plots.accuracy_plot.isVisible()

    press(window, "endPresentingButton")
    assert window.menuBar().isVisible()
    assert part(window, "labCard").isAncestorOf(back)
    assert part(window, "lab-ratesStart").isVisible()


def test_a_drawing_is_cleared_and_text_resized_in_presenter_mode(window, qtbot):
    window.presenter.trigger()
    give_size(window, 1280, 720)
    canvas = part(window, "canvas")
    qtbot.waitUntil(canvas.isVisible)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(60, 60))
    QTest.mouseMove(canvas, QPoint(60, 160))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(60, 160))
    assert window.drawing.drawing_text()
    press(window, "presenterClear")
    assert not window.drawing.drawing_text()
    train = part(window, "trainButton")
    assert QFontInfo(train.font()).pixelSize() == 26
    QTest.keyClick(window, KEYS.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert QFontInfo(train.font()).pixelSize() > 26
    QTest.keyClick(window, KEYS.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, KEYS.Key_Minus, Qt.KeyboardModifier.ControlModifier)
    assert QFontInfo(train.font()).pixelSize() < 26
    press(window, "endPresentingButton")
    assert window.preferences.text_size == "100"


def test_a_lesson_by_the_keyboard_alone(lesson, qtbot):
    window = lesson
    answers = window.labs.answers
    part(window, "labNext").setFocus()
    type_key(window, KEYS.Key_Space)
    qtbot.waitUntil(lambda: window.focusWidget() is part(window, "lab-bestChoice1"))
    type_key(window, KEYS.Key_2)
    assert answers.predictions["best"] == "0.1"
    type_key(window, KEYS.Key_1)
    assert answers.predictions["best"] == "0.001"
    part(window, "lab-percentNumber").setFocus()
    type_key(window, KEYS.Key_9)
    type_key(window, KEYS.Key_0)
    part(window, "curveKeys").setFocus()
    for key in (KEYS.Key_Up, KEYS.Key_Right, KEYS.Key_PageUp, KEYS.Key_Right):
        type_key(window, key)
    assert answers.has_predicted(answers.shown_step)
    part(window, "labNext").setFocus()
    type_key(window, KEYS.Key_Space)
    qtbot.waitUntil(lambda: window.focusWidget() is part(window, "lab-ratesStart"))
    type_key(window, KEYS.Key_Space)
    qtbot.waitUntil(lambda: len(answers.attempts) == 2 and ended(window)(), timeout=LONG)
    qtbot.waitUntil(lambda: part(window, "labNext").isEnabled(), timeout=LONG)
    qtbot.waitUntil(lambda: window.focusWidget() is part(window, "labNext"))
    type_key(window, KEYS.Key_Space)
    qtbot.waitUntil(lambda: window.focusWidget() is part(window, "lab-whyChoice1"))
    type_key(window, KEYS.Key_1)
    type_key(window, KEYS.Key_Return)
    assert part(window, "lab-whyChoice1").is_right is False
    type_key(window, KEYS.Key_2)
    type_key(window, KEYS.Key_Return)
    assert answers.tries["why"] == ["By chance.", "Its steps are longer."]


def test_a_step_fades_in_only_where_the_system_wants_motion(lesson, monkeypatch):
    window = lesson
    curtain = part(window, "labCurtain")
    monkeypatch.setattr("gui.labs.step_view.motion_wanted", lambda: False)
    press(window, "labNext")
    assert not curtain.isVisible()
    press(window, "labBack")
    monkeypatch.setattr("gui.labs.step_view.motion_wanted", lambda: True)
    press(window, "labNext")
    assert curtain.isVisible()


def test_a_lab_that_was_presented_gives_settings_and_plot_back(lesson, qtbot):
    window = lesson
    QTest.keyClick(window, KEYS.Key_F12)
    give_size(window, 1280, 720)
    press(window, "labNext")
    press(window, "endPresentingButton")
    press(window, "labClose")
    area = window.page._line_area
    assert area.height() >= window.settings.line.sizeHint().height()
    replay, splitter = window.training.plots.replay, window.training.plots.splitter
    assert window.training.plots._column.indexOf(replay) > window.training.plots._column.indexOf(
        splitter
    )


def test_a_message_covers_no_plot_where_the_curve_is_alone(lesson):
    window = lesson
    QTest.keyClick(window, KEYS.Key_F12)
    give_size(window, 1280, 720)
    press(window, "labNext")
    plot = window.training.plots.accuracy_plot
    assert plot.isVisible()
    window.banner.show_text("The run was saved as ~/Documents/network.safetensors.", "good")
    QApplication.processEvents()
    assert not rect_in(window.banner, window).intersects(rect_in(plot, window))
