"""Profiles: the time of each operator of a step."""

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.measure.profile import iter_profile
from core.training.run_settings import RunSettings
from kernels.registry import open_device


@pytest.fixture(scope="module")
def images():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 90).astype(np.int32)
    pixels = rng.integers(0, 256, (90, 8, 8, 1)).astype(np.uint8)
    return Dataset(
        "noise", "Noise", "classes", ("a", "b", "c"), Split(pixels, labels), Split(pixels, labels)
    )


@pytest.mark.parametrize("device", ["sequential", "vectorized"])
def test_the_calls_of_each_operator_are_counted(images, device):
    settings = RunSettings(network="4C3-MP2-9N-3N", batch_size=5, optimizer="adam")
    *_, profile = iter_profile(settings, images, open_device(device), steps=4)
    assert profile.steps == 4
    assert profile.step_seconds > 0
    calls = {operator.name: operator.calls for operator in profile.operators}
    assert calls == {
        "gather": 2,
        "convolve": 1,
        "max_pool": 1,
        "dense": 2,
        "softmax_cross_entropy": 1,
        "dense_weight_gradient": 2,
        "dense_input_gradient": 2,
        "bias_gradient": 3,
        "max_pool_gradient": 1,
        "convolve_weight_gradient": 1,
        "adam": 1,
        "advance": 1,
    }
    assert sum(operator.share for operator in profile.operators) == pytest.approx(1)
    seconds = [operator.seconds for operator in profile.operators]
    assert seconds == sorted(seconds, reverse=True)


def test_a_profile_reports_its_progress_and_can_be_closed(images):
    profiles = iter_profile(RunSettings(network="9"), images, open_device("vectorized"), steps=1000)
    assert next(profiles).steps < next(profiles).steps < 1000
    profiles.close()


def test_a_batch_too_large_for_the_memory_is_refused(images, install_memory):
    install_memory(100_000)
    with pytest.raises(InputError, match="more than half"):
        next(iter_profile(RunSettings(network="9"), images, open_device("vectorized")))


@pytest.mark.filterwarnings("error")
def test_a_rate_beyond_all_numbers_of_the_device_is_profiled_without_a_warning(images):
    settings = RunSettings(network="9", learning_rate=1e308)
    *_, profile = iter_profile(settings, images, open_device("vectorized"), steps=2)
    assert profile.steps == 2
