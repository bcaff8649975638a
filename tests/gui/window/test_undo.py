"""Ctrl+Z takes back what was done last, wherever the focus is: on the canvas or the stage."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.hand import draw
from tests.gui.person import ended, part, train_for_long
from tests.limits import LONG

CTRL = Qt.KeyboardModifier.ControlModifier


def activate(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=LONG)


def press(window, modifiers=CTRL):
    """Ctrl+Z, or with further modifiers, where the focus is."""
    widget = window.focusWidget() or window
    QTest.keyClick(widget, Qt.Key.Key_Z, modifiers)


def text(window):
    return window.drawing.yours.edits.network.text


def remove_first_layer(window):
    part(window, "yoursWords").setFocus()  # as Tab does
    chip = window.drawing.yours.chips[0]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Delete)


def test_a_layer_that_was_removed_after_a_stroke_comes_back_first(window, qtbot):
    activate(window, qtbot)
    draw(window.drawing.canvas, "1")
    drawn = window.drawing.canvas.document.drawing
    before = text(window)
    remove_first_layer(window)
    removed = text(window)
    assert removed != before
    assert window.drawing.undo_action.text() == "&Undo remove layer"
    part(window, "trainButton").setFocus()
    press(window)
    assert text(window) == before
    assert window.drawing.canvas.document.drawing == drawn
    assert window.drawing.undo_action.text() == "&Undo stroke"
    assert window.drawing.redo_action.text() == "&Redo remove layer"
    press(window)
    assert window.drawing.canvas.document.is_empty
    press(window, CTRL | Qt.KeyboardModifier.ShiftModifier)
    press(window, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert window.drawing.canvas.document.drawing == drawn
    assert text(window) == removed


def test_during_a_run_the_network_stays(window, qtbot):
    activate(window, qtbot)
    before = part(window, "networkEdit").text()
    remove_first_layer(window)
    removed = part(window, "networkEdit").text()
    assert removed != before
    train_for_long(window, qtbot)
    activate(window, qtbot)
    assert not window.drawing.undo_action.isEnabled()
    draw(window.drawing.canvas, "1")
    press(window)
    assert window.drawing.canvas.document.is_empty
    press(window)
    assert part(window, "networkEdit").text() == removed
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    press(window)
    assert part(window, "networkEdit").text() == before


def test_the_keys_work_in_presenter_mode(window, qtbot):
    activate(window, qtbot)
    window.presenter.trigger()
    draw(window.drawing.canvas, "1")
    press(window)
    assert window.drawing.canvas.document.is_empty
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Y, CTRL)
    assert not window.drawing.canvas.document.is_empty
    window.presenter.trigger()
