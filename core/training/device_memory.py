"""Whether a run fits into a device's own memory, found out before it starts."""

from math import prod

from core.data.dataset import Dataset
from core.network.network import Network
from core.text import format_bytes
from core.training.evaluation import BATCH
from core.training.run import Run
from core.training.train_step import STATE_ARRAYS
from kernels.device import Device
from kernels.errors import DeviceError

# What the driver, the kernels' code and the shares of sliced sums take beside the arrays, roughly.
_RESERVE = 64 << 20

_FEWEST_EVALUATED = 16


def evaluation_batch(run: Run, network: Network, dataset: Dataset, device: Device) -> int:
    """How many images to evaluate at once: halved until all fits beside the training.

    Raises DeviceError, with what is needed and what is free, where even the training does not fit.
    """
    memory = device.memory_info()
    if memory is None:
        return BATCH
    free = memory[0]
    batch = BATCH
    training = _training_bytes(run, network, dataset)
    while batch > _FEWEST_EVALUATED and training + _activations(network) * batch > free:
        batch //= 2
    need = training + _activations(network) * batch
    if need > free:
        raise DeviceError(
            "memory",
            f"This run needs about {format_bytes(need)} on the graphics card, and {format_bytes(free)} are free: "
            "use a smaller batch or network, or the CPU.",
        )
    return batch


def _activations(network: Network) -> int:
    """Bytes of all layers' outputs for one image, its input among them."""
    return 4 * sum(prod(shape) for shape in network.shapes)


def _training_bytes(run: Run, network: Network, dataset: Dataset) -> int:
    """Bytes of data, parameters, gradients, the optimiser's state and the activations and slopes of a batch."""
    splits = (dataset.train, dataset.test)
    data = sum(split.inputs.nbytes + split.answers.nbytes + 4 * len(split) for split in splits)
    copies = 2 + STATE_ARRAYS[run.optimizer] + (run.group if run.group > 1 else 0)
    batch = min(run.batch_size, len(dataset.train))
    return _RESERVE + data + 4 * copies * network.parameter_count + 2 * _activations(network) * batch
