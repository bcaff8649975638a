"""Arithmetic against NumPy."""

import numpy as np
import pytest

from core.inference.engine import Engine
from core.inspection.units import arithmetic
from tests.core.inspection.numpy_network import activate, forward, make_model, split

CASES = [
    # network, layer, unit, row, column, channel
    ("4C5-MP2-6N-3N", 0, 2, 0, 0, 0),
    ("4C5-MP2-6N-3N", 0, 3, 4, 5, 0),
    ("4C5-MP2-6N-3N", 1, 1, 2, 3, 0),
    ("4C5-MP2-6N-3N", 2, 5, 0, 0, 3),
    ("4C5-MP2-6N-3N", 3, 1, 0, 0, 0),
    ("4C5-3C3:valid-D50-3N", 1, 2, 5, 1, 3),
    ("4C5-3C3:valid-D50-3N", 2, 2, 5, 1, 0),
    ("4C5-BN-MP2-6N-BN-3N", 1, 2, 5, 1, 0),
    ("4C5-BN-MP2-6N-BN-3N", 4, 5, 0, 0, 0),
]


@pytest.mark.parametrize(("text", "layer", "unit", "row", "column", "channel"), CASES)
def test_the_numbers_add_up_to_the_output(text, layer, unit, row, column, channel):
    model = make_model(text, activation="tanh")
    image = np.random.default_rng(0).integers(0, 256, (8, 8, 1), np.uint8)
    result = arithmetic(Engine(model), image, layer, unit, row, column, channel)
    outputs = forward(model, image[None] / 255)
    y = outputs[layer][0]
    assert result.y == pytest.approx(y[row, column, unit] if y.ndim == 3 else y[unit], abs=1e-4)
    params = split(model.network, model.parameters)[layer]
    if params is None:
        assert result.weights is None
        assert result.y == result.inputs.max()
        return
    np.testing.assert_allclose(result.products, result.inputs * result.weights, rtol=1e-5)
    total = np.nansum(result.products) + result.others + result.bias
    assert result.z == pytest.approx(total, abs=1e-4)
    if len(params) == 4:
        weight = params[0][unit] / np.sqrt(params[3][unit] + 1e-5)
        assert result.weights == pytest.approx(weight, rel=1e-5)
        assert result.bias == pytest.approx(params[1][unit] - params[2][unit] * weight, rel=1e-4)
    else:
        assert result.bias == params[1][unit]
    last = layer == len(model.network.layers) - 1
    assert result.y == pytest.approx(activate(result.z, "linear" if last else "tanh"), abs=1e-4)
    if params[0].ndim == 4:
        np.testing.assert_array_equal(result.weights, params[0][:, :, channel, unit])
