"""The picture of the network in the real window."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.network.parameters import views
from tests.core.inspection.numpy_network import forward
from tests.gui.hand import draw
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import part
from tests.limits import LONG


@pytest.fixture
def page(trained, window, qtbot):
    draw(part(window, "canvas"), "3")
    page = open_page(trained, "networkPage")
    wait_for_columns(page, qtbot, 2)
    return page


def wait_for_columns(page, qtbot, count):
    """Until the stage shows an input in so many layers."""

    def is_shown():
        content = page.stage.picture.content
        return content is not None and content.input is not None and len(content.columns) == count

    qtbot.waitUntil(is_shown, timeout=LONG)


def choose(page, layer, unit):
    """Choose a unit that the stage shows, by its place."""
    column = page.stage.picture.content.columns[layer]
    page.stage.choose(layer, column.shown.index(unit))


def outputs(tab):
    return forward(tab._model, tab.input.input()[0][None] / 255)


def test_the_answer_is_that_of_numpy(page, trained):
    scores = outputs(trained)[-1][0]
    shares = np.exp((scores - scores.max()) / trained._model.temperature)
    found = page.stage.picture.content.answers
    np.testing.assert_allclose(found, shares / shares.sum(), rtol=1e-3, atol=1e-4)


def test_a_click_on_a_unit_shows_everything_about_it(page, trained, window, qtbot):
    index = page.stage.picture.content.columns[0].shown.index(9)
    place = page.stage.picture.layout.blocks[0].tiles[index].center()
    QTest.mouseClick(page.stage, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: "unit 9" in page.details.heading.text(), timeout=LONG)
    assert page.details.isVisible()
    model = trained._model
    weights = views(model.network, model.parameters)[0].weights[:, 9]
    assert np.array_equal(page.details.weights.values.ravel(), weights)
    assert "Strongest inputs: pixel" in page.details.connections.text()
    qtbot.waitUntil(lambda: len(page.details.examples.values) > 0, timeout=LONG)
    images = window.dataset_cache.get_if_loaded("mnist").test.inputs
    excited = forward(model, images / 255)[0][:, 9]
    best = np.sort(excited)[::-1][: len(page.details.excitement.indices)]
    np.testing.assert_allclose(excited[page.details.excitement.indices], best, rtol=1e-4)
    made = page.details.ascent.values
    assert made.shape == (1, 28, 28)
    assert (made.ravel() @ weights) > (images.reshape(200, -1) / 255 @ weights).mean()
    QTest.mouseClick(
        page.details.examples,
        Qt.MouseButton.LeftButton,
        pos=page.details.examples.places().area(0).center(),
    )
    assert trained.input.number.value() == page.details.excitement.indices[0]


def test_the_connections_of_a_chosen_unit_are_told_in_words(page, qtbot):
    choose(page, 0, 1)
    qtbot.waitUntil(lambda: "unit 1" in page.details.heading.text(), timeout=LONG)
    assert "It contributes most to: class" in page.details.connections.text()


def test_a_convolutional_network_shows_its_maps(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    page = open_page(inside, "networkPage")
    wait_for_columns(page, qtbot, 6)
    choose(page, 0, 3)
    qtbot.waitUntil(lambda: "map 3" in page.details.heading.text(), timeout=LONG)
    assert page.details.weights.values.shape == (1, 5, 5)
    # The data are read, so that the images that excite it can be found.
    qtbot.waitUntil(lambda: len(page.details.examples.values) > 0, timeout=LONG)


def test_another_network_forgets_the_chosen_unit(page, trained, window, qtbot):
    choose(page, 0, 31)
    qtbot.waitUntil(lambda: "unit 31" in page.details.heading.text(), timeout=LONG)
    window.model_selector.choose("built-in")
    wait_for_columns(page, qtbot, 6)
    qtbot.waitUntil(lambda: not page.details.isVisible(), timeout=LONG)
    choose_example(trained, qtbot, 3)
    qtbot.waitUntil(lambda: "3" in trained.input.answer.text(), timeout=LONG)


def test_a_dead_network_has_no_answer(page, trained, qtbot):
    model = trained._model
    dead = replace(model, parameters=np.zeros_like(model.parameters))
    trained.show_model(dead)
    qtbot.waitUntil(lambda: page.stage.answers.answer.sentence == "no idea", timeout=LONG)
