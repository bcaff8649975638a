"""Every operator on every CPU device against the same operator as a formula in NumPy, in float64."""

from contextlib import closing

import numpy as np
import pytest

from kernels.activations import NAMES
from kernels.registry import open_device
from kernels.vectorized.device import Vectorized
from tests.kernels.numpy_reference import NumpyReference
from tests.kernels.operator_cases import cases, normalization_cases, run_case

TOLERANCE = {np.float32: 2e-5, np.float64: 1e-12}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["sequential", "vectorized"])
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_operator_agrees_with_its_formula(case, name, dtype):
    arrays = case.draw(np.random.default_rng(5), dtype)
    actual = run_case(case, open_device(name), arrays)
    # What is not yet written may hold any bits; only its type matters.
    with np.errstate(invalid="ignore", over="ignore"):
        wide = {k: a.astype(np.float64) if a.dtype == dtype else a for k, a in arrays.items()}
    expected = run_case(case, NumpyReference(), wide)
    for key, value in expected.items():
        np.testing.assert_allclose(
            actual[key], value, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype], err_msg=key
        )


@pytest.mark.parametrize("case", normalization_cases(40, 28, 28, 30)[::9], ids=lambda case: case.name)
def test_normalization_of_many_rows_does_not_depend_on_the_threads(case):
    """A batch that is divided into pieces, against the formula, and to the bit with one thread and with three."""
    arrays = case.draw(np.random.default_rng(5), np.float32)
    with closing(Vectorized(threads=1)) as one, closing(Vectorized(threads=3)) as three:
        actual, again = run_case(case, one, arrays), run_case(case, three, arrays)
    with np.errstate(invalid="ignore", over="ignore"):
        wide = {k: a.astype(np.float64) for k, a in arrays.items()}
    for key, value in run_case(case, NumpyReference(), wide).items():
        np.testing.assert_allclose(actual[key], value, rtol=1e-4, atol=1e-4, err_msg=key)
        np.testing.assert_array_equal(actual[key], again[key])


@pytest.mark.parametrize("name", ["sequential", "vectorized"])
def test_the_first_step_of_adam_has_the_length_of_the_rate(name):
    """With the bias corrected, m / √v is the sign of the gradient in the first step (Kingma and Ba 2015)."""
    p, g = np.zeros(4), np.array([3.0, -2e-3, 50.0, -1.0])
    rate, counters = np.array([0.25]), np.array([0, 0], np.int32)
    open_device(name).adam(p, g, np.zeros(4), np.zeros(4), rate, counters, 0.0, 4)
    np.testing.assert_allclose(p, -0.25 * np.sign(g), rtol=1e-5)


@pytest.mark.parametrize("name", ["sequential", "vectorized"])
@pytest.mark.parametrize("activation", NAMES)
def test_plots_show_a_diverging_loss(name, activation):
    out = np.zeros((1, 1), np.float32)
    one = np.ones((1, 1), np.float32)
    open_device(name).dense(one * np.nan, one, one[0], activation, out)
    assert np.isnan(out[0, 0])


def test_cross_entropy_of_far_apart_sums_is_finite():
    z = np.array([[1000.0, -1000.0]], np.float32)
    metrics, out = np.zeros(2), np.empty((1, 2), np.float32)
    open_device("vectorized").softmax_cross_entropy(z, np.array([1], np.int32), metrics, out)
    assert metrics[0] == 2000
    np.testing.assert_array_equal(out, [[1, -1]])


@pytest.mark.parametrize("optimizer", ["sgd", "momentum"])
@pytest.mark.parametrize("name", ["sequential", "vectorized"])
def test_a_weak_l2_is_not_rounded_away(name, optimizer):
    """1 - rate · l2 is 1 in float32; over many weights the pull must still be there on the average."""
    rng = np.random.default_rng(2)
    before = rng.uniform(1, 2, 200_000).astype(np.float32)
    gradient = rng.standard_normal(before.size).astype(np.float32)
    rate, l2, p = np.array([0.01], np.float32), 2e-6, before.copy()
    device = open_device(name)
    if optimizer == "sgd":
        device.sgd(p, gradient, rate, l2, p.size)
    else:
        device.momentum(p, gradient, np.zeros_like(p), rate, 0.9, False, l2, p.size)
    pull = (before - rate * gradient.astype(np.float64) - p).mean()
    assert pull == pytest.approx(0.01 * l2 * before.mean(), rel=0.05)
