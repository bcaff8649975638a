"""What the stage shows, with numbers computed by hand on tiny networks."""

from dataclasses import replace

import numpy as np
import pytest

from core.inference.engine import Engine
from core.inspection.stage_content import MAX_LINKS, MAX_MAPS, MAX_UNITS, stage_content
from core.network.parameters import views
from tests.core.inspection.numpy_network import forward, make_model


def pairs(links):
    return {
        (int(source), int(target)): float(share)
        for source, target, share in zip(
            links.sources, links.targets, links.contributions, strict=True
        )
    }


@pytest.fixture
def by_hand():
    """Two units on a point, and one answer: h = relu(1·x + 2·y, -1·x + 1·y), z = 3·h0 - 1·h1."""
    model = make_model("2-2-1", (2,), 1, activation="relu", loss="squared-error", kind="regression")
    model = replace(model, parameters=np.array([1, -1, 2, 1, 3, -1, 0, 0, 0], np.float32))
    return model


def test_connections_are_outputs_times_weights(by_hand):
    content = stage_content(Engine(by_hand), np.array([1, 2], np.float32))
    # h = (1 + 4, -1 + 2) = (5, 1), z = 15 - 1 = 14.
    assert content.columns[0].values == pytest.approx([5, 1])
    assert content.answers == pytest.approx([14])
    # x·w: x gives 1 and -1, y gives 4 and 2.
    assert content.links[0].rows == 2
    assert pairs(content.links[0]) == pytest.approx(
        {(1, 0): 1, (1, 1): 0.5, (0, 0): 0.25, (0, 1): -0.25}
    )
    assert pairs(content.links[1]) == pytest.approx({(0, 0): 1, (1, 0): -1 / 15})


def test_without_an_input_the_weights_are_shown(by_hand):
    content = stage_content(Engine(by_hand), None)
    assert content.input is None
    assert content.answers is None
    assert content.columns[0].values is None
    assert pairs(content.links[0]) == pytest.approx(
        {(1, 0): 1, (0, 0): 0.5, (0, 1): -0.5, (1, 1): 0.5}
    )


def test_units_with_the_largest_sums_are_shown_in_their_order():
    model = make_model("64-100-3", activation="relu")
    x = np.random.default_rng(1).random((8, 8, 1), np.float32)
    content = stage_content(Engine(model), x)
    output = forward(model, x[None])[0][0]
    behind = views(model.network, model.parameters)[1].weights
    importance = np.abs(output[:, None] * behind).sum(axis=1)
    best = np.sort(np.argsort(-importance, kind="stable")[:MAX_UNITS])
    assert content.columns[0].shown == tuple(best)
    assert content.columns[0].count == 100
    np.testing.assert_allclose(content.columns[0].values, output[best], rtol=1e-4)
    other = np.random.default_rng(2).random((8, 8, 1), np.float32)
    assert stage_content(Engine(model), other, content.chosen).chosen[0] == content.chosen[0]


def test_maps_and_the_pooling_behind_them_show_the_same_channels():
    model = make_model("40C3-MP2-5N-3N", activation="relu")
    content = stage_content(Engine(model), np.random.default_rng(1).random((8, 8, 1), np.float32))
    filters, pooled = content.columns[:2]
    assert len(filters.shown) == MAX_MAPS
    assert filters.shown == pooled.shown
    assert filters.pictures.shape == (MAX_MAPS, 8, 8)
    assert pooled.pictures.shape == (MAX_MAPS, 4, 4)
    assert content.links[1] is None  # each to its own


def test_a_map_counts_for_a_unit_by_the_sum_over_its_places():
    model = make_model("3C3-MP2-5N-3N", activation="relu")
    x = np.random.default_rng(1).random((8, 8, 1), np.float32)
    content = stage_content(Engine(model), x)
    pooled = forward(model, x[None])[1][0].astype(float)
    weights = views(model.network, model.parameters)[2].weights.reshape(4, 4, 3, 5)
    wanted = (pooled[..., None] * weights).sum(axis=(0, 1))
    found = pairs(content.links[2])
    bound = np.abs(wanted).max()
    for (source, target), share in found.items():
        assert share == pytest.approx(wanted[source, target] / bound, abs=1e-4)


def test_a_map_counts_for_a_map_where_that_is_largest():
    model = make_model("3C3-2C3-3N", activation="relu")
    x = np.random.default_rng(1).random((8, 8, 1), np.float32)
    content = stage_content(Engine(model), x)
    first, second = (output[0] for output in forward(model, x[None])[:2])
    weights = views(model.network, model.parameters)[1].weights
    padded = np.pad(first, ((1, 1), (1, 1), (0, 0)))
    wanted = np.zeros((3, 2))
    for unit in range(2):
        row, column = np.unravel_index(second[..., unit].argmax(), second.shape[:2])
        window = padded[row : row + 3, column : column + 3]
        wanted[:, unit] = (window * weights[..., unit]).sum(axis=(0, 1))
    found = pairs(content.links[1])
    for (source, target), share in found.items():
        assert share == pytest.approx(wanted[source, target] / np.abs(wanted).max(), abs=1e-4)


def test_a_single_layer_shows_the_image_times_the_weights():
    model = make_model("64-3", activation="relu")
    x = np.random.default_rng(1).random((8, 8, 1), np.float32)
    content = stage_content(Engine(model), x)
    weights = views(model.network, model.parameters)[0].weights.reshape(8, 8, 3)
    pictures, answers = content.columns
    assert pictures.are_products
    np.testing.assert_allclose(pictures.pictures, np.moveaxis(x * weights, 2, 0), rtol=1e-5)
    np.testing.assert_allclose(answers.values, forward(model, x[None])[0][0], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("text", ["64-100-3", "20C3-MP2-30C3-64N-3N", "64-9-8-7-6-5-4-3"])
def test_there_are_never_more_connections_than_the_limit(text):
    model = make_model(text, activation="relu")
    content = stage_content(Engine(model), np.random.default_rng(1).random((8, 8, 1), np.float32))
    assert sum(len(links.sources) for links in content.links if links is not None) <= MAX_LINKS


def test_dropout_and_normalization_are_thin():
    model = make_model("4C3-BN-D50-MP2-5N-3N", activation="relu")
    x = np.random.default_rng(1).random((8, 8, 1), np.float32)
    content = stage_content(Engine(model), x)
    assert [column.thin for column in content.columns] == [False, True, True, False, False, False]
    # What the maps pass on is what the normalization makes of them.
    np.testing.assert_allclose(
        np.moveaxis(content.columns[0].pictures, 0, 2),
        forward(model, x[None])[1][0],
        rtol=1e-3,
        atol=1e-4,
    )


def test_answers_that_are_not_finite_are_none():
    model = make_model("64-5-3", activation="relu")
    broken = replace(model, parameters=np.full_like(model.parameters, np.nan))
    content = stage_content(Engine(broken), np.ones((8, 8, 1), np.float32))
    assert content.answers is None
