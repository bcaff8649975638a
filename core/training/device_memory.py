"""Whether a run fits into the memory of a graphics card, checked before it starts."""

from math import prod

from core.data.dataset import Dataset
from core.network.network import Network
from core.text import format_bytes
from core.training.evaluation import BATCH
from core.training.optimizers import OPTIMIZERS
from core.training.run import Run
from kernels.device import Device
from kernels.errors import DeviceError

# Roughly what the driver, the kernels' code and partial sums take beside the arrays.
_RESERVE = 64 << 20

# A card computes thousands of images in about the time of BATCH, and each batch costs it some 15 launches.
_CARD_BATCH = 2500

_MINIMUM_EVALUATION_BATCH = 16


def evaluation_batch(run: Run, network: Network, dataset: Dataset, device: Device) -> int:
    """How many images to evaluate at once: BATCH on the CPU; on a card _CARD_BATCH, halved until it fits into memory.

    Raises DeviceError, with the bytes needed and free, where the training itself does not fit.
    """
    memory = device.memory_info()
    if memory is None:
        return BATCH
    free = memory[0]
    batch = _CARD_BATCH
    training = _training_bytes(run, network, dataset)
    # The test set and the images kept for validation are evaluated with arrays of their own.
    evaluation = _activation_bytes(network) * (2 if run.validation else 1)
    while batch > _MINIMUM_EVALUATION_BATCH and training + evaluation * batch > free:
        batch //= 2
    need = training + evaluation * batch
    if need > free:
        raise DeviceError(
            "memory",
            f"This run needs about {format_bytes(need)} on the graphics card, and {format_bytes(free)} are free: "
            "use a smaller batch or network, or the CPU.",
        )
    return batch


def _activation_bytes(network: Network) -> int:
    """Bytes of the input and of all layers' outputs for one image."""
    return 4 * sum(prod(shape) for shape in network.shapes)


def _training_bytes(run: Run, network: Network, dataset: Dataset) -> int:
    """Bytes of data, parameters, gradients, optimiser state, and of a batch's outputs and their gradients."""
    splits = (dataset.train, dataset.test)
    data = sum(split.inputs.nbytes + split.answers.nbytes + 4 * len(split) for split in splits)
    copies = 2 + OPTIMIZERS[run.optimizer].state_arrays + (run.group if run.group > 1 else 0)
    batch = min(run.batch_size, len(dataset.train))
    return _RESERVE + data + 4 * copies * network.parameter_count + 2 * _activation_bytes(network) * batch
