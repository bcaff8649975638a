"""Convolutions: `sequential` against finite differences in float64, `vectorized` against
`sequential`.
"""

import numpy as np
import pytest

from kernels.device import output_size, paddings, sides
from kernels.sequential.device import Sequential
from kernels.vectorized.device import Vectorized

# Products at points lose more than a plain sum: see `kernels.vectorized.winograd`.
TOLERANCE = {np.float32: 1e-4, np.float64: 1e-12}


def output_shape(x, w, stride, padding):
    height, width = (
        output_size(n, k, stride, padding)
        for n, k, padding in zip(x.shape[1:3], w.shape[:2], paddings(padding), strict=True)
    )
    return (len(x), height, width, w.shape[3])


def convolve(device, x, w, b, stride, padding, activation="linear"):
    out = np.full(output_shape(x, w, stride, padding), np.nan, x.dtype)
    device.convolve(x, w, b, stride, padding, activation, out)
    return out


def input_gradient(device, grad_z, w, stride, padding, y, activation="linear"):
    out = np.full(y.shape, np.nan, grad_z.dtype)
    read = None if activation == "linear" else y
    device.convolve_input_gradient(grad_z, w, stride, padding, read, activation, out)
    return out


def weight_gradient(device, x, grad_z, stride, padding, w):
    out = np.full(w.shape, np.nan, x.dtype)
    device.convolve_weight_gradient(x, grad_z, stride, padding, out)
    return out


def assert_close(found, expected, dtype):
    """Within the tolerance of the largest value."""
    assert found.dtype == dtype
    np.testing.assert_allclose(
        found, expected, rtol=0, atol=TOLERANCE[dtype] * np.abs(expected).max()
    )


def directional_derivative(f, array, change):
    """df along `change` of `array`, by a central difference."""
    step = 1e-6
    return (f(array + step * change) - f(array - step * change)) / (2 * step)


@pytest.mark.parametrize("padding", ["same", "valid", "beside"])
@pytest.mark.parametrize(
    ("size", "stride"), [(1, 1), (1, 2), (3, 1), (3, 2), (5, 1), (5, 2), ((3, 5), 1), ((1, 3), 2)]
)
def test_gradients_are_those_of_finite_differences(size, stride, padding):
    rng = np.random.default_rng(size)
    device = Sequential()
    x, w, b = (
        rng.standard_normal((2, 6, 7, 3)),
        rng.standard_normal((*sides(size), 3, 4)),
        rng.standard_normal(4),
    )
    seen = rng.standard_normal(output_shape(x, w, stride, padding))

    def loss(x, w, b):
        return float((convolve(device, x, w, b, stride, padding, "tanh") * seen).sum())

    y = convolve(device, x, w, b, stride, padding, "tanh")
    grad_z = seen * (1 - y * y)
    dx, dw = rng.standard_normal(x.shape), rng.standard_normal(w.shape)
    found = (input_gradient(device, grad_z, w, stride, padding, x) * dx).sum()
    np.testing.assert_allclose(
        found, directional_derivative(lambda x: loss(x, w, b), x, dx), rtol=1e-6, atol=1e-7
    )
    found = (weight_gradient(device, x, grad_z, stride, padding, w) * dw).sum()
    np.testing.assert_allclose(
        found, directional_derivative(lambda w: loss(x, w, b), w, dw), rtol=1e-6, atol=1e-7
    )
    gradient = np.full(4, np.nan)
    device.bias_gradient(grad_z, gradient)
    change = rng.standard_normal(4)
    np.testing.assert_allclose(
        gradient @ change,
        directional_derivative(lambda b: loss(x, w, b), b, change),
        rtol=1e-6,
        atol=1e-7,
    )


def test_a_convolution_by_hand():
    x = np.arange(9.0).reshape(1, 3, 3, 1)
    w = np.zeros((3, 3, 1, 1))
    w[0, 1] = 1  # sees the pixel above: kernels are not turned
    out = convolve(Sequential(), x, w, np.array([10.0]), 1, "same")
    np.testing.assert_array_equal(out[0, :, :, 0], [[10, 10, 10], [10, 11, 12], [13, 14, 15]])
    # Three pixels at stride 2 need one zero on each side; four need one, and it comes after.
    assert convolve(Sequential(), x, w, np.zeros(1), 2, "same")[0, 1, 1, 0] == 5
    four = np.arange(16.0).reshape(1, 4, 4, 1)
    np.testing.assert_array_equal(
        convolve(Sequential(), four, w, np.zeros(1), 2, "same")[0, :, :, 0], [[1, 3], [9, 11]]
    )


SHAPES = [  # images, height, width, channels, maps
    (1, 11, 13, 1, 3),
    (7, 12, 11, 5, 4),
    (2, 28, 28, 1, 32),
    (3, 14, 14, 17, 20),
]


@pytest.mark.parametrize("padding", ["same", "valid", "beside"])
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 9, 11, (3, 5), (5, 1)])
def test_vectorized_agrees_with_the_oracle(size, stride, padding):
    rng = np.random.default_rng(size)
    oracle, device = Sequential(), Vectorized()
    for n, height, width, channels, maps in SHAPES:
        for dtype in (np.float32, np.float64) if channels > 1 else (np.float32,):
            x = rng.standard_normal((n, height, width, channels)).astype(dtype)
            w = rng.standard_normal((*sides(size), channels, maps)).astype(dtype)
            w /= dtype(np.sqrt(w[..., 0].size))  # as at the start of a training
            b = rng.standard_normal(maps).astype(dtype)
            grad_z = rng.standard_normal(output_shape(x, w, stride, padding)).astype(dtype)
            y = np.tanh(x)
            wide = [array.astype(np.float64) for array in (x, w, b, grad_z, y)]
            for activation in ("relu", "sigmoid"):
                assert_close(
                    convolve(device, x, w, b, stride, padding, activation),
                    convolve(oracle, *wide[:3], stride, padding, activation),
                    dtype,
                )
            assert_close(
                input_gradient(device, grad_z, w, stride, padding, y, "tanh"),
                input_gradient(oracle, wide[3], wide[1], stride, padding, wide[4], "tanh"),
                dtype,
            )
            assert_close(
                weight_gradient(device, x, grad_z, stride, padding, w),
                weight_gradient(oracle, wide[0], wide[3], stride, padding, wide[1]),
                dtype,
            )


@pytest.mark.parametrize("size", [3, 5, 7])
@pytest.mark.parametrize("channels", [4, 16, 64])
def test_products_at_points_are_as_precise_as_is_said(size, channels):
    rng = np.random.default_rng(3)
    w = rng.standard_normal((size, size, channels, 48)).astype(np.float32)
    x = rng.standard_normal((4, 15, 14, channels)).astype(np.float32)
    grad_z = rng.standard_normal((4, 15, 14, 48)).astype(np.float32)
    b = np.zeros(48, np.float32)
    device, wide = Vectorized(), [array.astype(np.float64) for array in (x, w, b, grad_z)]
    for found, expected in (
        (convolve(device, x, w, b, 1, "same"), convolve(device, *wide[:3], 1, "same")),
        (
            input_gradient(device, grad_z, w, 1, "same", x),
            input_gradient(device, wide[3], wide[1], 1, "same", x),
        ),
        (
            weight_gradient(device, x, grad_z, 1, "same", w),
            weight_gradient(device, wide[0], wide[3], 1, "same", w),
        ),
    ):
        assert np.abs(found - expected).max() < 1e-4 * np.abs(expected).max()


@pytest.mark.parametrize("size", [3, 9])
def test_the_number_of_threads_changes_nothing(size):
    rng = np.random.default_rng(4)
    x = rng.standard_normal((30, 28, 28, 8)).astype(np.float32)
    w = rng.standard_normal((size, size, 8, 16)).astype(np.float32)
    b = rng.standard_normal(16).astype(np.float32)
    found = []
    for threads in (1, 2, 3):
        device = Vectorized(threads=threads)
        y = convolve(device, x, w, b, 1, "same", "relu")
        found.append(
            (
                y,
                input_gradient(device, y, w, 1, "same", x),
                weight_gradient(device, x, y, 1, "same", w),
            )
        )
        device.close()
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("device", [Sequential(), Vectorized()], ids=lambda device: device.name)
def test_a_convolution_of_infinite_inputs_is_not_finite(device):
    x = np.full((1, 8, 8, 4), np.inf, np.float32)
    w = np.ones((3, 3, 4, 4), np.float32)
    w[1] = -1
    out = np.empty((1, 8, 8, 4), np.float32)
    with np.errstate(all="ignore"):
        device.convolve(x, w, np.zeros(4, np.float32), 1, "same", "relu", out)
    assert not np.isfinite(out).all()
