"""Max pooling and dropout on the CPU devices: ties, remainders, noise, gradients."""

import numpy as np
import pytest

from kernels import noise
from kernels.device import sides
from kernels.sequential.device import Sequential
from kernels.vectorized.device import Vectorized

devices = pytest.mark.parametrize(
    "device", [Sequential(), Vectorized()], ids=lambda device: device.name
)
dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@devices
@dtypes
@pytest.mark.parametrize("size", [2, 3, (2, 1), (1, 3)])
def test_pooling_takes_the_maximum_and_ignores_incomplete_blocks(device, size, dtype):
    rng = np.random.default_rng(size)
    x = rng.integers(-3, 4, (5, 11, 8, 7)).astype(dtype)
    tall, wide = sides(size)
    rows, columns = 11 // tall, 8 // wide
    y = np.full((5, rows, columns, 7), np.nan, dtype)
    device.max_pool(x, size, y)
    blocks = x[:, : rows * tall, : columns * wide].reshape(5, rows, tall, columns, wide, 7)
    np.testing.assert_array_equal(y, blocks.max((2, 4)))

    grad_y = rng.standard_normal(y.shape).astype(dtype)
    out = np.full(x.shape, np.nan, dtype)
    device.max_pool_gradient(x, y, grad_y, size, "leaky-relu", out)
    expected = np.zeros_like(x)
    tied = np.where(blocks == y[:, :, None, :, None], grad_y[:, :, None, :, None], 0)
    expected[:, : rows * tall, : columns * wide] = tied.reshape(5, rows * tall, columns * wide, 7)
    expected *= np.where(x < 0, dtype(0.01), dtype(1))
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@devices
@dtypes
@pytest.mark.parametrize("size", [2, 3, (2, 1), (1, 3)])
def test_average_pooling_takes_the_mean_and_ignores_incomplete_blocks(device, size, dtype):
    rng = np.random.default_rng(size)
    x = rng.standard_normal((5, 11, 8, 7)).astype(dtype)
    tall, wide = sides(size)
    rows, columns = 11 // tall, 8 // wide
    y = np.full((5, rows, columns, 7), np.nan, dtype)
    device.average_pool(x, size, y)
    blocks = x[:, : rows * tall, : columns * wide].reshape(5, rows, tall, columns, wide, 7)
    np.testing.assert_allclose(y, blocks.mean((2, 4)), rtol=1e-5, atol=1e-6)

    grad_y = rng.standard_normal(y.shape).astype(dtype)
    out = np.full(x.shape, np.nan, dtype)
    device.average_pool_gradient(x, grad_y, size, "leaky-relu", out)
    expected = np.zeros_like(x)
    share = grad_y.repeat(tall, 1).repeat(wide, 2) / (tall * wide)
    expected[:, : rows * tall, : columns * wide] = share
    expected *= np.where(x < 0, dtype(0.01), dtype(1))
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@devices
def test_every_tied_maximum_gets_the_gradient(device):
    x = np.ones((1, 2, 2, 1), np.float32)
    y, out = np.empty((1, 1, 1, 1), np.float32), np.full_like(x, np.nan)
    device.max_pool(x, 2, y)
    device.max_pool_gradient(x, y, np.full_like(y, 3), 2, "linear", out)
    np.testing.assert_array_equal(out, np.full_like(x, 3))


@devices
@pytest.mark.parametrize("place", range(4))
def test_pooling_passes_nan_on(device, place):
    x = np.zeros((1, 2, 2, 1), np.float32)
    x.reshape(-1)[place] = np.nan
    y = np.empty((1, 1, 1, 1), np.float32)
    device.max_pool(x, 2, y)
    assert np.isnan(y).all()


@devices
@dtypes
def test_dropout_drops_its_share_and_scales_the_rest(device, dtype):
    x = np.ones((100, 20, 30), dtype)
    counters = np.array([0, 5], np.int32)
    out = np.full_like(x, np.nan)
    device.dropout(x, 25, 12345678901, 2, counters, out)
    assert set(np.unique(out)) == {0, dtype(100 / 75)}
    assert abs((out == 0).mean() - 0.25) < 0.01
    # Neither neighbors nor images are dropped together.
    dropped = (out == 0) - 0.25
    for shifted in (np.roll(dropped, 1, 0), np.roll(dropped, 1, 1), np.roll(dropped, 1, 2)):
        assert abs((dropped * shifted).mean()) < 0.005

    grad_y, y = np.full_like(x, 3), np.full_like(x, 0.5)
    gradient = np.full_like(x, np.nan)
    device.dropout_gradient(grad_y, 25, 12345678901, 2, counters, y, "sigmoid", gradient)
    np.testing.assert_allclose(gradient, out * 0.75, rtol=1e-6)
    device.dropout_gradient(grad_y, 25, 12345678901, 2, counters, None, "linear", gradient)
    np.testing.assert_allclose(gradient, out * 3, rtol=1e-6)


def test_each_seed_step_and_layer_drops_others():
    x = np.ones((50, 100), np.float32)

    def dropped(seed, step, layer):
        out = np.empty_like(x)
        Sequential().dropout(x, 50, seed, layer, np.array([7, step], np.int32), out)
        return out == 0

    first = dropped(1, 2, 3)
    np.testing.assert_array_equal(first, dropped(1, 2, 3))
    for other in (
        dropped(2, 2, 3),
        dropped(1, 3, 3),
        dropped(1, 2, 4),
        dropped(1 + (1 << 32), 2, 3),
    ):
        assert abs((first == other).mean() - 0.5) < 0.03


def test_devices_drop_the_same_elements_as_plain_integers_say():
    x = np.ones(200, np.float32)
    expected = [noise.draw(noise.stream(9, 4, 1), k) >= noise.threshold(30) for k in range(200)]
    for device in (Sequential(), Vectorized()):
        out = np.empty_like(x)
        device.dropout(x, 30, 9, 1, np.array([0, 4], np.int32), out)
        np.testing.assert_array_equal(out > 0, expected)
