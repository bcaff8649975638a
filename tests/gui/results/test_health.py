"""The page Could it learn? of Results, in the real window."""

import numpy as np
import pytest

from core.network.parameters import views
from core.runs.library import RunLibrary
from gui.results.health_page import BINS, HistogramStrip, histograms
from tests.gui.person import choose, ended, part
from tests.limits import LONG


@pytest.fixture
def trained(window, qtbot):
    """The window with a small network that has learned, and Results in front."""
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    return window


def open_page(window, qtbot):
    window.tabs.setCurrentWidget(window.results)
    part(window, "resultsChooser").setCurrentIndex(1)
    page = window.results.health
    qtbot.waitUntil(lambda: bool(page.findings.text()), timeout=LONG)
    return page


def test_a_network_that_learns_is_well_and_its_strips_are_the_histograms_of_its_weights(
    trained, qtbot
):
    page = open_page(trained, qtbot)
    assert page.isVisible()
    assert "Nothing is wrong" in page.findings.text()
    assert len(page.strips) == 2
    strip, model = page.strips[1], trained.model_selector.current()[0]
    assert strip.names == ["at the start", "epoch 1", "epoch 2"]
    weights = views(model.network, model.parameters)[1].weights.ravel()
    inside = np.clip(weights, strip.low, strip.high)
    wanted = np.histogram(inside, BINS, (strip.low, strip.high))[0] / weights.size
    np.testing.assert_allclose(strip.shares[-1], wanted)
    np.testing.assert_allclose(strip.shares.sum(axis=1), 1)
    assert "epoch 1: " in strip.tip_at(strip._area().center())
    before = strip.shares
    choose(page.box, "gradients")
    assert not np.array_equal(strip.shares, before)
    part(trained, "resultsChooser").setCurrentIndex(0)
    assert not page.isVisible()
    assert trained.results.page.isVisible()


def test_dead_units_are_named_with_advice(window, qtbot):
    part(window, "learningRateEdit").setText("10")
    part(window, "trainButton").click()
    qtbot.waitUntil(ended(window), timeout=LONG)
    page = open_page(window, qtbot)
    qtbot.waitUntil(lambda: "layer 1 are never active" in page.findings.text(), timeout=LONG)
    assert "leaky ReLU" in page.findings.text()


def test_a_run_of_the_library_is_shown_over_time(trained, qtbot):
    (entry,) = RunLibrary().entries()
    trained.history._settings = {}  # as in a later session
    trained.files.open_path(entry.folder.model_path)
    page = open_page(trained, qtbot)
    qtbot.waitUntil(lambda: len(page.strips) == 2, timeout=LONG)
    assert page.strips[1].names == ["at the start", "epoch 1", "epoch 2"]


def test_shares_of_a_histogram_add_up_and_leave_out_what_is_not_finite():
    shares, low, high = histograms([np.linspace(-1, 1, 1001), np.array([0.5, np.nan])])
    assert shares.shape == (2, BINS)
    assert shares[0].sum() == pytest.approx(1)
    assert shares[1].sum() == pytest.approx(1)  # of the finite ones
    assert -1 <= low < high <= 1


@pytest.mark.parametrize("values", [np.zeros(5), np.array([np.nan])])
def test_a_histogram_of_one_value_or_none_has_a_range(values):
    _, low, high = histograms([values])
    assert low < high


def test_a_strip_is_painted_with_its_moments(qtbot):
    strip = HistogramStrip("strip", "Layer 1")
    qtbot.addWidget(strip)
    strip.resize(400, 120)
    empty = strip.grab().toImage()
    strip.show_moments([np.zeros(100), np.linspace(-1, 1, 100)], ["start", "now"])
    assert strip.grab().toImage() != empty
