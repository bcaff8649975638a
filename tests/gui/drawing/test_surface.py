"""A regression on the stage: the surface in the canvas's place, whose cross is moved by mouse and
keys.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.data.functions import REACH, rastrigin
from core.inference.model_file import Model, bundled_model
from core.network.notation import parse
from gui.drawing.panel import DrawingPanel
from tests.limits import LONG


@pytest.fixture
def model():
    network = parse("2-16-1", (2,), 1)
    parameters = (
        np.random.default_rng(1).standard_normal(network.parameter_count).astype(np.float32)
    )
    return Model(
        network, "tanh", "squared-error", "regression", (), parameters, data="rastrigin:200"
    )


@pytest.fixture
def panel(qtbot, model):
    panel = DrawingPanel(bundled_model("dense"))
    qtbot.addWidget(panel)
    panel.resize(1248, 356)
    panel.show()
    panel.disable("This network reads no drawings.")
    panel.show_other_model(model)
    answered(qtbot, panel)
    return panel


def answered(qtbot, panel):
    qtbot.waitUntil(
        lambda: not panel.stage.is_waiting and panel.stage.answers.answer.is_value, timeout=LONG
    )


def test_the_surface_takes_the_place_of_the_canvas_and_gives_it_back(panel, qtbot):
    assert panel.surface.isVisible()
    assert not panel.canvas.isVisible()
    assert panel.surface.geometry() == panel.stage.picture.layout.canvas
    assert panel.stage.picture.content.surface.shape == (56, 56)
    panel.show_other_model(None)
    panel.disable(None)
    assert panel.canvas.isVisible()
    assert not panel.surface.isVisible()
    qtbot.waitUntil(
        lambda: panel.stage.answers.answer.sentence.startswith("Draw a digit"), timeout=LONG
    )


def test_the_answer_is_a_number_above_its_true_value(panel, qtbot):
    answer = panel.stage.answers.answer
    true = float(rastrigin(panel.surface.point[None].astype(float))[0, 0])
    assert answer.is_value
    assert answer.details == f"true: {true:.4g}"
    assert float(answer.name) == pytest.approx(
        float(panel.stage.picture.content.answers[0]), rel=1e-3
    )


def test_the_cross_is_dragged(panel, qtbot):
    side = panel.surface.width()
    QTest.mousePress(panel.surface, Qt.MouseButton.LeftButton, pos=QPoint(side // 2, side // 2))
    assert np.abs(panel.surface.point).max() < 0.1
    QTest.mouseMove(panel.surface, QPoint(side - 1, 0))
    QTest.mouseRelease(panel.surface, Qt.MouseButton.LeftButton, pos=QPoint(side - 1, 0))
    assert panel.surface.point == pytest.approx([REACH, REACH], abs=0.1)
    qtbot.waitUntil(
        lambda: bool(np.allclose(panel.stage.picture.content.input, panel.surface.point)),
        timeout=LONG,
    )


def test_the_cross_is_moved_by_keys_and_says_where_it_is(panel, qtbot):
    QTest.keyClick(panel.surface, Qt.Key.Key_Home)
    assert panel.surface.accessibleDescription() == "x 0, y 0"
    QTest.keyClick(panel.surface, Qt.Key.Key_Right)
    QTest.keyClick(panel.surface, Qt.Key.Key_Up)
    QTest.keyClick(panel.surface, Qt.Key.Key_Up)
    step = REACH / 20
    assert panel.surface.point == pytest.approx([step, 2 * step])
    QTest.keyClick(panel.surface, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert panel.surface.point == pytest.approx([0.8 * step, 2 * step])
    answered(qtbot, panel)
