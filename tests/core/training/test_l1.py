"""L1 regularization in whole runs: every optimizer, the recorded step, and groups."""

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.network.parameters import views
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings
from core.training.trainer import epoch_order, iter_training
from kernels.registry import open_device


def points(images=40):
    """Two classes that differ in the first of 30 pixels; the others are noise."""
    rng = np.random.default_rng(6)
    answers = rng.integers(0, 2, images).astype(np.int32)
    inputs = rng.integers(0, 256, (images, 5, 6, 1)).astype(np.uint8)
    inputs[:, 0, 0, 0] = answers * 200
    return Dataset(
        "noise", "Noise", "classes", ("a", "b"), Split(inputs, answers), Split(inputs, answers)
    )


def trained(run, device="vectorized"):
    return list(iter_training(run, points(), open_device(device)))[-1].checkpoint.parameters


def test_a_step_adds_the_sign_of_each_weight():
    """Two steps of SGD against the formula: the gradient of L1 is l1 · sign(w), and biases have
    none.
    """
    data = points()
    settings = RunSettings(
        network="30-2", batch_size=20, epochs=1, l1=0.01, learning_rate=0.5, seed=3
    )
    weights = views(parse("30-2", data.input_shape, 2), trained(settings))[0]
    start = initial_parameters(
        parse("30-2", data.input_shape, 2), settings.initialization, settings.seed
    ).astype(float)
    w, b = start[:60].reshape(30, 2), start[60:]
    order = epoch_order(3, 0, 40)
    for batch in (order[:20], order[20:]):
        x = data.train.inputs[batch].reshape(20, 30) / 255
        z = x @ w + b
        delta = np.exp(z) / np.exp(z).sum(1, keepdims=True) - np.eye(2)[data.train.targets[batch]]
        w, b = w - 0.5 * (x.T @ delta / 20 + 0.01 * np.sign(w)), b - 0.5 * delta.mean(0)
    np.testing.assert_allclose(weights.weights, w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(weights.biases, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("changes", [{}, {"group": 2, "workers": 2}], ids=["one", "group"])
def test_devices_agree_and_most_weights_end_near_zero(optimizer, changes):
    rate = {"sgd": 0.1, "momentum": 0.1}.get(optimizer, 0.01)
    run = RunSettings(
        network="30-4-2", batch_size=10, optimizer=optimizer, learning_rate=rate, l1=0.05, **changes
    )
    short = run.change(epochs=2)
    np.testing.assert_allclose(trained(short, "sequential"), trained(short), rtol=1e-4, atol=1e-5)
    run = run.change(epochs=50)
    plain, pulled = trained(run.change(l1=0)), trained(run)
    small = [(np.abs(parameters[:128]) < 0.05).mean() for parameters in (plain, pulled)]
    assert small[1] > small[0] + 0.3


def test_the_compiled_step_computes_as_its_operators_do(monkeypatch):
    settings = RunSettings(
        network="30-4-2", batch_size=10, epochs=2, l1=0.02, l2=0.01, optimizer="momentum"
    )
    compiled = trained(settings)
    from kernels.vectorized.device import Vectorized

    monkeypatch.setattr(Vectorized, "record", lambda self, step: step)
    np.testing.assert_allclose(trained(settings), compiled, rtol=1e-5, atol=1e-6)
