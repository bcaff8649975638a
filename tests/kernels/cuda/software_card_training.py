"""Trainings with several steps in one graph, or in one launch, on the software card, which runs
independent launches, and the blocks of one, in a random order.

Run by test_software_card.py in a process of its own.
"""

from unittest.mock import patch

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.network.initialization import initial_parameters
from core.network.notation import parse
from core.training.records import EpochDone, Finished, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.train_step import TrainStep, first_checkpoint
from core.training.trainer import iter_training
from kernels.cuda import shipped, toolkit
from kernels.cuda.device import Cuda
from kernels.registry import open_device
from tests.kernels.cuda.kernel_list import compile_kernels, kernels
from tests.kernels.cuda.launches import noted


@pytest.fixture(scope="module", autouse=True)
def shipped_kernel(tmp_path_factory):
    """The kernel that does several steps is only launched as it was shipped."""
    several = [each for each in kernels() if each.name == "several-steps"]
    path = tmp_path_factory.mktemp("shipped") / "kernels.zip"
    with (
        patch.object(compile_kernels, "kernels", lambda: several),
        patch.object(shipped, "MACHINE_CODES", ()),
        patch.object(shipped, "FILE", path),
        patch.object(toolkit, "_USES_SHIPPED", new=True),
    ):
        compile_kernels.write(path)
        shipped.shipped_kernels.cache_clear()
        yield
    shipped.shipped_kernels.cache_clear()


class Watched(Cuda):
    """Keeps how many steps were done in each launch of several."""

    def __init__(self):
        super().__init__()
        self.launches = []

    def hidden_layer_steps(self, *arguments):
        steps = super().hidden_layer_steps(*arguments)

        def launch(count):
            self.launches.append(count)
            steps(count)

        return launch if steps else None


def trained(run, device, control=None, checkpoint=None):
    """(losses and right answers of each step, test losses, parameters at the end)"""
    control = control or TrainingControl(chunk=6)
    records = list(iter_training(run, blots(), device, control, checkpoint))
    assert device.notice == ""
    device.close()
    assert isinstance(records[-1], Finished)
    steps = [record.step_metrics for record in records if isinstance(record, StepsDone)]
    test_losses = [record.test_loss for record in records if isinstance(record, EpochDone)]
    return np.vstack(steps), test_losses, records[-1].checkpoint.parameters


def blots():
    """Three classes of 6x6 images that differ in where they are bright."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 90).astype(np.int32)
    images = rng.integers(0, 60, (90, 6, 6, 1))
    for image, label in zip(images, labels, strict=True):
        image[2 * label : 2 * label + 2] += 150
    images = images.astype(np.uint8)
    return Dataset("blots", "Blots", "classes", ("a", "b", "c"), Split(images[:64], labels[:64]),
                   Split(images[64:], labels[64:]))  # fmt: skip


@pytest.mark.parametrize(
    "run",
    [
        RunSettings(network="36-20-3", batch_size=10, epochs=2, learning_rate=0.1),
        RunSettings(
            network="4C3-MP2-D20-8N-3N",
            optimizer="adam",
            learning_rate=0.01,
            batch_size=10,
            epochs=1,
            shift=1.0,
        ),
    ],
    ids=["dense", "convolutional"],
)
def test_several_steps_in_one_graph_equal_the_cpu(run):
    device = Cuda()
    device.hidden_layer_steps = lambda *arrays: None
    steps, test_losses, parameters = trained(run, device)
    expected_steps, expected_losses, expected = trained(run, open_device("sequential"))
    # From the second epoch on, the evaluation is a recorded graph.
    assert len(test_losses) == run.epochs
    np.testing.assert_allclose(test_losses, expected_losses, rtol=1e-3)
    np.testing.assert_allclose(steps, expected_steps, rtol=2e-4, atol=1e-5)
    np.testing.assert_allclose(parameters, expected, rtol=1e-3, atol=1e-4)


def in_one_launch(**changed):
    settings = {"network": "36-20-3", "batch_size": 9, "epochs": 2, "learning_rate": 0.1}
    return RunSettings(**{**settings, **changed})


def test_several_steps_in_one_launch_equal_recorded_ones():
    run = in_one_launch(activation="tanh")
    device, looked_at = Watched(), Watched()
    steps, test_losses, parameters = trained(run, device)
    # 64 images: 7 batches of 9, and one of 1.
    assert device.launches == [6, 1, 6, 1]
    expected_steps, expected_losses, expected = trained(
        run, looked_at, TrainingControl(chunk=1, look=True)
    )
    assert looked_at.launches == []
    np.testing.assert_allclose(test_losses, expected_losses, rtol=1e-5)
    np.testing.assert_allclose(steps, expected_steps, rtol=1e-5)
    np.testing.assert_allclose(parameters, expected, rtol=1e-5, atol=1e-6)


def test_several_steps_in_one_launch_repeat_to_the_bit():
    """The card's blocks go on in another order each time. Chunks may end elsewhere, and runs be
    continued.
    """
    run = in_one_launch()
    steps, _, parameters = trained(run, Watched())
    control = TrainingControl(chunk=4)
    records = iter_training(run, blots(), Watched(), control)
    begun = next(records)
    control.stop = True
    *_, stopped = records
    assert stopped.reason == "stopped"
    again, _, found = trained(run, Watched(), TrainingControl(chunk=5), stopped.checkpoint)
    np.testing.assert_array_equal(np.vstack([begun.step_metrics, again]), steps)
    np.testing.assert_array_equal(found, parameters)


@pytest.mark.parametrize(
    ("changed", "several"),
    [
        ({}, True),
        ({"network": "36-8-8-3"}, False),
        ({"network": "36-20N:tanh-3N"}, False),
        ({"network": "36-22-3"}, False),
        ({"activation": "gelu"}, False),
        ({"optimizer": "momentum"}, False),
        ({"l1": 0.001}, False),
        ({"l2": 0.001}, False),
        ({"shift": 1.0}, False),
        ({"loss": "squared-error"}, False),
    ],
    ids=str,
)
def test_settings_with_several_steps_in_one_launch(changed, several):
    device = Watched()
    run = in_one_launch(**changed)
    network = parse(run.network, (6, 6, 1), 3)
    parameters = initial_parameters(network, run.initialization, 0)
    with noted(), patch.object(device, "record", lambda step: step):
        step = TrainStep(run, blots(), device, first_checkpoint(run, parameters))
        step.run(0, 3)
    step.close()
    device.close()
    assert device.launches == ([3] if several else [])


@pytest.mark.parametrize(
    ("batch", "sizes", "kind"),
    [
        (9, (35, 20, 3), np.uint8),
        (9, (788, 20, 3), np.uint8),
        (9, (36, 20, 12), np.uint8),
        (101, (36, 20, 3), np.uint8),
        (9, (36, 20, 3), np.float32),
        # More blocks than are on the card at once.
        (9, (36, 1100, 3), np.uint8),
    ],
)
def test_other_sizes_take_the_graph(batch, sizes, kind):
    device = Cuda()
    inputs, hidden, outputs = sizes
    images = device.empty((200, inputs), kind)
    layers = [(inputs, hidden), (hidden,), (hidden, outputs), (outputs,)]
    arrays = (images, *[images] * 3, *map(device.empty, layers), *[images] * 2)
    assert device.hidden_layer_steps(batch, "relu", *arrays) is None
    device.close()
