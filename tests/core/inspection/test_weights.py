"""Kept parameters, and weights as images."""

import numpy as np

from core.inspection.health import starting_parameters
from core.inspection.units import filter_images
from core.network.initialization import initial_parameters
from core.training.records import KeptParameters
from tests.core.inspection.numpy_network import make_model


def test_a_dense_layer_on_an_image_gives_one_image_for_each_unit():
    weights = np.arange(6 * 4, dtype=np.float32).reshape(6, 4)
    images = filter_images(weights, (2, 3, 1))
    assert images.shape == (4, 2, 3)
    for unit in range(4):
        assert np.array_equal(images[unit].ravel(), weights[:, unit])


def test_channels_lie_side_by_side():
    weights = np.random.default_rng(0).standard_normal((3, 3, 2, 5)).astype(np.float32)
    images = filter_images(weights, (28, 28, 2))
    assert images.shape == (5, 3, 7)
    assert np.array_equal(images[4][:, :3], weights[:, :, 0, 4])
    assert np.array_equal(images[4][:, 4:], weights[:, :, 1, 4])
    assert np.isnan(images[:, :, 3]).all()


def test_many_channels_form_a_square():
    weights = np.random.default_rng(0).standard_normal((5, 5, 16, 2)).astype(np.float32)
    images = filter_images(weights, (14, 14, 16))
    assert images.shape == (2, 23, 23)
    assert np.array_equal(images[1][6:11, 12:17], weights[:, :, 6, 1])


def test_inputs_without_an_image_fill_rows():
    images = filter_images(np.arange(10, dtype=np.float32).reshape(5, 2), (5,))
    assert images.shape == (2, 2, 3)
    assert np.array_equal(images[1].ravel()[:5], [1, 3, 5, 7, 9])
    assert np.isnan(images[1, 1, 2])


def test_parameters_are_kept_within_the_limit_with_the_last_epoch():
    kept = KeptParameters(limit=4000)
    for epoch in range(1, 51):
        kept.add(epoch, np.full(100, epoch, np.float32))
        assert sum(array.nbytes for _, array in kept.epochs) <= 4000
    epochs = [epoch for epoch, _ in kept.epochs]
    assert len(epochs) <= 10
    assert epochs[-1] == 50
    assert len(set(np.diff(epochs[:-1]))) == 1
    assert all(array[0] == epoch for epoch, array in kept.epochs)


def test_epochs_that_are_far_apart_are_kept_within_the_limit():
    """Twice the spacing may drop none of them: then it is doubled again."""
    kept = KeptParameters(limit=1200)
    for epoch in (8, 16, 24, 32):
        kept.add(epoch, np.zeros(100, np.float32))
    assert [epoch for epoch, _ in kept.epochs] == [16, 32]


def test_one_large_network_is_still_kept():
    kept = KeptParameters(limit=10)
    for epoch in (1, 2, 3, 4):
        kept.add(epoch, np.zeros(100, np.float32))
    assert kept.epochs[-1][0] == 4
    assert len(kept.epochs) <= 2


def test_the_start_follows_from_the_settings():
    model = make_model("6-3")
    assert starting_parameters(model) is None
    model.run_settings.update(seed=7, initialization="glorot", network="64-6-3")
    assert np.array_equal(
        starting_parameters(model), initial_parameters(model.network, "glorot", 7)
    )
