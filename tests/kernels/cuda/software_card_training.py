"""Trainings with several steps in one graph on the software card, which runs independent launches
in a random order.

Run by test_software_card.py in a process of its own.
"""

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.training.records import EpochDone, Finished, StepsDone, TrainingControl
from core.training.run_settings import RunSettings
from core.training.trainer import iter_training
from kernels.cuda.device import Cuda
from kernels.registry import open_device


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
    records = list(iter_training(run, blots(), device, TrainingControl(chunk=6)))
    assert device.notice == ""
    device.close()
    expected = list(
        iter_training(run, blots(), open_device("sequential"), TrainingControl(chunk=6))
    )
    losses = [
        np.vstack([record.step_metrics for record in each if isinstance(record, StepsDone)])
        for each in (records, expected)
    ]
    np.testing.assert_allclose(*losses, rtol=2e-4, atol=1e-5)
    # From the second epoch on, the evaluation is a recorded graph.
    test_losses = [
        [record.test_loss for record in each if isinstance(record, EpochDone)]
        for each in (records, expected)
    ]
    assert len(test_losses[0]) == run.epochs
    np.testing.assert_allclose(*test_losses, rtol=1e-3)
    assert isinstance(records[-1], Finished)
    np.testing.assert_allclose(
        records[-1].checkpoint.parameters, expected[-1].checkpoint.parameters, rtol=1e-3, atol=1e-4
    )
