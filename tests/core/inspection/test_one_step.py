"""A step that was looked at: its numbers are those of the training, and looking changes none."""

import numpy as np
import pytest

from core.data import builtin
from core.data.sources import load_dataset
from core.inference.engine import Engine
from core.inspection.one_step import OneStep
from core.inspection.stage_content import stage_content
from core.network.parameters import views
from core.runs.plan import RunContext, RunPlan
from core.training.optimizers.optimizer import direction
from core.training.records import StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.registry import open_device

DENSE = "784-24-10"
CONVOLUTION = "4C5:s2-BN-6C3:valid-MP2-D20-16N:tanh-10N"


@pytest.fixture(scope="module")
def digits():
    return builtin.load(train=300, test=100)


def trained(settings, dataset, steps, *, look):
    """The records of the first steps, one each."""
    control = TrainingControl(chunk=1, look=look)
    records = iter_training(settings, dataset, open_device("vectorized"), control)
    found = [record for _, record in zip(range(steps), records, strict=False)]
    records.close()
    assert all(isinstance(record, StepsDone) for record in found)
    return found


def looked(settings, dataset, steps=3):
    network = RunPlan(settings, "builtin").network(
        dataset.input_shape, dataset.outputs, dataset.kind
    )
    context = RunContext(RunPlan(settings, "builtin"), dataset, network, (), "")
    record = trained(settings, dataset, steps, look=True)[-1]
    return OneStep(record.seen, context.model(record.checkpoint, None))


@pytest.mark.parametrize("network", [DENSE, CONVOLUTION])
def test_looking_at_steps_changes_no_bit_of_the_training(digits, network):
    settings = RunSettings(network=network, optimizer="adam", batch_size=20, shift=2)
    seen = trained(settings, digits, 4, look=True)
    plain = trained(settings, digits, 4, look=False)
    for one, other in zip(seen, plain, strict=True):
        assert np.array_equal(one.checkpoint.parameters, other.checkpoint.parameters)
        assert one.loss == other.loss
        assert other.seen is None
    assert np.array_equal(seen[1].seen.after.parameters, seen[2].seen.before.parameters)


UPDATES = [
    {"optimizer": "sgd", "learning_rate": 0.1},
    {"optimizer": "sgd", "learning_rate": 0.1, "l2": 0.01},
    {"optimizer": "sgd", "learning_rate": 0.1, "l1": 0.01},
    {"optimizer": "momentum", "learning_rate": 0.05, "momentum": 0.8, "nesterov": False},
    {"optimizer": "momentum", "learning_rate": 0.05, "momentum": 0.8, "nesterov": True},
    {"optimizer": "rmsprop", "learning_rate": 0.003},
    {"optimizer": "adam", "learning_rate": 0.003, "l2": 0.01},
]


@pytest.mark.parametrize(
    ("network", "update"),
    [*((DENSE, update) for update in UPDATES), (CONVOLUTION, UPDATES[-1])],
    ids=str,
)
def test_the_formula_of_a_weight_gives_the_weight_after_the_step(digits, network, update):
    step = looked(RunSettings(network=network, batch_size=20, **update), digits)
    for layer, weights in enumerate(views(step.before.network, step.seen.gradient)):
        if weights is None or weights.weights.ndim == 1:
            continue
        change = step.change_of(layer, step.strongest_weight(layer))
        assert change.after != change.before
        expected = change.before - change.rate * direction(change.terms)
        assert change.after == pytest.approx(expected, abs=2e-6)
        added = update.get("l2", 0) * change.before + update.get("l1", 0) * np.sign(change.before)
        assert change.pulls.mean() + added == pytest.approx(change.gradient, abs=2e-6)


@pytest.mark.parametrize("loss", ["cross-entropy", "squared-error"])
def test_errors_are_the_answers_less_what_is_right(digits, loss):
    step = looked(RunSettings(network=DENSE, loss=loss, activation="sigmoid"), digits)
    seen = step.seen
    said = step.training_answers()
    wanted = np.eye(10)[seen.targets]
    y = seen.outputs[-1]
    if loss == "cross-entropy":
        expected = said.answers - wanted
        losses = -np.log(said.of_label(seen.targets))
    else:
        expected = (y - wanted) * y * (1 - y)
        losses = 0.5 * ((y - wanted) ** 2).sum(axis=1)
    assert seen.errors[-1] == pytest.approx(expected, abs=1e-6)
    assert said.losses == pytest.approx(losses, rel=1e-4)
    images = digits.train.inputs[seen.images].reshape(seen.inputs.shape) / np.float32(255)
    assert seen.inputs == pytest.approx(images, abs=1e-6)


def test_errors_of_a_hidden_layer_are_gradients_of_the_loss(digits):
    step = looked(RunSettings(network="6C5-MP2-12N:tanh-10N", batch_size=10), digits)
    engine = Engine(step.before)
    layer, image = 2, 3
    x = step.seen.outputs[layer - 1][image].astype(np.float64)
    first, last = (views(step.before.network, step.before.parameters)[k] for k in (2, 3))

    def loss(z):
        y = np.tanh(z) @ last.weights.astype(np.float64) + last.biases
        return np.log(np.exp(y - y.max()).sum()) + y.max() - y[step.seen.targets[image]]

    z = x.ravel() @ first.weights.astype(np.float64) + first.biases
    for unit in range(12):
        nudge = np.eye(12)[unit] * 1e-5
        slope = (loss(z + nudge) - loss(z - nudge)) / 2e-5
        assert step.seen.errors[layer][image, unit] == pytest.approx(slope, abs=1e-5)
    engine.close()


@pytest.mark.parametrize("network", [DENSE, CONVOLUTION, "10"])
def test_the_blame_has_a_picture_for_each_unit_shown(digits, network):
    step = looked(RunSettings(network=network, batch_size=20), digits)
    engine = Engine(step.before)
    outputs = [output[2] for output in step.seen.outputs]
    content = stage_content(engine, step.seen.inputs[2], outputs=outputs)
    blamed = step.blame(content, 2)
    assert blamed.chosen == content.chosen
    for column, before in zip(blamed.columns, content.columns, strict=True):
        if not column.thin and column is not blamed.columns[-1]:
            assert column.pictures.shape == before.pictures.shape
    assert blamed.answers == pytest.approx(step.seen.errors[-1][2])
    engine.close()


def test_a_step_mends_the_image_with_the_largest_gain(digits):
    step = looked(RunSettings(network=DENSE, learning_rate=0.3), digits)
    engine = Engine(step.before)
    before = step.answers(engine, step.before)
    after = step.answers(engine, step.after)
    image = step.most_mended(before, after)
    targets = step.seen.targets
    assert not before.right[image]
    gain = (after.of_label(targets) - before.of_label(targets))[~before.right]
    assert after.of_label(targets)[image] - before.of_label(targets)[image] == gain.max()
    engine.use(step.before)
    assert engine.predict(step.seen.inputs) == pytest.approx(before.answers, abs=1e-5)
    engine.close()


def test_a_regression_is_seen_too():
    data = load_dataset("rastrigin:20")
    settings = RunSettings(network="2-16-1", batch_size=20, activation="tanh")
    record = trained(settings, data, 2, look=True)[-1]
    seen = record.seen
    assert seen.errors[-1] == pytest.approx(seen.outputs[-1] - seen.targets, abs=1e-5)


def test_a_group_of_batches_is_not_seen_as_one(digits):
    settings = RunSettings(network=DENSE, batch_size=20, group=4)
    assert trained(settings, digits, 1, look=True)[0].seen is None
