"""A first dense layer that skips zeros: the sums are those of plain formulas, in an order of its
own, for any images and any number of threads.
"""

from contextlib import closing

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device
from kernels.vectorized.device import Vectorized

SIZES = [(100, 784, 512), (7, 130, 96), (250, 30, 131), (1, 784, 128)]


def images(n, i):
    """Twice as many as in a batch: full ones, blank ones, and in between; 9 of 10 pixels are 0."""
    rng = np.random.default_rng(n)
    pixels = rng.integers(1, 256, (2 * n, i)) * (rng.random((2 * n, i)) < 0.08)
    if n > 1:
        pixels[0] = 255
        pixels[n - 1] = 0
        pixels[:, 3] = 0
    return pixels.astype(np.uint8)


def step(source, o, threads=1, l2=0.01, fused=True, recorded=True):
    """Outputs, weights and biases after a step of SGD on the first half of `source`, and the
    device's gradient.
    """
    n, i = len(source) // 2, source.shape[1]
    rng = np.random.default_rng(3)
    w = rng.standard_normal((i, 600))[:, :o].astype(np.float32)
    b = rng.standard_normal(600)[:o].astype(np.float32)
    grad_z = rng.standard_normal((n, 600))[:, :o].astype(np.float32)
    order, counters = np.arange(2 * n, dtype=np.int32), np.zeros(2, np.int32)
    x, y = np.empty((n, i), np.float32), np.empty((n, o), np.float32)
    gradient, by_biases, rate = np.empty_like(w), np.empty_like(b), np.full(1, 0.3, np.float32)
    with closing(Vectorized(threads)) as device:

        def compute():
            device.gather(source, order, counters, x)
            device.dense(x, w, b, "tanh", y)
            if fused:
                device.dense_update(x, grad_z, w, b, rate, l2, (gradient, by_biases))
            else:
                device.dense_weight_gradient(x, grad_z, gradient)
                device.bias_gradient(grad_z, by_biases)
                device.sgd(w.reshape(-1), gradient.reshape(-1), rate, l2, w.size)
                device.sgd(b, by_biases, rate, 0.0, 0)

        if recorded:
            compute = device.record(compute)
        compute()
        assert device.skipped == pytest.approx((source == 0).mean())
    return y, w, b


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("l2", [0.0, 0.01])
def test_the_sums_are_those_of_the_formulas(size, l2):
    n, i, o = size
    source = images(n, i)
    rng = np.random.default_rng(3)
    w, b, grad_z = (rng.standard_normal(shape)[..., :o] for shape in ((i, 600), 600, (n, 600)))
    x = source[:n] / 255
    y, after, biases = step(source, o, l2=l2)
    np.testing.assert_allclose(y, np.tanh(x @ w + b), rtol=1e-4, atol=1e-4)
    expected = w - np.float32(0.3) * (x.T @ grad_z + l2 * w)
    np.testing.assert_allclose(after, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(biases, b - np.float32(0.3) * grad_z.sum(0), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_neither_threads_nor_other_columns_nor_the_form_of_the_call_change_a_bit(size):
    n, i, o = size
    source = images(n, i)
    expected = step(source, o)
    for options in ({"threads": 2}, {"threads": 3}, {"fused": False}, {"recorded": False}):
        for found, array in zip(step(source, o, **options), expected, strict=True):
            np.testing.assert_array_equal(found, array, err_msg=str(options))
    for found, array in zip(step(source, 600), expected, strict=True):
        np.testing.assert_array_equal(found[..., :o], array)


def blank_data(pixels):
    """Bars on paper: the class is the bar's row. 35 images of 12x12 pixels."""
    labels = np.arange(35, dtype=np.int32) % 4
    digits = np.zeros((35, 12, 12, 1), np.uint8)
    for image, label in zip(digits, labels, strict=True):
        image[3 * label] = pixels
    split = Split(digits, labels)
    return Dataset("bars", "Bars", "classes", ("a", "b", "c", "d"), split, split)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_training_on_blank_paper_is_that_of_plain_loops(optimizer):
    """Batches of 10, and a last one of 5; of 200 pixels of 255 each, and of 1."""
    rate = 0.1 if optimizer == "sgd" else 0.01
    run = RunSettings(
        network="144-100-4",
        batch_size=10,
        epochs=2,
        learning_rate=rate,
        optimizer=optimizer,
        l2=0.01,
    )
    for pixels in (255, 1):
        found = []
        for name in ("vectorized", "sequential"):
            with closing(open_device(name)) as device:
                *_, end = iter_training(run, blank_data(pixels), device)
                assert device.skipped == pytest.approx(11 / 12 if name == "vectorized" else 0)
            found.append(end.checkpoint.parameters)
        np.testing.assert_allclose(*found, rtol=1e-4, atol=2e-6)
