"""The pages Map and Arithmetic in the real window."""

import numpy as np
import pytest

from core.network.parameters import views
from tests.core.inspection.numpy_network import forward
from tests.gui.hand import draw
from tests.gui.inside.conftest import choose_example, open_page
from tests.gui.person import choose, part
from tests.limits import LONG


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
