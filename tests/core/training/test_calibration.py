"""The temperature makes probabilities as high as answers are often right; a run with a validation
share fits it.
"""

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.inference.engine import apply_temperature
from core.training.records import Finished
from core.training.run_settings import RunSettings
from core.training.trainer import fit_temperature, iter_training
from kernels.sequential.device import Sequential

RNG = np.random.default_rng(0)


def drawn_labels(z):
    """Labels that are drawn with the probabilities softmax(z)."""
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return (p.cumsum(axis=1) < RNG.random((len(z), 1))).sum(axis=1).clip(max=z.shape[1] - 1)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_the_temperature_of_exaggerated_sums_is_found(temperature):
    z = RNG.normal(0, 2, (20_000, 4))
    assert fit_temperature(z * temperature, drawn_labels(z)) == pytest.approx(temperature, rel=0.05)


def test_too_few_examples_fit_nothing():
    assert fit_temperature(RNG.normal(size=(50, 3)), np.zeros(50, np.int32)) == 1.0


def test_the_temperature_changes_probabilities_like_sums():
    z = RNG.normal(0, 3, (5, 4))
    p, wanted = (np.exp(s) / np.exp(s).sum(axis=1, keepdims=True) for s in (z, z / 1.7))
    apply_temperature(p, 1.7)
    np.testing.assert_allclose(p, wanted)


def noisy_points(count):
    inputs = RNG.normal(size=(count, 2)).astype(np.float32)
    answers = (inputs[:, 0] + RNG.normal(0, 1, count) > 0).astype(np.int32)
    return Split(inputs, answers)


@pytest.mark.parametrize(("validation", "fitted"), [(0.4, True), (0.0, False)])
def test_a_run_fits_it_on_its_validation_split(validation, fitted):
    data = Dataset(
        "points", "points", "classes", ("left", "right"), noisy_points(600), noisy_points(50)
    )
    settings = RunSettings(
        network="2-20-2", epochs=30, learning_rate=0.5, batch_size=20, validation=validation
    )
    *_, last = iter_training(settings, data, Sequential())
    assert isinstance(last, Finished)
    assert (last.checkpoint.temperature != 1.0) == fitted
