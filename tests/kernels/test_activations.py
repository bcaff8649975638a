"""Every activation of the folder: derivative, NumPy text and what it says of itself, against its
formula.
"""

import numpy as np
import pytest

from kernels.activations import ACTIVATIONS

# No corner of a piecewise activation lies on one of these.
POINTS = np.linspace(-6.03, 6.01, 777)
STEP = 1e-6
CORNERS = 4


def value(name, z):
    return float(ACTIVATIONS[name].value(float(z), float))


def derivative(name, z):
    cls = ACTIVATIONS[name]
    return float(cls.derivative(float(z) if cls.needs_z else value(name, z), float))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_derivative_is_that_of_the_formula(name):
    corners = 0
    for z in POINTS:
        left = (value(name, z) - value(name, z - STEP)) / STEP
        right = (value(name, z + STEP) - value(name, z)) / STEP
        if abs(left - right) > 1e-3:
            corners += 1
            continue
        assert derivative(name, z) == pytest.approx((left + right) / 2, rel=1e-6, abs=1e-8), (
            f"z = {z}"
        )
    assert corners <= CORNERS


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_text_for_numpy_is_the_formula(name):
    text = ACTIVATIONS[name].numpy
    if not text:
        pytest.skip("it has none")
    found = eval(text.format(z="z"), {"np": np, "z": POINTS})
    np.testing.assert_allclose(found, [value(name, z) for z in POINTS], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_what_it_says_of_itself_is_true(name):
    cls = ACTIVATIONS[name]
    values = np.array([value(name, z) for z in POINTS])
    assert cls.is_monotonic == bool((np.diff(values) >= 0).all())
    below = [value(name, z) == derivative(name, z) == 0 for z in POINTS if z < 0]
    assert cls.can_die == all(below)
    if cls.limits is not None:
        assert (value(name, -40), value(name, 40)) == pytest.approx(cls.limits)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_diverging_run_stays_visible(name):
    assert np.isnan(value(name, np.nan))
