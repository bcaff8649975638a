"""A network with batch normalization in every view of the Inside tab."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from core.inference.model_file import Model
from core.network.initialization import initial_parameters
from core.network.notation import parse
from tests.core.inspection.numpy_network import forward, split
from tests.gui.hand import draw
from tests.gui.inside.conftest import open_page
from tests.gui.person import choose, part
from tests.limits import LONG


@pytest.fixture
def normalized(inside, window, qtbot, tmp_path):
    """An opened model with batch normalization of maps and of units, and a drawing on the
    canvas.
    """
    network = parse("3C5-BN-MP2-6N-BN-10N", (28, 28, 1), 10)
    parameters = initial_parameters(network, "he", 2)
    random = np.random.default_rng(0).uniform(0.5, 2, parameters[network.trained_count :].shape)
    parameters[network.trained_count :] = random
    model = Model(
        network, "relu", "cross-entropy", "classes", tuple("0123456789"), parameters, "builtin"
    )
    model.save(tmp_path / "normalized.safetensors")
    window.files.open_path(tmp_path / "normalized.safetensors")
    qtbot.waitUntil(lambda: inside._model.network.text == network.text, timeout=LONG)
    draw(part(window, "canvas"), "3")
    return inside


def test_every_view_shows_the_normalized_network(normalized, qtbot):
    page = open_page(normalized, "networkPage")
    picture = page.stage.picture
    qtbot.waitUntil(
        lambda: picture.content is not None and len(picture.content.columns) == 6, timeout=LONG
    )
    qtbot.waitUntil(lambda: picture.content.answers is not None, timeout=LONG)
    wanted = forward(normalized._model, normalized.input.input()[0][None] / 255)

    page = open_page(normalized, "weightsPage")
    qtbot.waitUntil(lambda: page.layer_box.count() == 5, timeout=LONG)
    choose(page.layer_box, 1)
    assert page.grid.values.shape == (3, 1, 1)

    page = open_page(normalized, "arithmeticPage")
    qtbot.waitUntil(lambda: page.layer_box.count() == 6, timeout=LONG)
    assert "BN, 3 maps of 28×28, ReLU" in page.layer_box.itemData(1, Qt.ItemDataRole.ToolTipRole)
    choose(page.layer_box, 1)
    qtbot.waitUntil(lambda: page.grid.values.shape == (3, 1, 1), timeout=LONG)
    scale, _, _, variance = split(normalized._model.network, normalized._model.parameters)[1]
    assert page.grid.values[1].item() == pytest.approx(
        scale[0] / np.sqrt(variance[0] + 1e-5), rel=1e-4
    )
    assert not page.boxes["channel"].isVisible()

    page = open_page(normalized, "activationsPage")
    qtbot.waitUntil(lambda: len(page.grids) == 6, timeout=LONG)
    shown = page.grids[1].values
    np.testing.assert_allclose(shown, np.moveaxis(wanted[1][0], 2, 0), rtol=1e-3, atol=1e-4)

    page = open_page(normalized, "whyPage")
    qtbot.waitUntil(lambda: page._shown is not None, timeout=LONG)
    page = open_page(normalized, "healthPage")
    qtbot.waitUntil(lambda: len(page.strips) == 5, timeout=LONG)
    assert "compute the same" not in page.findings.text()
