"""The grid of small images: their sizes."""

import numpy as np
import pytest

from gui.inside.map_grid import MapGrid


@pytest.fixture
def grid(qtbot):
    grid = MapGrid("grid", "Grid", side=56)
    qtbot.addWidget(grid)
    grid.resize(640, 100)
    grid.show()
    return grid


def test_few_images_fill_the_room_that_there_is(grid):
    grid.show_values(np.zeros((8, 5, 5)), 1.0)
    assert grid.places().cell.height() == 55
    grid.set_room(420)
    assert grid.places().cell.height() > 100
    assert grid.height() <= 420
    assert grid.rect().contains(grid.places().area(7))


def test_many_images_have_the_usual_size_and_are_scrolled(grid):
    grid.set_room(420)
    grid.show_values(np.zeros((128, 28, 28)), 1.0)
    assert grid.places().cell.height() == 56
    assert grid.height() > 420
