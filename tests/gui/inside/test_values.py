"""Values as colors and their scale, histograms of layers, and where the parts of the network's
picture lie.
"""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from gui.inside.health_page import BINS, HistogramStrip, histograms
from gui.inside.map_grid import MapGrid, ValueLegend, largest, value_image
from gui.widgets.theme import LIGHT


def test_zero_is_the_background_and_signs_have_their_colors(qapp):
    image = value_image(np.array([[-1.0, 0.0, 1.0, np.nan]]), 1.0)
    negative, zero, positive, unknown = (image.pixelColor(x, 0) for x in range(4))
    assert zero == unknown == QColor(LIGHT.base)
    assert positive == QColor(LIGHT.train)
    assert negative == QColor(LIGHT.test)


@pytest.mark.parametrize(
    ("values", "bound"), [([1.0, -3.0, np.inf], 3.0), ([np.nan], 0.0), ([], 0.0)]
)
def test_the_largest_value_is_finite(values, bound):
    assert largest(np.array(values)) == bound


def test_the_legend_names_its_ends_with_a_true_minus(qtbot):
    legend = ValueLegend("legend")
    qtbot.addWidget(legend)
    legend.show_bound(0.257)
    assert legend.accessibleDescription() == "\N{MINUS SIGN}0.26 … 0 … 0.26"
    legend.show_bound(2.0, signed=False)
    assert legend.accessibleDescription() == "0 … 2"


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


def test_the_arrow_keys_choose_an_image_and_say_what_it_is(qtbot):
    grid = MapGrid("grid", "Grid")
    qtbot.addWidget(grid)
    grid.resize(300, 200)
    grid.show()
    grid.show_values(
        np.ones((6, 4, 4)), 1.0, lambda index, row, column, value: f"map {index}: {value:g}"
    )
    with qtbot.waitSignal(grid.chosen) as first:
        QTest.keyClick(grid, Qt.Key.Key_Right)
    with qtbot.waitSignal(grid.chosen) as second:
        QTest.keyClick(grid, Qt.Key.Key_Right)
    assert (first.args, second.args) == ([0], [1])
    assert grid.accessibleDescription() == "map 1: 1"
    with qtbot.waitSignal(grid.chosen) as clicked:
        QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=grid.places().area(3).center())
    assert clicked.args == [3]
    grid.show_values(np.ones((2, 4, 4)), 1.0)
    assert grid.current == -1
