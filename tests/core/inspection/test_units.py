"""Connections, exciting images and gradient ascent against NumPy."""

import numpy as np
import pytest

from core.inference.engine import Engine
from core.inspection.units import INK_NORM, ascend, exciting_inputs, strongest_connections
from tests.core.inspection.numpy_network import forward, make_model, split


def nothing():
    pass


def test_the_strongest_connections_are_the_largest_products():
    rng = np.random.default_rng(0)
    x, weights = rng.standard_normal(6), rng.standard_normal((6, 4))
    found = strongest_connections(x, weights, 5)
    everything = sorted(
        ((x[i] * weights[i, j], i, j) for i in range(6) for j in range(4)), key=lambda c: -abs(c[0])
    )
    assert (
        list(zip(found.contributions, found.sources, found.targets, strict=True)) == everything[:5]
    )
    into = strongest_connections(x, weights, 100, target=2)
    assert len(into.sources) == 6
    assert set(into.targets) == {2}
    assert into.contributions.sum() == pytest.approx(x @ weights[:, 2])
    out = strongest_connections(x, weights, 100, source=3)
    assert sorted(out.contributions) == pytest.approx(sorted(x[3] * weights[3]))
    assert len(strongest_connections(np.zeros(6), weights, 5).sources) == 0


@pytest.mark.parametrize(
    ("text", "layer", "unit"), [("3C3-MP2-5N-3N", 0, 1), ("3C3-MP2-5N-3N", 2, 4), ("6-3", 1, 2)]
)
def test_the_exciting_images_are_those_with_the_largest_output(text, layer, unit):
    model = make_model(text, activation="sigmoid")
    images = np.random.default_rng(1).integers(0, 256, (300, 8, 8, 1), np.uint8)
    best, values = exciting_inputs(Engine(model), images, layer, unit, 7, nothing)
    outputs = forward(model, images / 255)[layer][..., unit].reshape(300, -1).max(axis=1)
    wanted = np.sort(outputs)[::-1][:7]
    np.testing.assert_allclose(values, wanted, rtol=1e-4)
    np.testing.assert_allclose(outputs[best], wanted, rtol=1e-4)


def test_for_a_unit_of_the_first_layer_ascent_puts_ink_where_its_weights_are_positive():
    model = make_model("6-3", activation="relu")
    image = ascend(Engine(model), 0, 3, nothing)
    weights = split(model.network, model.parameters)[0][0][:, 3]
    assert image.min() >= 0
    assert image.max() <= 1
    assert np.linalg.norm(image) <= INK_NORM + 1e-3
    assert image.ravel()[weights < -0.3].max() == 0
    assert image.ravel()[weights > 0.3].min() > 0.3


def test_ascent_excites_a_map_more_than_any_random_image():
    model = make_model("3C3-MP2-5N-3N", activation="tanh")
    image = ascend(Engine(model), 2, 1, nothing)
    random = np.random.default_rng(0).random((200, 8, 8, 1))
    assert forward(model, image[None])[2][0, 1] > forward(model, random)[2][:, 1].max()


def test_an_input_is_made_for_a_pooled_map_whose_units_are_not_active():
    """The gradient of a maximum is 0 where the ReLU below it is."""
    model = make_model("2C3-MP2-3N", activation="relu")
    model.parameters[model.network.weight_count :] = -1  # all biases
    image = ascend(Engine(model), 1, 1, nothing)
    assert image.std() > 0.05
