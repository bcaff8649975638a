"""The Inside tab in the real window: activations and weights."""

import time

import numpy as np
import pytest
from PySide6.QtCore import Qt, QThread
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.network.parameters import views
from gui.widgets.theme import theme
from tests.core.inspection.numpy_network import forward
from tests.gui.hand import drag, draw
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import choose, ended, part, train_for_long
from tests.limits import LONG


def wanted(inside, image):
    """The outputs of all layers for an image of bytes, by NumPy, as the page shows them."""
    outputs = forward(inside._model, image[None] / 255)
    return [y[0].reshape(-1, 1, 1) if y.ndim == 2 else np.moveaxis(y[0], 2, 0) for y in outputs]


class Follows:
    """Whether the page shows the outputs for the present image, which changes while a stroke is
    drawn.
    """

    def __init__(self, inside):
        self.inside, self.image, self.outputs = inside, None, None

    def __call__(self):
        image = self.inside.input.input()[0]
        if image is None:
            return False
        if not np.array_equal(image, self.image):
            self.image, self.outputs = image.copy(), wanted(self.inside, image)
        return shows(self.inside.page, self.outputs)


def shows(page, arrays):
    return len(page.grids) == len(arrays) and all(
        row.values.shape == array.shape and np.allclose(row.values, array, rtol=1e-3, atol=1e-3)
        for row, array in zip(page.grids, arrays, strict=True)
    )


def test_without_a_drawing_the_tab_says_what_to_do(inside):
    assert inside.message.isVisible()
    assert "Draw" in inside.message.text()
    assert inside.explanation.text()


def test_every_map_follows_the_drawing(inside, window, qtbot):
    follows = Follows(inside)
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(follows, timeout=LONG)
    assert not inside.message.isVisible()
    before = follows.image
    drag(part(window, "canvas"), ((0.3, 0.2), (0.7, 0.3)))
    qtbot.waitUntil(lambda: not np.array_equal(inside.input.input()[0], before), timeout=LONG)
    qtbot.waitUntil(follows, timeout=LONG)
    row = inside.page.grids[0]
    assert row.legend._bound == pytest.approx(follows.outputs[0].max(), rel=1e-3)
    part(window, "clearButton").click()
    qtbot.waitUntil(inside.message.isVisible, timeout=LONG)


def test_a_test_example_is_shown_with_its_label(trained, qtbot, window):
    choose_example(trained, qtbot, 17)
    image, label = trained.input.input()
    assert label == 7
    assert "7" in trained.input.answer.text()
    qtbot.waitUntil(lambda: shows(trained.page, wanted(trained, image)), timeout=LONG)
    grid = trained.page.grids[-1]
    assert list(grid.captions) == list(window.dataset_cache.get_if_loaded("mnist").classes)
    text = grid._text(3, 0, 0)
    assert text.startswith("class 3: ")


def test_the_arrow_keys_move_between_the_units(trained, qtbot):
    choose_example(trained, qtbot, 0)
    qtbot.waitUntil(
        lambda: shows(trained.page, wanted(trained, trained.input.input()[0])), timeout=LONG
    )
    grid = trained.page.grids[0]
    with qtbot.waitSignal(grid.chosen):
        QTest.keyClick(grid, Qt.Key.Key_Right)
    QTest.keyClick(grid, Qt.Key.Key_Right)
    assert grid.current == 1
    with qtbot.waitSignal(grid.chosen):
        QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.places().area(5).center())
    assert grid.current == 5


def test_the_shown_network_is_the_one_that_reads_the_drawing(trained, window, qtbot):
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: len(trained.page.grids) == 2, timeout=LONG)
    window.model_selector.choose("built-in")
    qtbot.waitUntil(lambda: len(trained.page.grids) > 2, timeout=LONG)


def test_the_maps_follow_the_network_while_it_learns(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    train_for_long(window, qtbot)
    qtbot.waitUntil(lambda: len(inside.page.grids) == 2, timeout=LONG)
    before = inside.page.grids[0].values
    qtbot.waitUntil(lambda: not np.array_equal(inside.page.grids[0].values, before), timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    image = inside.input.input()[0]
    qtbot.waitUntil(lambda: shows(inside.page, wanted(inside, image)), timeout=LONG)


def test_nothing_is_computed_while_the_tab_is_out_of_sight(inside, window, qtbot, monkeypatch):
    window.tabs.setCurrentWidget(window.page)
    started = []
    with monkeypatch.context() as patched:
        patched.setattr(inside._live, "start_latest", lambda *task: started.append(task))
        draw(part(window, "canvas"), "3")
        part(window, "trainButton").click()
        qtbot.waitUntil(ended(window), timeout=LONG)
        QApplication.sendPostedEvents()
    assert started == []


def test_the_weights_of_each_unit_are_an_image_and_the_slider_goes_back_to_the_start(
    trained, qtbot
):
    page = open_page(trained, "weightsPage")
    qtbot.waitUntil(lambda: len(page.grid.values) == 32, timeout=LONG)
    assert not trained.input.box.isVisible()
    model = trained._model
    now = views(model.network, model.parameters)[0].weights
    assert np.array_equal(page.grid.values[4].ravel(), now[:, 4])
    assert page.slider.maximum() == 2  # the start and two epochs
    page.slider.setValue(0)
    assert page.moment_label.text() == "start"
    rng = np.random.default_rng([model.run_settings["seed"], 0])
    start = (rng.standard_normal((784, 32)) * np.sqrt(2 / 784)).astype(np.float32)
    assert np.array_equal(page.grid.values[4].ravel(), start[:, 4])
    bound = page.grid.bound
    assert bound == pytest.approx(np.abs(now).max())
    page.slider.setValue(2)
    page.change_box.setChecked(True)
    assert np.allclose(page.grid.values[4].ravel(), now[:, 4] - start[:, 4])
    page.layer_box.setCurrentIndex(1)
    assert len(page.grid.values) == 10


def test_a_regression_shows_its_units(inside, window, qtbot):
    choose(part(window, "presetBox"), "coursework")
    window.settings.data.side_box.setValue(30)
    part(window, "epochsBox").setValue(1)
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    qtbot.waitUntil(lambda: inside._model.kind == "regression", timeout=LONG)
    qtbot.waitUntil(lambda: len(inside.page.grids) == 3, timeout=LONG)
    assert "value" in inside.input.answer.text()


def test_closing_during_a_computation_leaves_no_thread(inside, window, qtbot, monkeypatch):
    def endless(subject):
        def compute(engine, check):
            while True:
                check()
                time.sleep(0.001)

        return compute

    monkeypatch.setattr(inside.page, "computation", endless)
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: inside._live.busy, timeout=LONG)
    window.close()
    assert not inside._live.busy
    assert not [thread for thread in window.findChildren(QThread) if thread.isRunning()]


def test_the_pictures_follow_the_theme(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: bool(inside.page.grids), timeout=LONG)
    corners = []
    for scheme in ("light", "dark"):
        theme().choose(scheme)
        grid = inside.page.grids[0]
        corners.append(
            grid.grab().toImage().pixelColor(grid.places().area(0).topLeft()).lightness()
        )
    assert corners[0] > 200 > 100 > corners[1]


def test_another_network_chosen_for_the_canvas_stays_while_one_learns(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    train_for_long(window, qtbot)
    qtbot.waitUntil(lambda: len(inside.page.grids) == 2, timeout=LONG)
    window.model_selector.choose("built-in")
    qtbot.waitUntil(lambda: len(inside.page.grids) > 2, timeout=LONG)
    for _ in range(3):
        with qtbot.waitSignal(window.session.snapshot, timeout=LONG):
            pass
    assert len(inside._model.network.layers) > 2


def test_all_titles_can_be_read_in_a_narrow_window(inside, window, qtbot):
    chooser = inside.chooser
    chooser.setFixedWidth(400)  # a person sees this at a large text size
    qtbot.waitUntil(lambda: chooser.width() < chooser.sizeHint().width(), timeout=LONG)
    for index in range(chooser.count()):
        chooser.setCurrentIndex(index)
        room = chooser.tabRect(index).width()
        assert room >= chooser.fontMetrics().horizontalAdvance(chooser.tabText(index)) + 10
        assert chooser.rect().contains(chooser.tabRect(index).center())
