"""Health against NumPy, and the diagnosis of runs that are known to fail and of runs that learn."""

import numpy as np
import pytest

from core.data import builtin
from core.inspection.health import (
    EXAMPLES,
    HealthMeter,
    diagnose,
    relative_change,
    starting_parameters,
)
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.runs.plan import RunContext, RunPlan
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device
from tests.core.inspection.numpy_network import forward, make_model, split


def examples(count=EXAMPLES + 10):
    rng = np.random.default_rng(4)
    return rng.integers(0, 256, (count, 8, 8, 1), np.uint8), rng.integers(0, 3, count).astype(
        np.int32
    )


def test_sizes_and_loss_are_those_of_numpy():
    model = make_model("10-6-3", activation="tanh")
    inputs, labels = examples()
    health = HealthMeter(model, inputs, labels).measure(model.parameters)
    x, labels = inputs[:EXAMPLES] / 255, labels[:EXAMPLES]
    outputs = forward(model, x)
    logits = outputs[-1]
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    rows = np.arange(EXAMPLES)
    assert health.loss == pytest.approx(-np.log(p[rows, labels]).mean(), rel=1e-4)
    assert health.score == pytest.approx((logits.argmax(axis=1) == labels).mean())
    delta = (p - np.eye(3)[labels]) / EXAMPLES
    parameters = split(model.network, model.parameters.astype(float))
    below = [x.reshape(EXAMPLES, -1), *outputs[:-1]]
    for own in reversed(health.layers):
        gradient = below[own.layer].T @ delta
        assert own.gradient_size == pytest.approx(np.sqrt((gradient**2).mean()), rel=1e-3)
        assert own.delta_size == pytest.approx(np.sqrt((delta**2).mean()), rel=1e-3)
        assert own.weight_size == pytest.approx(
            np.sqrt((parameters[own.layer][0] ** 2).mean()), rel=1e-3
        )
        delta = delta @ parameters[own.layer][0].T * (1 - below[own.layer] ** 2)


def test_the_start_of_batch_normalization_is_well_and_its_dead_units_are_counted():
    """All scales are 1 at the start, which says nothing; units die where the activation is."""
    inputs, labels = examples()
    network = make_model("10-BN-6-3", activation="relu").network
    parameters = initial_parameters(network, "he", 1)
    model = make_model("10-BN-6-3", activation="relu")
    health = HealthMeter(model, inputs, labels).measure(parameters)
    assert not diagnose(health)
    split(network, parameters)[1][1][:7] = -100
    health = HealthMeter(model, inputs, labels).measure(parameters)
    assert (health.layers[0].dead, health.layers[3].dead) == (None, None)
    assert 0.7 <= health.layers[1].dead < 1
    assert next(finding.kind for finding in diagnose(health)) == "dead"


def test_dead_and_saturated_units_are_counted():
    inputs, labels = examples()
    model = make_model("10-3", activation="relu")
    biases = split(model.network, model.parameters)[0][1]
    biases[:4] = -100
    health = HealthMeter(model, inputs, labels).measure(model.parameters)
    dead = (forward(model, inputs[:EXAMPLES] / 255)[0].max(axis=0) == 0).mean()
    assert health.layers[0].dead == pytest.approx(dead)
    assert dead >= 0.4
    assert health.layers[0].saturated is None
    model = make_model("10-3", activation="sigmoid")
    split(model.network, model.parameters)[0][1][:4] = 50
    health = HealthMeter(model, inputs, labels).measure(model.parameters)
    y = forward(model, inputs[:EXAMPLES] / 255)[0]
    limits = ((y < 0.02) | (y > 0.98)).mean(axis=0) >= 0.5
    assert health.layers[0].saturated == pytest.approx(limits.mean())
    assert limits.mean() >= 0.4


def test_the_change_is_that_of_the_weights():
    model = make_model("6-3")
    moved = model.parameters.copy()
    weights = model.network.weight_count
    moved[:weights] *= 1.01
    moved[weights:] += 5
    assert relative_change(model.network, model.parameters, moved) == pytest.approx(0.01, rel=1e-3)


BASE = RunSettings(network="784-64-10", epochs=3)
FAILING = {
    "rate 10 with ReLU": (BASE.change(learning_rate=10), "dead"),
    "convolutions with rate 3": (BASE.change(network="8C5-MP2-32N-10N", learning_rate=3), "dead"),
    "sigmoid six layers deep": (
        BASE.change(network="784-64-64-64-64-64-64-10", activation="sigmoid"),
        "vanishing",
    ),
    "tanh from standard normal weights": (
        BASE.change(network="784-64-64-10", activation="tanh", initialization="normal"),
        "saturated",
    ),
    "sigmoid with rate 100": (
        BASE.change(activation="sigmoid", loss="squared-error", learning_rate=100),
        "saturated",
    ),
    "deep ReLU from standard normal weights": (
        BASE.change(network="784-64-64-64-64-10", initialization="normal", learning_rate=0.001),
        "exploding",
    ),
    "rate 1e-6": (BASE.change(learning_rate=1e-6), "slow"),
    "L2 of 1": (BASE.change(l2=1.0), "shrunk"),
    "linear units with rate 3": (
        BASE.change(network="784-64:linear-10", loss="squared-error", learning_rate=3),
        "not-finite",
    ),
}
LEARNING = {
    "ReLU": BASE,
    "Adam": BASE.change(optimizer="adam", learning_rate=0.002),
    "ReLU five layers deep": BASE.change(network="784-64-64-64-64-10"),
    "tanh": BASE.change(activation="tanh", initialization="glorot"),
    "tanh five layers deep": BASE.change(network="784-64-64-64-64-10", activation="tanh"),
    "sigmoid": BASE.change(activation="sigmoid", learning_rate=1, epochs=6),
    "sigmoid with squared error": BASE.change(
        activation="sigmoid", loss="squared-error", learning_rate=2, epochs=6
    ),
    "convolutions": BASE.change(
        network="8C5-MP2-16C5-MP2-32N-10N", optimizer="adam", learning_rate=0.003
    ),
    "momentum": BASE.change(optimizer="momentum", learning_rate=0.02),
    "leaky ReLU with L2": BASE.change(activation="leaky-relu", l2=1e-4),
    "no hidden layer": BASE.change(network="784-10"),
    "dropout": BASE.change(network="256N-D50-10N"),
}


@pytest.fixture(scope="module")
def digits():
    train, test = builtin.draw(4000, 500)
    return builtin.Dataset("builtin", "Digits", "classes", builtin.DIGITS, train, test)


def findings(run, dataset):
    """The kinds of the findings after training, and the test score."""
    network = parse(run.network, dataset.input_shape, dataset.outputs)
    device = open_device("vectorized")
    *_, last = iter_training(run, dataset, device)
    model = RunContext(RunPlan(run, "builtin", "vectorized"), dataset, network).model(
        last.checkpoint
    )
    start = starting_parameters(model)
    meter = HealthMeter(model, dataset.train.inputs, dataset.train.targets)
    found = diagnose(
        meter.measure(model.parameters),
        meter.measure(start),
        relative_change(network, start, model.parameters),
        diverged=last.reason == "diverged",
    )
    return found, last.test_score


@pytest.mark.slow
@pytest.mark.parametrize("name", FAILING)
def test_a_failing_run_gets_its_diagnosis(digits, name):
    run, kind = FAILING[name]
    found, score = findings(run, digits)
    assert score < 0.6
    assert found
    assert {finding.kind for finding in found} == {kind}
    assert all(finding.advice for finding in found)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNING)
def test_a_run_that_learns_gets_none(digits, name):
    found, score = findings(LEARNING[name], digits)
    assert score > 0.75
    assert found == []


def test_weights_of_zero_are_named_and_stay_alike():
    model = make_model("784-64-10", (28, 28, 1), 10, activation="relu")
    model.parameters[:] = 0
    rng = np.random.default_rng(0)
    inputs = rng.integers(0, 256, (EXAMPLES, 28, 28, 1), np.uint8)
    meter = HealthMeter(model, inputs, rng.integers(0, 10, EXAMPLES).astype(np.int32))
    (finding,) = diagnose(meter.measure(model.parameters))
    assert finding.kind == "alike"
    assert finding.values == {"layer": "1"}
