"""Kept parameters, and weights as images."""

import numpy as np

from core.inspection.health import starting_parameters
from core.inspection.units import in_rows
from core.network.initialization import initial_parameters
from core.training.records import KeptParameters
from tests.core.inspection.numpy_network import make_model


def test_inputs_without_an_image_fill_rows():
    image = in_rows(np.array([1, 3, 5, 7, 9], np.float32))
    assert image.shape == (2, 3)
    assert np.array_equal(image.ravel()[:5], [1, 3, 5, 7, 9])
    assert np.isnan(image[1, 2])


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
