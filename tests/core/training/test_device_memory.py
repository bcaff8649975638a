"""The memory check of a card counts what a run allocates: data, parameters, and a batch times the
activations.
"""

from contextlib import suppress

import numpy as np
import pytest

from core.data.dataset import Dataset, Split
from core.measure.profile import OPERATORS
from core.network.network import activation_bytes
from core.network.notation import parse
from core.training.checks import check_memory
from core.training.run_settings import RunSettings
from core.training.trainer import Trainer
from kernels.errors import DeviceError
from kernels.vectorized.device import Vectorized


class Allocations(Vectorized):
    """A card that computes nothing and counts the bytes of its arrays. `free` bytes are free at
    first.
    """

    def __init__(self, free=1 << 50):
        super().__init__()
        self.free, self.bytes = free, 0

    def memory_info(self):
        return self.free, self.free

    def empty(self, shape, dtype=np.float32):
        array = super().empty(shape, dtype)
        self.bytes += array.nbytes
        return array

    def upload(self, host):
        self.bytes += host.nbytes
        return super().upload(host)

    def asarray(self, host):
        return self.upload(host)

    def worker(self):
        raise NotImplementedError


for _operator in OPERATORS:
    setattr(Allocations, _operator, lambda self, *arguments: None)


@pytest.fixture(scope="module")
def images():
    def split(count):
        return Split(np.zeros((count, 28, 28, 1), np.uint8), np.zeros(count, np.int32))

    return Dataset("noise", "Noise", "classes", tuple("0123456789"), split(4000), split(3000))


@pytest.mark.parametrize(
    "run",
    [
        RunSettings(network="32C5-MP2-64C5-MP2-512N-10N", batch_size=4000),
        RunSettings(
            network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, validation=0.5, optimizer="adam"
        ),
        RunSettings(
            network="8C5-MP2-D20-64N-10N", batch_size=2000, shift=1.0, optimizer="momentum"
        ),
        RunSettings(network="784-4000-4000-10", batch_size=1000, optimizer="adam"),
        RunSettings(network="784-2000-10", batch_size=500, group=4),
    ],
    ids=lambda run: f"{run.network}, batch {run.batch_size}, {run.optimizer}",
)
def test_a_run_allocates_no_more_than_the_check_counts(run, images):
    device = Allocations()
    network = parse(run.network, images.input_shape, images.outputs)
    Trainer(run, images, device, None).close()
    batch = check_memory(run, network, images, device)
    assert check_memory(run, network, images, Allocations(2 * device.bytes + (64 << 20))) == batch
    with suppress(DeviceError):
        assert check_memory(run, network, images, Allocations(device.bytes)) < batch


def test_a_batch_that_cannot_fit_is_refused_before_the_run(images):
    """60,000 images of this network take 23 GB for the outputs of its layers and their
    gradients.
    """
    settings = RunSettings(network="32C5-MP2-64C5-MP2-512N-10N", batch_size=4000)
    network = parse(settings.network, images.input_shape, images.outputs)
    with pytest.raises(DeviceError, match=r"needs about 1\.\d+ GB .* use a smaller batch"):
        check_memory(settings, network, images, Allocations(1 << 30))


@pytest.mark.parametrize("validation", [0.0, 0.5])
def test_images_are_evaluated_in_the_largest_batch_that_fits(images, validation):
    settings = RunSettings(
        network="32C5-MP2-64C5-MP2-512N-10N", batch_size=100, validation=validation
    )
    network = parse(settings.network, images.input_shape, images.outputs)
    each = activation_bytes(network) * (2 if validation else 1)
    largest = check_memory(settings, network, images, Allocations())
    # The least that is free when the largest batch fits: found by halving, as nothing else tells
    # it.
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        try:
            fits = check_memory(settings, network, images, Allocations(middle)) == largest
        except DeviceError:
            fits = False
        if fits:
            high = middle
        else:
            low = middle
    for halvings in (1, 2, 3):
        batch = largest >> halvings
        enough = high - each * (largest - batch)
        assert check_memory(settings, network, images, Allocations(enough)) == batch
        assert check_memory(settings, network, images, Allocations(enough - 1)) == batch // 2
