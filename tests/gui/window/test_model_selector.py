"""Which network reads the canvas when networks that read no drawings come between."""

import pytest

from core.inference.model_file import bundled_model
from core.runs.folder import Label, write_label
from core.runs.library import RunLibrary, saved_runs
from gui.window.main_window import MainWindow
from tests.gui.hand import draw
from tests.gui.person import choose, choose_simple_run, ended, part, train_for_long
from tests.limits import LONG


def learn_rastrigin(window, qtbot):
    choose(part(window, "presetBox"), "coursework")
    window.settings.data.side_box.setValue(30)
    window.settings.fields["group"].editor.setValue(1)
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    assert "cannot read drawings" in window.drawing.stage.accessibleDescription()
    qtbot.waitUntil(ended(window), timeout=LONG)


def awake(window, qtbot):
    qtbot.waitUntil(lambda: window.saving.model is not None, timeout=LONG)


def reads(window, qtbot, digit):
    """A drawn digit is read as what it is."""
    part(window, "clearButton").click()
    draw(part(window, "canvas"), digit)
    qtbot.waitUntil(
        lambda: window.drawing.stage.accessibleDescription().startswith(digit), timeout=LONG
    )


def test_after_a_regression_its_surface_is_in_the_canvas_s_place_until_digits_are_chosen(
    window, qtbot
):
    awake(window, qtbot)
    learn_rastrigin(window, qtbot)
    assert part(window, "surfaceField").isVisible()
    assert not part(window, "canvas").isVisible()
    assert window.drawing.read_by.name == "Last run"
    choose(part(window, "datasetBox"), "builtin")
    reads(window, qtbot, "7")
    choose(part(window, "datasetBox"), "rastrigin")
    assert part(window, "surfaceField").isVisible()
    choose(part(window, "presetBox"), "default")
    reads(window, qtbot, "3")


def test_after_a_regression_another_network_can_be_chosen_to_draw_and_the_newest_again(
    window, qtbot
):
    awake(window, qtbot)
    learn_rastrigin(window, qtbot)
    pick(window, BUILT_IN)
    reads(window, qtbot, "7")
    pick(window, "Last run")
    assert part(window, "surfaceField").isVisible()
    assert not any(row.reads for row in window.drawing.read_by.rows)
    pick(window, BUILT_IN)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert part(window, "surfaceField").isVisible()


def test_the_model_from_before_a_regression_classifies_drawings_after_it(window, qtbot):
    awake(window, qtbot)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    # It learned bars, so it reads a drawing otherwise than the model that comes with the program.
    learned = window.saving.model
    learn_rastrigin(window, qtbot)
    choose_simple_run(window)
    assert window.drawing._model is learned


@pytest.mark.parametrize("data", ["builtin", "rastrigin"])
def test_after_a_regression_the_next_start_reads_drawings_where_digits_are_chosen(
    window, qtbot, data
):
    learn_rastrigin(window, qtbot)
    choose(part(window, "datasetBox"), data)
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    awake(again, qtbot)
    # What would be saved is what was learned last.
    assert again.saving.model.kind == "regression"
    if data == "rastrigin":
        assert part(again, "surfaceField").isVisible()
        choose(part(again, "datasetBox"), "builtin")
    reads(again, qtbot, "7")


def test_an_opened_regression_leaves_the_canvas_to_the_network_before_it(window, qtbot):
    awake(window, qtbot)
    learn_rastrigin(window, qtbot)
    path = saved_runs()[0].model_path
    window.files.opened.emit(bundled_model(), None)
    assert part(window, "canvas").isEnabled()
    choose_simple_run(window)
    window.files.open_path(path)
    reads(window, qtbot, "7")


BUILT_IN = "came with DigitLab"


def model_names(window):
    return [reader.name for reader in window.drawing.read_by.readers]


def pick(window, name):
    """Choose this network in its row, or in the list of those that have none."""
    read_by = window.drawing.read_by
    shown = {row.reader.name: row for row in read_by.rows if row.isVisible()}
    if name in shown:
        shown[name].click()
        return
    read_by.menu.aboutToShow.emit()
    (action,) = [action for action in read_by.menu.actions() if action.text() == name]
    action.trigger()


def test_the_moment_of_a_replay_is_named_and_ends_where_nobody_sees_its_slider(window, qtbot):
    awake(window, qtbot)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: window.training.plots.replay.can_replay, timeout=LONG)
    last = window.drawing._model.parameters
    window.training.plots.replay.slider.setValue(0)
    assert window.drawing.read_by.name == "Last run, at the start"
    window.training.plots.replay.slider.setValue(1)
    assert window.drawing.read_by.name == "Last run, after epoch 1"
    window.tabs.setCurrentWidget(window.results)
    assert window.drawing.read_by.name == "Last run, after epoch 1"
    window.tabs.setCurrentWidget(window.compare)
    assert window.drawing.read_by.name == "Last run"
    assert (window.drawing._model.parameters == last).all()


def test_the_network_that_reads_is_named_and_can_be_chosen(window, qtbot, tmp_path):
    awake(window, qtbot)
    assert window.drawing.read_by.name == "came with DigitLab"
    assert model_names(window) == [BUILT_IN]
    train_for_long(window, qtbot)
    qtbot.waitUntil(lambda: window.drawing.read_by.name == "Network in training", timeout=LONG)
    pick(window, "came with DigitLab")
    reads(window, qtbot, "7")  # and not with the network in training, which knows bars only
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    assert window.drawing.read_by.name == "came with DigitLab"
    pick(window, "Last run")
    assert window.drawing._model is window.saving.model
    bundled_model().save(tmp_path / "other.safetensors")
    window.files.open_path(tmp_path / "other.safetensors")
    assert window.drawing.read_by.name == "other.safetensors"
    assert model_names(window) == [BUILT_IN, "Last run", "other.safetensors"]


def test_the_network_of_a_run_is_named_after_the_run(window, qtbot):
    awake(window, qtbot)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: window.status.newest is not None, timeout=LONG)
    qtbot.waitUntil(ended(window), timeout=LONG)
    (entry,) = RunLibrary().entries()
    window.compare.commands.open_asked.emit(entry)
    assert window.drawing.read_by.name == "SGD 0.1, 32 units"
    write_label(entry.path, Label("bars"))
    window.opening.open(entry.path)
    assert window.drawing.read_by.name == "bars"
    assert "bars reads your drawings now" in window.banner.text.text()
    assert model_names(window) == [BUILT_IN, "Last run", "bars"]


def test_a_run_that_was_stopped_after_a_step_does_not_read_at_the_next_start(window, qtbot):
    awake(window, qtbot)
    part(window, "stepButton").click()
    qtbot.waitUntil(lambda: window.status.newest is not None, timeout=LONG)
    window.close()
    again = MainWindow()
    qtbot.addWidget(again)
    again.show()
    awake(again, qtbot)
    assert again.drawing.read_by.name == "came with DigitLab"
    reads(again, qtbot, "3")
