"""A recorded step of a dense network does what the step does; what cannot be recorded stays as it is."""

import numpy as np
import pytest

from kernels.activations import NAMES
from kernels.registry import open_device
from kernels.vectorized import blas
from kernels.vectorized.compiled_step import Recorded
from kernels.vectorized.exponential import exp32, sigmoid, tanh

ROWS, INPUTS, UNITS, OUTPUTS = 7, 6, 5, 3


def arrays(outputs=OUTPUTS, pixels=True):
    """All that a batch of a network with one hidden layer needs, from the same random numbers every time."""
    rng = np.random.default_rng(6)

    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    images = rng.integers(0, 256, (20, INPUTS)).astype(np.uint8)
    return {
        "source": images if pixels else normal(20, INPUTS),
        "labels": rng.integers(0, outputs, 20).astype(np.int32), "targets": normal(20, outputs),
        "order": rng.permutation(20).astype(np.int32), "counters": np.array([3, 1], np.int32), "tally": np.zeros(2),
        "w1": normal(INPUTS, UNITS), "b1": normal(UNITS), "w2": normal(UNITS, outputs), "b2": normal(outputs),
        "x": np.zeros((ROWS, INPUTS), np.float32), "h": np.zeros((ROWS, UNITS), np.float32),
        "y": np.zeros((ROWS, outputs), np.float32), "dh": np.zeros((ROWS, UNITS), np.float32),
        "dy": np.zeros((ROWS, outputs), np.float32), "near": np.zeros(ROWS, np.int32),
        "goal": np.zeros((ROWS, outputs), np.float32), "g1": np.zeros((INPUTS, UNITS), np.float32),
        "g2": np.zeros((UNITS, outputs), np.float32), "s1": np.zeros(UNITS, np.float32),
        "s2": np.zeros(outputs, np.float32),
    }  # fmt: skip


def step_of(device, a, activation, loss):
    def step():
        device.gather(a["source"], a["order"], a["counters"], a["x"])
        device.gather(a["labels"], a["order"], a["counters"], a["near"])
        device.gather(a["targets"], a["order"], a["counters"], a["goal"])
        device.dense(a["x"], a["w1"], a["b1"], activation, a["h"])
        device.dense(a["h"], a["w2"], a["b2"], "linear", a["y"])
        if loss == "softmax_cross_entropy":
            device.softmax_cross_entropy(a["y"], a["near"], a["tally"], a["dy"])
        elif loss == "squared_error_classes":
            device.squared_error_classes(a["y"], a["near"], "linear", a["tally"], a["dy"])
        else:
            device.squared_error(a["y"], a["goal"], "linear", a["tally"], a["dy"])
        device.dense_weight_gradient(a["h"], a["dy"], a["g2"])
        device.bias_gradient(a["dy"], a["s2"])
        device.dense_input_gradient(a["dy"], a["w2"], a["h"], activation, a["dh"])
        device.dense_weight_gradient(a["x"], a["dh"], a["g1"])
        device.bias_gradient(a["dh"], a["s1"])
        device.advance(a["counters"], ROWS)

    return step


@pytest.mark.parametrize("pixels", [True, False])
@pytest.mark.parametrize("outputs", [1, OUTPUTS])
@pytest.mark.parametrize("loss", ["softmax_cross_entropy", "squared_error_classes", "squared_error"])
@pytest.mark.parametrize("activation", NAMES)
def test_a_tape_does_what_the_step_does(activation, loss, outputs, pixels):
    expected, found = arrays(outputs, pixels), arrays(outputs, pixels)
    step_of(open_device("sequential"), expected, activation, loss)()
    device = open_device("vectorized")
    again = device.record(step_of(device, found, activation, loss))
    assert isinstance(again, Recorded)
    assert not found["y"].any()  # recording carries nothing out
    again()
    for name, array in expected.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=2e-6, err_msg=name)


def test_the_device_is_itself_again_after_recording():
    device, a = open_device("vectorized"), arrays()
    device.record(step_of(device, a, "tanh", "squared_error"))
    device.dense(a["w1"].T.copy(), a["w1"], a["b1"], "linear", out := np.zeros((UNITS, UNITS), np.float32))
    np.testing.assert_allclose(out, a["w1"].T @ a["w1"] + a["b1"], rtol=1e-5)


@pytest.mark.parametrize("operator", ["sgd", "float64"])
def test_what_a_tape_does_not_have_leaves_the_step(operator):
    device = open_device("vectorized")
    p = np.ones(3, np.float32 if operator == "sgd" else np.float64)

    def step():
        if operator == "sgd":
            device.sgd(p, p, p[:1], 0.0, 3)
        else:
            device.bias_gradient(p.reshape(1, 3), p)

    assert device.record(step) is step
    assert (p == 1).all()


def test_without_blas_the_step_stays(monkeypatch):
    monkeypatch.setattr(blas, "find", lambda: None)
    device = open_device("vectorized")
    step = step_of(device, arrays(), "relu", "squared_error")
    assert device.record(step) is step


def test_the_exponential_is_right_to_float32():
    x = np.linspace(-87, 87, 4001).astype(np.float32)
    found = np.array([exp32(value) for value in x], np.float64)
    np.testing.assert_allclose(found, np.exp(x.astype(np.float64)), rtol=4e-7)


@pytest.mark.parametrize("function", [sigmoid, tanh])
def test_bends_end_where_they_should_and_let_nan_pass(function):
    out = np.array([[-1e30, -200, 0, 200, 1e30, np.nan]], np.float32)
    function(out, np.zeros(6, np.float32))
    low, middle = (-1, 0) if function is tanh else (0, 0.5)
    np.testing.assert_allclose(out[0, :5], [low, low, middle, 1, 1], atol=1e-7)
    assert np.isnan(out[0, 5])
