"""Rastrigin's function as a data set."""

import numpy as np
import pytest

from core.data.functions import grid, load_function, rastrigin
from core.errors import InputError


def test_the_function_is_zero_at_the_origin_and_40_at_four_corners_of_a_cell():
    points = np.array([[0, 0], [0.5, 0.5], [1, 1]])
    np.testing.assert_allclose(rastrigin(points)[:, 0], [0, 40.5, 2], atol=1e-12)


def test_the_grid_reaches_the_edges_of_the_square():
    points = grid(3)
    assert points.shape == (9, 2)
    assert {tuple(point) for point in points} == {
        (x, y) for x in (-5.12, 0, 5.12) for y in (-5.12, 0, 5.12)
    }


def test_without_a_number_the_side_is_200():
    data = load_function("rastrigin")
    assert (data.name, data.kind, data.input_shape, data.outputs) == (
        "rastrigin:200",
        "regression",
        (2,),
        1,
    )
    assert (len(data.train), len(data.test)) == (40_000, 5_000)
    assert data.train.inputs.dtype == data.train.targets.dtype == np.float32


def test_all_sides_share_their_test_points():
    np.testing.assert_array_equal(
        load_function("rastrigin:2").test.inputs, load_function("rastrigin:5").test.inputs
    )


@pytest.mark.parametrize(
    "name", ["rastrigin:", "rastrigin:1", "rastrigin:601", "rastrigin:x", "rastrigin:9999999999"]
)
def test_other_sides_are_refused_with_the_limits(name):
    with pytest.raises(InputError, match="from 2 to 600"):
        load_function(name)
