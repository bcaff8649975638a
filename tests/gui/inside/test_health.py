"""The page Health in the real window."""

import numpy as np

from core.network.parameters import views
from core.runs.library import RunLibrary
from gui.inside.health_page import BINS
from tests.gui.inside.conftest import open_page
from tests.gui.person import choose, ended, part
from tests.limits import LONG


def test_a_network_that_learns_is_well_and_its_strips_are_the_histograms_of_its_weights(
    trained, qtbot
):
    page = open_page(trained, "healthPage")
    qtbot.waitUntil(lambda: bool(page.findings.text()), timeout=LONG)
    assert "Nothing is wrong" in page.findings.text()
    assert len(page.strips) == 2
    strip, model = page.strips[1], trained._model
    assert strip.names == ["start", "epoch 1", "epoch 2"]
    weights = views(model.network, model.parameters)[1].weights.ravel()
    inside = np.clip(weights, strip.low, strip.high)
    wanted = np.histogram(inside, BINS, (strip.low, strip.high))[0] / weights.size
    np.testing.assert_allclose(strip.shares[-1], wanted)
    np.testing.assert_allclose(strip.shares.sum(axis=1), 1)
    assert "epoch 1: " in strip.tip_at(strip._area().center())
    before = strip.shares
    choose(page.box, "gradients")
    assert not np.array_equal(strip.shares, before)


def test_dead_units_are_named_with_advice(inside, window, qtbot):
    part(window, "learningRateEdit").setText("10")
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    page = open_page(inside, "healthPage")
    qtbot.waitUntil(lambda: "layer 1 are never active" in page.findings.text(), timeout=LONG)
    assert "leaky ReLU" in page.findings.text()


def test_health_follows_a_run(inside, window, qtbot):
    page = open_page(inside, "healthPage")
    part(window, "epochsBox").setValue(100_000)
    part(window, "trainButton").click()
    qtbot.waitUntil(lambda: len(page.strips) == 2 and len(page.strips[0].names) > 2, timeout=LONG)
    seen = len(page.strips[0].names)
    qtbot.waitUntil(lambda: len(page.strips[0].names) != seen, timeout=LONG)
    part(window, "stopButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)


def test_a_run_of_the_library_is_shown_over_time(trained, window, qtbot):
    (entry,) = RunLibrary().entries()
    trained._run_settings = {}  # as in a later session
    window.files.open_path(entry.folder.model_path)
    page = open_page(trained, "healthPage")
    qtbot.waitUntil(lambda: len(page.strips) == 2, timeout=LONG)
    assert page.strips[1].names == ["start", "epoch 1", "epoch 2"]
    weights = open_page(trained, "weightsPage")
    qtbot.waitUntil(lambda: weights.slider.maximum() == 2, timeout=LONG)
