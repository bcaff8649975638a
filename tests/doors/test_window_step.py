"""One training step, seen slowly by keys and mouse: the numbers are those of the training."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.inference.engine import Engine
from core.inspection.one_step import OneStep
from gui.stage.wires import lit_wires
from gui.steps.blocks import BACK, CHANGE, ERROR, FORWARD
from gui.text import count, fixed, number, probability
from gui.training.session import State
from gui.widgets.theme import theme
from gui.window.main_window import MainWindow
from tests.doors.test_window_ask import said
from tests.doors.test_window_stage import LEFT, open_and_draw
from tests.gui.person import part
from tests.limits import LONG

KEYS = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


def press(key, modifier=Qt.KeyboardModifier.NoModifier):
    """Press a key where the focus is."""
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


def step(window, qtbot, key=KEYS.Key_F7):
    """Make a step by a key, and wait until it is seen; returns it."""
    page = window.page.step
    before = page.looked and page.looked.step
    QTest.keyClick(QApplication.focusWidget() or window, key)
    qtbot.waitUntil(
        lambda: page.looked is not None and page.looked.step is not before, timeout=LONG
    )
    return page.looked.step


def newest_step(window):
    newest = window.status.newest
    return 0 if newest is None else newest.step


def test_a_step_before_any_training_is_seen_at_four_stations(qtbot):
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    panel = open_and_draw(window, qtbot)
    page = window.page.step
    one = step(window, qtbot)
    assert isinstance(one, OneStep)
    assert page.isVisible()
    assert page.heading.text() == "Step 1, seen slowly"
    answers = one.training_answers()
    image = page.looked.image
    targets = one.seen.targets
    n = len(targets)
    assert page.station == FORWARD
    assert f"{answers.right.sum()} of the {n} are read right." in said(page.parts)
    press(KEYS.Key_Space)
    assert page.station == ERROR
    share = float(answers.of_label(targets)[image])
    assert f"The right answer has {probability(share)}." in said(page.parts)
    loss = fixed(-np.log(share), 2)
    assert f"= {loss} for this image" in said(page.parts)
    errors = panel.stage.answers.answer.errors
    assert errors == pytest.approx(answers.answers[image] - np.eye(10)[targets[image]], abs=1e-6)
    press(KEYS.Key_Space)
    assert page.station == BACK
    assert f"10 answers {number(one.layer_pulls()[-1].size, 2)}" in said(page.parts)
    assert panel.stage.picture.drawing.tone.errors
    press(KEYS.Key_Space)
    assert page.station == CHANGE
    last = len(one.before.network.layers) - 1
    change = one.change_of(last, page.weight.change.weight)
    assert f"{number(change.before)} weight" in said(page.parts)
    assert f"{number(change.after)} new weight" in said(page.parts)
    engine = Engine(one.before)
    rights = [count(int(one.answers(engine, each).right.sum())) for each in (one.before, one.after)]
    engine.close()
    assert f"read right of the {n} {rights[0]} → {rights[1]}" in said(page.parts)
    press(KEYS.Key_Left)
    assert page.station == BACK
    press(KEYS.Key_Escape)
    assert not page.isVisible()
    assert panel.canvas.isVisible()
    assert panel.stage.renderer.view is None
    assert panel.stage.picture.content.network == one.before.network


def test_units_that_dropout_left_out_of_a_step_are_crossed_out(window, qtbot):
    panel = open_and_draw(window, qtbot)
    window.activateWindow()
    part(window, "networkEdit").setText("784-32-D50-10")
    one = step(window, qtbot)
    assert one.seen.before.step == 0
    for _ in range(2):  # another step draws others
        image = window.page.step.looked.image
        units, kept = (one.seen.outputs[layer][image] for layer in (0, 1))
        column = panel.stage.picture.content.columns[0]
        dropped = {column.shown[index] for index in column.dropped}
        assert 0 < len(dropped) < 32
        for unit in column.shown:
            wanted = 0 if unit in dropped else 2 * units[unit]
            assert kept[unit] == wanted
        first = column.dropped[0]
        assert panel.stage.words_of((0, first)) == f"unit {column.shown[first] + 1}: " + (
            "left out in this step"
        )
        press(KEYS.Key_3)
        assert panel.stage.picture.content.columns[0].dropped == column.dropped
        one = step(window, qtbot)


def test_looking_at_steps_changes_no_bit_of_what_is_learned(window, qtbot):
    window.activateWindow()
    step(window, qtbot)
    step(window, qtbot, KEYS.Key_Return)
    part(window, "moreStepsButton").click()
    qtbot.waitUntil(lambda: window.page.step.looked.step.seen.after.step == 12, timeout=LONG)
    looked = window.saving.model.parameters
    part(window, "stopButton").click()
    qtbot.waitUntil(lambda: window.session.state is State.IDLE, timeout=LONG)
    assert not window.page.step.isVisible()
    for number_of in range(1, 13):
        QTest.keyClick(window, KEYS.Key_F7, SHIFT)
        qtbot.waitUntil(lambda number_of=number_of: newest_step(window) == number_of, timeout=LONG)
    assert not window.page.step.isVisible()
    assert np.array_equal(window.saving.model.parameters, looked)


def test_another_image_and_another_weight_are_taken_by_mouse_and_keys(window, qtbot):
    window.resize(1280, 720)
    page = window.page.step
    step(window, qtbot)
    grid = page.grid
    assert grid.isVisible()
    cell = grid.visualItemRect(grid.item(7)).center()
    QTest.mouseClick(grid.viewport(), LEFT, pos=cell)
    qtbot.waitUntil(lambda: page.looked.image == 7, timeout=LONG)
    press(KEYS.Key_Right)
    qtbot.waitUntil(lambda: page.looked.image == 8, timeout=LONG)
    content = window.drawing.stage.picture.content
    assert content.input == pytest.approx(page.looked.step.seen.inputs[8][..., 0])
    press(KEYS.Key_4)
    stage = window.drawing.stage
    assert page.station == CHANGE
    before = page.weight.change.weight
    links = content.links[-1]
    index = next(k for k in range(len(links.sources)) if int(links.sources[k]) != before[0])
    wire = lit_wires(stage.picture.layout, page.looked.then, len(content.columns) - 1,
                     page.looked.then.links[-1].only(index))[0]  # fmt: skip
    place: QPointF = wire.path().pointAtPercent(0.1)
    QTest.mouseClick(stage, LEFT, pos=QPoint(round(place.x()), round(place.y())))
    assert page.weight.change.weight != before
    step_of = page.looked.step.change_of(page.weight.change.layer, page.weight.change.weight)
    assert f"{number(step_of.after)} new weight" in said(page.parts)
    page.setFocus()
    taken = page.weight.change.weight
    press(KEYS.Key_Down)
    assert page.weight.change.weight != taken


def test_a_clicker_goes_through_a_step_in_presenter_mode(window, qtbot):
    window.resize(1280, 720)
    page = window.page.step
    one = step(window, qtbot)
    window.presenter.trigger()
    try:
        for station in (ERROR, BACK, CHANGE):
            press(KEYS.Key_PageDown)
            assert page.station == station
        press(KEYS.Key_PageUp)
        assert page.station == BACK
        press(KEYS.Key_PageDown)
        press(KEYS.Key_PageDown)
        qtbot.waitUntil(lambda: page.looked.step is not one, timeout=LONG)
        assert page.station == FORWARD
    finally:
        window.presenter.trigger()
    assert not theme().presenting


def test_going_on_and_another_page_give_the_drawing_back(window, qtbot):
    page = window.page.step
    step(window, qtbot)
    QTest.mouseClick(part(window, "pauseButton"), LEFT)
    assert not page.isVisible()
    assert window.drawing.canvas.isVisible()
    QTest.mouseClick(part(window, "pauseButton"), LEFT)
    step(window, qtbot)
    QTest.mouseClick(part(window, "moreButton"), LEFT)
    assert not page.isVisible()
    assert window.drawing.canvas.isVisible()


def test_a_step_of_workers_is_made_and_says_why_it_is_not_seen(window, qtbot):
    window.settings.restore(
        window.settings.plan.data, window.settings.plan.change(group="2").settings
    )
    QTest.keyClick(window, KEYS.Key_F7)
    qtbot.waitUntil(lambda: newest_step(window) == 1, timeout=LONG)
    assert "cannot be looked at" in window.banner.text.text()
    assert not window.page.step.isVisible()
