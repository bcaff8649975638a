"""What keeps a run from beginning is told beside the button, which leads to the field."""

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.person import choose, ended, part
from tests.limits import LONG

READY = "Train with these settings (F5); then you can pause, go step by step or stop."


def note(window):
    """The sentence above the Train button, or nothing."""
    button = window.controls.obstacle_button
    return button.accessibleName() if button.isVisible() else ""


def inside(window, widget):
    """Whether all of the widget is in sight in the settings."""
    return widget.visibleRegion().boundingRect() == widget.rect()


def settings_in_sight(window, qtbot):
    window.resize(1000, 520)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("l1", "abc", "L1 regularization abc: must be a number."),
        ("l2", "-1", "L2"),
        ("target_error", "x", "Target error"),
    ],
)
def test_an_invalid_field_out_of_sight_is_named_at_the_button_that_scrolls_to_it(
    window, qtbot, name, typed, words
):
    settings_in_sight(window, qtbot)
    editor = window.settings.fields[name].editor
    editor.setText(typed)
    assert editor.isVisible()  # its page opens
    window.page.band.close_page()
    assert not part(window, "trainButton").isEnabled()
    assert note(window).startswith(words)
    assert (
        part(window, "trainButton").toolTip()
        == part(window, "stepButton").toolTip()
        == note(window)
    )
    assert not editor.isVisible() or not inside(window, editor)
    window.controls.obstacle_button.setFocus()
    QTest.keyClick(window.controls.obstacle_button, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: editor.isVisible() and inside(window, editor))
    assert window.focusWidget() is editor
    editor.setText("0.1")
    assert part(window, "trainButton").isEnabled()
    assert note(window) == ""
    assert part(window, "trainButton").toolTip() == READY


def test_an_invalid_network_is_named_at_the_button_that_scrolls_to_it(window, qtbot):
    settings_in_sight(window, qtbot)
    part(window, "networkEdit").setText("784--10")
    assert note(window).startswith("Network: There is a layer missing")
    QTest.mouseClick(window.controls.obstacle_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: inside(window, part(window, "networkEdit")))
    assert window.focusWidget() is part(window, "networkEdit")


def test_settings_that_need_each_other_are_named_at_the_button(window):
    window.settings.fields["workers"].editor.setValue(3)
    assert "Batches per update" in note(window)
    window.settings.fields["group"].editor.setValue(3)
    assert note(window) == ""


def test_missing_data_are_named_at_the_button(window, qtbot, small_mnist):
    choose(part(window, "datasetBox"), "fashion")
    assert note(window) == part(window, "trainButton").toolTip()
    assert note(window).startswith("Fashion-MNIST is not on this machine yet")
    window.controls.obstacle_button.click()
    assert window.focusWidget() is part(window, "datasetBox")
    shutil.copytree(small_mnist, small_mnist.parent / "fashion")
    window.settings.data.refresh()
    window.settings.data.changed.emit()
    assert note(window) == ""


def test_augmentation_amounts_do_not_disable_train_for_points(window):
    window.settings.fields["shift"].editor.setText("1000000")
    choose(part(window, "datasetBox"), "rastrigin")
    assert note(window) == ""
    assert window.settings.plan.settings.shift == 0
    choose(part(window, "datasetBox"), "mnist")
    assert note(window).startswith("Shift")


def test_a_wrong_rate_typed_during_a_run_is_reported_after_the_run(window, qtbot):
    part(window, "epochsBox").setValue(100_000)
    part(window, "trainButton").click()
    part(window, "learningRateEdit").setText("abc")
    assert note(window) == ""
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert note(window).startswith("Learning rate abc")


def test_a_group_that_does_not_fit_into_memory_is_reported_while_typing(window, install_memory):
    install_memory(32 * 10**9)
    part(window, "networkEdit").setText("784-4000-4000-10")
    assert part(window, "trainButton").isEnabled()
    window.settings.fields["group"].editor.setValue(4000)
    assert not part(window, "trainButton").isEnabled()
    assert note(window).startswith("Batches per update 4,000: training would need")


def test_a_very_long_sentence_leaves_room_for_the_settings(window):
    part(window, "learningRateEdit").setText("x" * 3000)
    assert len(window.controls.obstacle_button.label.text()) < 200
