"""The presets reach their accuracy on a part of MNIST that trains in seconds."""

import pytest

from core.data.dataset import Dataset
from core.data.sources import load_dataset
from core.training.presets import find_preset
from core.training.records import EpochDone, TrainingControl
from core.training.trainer import iter_training
from kernels.registry import open_device


@pytest.fixture(scope="module")
def part_of_mnist(data_folder):
    """The first 10,000 training images and all test images."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIGITLAB_DATA", str(data_folder))
        whole = load_dataset("mnist")
    return Dataset(
        whole.name, whole.title, whole.kind, whole.classes, whole.train.first(10_000), whole.test
    )


# On all 60,000 images the lecture's network reaches 94.5 %. On this part, seeds 0, 1 and 2 gave
# 0.9067, 0.9122 and 0.9074, and the dense network 0.9338, 0.9332 and 0.9326.
@pytest.mark.parametrize(
    ("name", "epochs", "accuracy"), [("lecture", 7, 0.90), ("dense", 3, 0.925)]
)
def test_a_preset_reaches_its_accuracy(part_of_mnist, name, epochs, accuracy):
    device = open_device("vectorized")
    settings = find_preset(name).settings.change(epochs=epochs)
    records = list(iter_training(settings, part_of_mnist, device, TrainingControl()))
    device.close()
    scores = [record.test_score for record in records if isinstance(record, EpochDone)]
    assert len(scores) == epochs
    assert scores[-1] >= accuracy
    assert scores[-1] > scores[0]
