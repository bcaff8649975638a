"""Values as images: what color a value has, at every size of a device pixel."""

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor

from gui.stage.colors import map_colors, stage_colors, tiles_image, unit_colors, weight_colors
from gui.stage.layout import Block

TILES = (QRect(3, 5, 21, 21), QRect(3, 29, 21, 21), QRect(27, 5, 21, 21))
BLOCK = Block(0, False, QRect(3, 5, 45, 45), TILES)


@pytest.fixture(autouse=True)
def application(qapp):
    """Colors need the theme."""


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 1.75, 2.0, 3.0])
def test_each_tile_has_its_values(ratio):
    values = np.array([[[1.0, -1.0], [0.0, 1.0]], [[0.5] * 2] * 2, [[-1.0] * 2] * 2], np.float32)
    image = tiles_image(BLOCK, values, weight_colors(), ratio)
    assert image.size().width() == round(45 * ratio)

    def color(x, y):
        return image.pixelColor(round(x * ratio), round(y * ratio))

    colors = stage_colors()
    assert color(6, 6).rgb() == colors.positive.rgb()
    assert color(16, 6).rgb() == colors.negative.rgb()
    assert color(6, 16).rgb() == colors.paper.rgb()
    assert color(34, 10).rgb() == colors.negative.rgb()
    assert color(22, 10).alpha() == 0  # between two tiles


def test_units_of_about_zero_have_an_edge():
    values = np.array([1.0, 0.0, 0.5], np.float32).reshape(3, 1, 1)
    colors = stage_colors()
    image = tiles_image(BLOCK, values, unit_colors(), 1.0)
    assert image.pixelColor(10, 0).rgb() == colors.positive.rgb()
    assert image.pixelColor(10, 24).rgb() == colors.edge.rgb()
    assert image.pixelColor(10, 34).rgb() == colors.paper.rgb()


def test_the_largest_output_of_a_map_is_deeper_than_that_of_a_unit():
    brightness = [
        QColor.fromRgb(int(table[253])).lightness() for table in (map_colors(), unit_colors())
    ]
    assert brightness[0] < brightness[1]
