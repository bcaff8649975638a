"""How units get their values, against NumPy: all kinds of layers, all activations."""

import numpy as np
import pytest

from core.inference.engine import Engine
from core.inspection.units import excitement, unit_value
from kernels.activations import ACTIVATIONS
from kernels.device import sides
from tests.core.inspection.numpy_network import activate, forward, make_model, padded, split

NETWORKS = (
    "4C5-MP2-6N-3N",
    "4C5-3C3:valid-AP2-D50-7N-3N",
    "3C3:s2-BN-4C3-MP2-6N-BN-3N",
    "5N-3N",
    "3N",
)
SHAPE = 9, 8, 1


def read(model, seed=0):
    """(values, the same by NumPy): an input and the outputs of all layers for it."""
    x = np.random.default_rng(seed).random(model.network.input_shape, np.float32)
    outputs = [output[0] for output in Engine(model).outputs(x[None])]
    return (x, *outputs), [x, *(output[0] for output in forward(model, x[None]))]


def each_value(text, activation):
    """Several outputs of each layer, at the edges and within: (model, index, value, by NumPy)."""
    model = make_model(text, SHAPE, activation=activation, seed=len(text))
    values, wanted = read(model)
    for layer, shape in enumerate(model.network.shapes[1:]):
        places = [(0, 0), (shape[0] - 1, 0), (1, shape[1] - 1)] if len(shape) == 3 else [(0, 0)]
        for place in places:
            unit = shape[-1] - 1
            yield model, layer, unit_value(model, values, layer, unit, place), wanted


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("text", NETWORKS)
def test_the_numbers_add_up_to_the_output(text, activation):
    for model, layer, found, wanted in each_value(text, activation):
        y = wanted[layer + 1]
        at = (found.row, found.column, found.unit) if y.ndim == 3 else found.unit
        assert found.y == pytest.approx(y[at], abs=1e-4)
        name = model.activations[layer] if found.weights is not None else "linear"
        assert activate(found.z, name) == pytest.approx(y[at], abs=1e-4)
        if found.sums is not None:
            assert found.z == pytest.approx(found.sums.sum() + found.bias, abs=1e-4)


@pytest.mark.parametrize("text", NETWORKS)
def test_each_term_is_what_numpy_takes(text):
    for model, layer, found, wanted in each_value(text, "tanh"):
        kind = model.network.layers[layer]
        x = wanted[layer]
        own = split(model.network, model.parameters)[layer]
        row, column, unit = found.row, found.column, found.unit
        if kind.title == "Convolution":
            tall, wide = own[0].shape[:2]
            top, left = row * kind.stride, column * kind.stride
            patch = padded(x[None], kind)[0, top : top + tall, left : left + wide]
            np.testing.assert_allclose(found.inputs, patch, atol=1e-5)
            np.testing.assert_array_equal(found.weights, own[0][..., unit])
            by_map = (patch * own[0][..., unit]).sum(axis=(0, 1))
            np.testing.assert_allclose(found.sums, by_map, atol=1e-4)
        elif kind.title == "Dense":
            np.testing.assert_allclose(
                found.products.ravel(), x.ravel() * own[0][:, unit], atol=1e-4
            )
        elif kind.title in ("Pooling", "Average pooling"):
            top, left, bottom, right = found.area
            tall, wide = sides(kind.block)
            assert (top, left) == (row * tall, column * wide)
            block = x[top:bottom, left:right, unit]
            np.testing.assert_allclose(found.inputs[..., 0], block, atol=1e-5)
            if found.taken >= 0:
                assert block.ravel()[found.taken] == block.max()
            else:
                assert found.y == pytest.approx(block.mean(), abs=1e-4)
        elif kind.title == "Batch normalization":
            before = x[row, column, unit] if x.ndim == 3 else x[unit]
            by = found.normalization
            assert (by.scale, by.shift, by.mean) == (own[0][unit], own[1][unit], own[2][unit])
            z = (before - by.mean) / by.deviation * by.scale + by.shift
            assert found.z == pytest.approx(z, abs=1e-4)
        else:
            assert found.inputs.size == 1
            assert found.y == found.inputs.item()


def test_a_unit_depends_on_what_it_has_seen_and_on_nothing_else():
    model = make_model("3C5-MP2-4C3-6N-3N", SHAPE, activation="tanh", seed=2)
    values, _ = read(model)
    found = unit_value(model, values, 2, 1, (0, 3))
    top, left, bottom, right = found.seen
    outside = np.ones(SHAPE, bool)
    outside[top:bottom, left:right] = False
    assert 0 < outside.sum() < outside.size
    changed = np.where(outside, 1 - values[0], values[0]).astype(np.float32)
    after = Engine(model).outputs(changed[None])
    assert after[2][0, 0, 3, 1] == pytest.approx(found.y, abs=1e-6)
    for row, column in ((top, left), (bottom - 1, right - 1)):
        moved = values[0].copy()
        moved[row, column] += 1
        assert Engine(model).outputs(moved[None])[2][0, 0, 3, 1] != pytest.approx(found.y, abs=1e-6)
    assert unit_value(model, values, 3, 0).seen == (0, 0, 9, 8)


def test_the_strongest_place_is_that_of_what_is_passed_on():
    model = make_model("3C3:s2-BN-4C3-MP2-6N-BN-3N", SHAPE, activation="tanh")
    values, wanted = read(model)
    found = unit_value(model, values, 0, 2)
    assert wanted[2][found.row, found.column, 2] == pytest.approx(wanted[2][..., 2].max(), abs=1e-5)


@pytest.mark.parametrize("text", NETWORKS)
def test_why_one_answer_and_not_another(text):
    model = make_model(text, SHAPE, activation="relu")
    values, wanted = read(model)
    last = len(model.network.layers) - 1
    found = unit_value(model, values, last, 2, other=0)
    weights, biases = split(model.network, model.parameters)[last]
    parts = wanted[last].ravel() * (weights[:, 2] - weights[:, 0])
    np.testing.assert_allclose(found.products.ravel(), parts, atol=1e-4)
    assert found.bias == pytest.approx(biases[2] - biases[0], abs=1e-6)
    assert found.z == pytest.approx(wanted[-1][2] - wanted[-1][0], abs=1e-4)
    assert found.y == pytest.approx(found.z, abs=1e-4)


def test_without_an_input_there_are_weights_alone():
    model = make_model("4C5-MP2-6N-3N", SHAPE)
    found = unit_value(model, (), 0, 1)
    assert found.inputs is None
    assert found.products is None
    assert np.isnan(found.y)
    np.testing.assert_array_equal(
        found.weights, split(model.network, model.parameters)[0][0][..., 1]
    )


@pytest.mark.parametrize(
    ("text", "layer", "unit"), [("3C3-MP2-5N-3N", 0, 1), ("3C3-MP2-5N-3N", 2, 4), ("6N-3N", 1, 2)]
)
def test_the_exciting_images_are_those_with_the_largest_output(text, layer, unit):
    model = make_model(text, activation="sigmoid")
    images = np.random.default_rng(1).integers(0, 256, (700, 8, 8, 1), np.uint8)
    found = excitement(Engine(model), images, layer, unit, 7, lambda: None)
    outputs = forward(model, images / 255)[layer][..., unit].reshape(700, -1)
    np.testing.assert_allclose(found.all_outputs, outputs.max(axis=1), atol=1e-5)
    wanted = np.sort(outputs.max(axis=1))[::-1][:7]
    np.testing.assert_allclose(found.outputs, wanted, rtol=1e-4)
    for index, (row, column), value in zip(found.indices, found.places, found.outputs, strict=True):
        assert outputs[index, row * 8 + column] == pytest.approx(value, rel=1e-4)
