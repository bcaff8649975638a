"""The picture of the network in the real window."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest

from core.network.parameters import views
from gui.inside.network_page import lay_out
from tests.core.inspection.numpy_network import forward
from tests.gui.hand import draw
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import LONG, part


def test_tiles_fill_their_blocks_without_overlap():
    area = QRectF(0, 0, 700, 250)
    blocks = lay_out(((28, 28, 1), (28, 28, 12), (7, 7, 32), (128,), (10,)), area)
    for left, right in pairwise(blocks):
        assert left.area.right() < right.area.left()
    for block in blocks:
        for index in range(block.count):
            tile = block.tiles[index]
            assert block.area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(tile)
            assert block.index_at(tile.center()) == index
    assert blocks[0].side > 100
    point = blocks[1].point((3 * 28 + 5) * 12 + 7)  # row 3, column 5 of map 7
    assert blocks[1].index_at(point) == 7
    assert blocks[3].point(100) == blocks[3].tiles[100].center()


@pytest.fixture
def page(trained, window, qtbot):
    draw(part(window, "canvas"), "3")
    page = open_page(trained, "networkPage")
    qtbot.waitUntil(lambda: len(page.picture.blocks) == 3, timeout=LONG)
    return page


def outputs(tab):
    return forward(tab._model, tab.input.input()[0][None] / 255)


def test_values_and_connections_are_those_of_numpy(page, trained):
    wanted = outputs(trained)
    for found, value in zip(page.picture.values[1:], wanted, strict=True):
        np.testing.assert_allclose(found, value[0], rtol=1e-3, atol=1e-3)
    model = trained._model
    weights = views(model.network, model.parameters)[1].weights
    products = wanted[0][0][:, None] * weights
    connections = page.picture.connections[1]
    top = np.sort(np.abs(products).ravel())[::-1][: len(connections.sources)]
    np.testing.assert_allclose(np.abs(connections.contributions), top, rtol=1e-3, atol=1e-4)


def test_a_click_on_a_unit_shows_everything_about_it(page, trained, window, qtbot):
    place = page.picture.blocks[1].tiles[9].center()
    QTest.mouseClick(page.picture, Qt.MouseButton.LeftButton, pos=place.toPoint())
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
        page.details.examples, Qt.MouseButton.LeftButton, pos=page.details.examples.area(0).center()
    )
    assert trained.input.number.value() == page.details.excitement.indices[0]


def test_the_arrow_keys_move_from_unit_to_unit_and_from_layer_to_layer(page, qtbot):
    QTest.keyClick(page.picture, Qt.Key.Key_Down)
    assert page.picture.selected == (1, 0)
    QTest.keyClick(page.picture, Qt.Key.Key_Down)
    QTest.keyClick(page.picture, Qt.Key.Key_Left)
    assert page.picture.selected == (0, 1)
    qtbot.waitUntil(lambda: "unit 1" in page.details.heading.text(), timeout=LONG)
    assert "It contributes most to: class" in page.details.connections.text()
    incoming = page.picture.connections[0]
    assert set(incoming.targets) == {1}
    assert set(page.picture.connections[1].sources) == {1}


def test_a_convolutional_network_shows_its_maps(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    page = open_page(inside, "networkPage")
    qtbot.waitUntil(lambda: len(page.picture.blocks) > 5, timeout=LONG)
    assert page.picture.connections[0] is None
    page.picture.select(0, 3)
    qtbot.waitUntil(lambda: "map 3" in page.details.heading.text(), timeout=LONG)
    assert page.details.weights.values.shape == (1, 5, 5)
    # The data are read, so that the images that excite it can be found.
    qtbot.waitUntil(lambda: len(page.details.examples.values) > 0, timeout=LONG)
    picture = page.picture.grab().toImage()
    block = page.picture.blocks[0]
    seen = {picture.pixel(block.tiles[0].topLeft().toPoint() + QPoint(2 * k, 2 * k)) for k in range(50)}
    assert len(seen) > 2  # the drawing


def test_another_network_forgets_the_chosen_unit(page, trained, window, qtbot):
    page.picture.select(0, 31)
    qtbot.waitUntil(lambda: "unit 31" in page.details.heading.text(), timeout=LONG)
    window.model_selector.choose("built-in")
    qtbot.waitUntil(lambda: len(page.picture.blocks) > 5, timeout=LONG)
    assert page.picture.selected is None
    assert not page.details.isVisible()
    choose_example(trained, qtbot, 3)
    qtbot.waitUntil(lambda: "3" in trained.input.answer.text(), timeout=LONG)


def test_a_dead_network_has_no_answer_and_no_map(page, trained, qtbot):
    model = trained._model
    dead = replace(model, parameters=np.zeros_like(model.parameters))
    trained.show_model(dead)
    picture = page.picture
    qtbot.waitUntil(lambda: bool(picture.values) and not picture.values[-1].any(), timeout=LONG)
    assert page.picture._answer_text(np.zeros(10)) == "no idea yet"
    assert page.picture._answer_text(np.array([9.0, *[0.0] * 9])) == f"answer: {model.classes[0]}"
    plan = open_page(trained, "mapPage")
    qtbot.waitUntil(lambda: "same outputs for all test images" in plan.shares.text(), timeout=LONG)
    assert not plan.plot.isVisible()
