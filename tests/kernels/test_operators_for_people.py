"""Operators one by one on a device of a person's choice."""

import re
import threading
from pathlib import Path

import numpy as np
import pytest

from kernels import operators as op
from kernels.registry import open_device, probe

DEVICES = ["sequential", "vectorized"]
rng = np.random.default_rng(4)
W, x, b = rng.standard_normal((3, 4)), rng.standard_normal(4), rng.standard_normal(3)


@pytest.mark.parametrize("name", DEVICES)
def test_a_dense_layer_by_dot_and_add(name):
    with op.device(name):
        y = op.add(op.dot(W, x), b)
    np.testing.assert_allclose(y, W @ x + b, rtol=1e-12)


def test_scopes_nest_and_end():
    assert op.current().name == "vectorized"
    with op.device("sequential") as outer:
        with op.device("vectorized"):
            assert op.current().name == "vectorized"
        assert op.current() is outer
        with pytest.raises(ZeroDivisionError), op.device("vectorized"):
            raise ZeroDivisionError
        assert op.current() is outer
    assert op.current().name == "vectorized"


def test_a_scope_belongs_to_its_thread():
    seen = []
    with op.device("sequential"):
        thread = threading.Thread(target=lambda: seen.append(op.current().name))
        thread.start()
        thread.join()
    assert seen == ["vectorized"]


def test_a_device_that_one_opened_can_be_the_scope():
    mine = open_device("sequential")
    with op.device(mine) as device:
        assert device is mine


def test_an_unknown_device_is_refused():
    with pytest.raises(ValueError, match="choose auto"), op.device("gpu"):
        pass


IMAGES = rng.standard_normal((2, 6, 5, 3))
KERNELS = rng.standard_normal((3, 3, 3, 4))
MATRIX = rng.standard_normal((5, 4))
LABELS = [0, 3, 1, 1, 2]
CALLS = {
    "add a row": (lambda **o: op.add(MATRIX, x, **o), MATRIX + x),
    "add to a row": (lambda **o: op.add(x, MATRIX, **o), MATRIX + x),
    "subtract a number": (lambda **o: op.subtract(MATRIX, 2, **o), MATRIX - 2),
    "multiply": (lambda **o: op.multiply(MATRIX, MATRIX, **o), MATRIX**2),
    "multiply by a number": (lambda **o: op.multiply(0.5, MATRIX, **o), MATRIX / 2),
    "dot of matrices": (lambda **o: op.dot(W, MATRIX.T, **o), W @ MATRIX.T),
    "dot of row and matrix": (lambda **o: op.dot(b, W, **o), b @ W),
    "dot of vectors": (lambda **o: op.dot(x, x, **o), x @ x),
    "sigmoid": (lambda **o: op.sigmoid(IMAGES, **o), 1 / (1 + np.exp(-IMAGES))),
    "tanh": (lambda **o: op.tanh(MATRIX, **o), np.tanh(MATRIX)),
    "relu": (lambda **o: op.relu(MATRIX, **o), np.maximum(MATRIX, 0)),
    "leaky_relu": (lambda **o: op.leaky_relu(MATRIX, **o), np.where(MATRIX > 0, MATRIX, 0.01 * MATRIX)),
    "clipped_leaky_relu": (
        lambda **o: op.clipped_leaky_relu(MATRIX, **o),
        np.where(MATRIX < 0, 0.01 * MATRIX, np.where(MATRIX > 1, 0.99 + 0.01 * MATRIX, MATRIX)),
    ),
    "linear": (lambda **o: op.linear(MATRIX, **o), MATRIX),
    "softmax": (lambda **o: op.softmax(MATRIX, **o), np.exp(MATRIX) / np.exp(MATRIX).sum(1, keepdims=True)),
    "softmax of a vector": (lambda **o: op.softmax(x, **o), np.exp(x) / np.exp(x).sum()),
    "dense": (lambda **o: op.dense(MATRIX, W.T, b, "tanh", **o), np.tanh(MATRIX @ W.T + b)),
    "dense_input_gradient": (lambda **o: op.dense_input_gradient(MATRIX, W, **o), MATRIX @ W.T),
    "dense_weight_gradient": (lambda **o: op.dense_weight_gradient(MATRIX, MATRIX, **o), MATRIX.T @ MATRIX),
    "sum_rows": (lambda **o: op.sum_rows(MATRIX, **o), MATRIX.sum(0)),
    "max_pool": (lambda **o: op.max_pool(IMAGES, **o),
                 IMAGES[:, :6, :4].reshape(2, 3, 2, 2, 2, 3).max(axis=(2, 4))),
    "convolve": (
        lambda **o: op.convolve(IMAGES, KERNELS, padding="valid", **o),
        np.einsum("nijcab,abco->nijo", np.lib.stride_tricks.sliding_window_view(IMAGES, (3, 3), (1, 2)), KERNELS),
    ),
    "softmax_cross_entropy": (
        lambda **o: op.softmax_cross_entropy(MATRIX, LABELS, **o),
        (np.exp(MATRIX) / np.exp(MATRIX).sum(1, keepdims=True) - np.eye(4)[LABELS]) / 5,
    ),
    "squared_error": (lambda **o: op.squared_error(MATRIX, 2 * MATRIX, **o), -MATRIX / 5),
}  # fmt: skip


@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("call", CALLS)
def test_an_operator_equals_numpy(call, name):
    function, expected = CALLS[call]
    with op.device(name):
        found = function()
        out = np.full(np.shape(expected), np.nan)
        assert function(out=out) is out
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(found, out)


@pytest.mark.parametrize("name", DEVICES)
def test_whole_numbers_and_lists_become_float32(name):
    with op.device(name):
        assert op.dot([[1, 2], [3, 4]], [1, 1]).dtype == np.float32
        assert op.add(np.ones(3, np.float32), 1.5).dtype == np.float32
        assert op.add(np.ones(3, np.float32), np.ones(3)).dtype == np.float64


@pytest.mark.parametrize(("wrong", "sentence"), [
    (lambda: op.dot(W, b), "the first's 4 columns must match the second's 3 rows"),
    (lambda: op.dot(IMAGES, x), "flatten images first"),
    (lambda: op.add(MATRIX, b), "the second must be the end of the first"),
    (lambda: op.subtract(x, MATRIX), "the second must be the end of the first"),
    (lambda: op.dense(MATRIX, W, b), r"w has shape \(3, 4\), but must be \(i, o\), where i = 4"),
    (lambda: op.dense(MATRIX, W.T, x), r"b has shape \(4,\), but must be \(o\), where o = 3"),
    (lambda: op.convolve(IMAGES[..., :2], KERNELS), r"must be \(k, k, channels, maps\), where channels = 2"),
    (lambda: op.convolve(IMAGES, np.ones((7, 7, 3, 1)), padding="valid"), "use same padding"),
    (lambda: op.max_pool(MATRIX), r"x has shape \(5, 4\), but must be \(n, h, w, maps\)"),
    (lambda: op.max_pool(IMAGES, 6), "do not fit into a 6x5 image"),
    (lambda: op.softmax(IMAGES), "a vector or rows"),
    (lambda: op.softmax_cross_entropy(MATRIX, [0, 1, 2, 3, 4]), "from 0 to 3"),
    (lambda: op.activate(x, "swish"), "choose one of sigmoid"),
    (lambda: op.add(x, "one"), "must be numbers"),
    (lambda: op.relu([]), "empty"),
    (lambda: op.dot(W, x, out=np.empty(4)), r"out must be a NumPy array of float64 and shape \(3,\)"),
    (lambda: op.dot(W, x, out=np.empty(3, np.float32)), "of float64"),
    (lambda: op.dot(np.eye(4), x, out=x), "must not be one of the operands"),
    (lambda: op.add(x, x, out=np.empty(8)[::2]), "contiguous"),
    (lambda: op.subtract(MATRIX, MATRIX[0], out=MATRIX), "part of an operand"),
    (lambda: op.relu(MATRIX[:4], out=MATRIX[1:]), "part of an operand"),
])  # fmt: skip
def test_a_network_that_does_not_fit_the_data_gives_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()


@pytest.mark.parametrize("name", DEVICES)
def test_an_operand_may_be_overwritten_by_its_own_result(name):
    sums = MATRIX.copy()
    with op.device(name):
        op.add(sums, x, out=sums)
        op.subtract(sums, sums, out=sums[:])
    np.testing.assert_array_equal(sums, 0)


@pytest.mark.gpu
def test_values_stay_on_the_card():
    card = probe("cuda")
    if not card.available:
        pytest.skip(card.reason)
    with op.device("cuda"):
        z = op.dot(W, x)
        assert isinstance(z, op.DeviceArray)
        y = op.relu(op.add(z, b), out=op.linear(z))
    np.testing.assert_allclose(np.asarray(y), np.maximum(W @ x + b, 0), rtol=1e-5, atol=1e-6)
    with op.device("vectorized"):
        assert isinstance(op.relu(y), np.ndarray)


def test_the_tutorial_runs_as_it_is_written():
    text = (Path(__file__).parents[2] / "docs" / "operators.md").read_text("utf-8")
    names: dict = {}
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) > 3
    for block in blocks:
        exec(compile(block, "docs/operators.md", "exec"), names)
