"""The pages Map and Arithmetic in the real window."""

import numpy as np
import pytest

from core.network.parameters import views
from kernels.installation import install_command
from tests.core.inspection.numpy_network import forward
from tests.gui.hand import draw
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import LONG, choose, part, train_for_long


def test_the_map_shows_the_test_set_its_mistakes_and_the_drawing(trained, window, qtbot):
    page = open_page(trained, "mapPage")
    assert page.caption.text() == "computing…"
    qtbot.waitUntil(lambda: page.shown is not None, timeout=LONG)
    model, test = trained._model, window.dataset_cache.get_if_loaded("mnist").test
    outputs = forward(model, test.inputs / 255)
    values = outputs[0] - outputs[0].mean(axis=0)
    _, _, rows = np.linalg.svd(values, full_matrices=False)
    wanted = np.abs(values @ rows[:2].T)
    np.testing.assert_allclose(np.abs(np.array(page.points.getData()).T), wanted, rtol=1e-2, atol=1e-2)
    wrong = outputs[1].argmax(axis=1) != test.targets
    assert [mark == "x" for mark in page.points.data["symbol"]] == list(wrong)
    assert len(page.names) == 10
    assert all(f"&nbsp;{digit}" in page.legend.text() for digit in range(10))
    assert page.drawing.zValue() > page.names[0].zValue()  # no name hides the star
    assert "%" in page.shares.text()
    page.points.sigClicked.emit(None, [page.points.points()[17]], None)
    assert page.number_box.value() == 17
    np.testing.assert_allclose(page.image.values[0], test.inputs[17, :, :, 0] / 255, rtol=1e-5)
    assert "Test image 17: a 7" in page.caption.text()
    assert len(page.drawing.data) == 0
    shown = page.shown
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: len(page.drawing.data) == 1, timeout=LONG)
    assert page.shown is shown  # only the drawing's point was computed
    image = trained.input.input()[0]
    position = shown.projection.project(forward(model, image[None] / 255)[0][0])
    np.testing.assert_allclose(np.ravel(page.drawing.getData()), position, rtol=1e-3, atol=1e-3)
    choose(page.layer_box, 1)
    qtbot.waitUntil(lambda: page.shown.layer == 1, timeout=LONG)


def test_the_map_follows_the_network_while_it_learns(inside, window, qtbot):
    page = open_page(inside, "mapPage")
    draw(part(window, "canvas"), "3")
    train_for_long(window, qtbot)
    qtbot.waitUntil(
        lambda: page.shown is not None and len(page.shown.model.network.layers) == 2, timeout=LONG
    )
    shown = page.shown
    qtbot.waitUntil(lambda: page.shown is not shown, timeout=LONG)
    assert len(page.drawing.data) == 1
    assert not inside.message.isVisible()


def test_the_arithmetic_of_a_unit_is_shown_with_its_numbers(trained, qtbot):
    page = open_page(trained, "arithmeticPage")
    choose_example(trained, qtbot, 5)
    qtbot.waitUntil(lambda: len(page.grid.values) == 3, timeout=LONG)
    page.boxes["unit"].setValue(7)
    model, image = trained._model, trained.input.input()[0]
    y = forward(model, image[None] / 255)[0][0, 7]
    weights = views(model.network, model.parameters)[0].weights[:, 7].reshape(28, 28)
    qtbot.waitUntil(lambda: np.array_equal(page.grid.values[1], weights), timeout=LONG)
    np.testing.assert_allclose(page.grid.values[2], image[:, :, 0] / 255 * weights, rtol=1e-5)
    assert page.result.text().startswith("unit 7: sum z = ")
    shown = float(page.result.text().rstrip(".").split("= ")[-1])
    assert shown == pytest.approx(y, rel=1e-3)
    assert not page.boxes["row"].isVisible()


def test_the_arithmetic_of_a_convolution_has_a_row_and_a_column(inside, window, qtbot):
    draw(part(window, "canvas"), "3")
    page = open_page(inside, "arithmeticPage")
    qtbot.waitUntil(lambda: page.grid.values.shape == (3, 5, 5), timeout=LONG)
    assert page.boxes["row"].isVisible()
    page.boxes["row"].setValue(9)
    image = inside.input.input()[0][:, :, 0] / np.float32(255)
    qtbot.waitUntil(lambda: np.allclose(page.grid.values[0], image[7:12, 12:17]), timeout=LONG)
    choose(page.layer_box, 2)
    qtbot.waitUntil(lambda: "other channels" in page.result.text(), timeout=LONG)
    choose(page.layer_box, 1)
    qtbot.waitUntil(lambda: page.grid.values.shape == (1, 2, 2), timeout=LONG)
    assert "largest" in page.result.text()


def test_without_its_library_t_sne_is_not_offered_and_the_tooltip_names_the_command(qtbot, monkeypatch):
    from core.inspection import projection as neighbor_embedding
    from gui.inside.map_page import MapPage

    monkeypatch.setattr(neighbor_embedding, "find_spec", lambda name: None)
    page = MapPage()
    qtbot.addWidget(page)
    assert page.method_box.count() == 1
    assert install_command("map") in page.method_box.toolTip()


def test_the_drawing_moves_in_a_map_by_t_sne(trained, window, qtbot):
    pytest.importorskip("openTSNE", reason="openTSNE is not installed: uv sync --extra map")
    page = open_page(trained, "mapPage")
    qtbot.waitUntil(lambda: page.shown is not None, timeout=LONG)
    choose(page.method_box, "neighbors")
    qtbot.waitUntil(lambda: page.shown.method == "neighbors", timeout=LONG)
    assert "are alike for the layer" in page.shares.text()
    points = np.array(page.points.getData()).T
    draw(part(window, "canvas"), "3")
    qtbot.waitUntil(lambda: len(page.drawing.data) == 1, timeout=LONG)
    np.testing.assert_array_equal(np.array(page.points.getData()).T, points)
    assert np.abs(page.drawing.getData()).max() < 2 * np.abs(points).max()
