"""Batch normalization in a network: its gradient, its running statistics, its activation and its
errors.
"""

from dataclasses import replace

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from core.data.dataset import Dataset, Split
from core.errors import InputError
from core.inference.engine import Engine
from core.inference.model_file import Model, load_model
from core.network.forward_backward import ForwardBackward, TrainingEffects
from core.network.losses import find_loss
from core.network.notation import parse
from core.network.parameters import views
from core.training.checks import check_run, training_bytes
from core.training.records import EpochDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import epoch_order, iter_training
from kernels.registry import open_device

CASES = [((6,), "5-BN-4:tanh-BN-3N"), ((5, 4, 2), "BN-3C3-BN:sigmoid-MP2-BN-D20-4N-BN-3N")]


@pytest.mark.parametrize("training", [True, False], ids=["training", "evaluation"])
@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize(("shape", "text"), CASES, ids=["dense", "maps"])
def test_gradient_equals_finite_differences_of_the_loss(shape, text, device_name, training):
    rng = np.random.default_rng(3)
    network = parse(text, shape, 3)
    parameters = rng.standard_normal(network.parameter_count)
    for layer in views(network, parameters):
        if layer is not None and layer.variances is not None:
            layer.variances[:] = rng.uniform(0.5, 2, layer.variances.shape)
    gradient = np.full(network.parameter_count, np.nan)
    batch, counters = 7, np.zeros(2, np.int32)
    one = ForwardBackward(
        network,
        "tanh",
        find_loss("cross-entropy", "classes"),
        open_device(device_name),
        parameters,
        batch,
        gradient=gradient,
        effects=TrainingEffects(5) if training else None,
        dtype=np.float64,
    )
    one.inputs[:] = rng.standard_normal((batch, *shape))
    answers = rng.integers(0, 3, batch).astype(np.int32)

    def mean_loss():
        metrics = np.zeros(2)
        one.forward(counters)
        one.loss(answers, metrics)
        return metrics[0] / batch

    mean_loss()
    one.backward(counters)
    step = 1e-5
    for k in range(network.trained_count):
        value = parameters[k]
        parameters[k] = value + step
        up = mean_loss()
        parameters[k] = value - step
        difference = (up - mean_loss()) / (2 * step)
        parameters[k] = value
        assert gradient[k] == pytest.approx(difference, rel=1e-5, abs=1e-8)
    if not training:
        assert not gradient[network.trained_count :].any()


def blobs(images=90):
    """Three classes of images that differ in one pixel."""
    rng = np.random.default_rng(1)
    answers = rng.integers(0, 3, images).astype(np.int32)
    inputs = rng.integers(0, 120, (images, 4, 4, 1))
    inputs[np.arange(images), answers] += 120
    inputs = inputs.astype(np.uint8)
    return Dataset("blobs", "Blobs", "classes", ("a", "b", "c"), Split(inputs[:70], answers[:70]),
                   Split(inputs[70:], answers[70:]))  # fmt: skip


def train(run, dataset, checkpoint=None, device="vectorized"):
    return list(iter_training(run, dataset, open_device(device), TrainingControl(), checkpoint))


@pytest.mark.parametrize("device_name", ["sequential", "vectorized"])
@pytest.mark.parametrize("group", [1, 2])
def test_running_statistics_follow_those_of_the_batches(group, device_name):
    """r += 0.1 (s - r) after each update, s being mean and unbiased variance of a batch; of a group
    their mean.

    A batch that a smaller group at the end of an epoch lacks counts as no change.
    """
    data = blobs()
    settings = RunSettings(network="BN-3N", batch_size=20, group=group, epochs=2, seed=4)
    network = parse(settings.network, data.input_shape, 3)
    found = views(network, train(settings, data, device=device_name)[-1].checkpoint.parameters)[0]
    mean, variance = np.zeros(1), np.ones(1)
    for epoch in range(2):
        order = epoch_order(4, epoch, 70)
        batches = [data.train.inputs[order[start : start + 20]] / 255 for start in range(0, 70, 20)]
        for first in range(0, len(batches), group):
            part = batches[first : first + group]
            mean = mean + 0.1 * sum(b.mean() - mean for b in part) / group
            variance = variance + 0.1 * sum(b.var(ddof=1) - variance for b in part) / group
    np.testing.assert_allclose(found.means, mean, rtol=1e-5)
    np.testing.assert_allclose(found.variances, variance, rtol=1e-5)


def test_a_model_reads_with_the_running_statistics(tmp_path):
    """The answer to an image does not depend on the images beside it; the file keeps the
    statistics.
    """
    data = blobs()
    settings = RunSettings(
        network="4C3-BN-MP2-6N-BN-3N", batch_size=10, epochs=12, learning_rate=0.3
    )
    finished = train(settings, data)[-1]
    network = parse(settings.network, data.input_shape, 3)
    assert finished.test_score > 0.9
    model = Model(
        network,
        settings.activation,
        settings.loss,
        "classes",
        data.classes,
        finished.checkpoint.parameters,
    )
    model.save(tmp_path / "model.safetensors")
    again = load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(again.parameters, finished.checkpoint.parameters)
    engine = Engine(again)
    together = engine.predict(data.test.inputs)
    alone = np.concatenate([engine.predict(data.test.inputs[k : k + 1]) for k in range(20)])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    score = (together.argmax(1) == data.test.targets).mean()
    assert score == pytest.approx(finished.test_score)


def test_a_negative_variance_in_a_file_is_refused(tmp_path):
    network = parse("2N-BN-2N", (3,), 2)
    parameters = np.ones(network.parameter_count, np.float32)
    path = tmp_path / "model.safetensors"
    Model(network, "relu", "cross-entropy", "classes", ("a", "b"), parameters).save(path)
    with safe_open(path, "numpy") as file:
        texts, arrays = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    (variance,) = (array for name, array in arrays.items() if name.endswith(".variance"))
    variance[-1] = -1
    save_file(arrays, path, texts)
    with pytest.raises(InputError, match="variance is negative"):
        load_model(path)


@pytest.mark.parametrize(
    "changes", [{}, {"optimizer": "adam", "learning_rate": 0.01, "group": 2, "workers": 2}]
)
def test_a_continued_run_equals_an_uninterrupted_one(changes):
    data = blobs()
    settings = RunSettings(network="3C3-BN-5N-BN-3N", batch_size=20, epochs=4, **changes)
    whole = train(settings, data)
    second = [record for record in whole if isinstance(record, EpochDone)][1]
    continued = train(settings, data, second.checkpoint)
    np.testing.assert_array_equal(
        continued[-1].checkpoint.parameters, whole[-1].checkpoint.parameters
    )


def test_the_number_of_workers_changes_no_bit():
    data = blobs()
    settings = RunSettings(network="3C3-BN-5N-BN-3N", batch_size=10, group=3, epochs=2)
    one, two = (train(settings.change(workers=n), data)[-1].checkpoint.parameters for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_the_best_epoch_keeps_its_own_statistics():
    data = blobs()
    settings = RunSettings(
        network="5N-BN-3N", batch_size=20, epochs=6, learning_rate=3.0, patience=2, validation=0.2
    )
    records = train(settings, data)
    by_epoch = {r.epoch: r.checkpoint for r in records if isinstance(r, EpochDone)}
    last = records[-1].checkpoint
    np.testing.assert_array_equal(last.best_parameters, by_epoch[last.best_epoch].parameters)
    np.testing.assert_array_equal(last.parameters, last.best_parameters)


@pytest.mark.parametrize(
    ("text", "activations"),
    [
        ("5-BN-3N", ["linear", "relu", "linear"]),
        ("5-BN:tanh-3N", ["linear", "tanh", "linear"]),
        ("5:tanh-BN-3N", ["tanh", "linear", "linear"]),
        ("5:tanh-BN:sigmoid-3N", ["tanh", "sigmoid", "linear"]),
        ("5-D20-BN-3N", ["relu", "linear", "linear", "linear"]),
        ("5-BN-BN-3N", ["linear", "linear", "relu", "linear"]),
        ("BN-3N", ["linear", "linear"]),
    ],
)
def test_the_activation_comes_after_the_normalization(text, activations):
    network = parse(text, (4,), 3)
    loss = find_loss("cross-entropy", "classes")
    assert list(network.activations("relu", loss)) == activations


def test_notation_counts_and_memory():
    network = parse("8c5-bn-mp2-32-Bn:tanh-10n", (28, 28, 1), 10)
    assert network.text == "8C5-BN-MP2-32N-BN:tanh-10N"
    assert network.parameters[1] == 16
    assert network.trained_count + 2 * (8 + 32) == network.parameter_count
    plain = parse("8C5-MP2-32N-10N", (28, 28, 1), 10)
    more = training_bytes(RunSettings(), network, 1000) - training_bytes(RunSettings(), plain, 1000)
    assert more >= 2 * 100 * 4 * (8 * 28 * 28 + 32)


def test_errors_say_what_to_do():
    with pytest.raises(InputError, match="must be dense with 3 units"):
        parse("5-BN", (4,), 3)
    with pytest.raises(InputError, match=r"BN \(batch normalization\)"):
        parse("5-BM-3N", (4,), 3)
    with pytest.raises(InputError, match="option “s2” is not known here"):
        parse("5-BN:s2-3N", (4,), 3)
    with pytest.raises(InputError, match="batch size 1: BN needs at least two images"):
        check_run(RunSettings(network="5-BN-3N", batch_size=1), (4,), 3, "classes")
    # A map of one image has many numbers.
    check_run(RunSettings(network="2C3-BN-3N", batch_size=1), (4, 4, 1), 3, "classes")
    with pytest.raises(InputError, match=r"last batch of an epoch of 70 images .* such as 22"):
        train(RunSettings(network="5-BN-3N", batch_size=23), blobs())


def test_l2_leaves_the_statistics_alone():
    """L2 pulls weights and scales, never running statistics."""
    data = blobs()
    settings = RunSettings(network="BN-3N", batch_size=70, epochs=3)
    plain, pulled = (
        views(
            parse(settings.network, data.input_shape, 3),
            train(replace(settings, l2=l2), data)[-1].checkpoint.parameters,
        )[0]
        for l2 in (0.0, 0.5)
    )
    np.testing.assert_array_equal(plain.means, pulled.means)
    np.testing.assert_array_equal(plain.variances, pulled.variances)
    assert pulled.weights[0] < plain.weights[0]
