"""Numbers of several digits in the window: boxes, label, wide canvas, photographs."""

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication

from core.inference.engine import Engine
from core.inference.model_file import bundled_model
from gui.drawing.canvas_painting import has_room
from gui.drawing.document import SIDE, WIDE, Dot, Drawing, Stroke
from gui.drawing.panel import DrawingPanel
from tests.core.reading.test_reader import painted, written
from tests.limits import LONG


@pytest.fixture
def panel(qtbot):
    panel = DrawingPanel(bundled_model())
    qtbot.addWidget(panel)
    panel.resize(1248, 356)
    panel.show()
    return panel


def write(panel, text, **places):
    strokes, _ = written(text, height=150, gap=0.1, **places)
    drawn = tuple(Stroke(tuple(Dot(x, y, 20) for x, y in stroke.points)) for stroke in strokes)
    panel._document.change("number", Drawing(strokes=drawn, width=panel._document.width))


def wait_for(qtbot, panel, text):
    qtbot.waitUntil(lambda: panel.stage.answers.answer.name == text, timeout=LONG)


def test_a_number_is_shown_with_boxes_and_can_be_copied(panel, qtbot):
    write(panel, "207")
    wait_for(qtbot, panel, "207")
    assert [digit.caption[0] for digit in panel.canvas.digits] == ["2", "0", "7"]
    # In a thick frame.
    (least,) = (digit.caption[0] for digit in panel.canvas.digits if digit.line_width > 1)
    assert least in "207"
    lefts = [digit.box.left() for digit in panel.canvas.digits]
    assert lefts == sorted(lefts)
    panel.copy_action.trigger()
    assert QGuiApplication.clipboard().text() == "207"
    write(panel, "3")
    wait_for(qtbot, panel, "3")
    assert not panel.canvas.digits


def test_the_wide_canvas_keeps_the_strokes_and_can_be_undone(panel, qtbot):
    changed = []
    panel.wide_changed.connect(changed.append)
    write(panel, "17")
    wait_for(qtbot, panel, "17")
    panel.tools.wideBox.click()
    assert panel._document.ink.pixels().shape == (SIDE, WIDE)
    qtbot.waitUntil(lambda: abs(panel.canvas.width() - 2 * panel.canvas.height()) <= 1)
    write(panel, "2073540", left=60)
    wait_for(qtbot, panel, "2073540")
    panel.tools.wideBox.click()
    assert panel._document.ink.pixels().shape == (SIDE, SIDE)
    wait_for(qtbot, panel, "2073540")
    panel.undo_action.trigger()
    assert panel.tools.wideBox.isChecked()
    panel.tools.clearButton.click()
    assert panel._document.ink.pixels().shape == (SIDE, WIDE)
    assert changed == [True, False, True]


def test_several_digits_on_the_square_canvas_offer_the_wide_one(panel, qtbot):
    write(panel, "3")
    wait_for(qtbot, panel, "3")
    assert not panel.wideLink.isVisible()
    write(panel, "17")
    wait_for(qtbot, panel, "17")
    assert panel.wideLink.isVisible()
    qtbot.mouseClick(panel.wideLink, Qt.MouseButton.LeftButton)
    assert panel._document.width == WIDE
    assert not panel.wideLink.isVisible()
    wait_for(qtbot, panel, "17")
    assert not panel.wideLink.isVisible()


def test_a_photograph_is_read_in_the_background(panel, qtbot, tmp_path):
    strokes, _ = written("40", height=150)
    ink = painted(strokes, width=600)
    light = np.linspace(240, 110, 600)
    Image.fromarray((light * (1 - 0.8 * ink)).astype(np.uint8)).save(tmp_path / "photo.png")
    panel.pictures.open_image(tmp_path / "photo.png")
    assert panel._document.is_empty
    wait_for(qtbot, panel, "40")
    assert panel.undo_stack.undoText() == "open image"


def test_a_photograph_without_ink_is_reported(panel, qtbot, tmp_path):
    light = np.broadcast_to(np.linspace(240, 110, 600), (400, 600))
    Image.fromarray(light.astype(np.uint8)).save(tmp_path / "photo.png")
    with qtbot.waitSignal(panel.status, timeout=LONG) as status:
        panel.pictures.open_image(tmp_path / "photo.png")
    assert "is empty" in status.args[0]
    assert panel._document.is_empty


def test_a_narrow_digit_has_its_percentage_where_its_neighbor_is_far(panel):
    canvas = panel.canvas
    caption = "1 99 %"
    width = canvas.fontMetrics().horizontalAdvance(caption)
    one, far, near = (QRectF(left, 0, 10, 50) for left in (0, 2 * width, width / 2))
    assert has_room(canvas.fontMetrics(), caption, one, [one, far])
    assert not has_room(canvas.fontMetrics(), caption, one, [one, near])


def test_a_stroke_is_computed_once_for_the_answer_and_the_picture(panel, qtbot, monkeypatch):
    qtbot.waitUntil(lambda: not panel.stage.renderer.is_waiting, timeout=LONG)
    passes = []
    compute = Engine.outputs

    def counted(engine, inputs):
        passes.append(engine.model is panel._model)
        return compute(engine, inputs)

    monkeypatch.setattr(Engine, "outputs", counted)
    readings = []
    panel._recognizer.recognized.connect(readings.append)
    write(panel, "3")
    wait_for(qtbot, panel, "3")
    qtbot.waitUntil(lambda: panel.stage.picture.content.input is not None, timeout=LONG)
    assert sum(passes) == len(readings)
    assert np.array_equal(panel.stage.picture.content.input, readings[-1].image / np.float32(255))
