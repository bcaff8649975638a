"""The device `cuda` on a real card: operators at real sizes, captured steps, whole trainings,
memory.

Needs a card, NumPy, Numba, numba-cuda and pytest, and nothing else of the project's packages: `uv
run --extra cuda pytest -m gpu`, or `python -m pytest -m gpu tests/kernels/cuda/test_cuda_card.py`.
"""

import secrets
import sys
from pathlib import Path
from unittest.mock import Mock, patch

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.network.layers.dense import Dense
from core.training.records import EpochDone
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.activations import NAMES
from kernels.augmentation import AugmentationParams
from kernels.cuda.installed import has_compiler, uses_shipped_kernels
from kernels.cuda.shipped import shipped_kernels
from kernels.device import Device
from kernels.registry import open_device, probe
from tests.core.network.layer_kinds import iter_layers, step_on
from tests.kernels.cuda.image_cases import convolution_cases, dropout_case, pooling_case, widened
from tests.kernels.operator_cases import (
    batch_cases,
    cases,
    dense_cases,
    elementwise_cases,
    loss_cases,
    output_cases,
    run_case,
    update_cases,
)

# Warnings of libraries on an unknown machine are not failures of the project.
pytestmark = [pytest.mark.gpu, pytest.mark.filterwarnings("default")]

# Relative to the norm. float32 sums over thousands of terms are well below, TF32 is not.
TOLERANCE = 5e-6


def real_cases():
    return [
        *cases(scale=9),
        # Products of 784-512-10 at batch 100; each tile; sizes that are no multiple of a tile.
        *dense_cases((100, 784, 512)),
        *dense_cases((100, 512, 10)),
        *dense_cases((513, 1027, 1025))[::4],
        *dense_cases((2051, 301, 2050))[::4],
        *dense_cases((5000, 64, 10))[::4],
        *convolution_cases(100, 28, 1, 5, 32, 1, "same"),
        *convolution_cases(50, 14, 32, 5, 64, 1, "same"),
        *convolution_cases(7, 15, 3, 4, 17, 2, "same"),
        *convolution_cases(9, 12, 5, 3, 6, 1, "valid"),
        pooling_case(50, 27, 32, 2),
        dropout_case(1000, 517),
        *loss_cases(10_000, 10),
        *loss_cases(300, 1000),
        *output_cases(100, 512, 10)[:1],
        *output_cases(1100, 301, 16)[:1],
        *update_cases(407_050),
        *elementwise_cases(700, 1300),
        *batch_cases(60_000, 1000),
    ]


@pytest.fixture(scope="module")
def card():
    info = probe("cuda")
    if not info.available:
        pytest.skip(info.reason)
    device = open_device("cuda")
    yield device
    device.close()


@pytest.mark.parametrize("case", real_cases(), ids=lambda case: case.name)
def test_operator_at_real_size(case, card):
    seed = secrets.randbits(32)
    arrays = case.draw(np.random.default_rng(seed), np.float32)
    found = run_case(case, card, arrays)
    for key, value in run_case(case, open_device("vectorized"), widened(arrays)).items():
        assert np.isfinite(found[key]).all(), f"seed {seed}: {key} was not completely written"
        # A single sum may be near 0, where its rounding is large beside it: its terms are near 1.
        size = max(np.linalg.norm(value), 1.0 if np.size(value) == 1 else 1e-30)
        error = np.linalg.norm(found[key].astype(float) - value) / size
        assert error < TOLERANCE, f"seed {seed}: {key} is off by {error:.2e}"


@pytest.mark.parametrize(
    "layer", [*iter_layers(), *(Dense(2, name) for name in NAMES)], ids=lambda layer: layer.text
)
def test_every_kind_of_layer_and_every_activation(layer, card):
    layers = (layer, Dense(3))
    expected = step_on(open_device("sequential"), layers)
    for found, value in zip(step_on(card, layers), expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(
    "amounts",
    [
        AugmentationParams(2.5, 15, 0.1, 10, 1, 0.8),
        AugmentationParams(rotation=180),
        AugmentationParams(elastic=2),
    ],
    ids=str,
)
def test_augmentation_agrees_with_the_reference(amounts, card):
    x = np.zeros((300, 28, 28, 1), np.float32)
    x[:, 6:22, 10:18] = np.random.default_rng(secrets.randbits(32)).random(
        (300, 16, 8, 1), np.float32
    )
    counters = np.array([0, secrets.randbits(20)], np.int32)
    expected, out = np.empty_like(x), card.upload(np.full_like(x, np.nan))
    open_device("sequential").augment(x, amounts, 3, counters, expected)
    card.augment(card.upload(x), amounts, 3, card.upload(counters), out)
    # Sine and cosine differ in their last bits, and so do the sampled positions.
    np.testing.assert_allclose(card.download(out), expected, atol=1e-4)


def test_a_large_product(card):
    seed = secrets.randbits(32)
    rng = np.random.default_rng(seed)
    x, y = (rng.standard_normal((4096, 4096)).astype(np.float32) for _ in range(2))
    out = card.upload(np.full((4096, 4096), np.nan, np.float32))
    card.dot(card.upload(x), card.upload(y), out)
    rows = rng.integers(0, 4096, 64)
    expected = x[rows].astype(float) @ y.astype(float)
    found = card.download(out)[rows]
    assert np.linalg.norm(found - expected) / np.linalg.norm(expected) < TOLERANCE, f"seed {seed}"


@pytest.mark.parametrize("case", real_cases()[::7], ids=lambda case: case.name)
def test_an_operator_repeats_to_the_bit(case, card):
    arrays = case.draw(np.random.default_rng(3), np.float32)
    first, second = run_case(case, card, arrays), run_case(case, card, arrays)
    for key, value in first.items():
        np.testing.assert_array_equal(second[key], value)


def test_the_output_layer_in_one_launch_is_the_same_to_the_bit(card):
    """The order of all sums is that of the three operators, but for the loss."""
    joined, parts = output_cases(100, 512, 10)
    arrays = joined.draw(np.random.default_rng(5), np.float32)
    found, expected = run_case(joined, card, arrays), run_case(parts, card, arrays)
    for name in ("z", "grad_z", "out"):
        np.testing.assert_array_equal(found[name], expected[name])
    np.testing.assert_allclose(found["metrics"], expected["metrics"], rtol=1e-13)


def test_an_update_within_the_gradient_is_the_same_to_the_bit(card):
    """Without L2, whose product and sum may be rounded once or twice."""
    from kernels.cuda.device import Cuda

    case = next(case for case in dense_cases((100, 784, 512)) if "update" in case.name)
    host = case.draw(np.random.default_rng(5), np.float32)
    results = []
    for update in (Cuda.dense_update, Device.dense_update):
        a = {name: card.upload(array) for name, array in host.items()}
        arrays = a["x"], a["grad_z"], a["w"], a["b"], a["rate"]
        update(card, *arrays, 0.0, (a["out"], a["bias"]))
        results.append([card.download(a[name]) for name in ("w", "b")])
    for found, expected in zip(*results, strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_product_is_the_same_wherever_its_result_lies(card):
    """Weights lie one after another: where they begin is a multiple of 4 bytes, not of 16."""
    rng = np.random.default_rng(6)
    x, w, rate = (card.upload(rng.random(shape, np.float32)) for shape in ((60, 40), (60, 36), 1))
    flat, old = card.empty((40 * 36 + 1,)), rng.random((40, 36), np.float32)
    for launch in (
        lambda out: card.dense_weight_gradient(x, w, out),
        lambda out: card.dense_update(x, w, out, card.empty((36,)), rate, 0.0, (out, None)),
    ):
        found = []
        for out in (flat[1:].reshape(40, 36), card.empty((40, 36))):
            card.write(out, old)
            launch(out)
            found.append(card.download(out))
        np.testing.assert_array_equal(*found)


def test_a_captured_step_equals_its_launches(card):
    rng = np.random.default_rng(secrets.randbits(32))
    x, w, b = (rng.standard_normal(s).astype(np.float32) for s in ((100, 784), (784, 512), 512))
    grad_z = rng.standard_normal((100, 512)).astype(np.float32)
    a = {
        "x": card.upload(x),
        "w": card.upload(w / 28),
        "b": card.upload(b),
        "dz": card.upload(grad_z),
        "out": card.empty((100, 512)),
        "g": card.empty((784, 512)),
        "gb": card.empty((512,)),
        "rate": card.upload(np.array([0.1], np.float32)),
        "counters": card.upload(np.zeros(2, np.int32)),
    }

    def step():
        card.dense(a["x"], a["w"], a["b"], "relu", a["out"])
        card.dense_weight_gradient(a["x"], a["out"], a["g"])
        card.bias_gradient(a["out"], a["gb"])
        card.dense_input_gradient(a["out"], a["w"], a["x"], "leaky-relu", a["x"])
        card.sgd(a["b"], a["gb"], a["rate"], 0.0, 0)
        card.advance(a["counters"], 100)

    names = ("x", "b", "out", "g", "gb", "counters")

    def after(play, times):
        for name, host in (("x", x), ("b", b), ("counters", np.zeros(2, np.int32))):
            card.write(a[name], host)
        for _ in range(times):
            play()
        return [card.download(a[name]) for name in names]

    expected = after(step, 3)
    replay = card.record(step)
    assert replay is not step, "the step was not captured"
    np.testing.assert_array_equal(card.download(a["counters"]), [300, 3])
    for found, value in zip(after(replay, 3), expected, strict=True):
        np.testing.assert_array_equal(found, value)


def digits(images=6000, tests=4000):
    """Ten classes of 28x28 images: three blurred blots at positions of the class, shifted and
    noisy.
    """
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:28, :28]
    labels = rng.integers(0, 10, images + tests).astype(np.int32)
    places = rng.uniform(7, 21, (10, 3, 2))
    found = np.zeros((images + tests, 28, 28))
    for blot in range(3):
        center = places[labels, blot] + rng.normal(0, 1.2, (images + tests, 2))
        distance = (rows - center[:, :1, None]) ** 2 + (columns - center[:, 1:, None]) ** 2
        found += 160 * np.exp(-distance / 6)
    found = np.clip(found + rng.normal(0, 25, found.shape), 0, 255).astype(np.uint8)[..., None]
    return Dataset(
        "blots",
        "Blots",
        "classes",
        tuple("0123456789"),
        Split(found[:images], labels[:images]),
        Split(found[images:], labels[images:]),
    )


RUNS = {
    "dense": RunSettings(
        network="784-512-10", activation="relu", learning_rate=0.1, epochs=3, seed=1
    ),
    "momentum": RunSettings(
        network="784-128-10", activation="tanh", optimizer="momentum", learning_rate=0.02, epochs=2
    ),
    "squared": RunSettings(
        network="784-64-10",
        activation="clipped-leaky-relu",
        loss="squared-error",
        learning_rate=0.5,
        epochs=2,
        batch_size=64,
    ),
    "convolutional": RunSettings(
        network="8C5-MP2-16C5-MP2-D20-64N-10N", optimizer="adam", learning_rate=0.002, epochs=1
    ),
}


def train(run, device, data):
    return [e for e in iter_training(run, data, device) if isinstance(e, EpochDone)]


@pytest.mark.parametrize("name", RUNS)
def test_a_training_agrees_with_the_cpu(name, card):
    data = digits()
    mine, its = train(RUNS[name], card, data), train(RUNS[name], open_device("vectorized"), data)
    assert mine[0].train_loss == pytest.approx(its[0].train_loss, rel=5e-3)
    # Rounding differences grow: at the end only the accuracy is the same.
    assert mine[-1].test_score == pytest.approx(its[-1].test_score, abs=0.003)


def test_the_first_steps_have_the_same_loss_as_on_the_cpu(card):
    from core.training.records import StepsDone, TrainingControl

    data, losses = digits(), []
    for device in (card, open_device("vectorized")):
        steps = iter_training(RUNS["dense"], data, device, TrainingControl(chunk=1))
        losses.append([next(e for e in steps if isinstance(e, StepsDone)).loss for _ in range(20)])
        steps.close()
    np.testing.assert_allclose(losses[0], losses[1], rtol=1e-4)


@pytest.mark.skipif(not uses_shipped_kernels(), reason="no kernels were compiled ahead")
def test_several_steps_in_one_launch_equal_the_graph(card):
    from core.training.records import Finished, TrainingControl

    data, found, chosen = digits(500, 100), [], card.hidden_layer_steps
    for steps in (chosen, chosen, lambda *arrays: None):
        with patch.object(card, "hidden_layer_steps", Mock(side_effect=steps)) as asked:
            *_, end = iter_training(
                RUNS["dense"].change(epochs=2), data, card, TrainingControl(chunk=4)
            )
        assert asked.call_count == 1
        assert isinstance(end, Finished)
        found.append(end.checkpoint.parameters)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_allclose(found[0], found[2], rtol=1e-3, atol=1e-5)
    # Otherwise the graph was compared with itself.
    assert (found[0] != found[2]).any()


@pytest.mark.parametrize("name", ["dense", "convolutional"])
def test_a_seed_repeats_a_training_to_the_bit(name, card):
    data = digits(1500, 300)
    first, second = (train(RUNS[name], card, data)[-1] for _ in range(2))
    np.testing.assert_array_equal(first.checkpoint.parameters, second.checkpoint.parameters)
    assert first.train_loss == second.train_loss


def test_memory_is_back_after_ten_runs(card):
    data = digits(200, 100)

    def one_run():
        device = open_device("cuda")
        train(RUNS["dense"].change(epochs=1), device, data)
        device.close()
        return card.memory_info()[0]

    # The first run loads the kernels, which remain loaded.
    one_run()
    before = one_run()
    for _ in range(10):
        after = one_run()
    # A run takes some 20 MB. The driver now and then takes 2 MB for itself.
    assert before - after < 8 << 20


def test_a_lack_of_memory_gives_one_sentence(card):
    from kernels.errors import DeviceError

    _, total = card.memory_info()
    with pytest.raises(DeviceError, match="MB were asked for") as caught:
        card.empty((total // 2,), np.float32)
    assert caught.value.kind == "memory"
    # The device can still be used.
    assert card.download(card.upload(np.arange(3.0, dtype=np.float32))).tolist() == [0, 1, 2]


def test_the_card_describes_itself(card):
    info = probe("cuda")
    assert {"driver", "card 0"} <= info.details.keys()
    assert "compute capability" in info.details["card 0"]


@pytest.mark.skipif(has_compiler(), reason="numba-cuda is installed")
def test_nothing_is_compiled(card):
    """The kernels of all tests above were shipped."""
    assert shipped_kernels() is not None
    assert not [name for name in sys.modules if name.startswith(("numba.cuda", "numba_cuda"))]
    maps = Path("/proc/self/maps")
    assert not maps.exists() or "libnvvm" not in maps.read_text()
