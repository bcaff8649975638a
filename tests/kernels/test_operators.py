"""The operators on the device of a scope, on every device that is here."""

import threading

import numpy as np
import pytest

from kernels import operators as op
from kernels.registry import device_names, probe

rng = np.random.default_rng(4)
W, x, b = rng.standard_normal((3, 4)), rng.standard_normal(4), rng.standard_normal(3)
MATRIX = rng.standard_normal((5, 4))
IMAGES = rng.standard_normal((2, 6, 5, 3))
KERNELS = rng.standard_normal((3, 3, 3, 4))
WINDOWS = np.lib.stride_tricks.sliding_window_view(IMAGES, (3, 3), (1, 2))
BLOCKS = IMAGES[:, :6, :4].reshape(2, 3, 2, 2, 2, 3)
DEVICES = [
    pytest.param(name, marks=[pytest.mark.gpu] if name.startswith("cuda") else [])
    for name in device_names()
]
CALLS = {
    "add a row": (lambda: op.add(MATRIX, x), MATRIX + x),
    "add to a row": (lambda: op.add(x, MATRIX), MATRIX + x),
    "subtract a number": (lambda: op.subtract(MATRIX, 2), MATRIX - 2),
    "multiply by a number": (lambda: op.multiply(0.5, MATRIX), MATRIX / 2),
    "dot of matrices": (lambda: op.dot(W, MATRIX.T), W @ MATRIX.T),
    "dot of row and matrix": (lambda: op.dot(b, W), b @ W),
    "dot of vectors": (lambda: op.dot(x, x), [x @ x]),
    "convolve": (
        lambda: op.convolve(IMAGES, KERNELS, x, padding="valid"),
        np.einsum("nijcab,abco->nijo", WINDOWS, KERNELS) + x,
    ),
    "max_pool": (lambda: op.max_pool(IMAGES), BLOCKS.max(axis=(2, 4))),
    "softmax": (lambda: op.softmax(MATRIX), np.exp(MATRIX) / np.exp(MATRIX).sum(1, keepdims=True)),
    "tanh": (lambda: op.tanh(IMAGES), np.tanh(IMAGES)),
    "clipped_leaky_relu": (
        lambda: op.clipped_leaky_relu(MATRIX),
        np.where(MATRIX < 0, 0.01 * MATRIX, np.where(MATRIX > 1, 0.99 + 0.01 * MATRIX, MATRIX)),
    ),
}


@pytest.fixture(params=DEVICES)
def scope(request):
    found = probe(request.param)
    if not found.available:
        pytest.skip(found.reason)
    with op.device(request.param) as device:
        yield device


def test_a_layer_by_dot_and_add(scope):
    hidden = op.dot(W, x)
    y = op.relu(op.add(hidden, b))
    assert isinstance(hidden, np.ndarray) == isinstance(y, np.ndarray) == (scope.name != "cuda")
    np.testing.assert_allclose(np.asarray(y), np.maximum(W @ x + b, 0), rtol=1e-5, atol=1e-6)
    with op.device("sequential"):
        np.testing.assert_allclose(op.add(y, 1), np.maximum(W @ x + b, 0) + 1, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("call", CALLS)
def test_an_operator_equals_numpy(scope, call):
    function, expected = CALLS[call]
    found = np.asarray(function())
    assert found.shape == np.shape(expected)
    assert found.dtype == (np.float32 if scope.name == "cuda" else np.float64)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)


def test_scopes_nest_and_belong_to_their_thread():
    def name():
        device, _ = op._on_device("", "")
        return device.name

    seen = []
    with op.device("sequential"):
        with op.device("vectorized"):
            seen.append(name())
        seen.append(name())
        thread = threading.Thread(target=lambda: seen.append(name()))
        thread.start()
        thread.join()
    assert [*seen, name()] == ["vectorized", "sequential", "vectorized", "vectorized"]


@pytest.mark.parametrize(("wrong", "sentence"), [
    (lambda: op.device("gpu").__enter__(), "gpu: no such device; choose auto, sequential"),
    (lambda: op.dot(W, b), r"dot: the shapes \(3, 4\) and \(3,\) do not fit \(ni, i\)"),
    (lambda: op.add(MATRIX, b), r"add: the shape \(3,\) is neither \(5, 4\) nor its end"),
    (lambda: op.convolve(IMAGES, np.ones((7, 7, 3, 4)), x, padding="valid"), "too small"),
    (lambda: op.max_pool(IMAGES, 6), "the images are too small"),
    (lambda: op.softmax(x), "do not fit"),
    (lambda: op.relu([]), "is empty"),
])  # fmt: skip
def test_what_does_not_fit_is_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
