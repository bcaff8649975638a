"""Outputs and gradients of the engine against NumPy."""

import numpy as np
import pytest

from core.inference import engine as inference
from core.inference.engine import Engine
from core.inspection.units import pixel_parts
from tests.core.inspection.numpy_network import forward, gradient, make_model

CASES = [
    ("10-6-3", "tanh", "cross-entropy"),
    ("3C3-MP2-D50-5N-3N", "sigmoid", "cross-entropy"),
    ("MP2-2C3:valid-4N-3N", "tanh", "cross-entropy"),
    ("4C5-6N-3N", "leaky-relu", "squared-error"),
    ("6-3", "sigmoid", "squared-error"),
    ("BN-3C3-BN-MP2-5N-BN:sigmoid-3N", "tanh", "cross-entropy"),
]


def image(seed=5):
    return np.random.default_rng(seed).random((8, 8, 1)).astype(np.float32)


@pytest.mark.parametrize(("text", "activation", "loss"), CASES)
def test_outputs_of_all_layers_are_those_of_numpy(text, activation, loss):
    model = make_model(text, activation=activation, loss=loss)
    engine = Engine(model)
    inputs = np.stack([image(1), image(2)])
    for found, wanted in zip(engine.outputs(inputs), forward(model, inputs), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    many = np.random.default_rng(0).integers(0, 256, (300, 8, 8, 1), np.uint8)
    np.testing.assert_allclose(
        engine.layer_outputs(many, 0), forward(model, many / 255)[0], rtol=1e-4, atol=1e-5
    )
    engine.close()


@pytest.mark.parametrize(("text", "activation", "loss"), CASES)
def test_the_gradient_by_the_input_is_that_of_finite_differences(text, activation, loss):
    model = make_model(text, activation=activation, loss=loss)
    engine = Engine(model)
    for layer in range(len(model.network.layers)):
        weights = (
            np.random.default_rng(layer)
            .standard_normal(model.network.shapes[layer + 1])
            .astype(np.float32)
        )
        found = engine.input_gradient(image()[None], layer, weights)[0]
        wanted = gradient(model, image(), lambda y: (y[layer][0] * weights).sum())  # noqa: B023
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-4)


def test_a_model_with_other_parameters_or_another_network_can_follow():
    first, second = make_model("6-3"), make_model("6-3", seed=1)
    third = make_model("2C3-3N")
    engine = Engine(first)
    for model in (first, second, third):
        engine.use(model)
        np.testing.assert_allclose(
            engine.outputs(image()[None])[-1],
            forward(model, image()[None])[-1],
            rtol=1e-4,
            atol=1e-5,
        )


@pytest.fixture
def case():
    model = make_model("3C3-MP2-5N-3N")
    return model, Engine(model), image()


def test_gradient_times_input_is_that_of_finite_differences(case):
    model, engine, pixels = case
    wanted = gradient(model, pixels, lambda y: y[-1][0, 2] - y[-1][0, 0]) * pixels
    found = pixel_parts(engine, pixels, np.float32([-1, 0, 1]))
    np.testing.assert_allclose(found, wanted[:, :, 0], rtol=1e-3, atol=1e-4)


def test_with_compiled_code_single_inputs_keep_their_outputs_to_the_bit(monkeypatch):
    monkeypatch.setattr(Engine, "most_by_numpy", inference.FEW)
    model = make_model("4C5-6N-3N")
    engine = Engine(model)
    inputs = np.stack([image(1), image(2)])
    before = engine.outputs(inputs)[-1]
    inference.load_compiled(model)
    np.testing.assert_array_equal(engine.outputs(inputs[:1])[-1], before[:1])
    monkeypatch.setattr(Engine, "_by_numpy", None)  # two are computed by the device
    np.testing.assert_allclose(engine.outputs(inputs)[-1], before, rtol=1e-4, atol=1e-5)
    engine.close()
