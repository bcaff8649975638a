"""Inputs that are made to excite a unit."""

import numpy as np

from core.inference.engine import Engine
from core.inspection.units import INK_NORM, ascend
from tests.core.inspection.numpy_network import forward, make_model, split


def nothing():
    pass


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
