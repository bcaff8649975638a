"""Checks of a run before its data are loaded, of its memory, and the advice for a run that has
learned nothing.
"""

import numpy as np
import pytest

from core.data.dataset import Split
from core.errors import InputError
from core.network.network import activation_bytes, inference_batch
from core.network.notation import NotationError, parse
from core.training import checks
from core.training.checks import advice_for, check_host_memory, check_run, training_bytes
from core.training.presets import PRESETS, find_preset
from core.training.run_settings import RunSettings

IMAGE = (28, 28, 1)


def test_an_activation_on_a_softmax_output_is_refused_with_its_position():
    with pytest.raises(NotationError, match="takes no activation of its own") as caught:
        check_run(RunSettings(network="64-10N:tanh"), IMAGE, 10, "classes")
    assert (caught.value.start, caught.value.end, caught.value.setting) == (3, 11, "network")
    with pytest.raises(NotationError) as caught:
        check_run(RunSettings(network="10N:tanh"), IMAGE, 10, "classes")
    assert (caught.value.start, caught.value.end) == (0, 8)
    assert (
        check_run(
            RunSettings(network="64-10N:tanh", loss="squared-error"), IMAGE, 10, "classes"
        ).outputs
        == 10
    )


def test_augmentation_of_points_is_refused_with_its_setting():
    with pytest.raises(InputError, match="changes images") as caught:
        check_run(RunSettings(network="2-9-1", rotation=5), (2,), 1, "regression")
    assert caught.value.setting == "rotation"


@pytest.mark.parametrize(("images", "batch", "other"), [(61, 12, 11), (7, 3, 7)])
def test_another_batch_size_is_proposed_that_leaves_no_single_image(images, batch, other):
    normalized = parse("784-8-BN-10", IMAGE, 10)
    with pytest.raises(InputError, match=f"choose another size, such as {other}"):
        checks.check_batches(
            RunSettings(network="784-8-BN-10", batch_size=batch), normalized, images
        )
    checks.check_batches(RunSettings(network="784-8-BN-10", batch_size=other), normalized, images)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_pass_the_checks(preset):
    points = (preset.data or "").startswith("rastrigin")
    check_run(
        preset.settings,
        (2,) if points else IMAGE,
        1 if points else 10,
        "regression" if points else "classes",
    )


def test_memory_counts_the_outputs_of_a_batch_and_their_gradients(install_memory):
    settings = find_preset("blog").settings
    network = parse(settings.network, IMAGE, 10)
    large = settings.change(batch_size=60_000)
    assert training_bytes(large, network, 60_000) > 23e9
    assert training_bytes(large, network, 500) == training_bytes(
        settings.change(batch_size=500), network, 500
    )
    install_memory(32 * 10**9)
    check_host_memory(settings, network, 60_000)
    with pytest.raises(
        InputError, match=r"would need 23\.\d GB, more than half of this machine's 32 GB"
    ) as caught:
        check_host_memory(large, network, 60_000)
    assert caught.value.setting == "batch_size"


def test_a_group_whose_gradients_take_too_much_memory_is_refused_without_the_data(install_memory):
    install_memory(32 * 10**9)
    settings = RunSettings(network="784-4000-4000-10", group=150)
    check_run(settings, IMAGE, 10, "classes")
    with pytest.raises(InputError, match=r"group 4000: training would need") as caught:
        check_run(settings.change(group=4000), IMAGE, 10, "classes")
    assert caught.value.setting == "group"


@pytest.mark.parametrize(
    ("group", "batch", "setting"),
    [(1, 10, "batch_size"), (3, 10, "group"), (3, 8000, "batch_size")],
)
def test_a_run_of_too_much_memory_is_refused_with_the_setting_that_takes_it(
    group, batch, setting, install_memory
):
    network = parse("784-4000-4000-10", IMAGE, 10)
    settings = RunSettings(network="784-4000-4000-10", group=group, batch_size=batch, workers=1)
    need = training_bytes(settings, network, 60_000)
    install_memory(2 * need)
    check_host_memory(settings, network, 60_000)
    install_memory(2 * need - 2)
    with pytest.raises(InputError, match="training would need") as caught:
        check_host_memory(settings, network, 60_000)
    assert caught.value.setting == setting


def test_images_are_evaluated_in_batches_whose_outputs_take_little_memory(install_memory):
    install_memory(16 * 10**9)
    wide = parse("1000C1-MP2-MP2-MP2-10N", IMAGE, 10)  # 4 MB an image, of 30,010 parameters
    assert inference_batch(parse("784-100-10", IMAGE, 10)) == 500
    convolutions = parse("8C5-MP2-16C5-MP2-64N-10N", IMAGE, 10)
    assert 16 < inference_batch(convolutions) <= (8 << 20) / activation_bytes(convolutions)
    assert inference_batch(wide) == 16
    install_memory(10**8)
    assert inference_batch(wide) == 3
    install_memory(7 * 10**6)
    with pytest.raises(InputError, match=r"4\.1\d MB of memory for the outputs"):
        parse("1000C1-MP2-MP2-MP2-10N", IMAGE, 10)


def test_memory_counts_every_worker(monkeypatch):
    monkeypatch.setattr("core.training.data_parallel.processor_count", lambda: 16)
    network = parse("784-100-10", IMAGE, 10)
    one = RunSettings(network="784-100-10", group=64)
    difference = training_bytes(one.change(workers=64), network, 60_000) - training_bytes(
        one, network, 60_000
    )
    assert difference == 63 * 2 * 4 * (784 + 100 + 10) * 100


def test_a_huge_number_of_workers_is_refused_at_once():
    with pytest.raises(InputError, match="workers 65536"):
        RunSettings(workers=65_536, group=65_536)


LABELS = Split(
    np.zeros((10, 1, 1, 1), np.uint8), np.array([0, 0, 0, 1, 1, 2, 2, 2, 3, 3], np.int32)
)
POINTS = Split(np.zeros((4, 1), np.float32), np.array([[1], [2], [3], [4]], np.float32))


@pytest.mark.parametrize(
    ("split", "kind", "loss", "score", "words"),
    [
        (LABELS, "classes", 3e20, 0.2, "lower the learning rate"),
        (LABELS, "classes", 1.38, 0.3, "learned nothing yet"),
        (LABELS, "classes", 1.38, 0.4, ""),
        (POINTS, "regression", 1e9, -1e9, "lower the learning rate"),
        (POINTS, "regression", 0.62, 0.0, "learned nothing yet"),
        (POINTS, "regression", 0.5, 0.2, ""),
    ],
)
def test_advice_for_a_run_that_learned_nothing(split, kind, loss, score, words):
    advice = advice_for(split, kind, "cross-entropy", loss, score)
    assert words in advice
    assert bool(words) == bool(advice)


def test_no_advice_where_all_answers_are_right():
    one_class = Split(np.zeros((5, 2)), np.zeros(5, np.int32))
    assert advice_for(one_class, "classes", "cross-entropy", 0.01, 1.0) == ""
