"""Whether a run fits into memory, checked before anything is allocated."""

from core.data.dataset import Dataset
from core.errors import InputError
from core.files.memory import installed_memory
from core.network.network import Network, activation_bytes, inference_batch
from core.text import format_bytes
from core.training.data_parallel import worker_count
from core.training.optimizers import OPTIMIZERS
from core.training.run_settings import RunSettings
from kernels.device import Device
from kernels.errors import DeviceError

# Roughly what the driver, the kernels' code and partial sums take beside the arrays.
_RESERVE = 64 << 20

# A card computes thousands of images in about the time of hundreds, and each batch costs it some 15 launches.
_CARD_BATCH = 2500

_MIN_EVALUATION_BATCH = 16


def training_bytes(settings: RunSettings, network: Network, images: int) -> int:
    """Bytes that training on `images` images takes, without the data.

    These are the parameters, gradients and optimizer state, and for each worker the input and all outputs of a batch
    with their gradients.
    """
    copies = 2 + OPTIMIZERS[settings.optimizer].state_arrays + (settings.group if settings.group > 1 else 0)
    batch = min(settings.batch_size, images)
    return (
        4 * copies * network.parameter_count + 2 * worker_count(settings) * activation_bytes(network) * batch
    )


def check_host_memory(settings: RunSettings, network: Network, images: int) -> None:
    """Raise InputError where training on `images` images takes more than half of this machine's memory."""
    need, available = training_bytes(settings, network, images), installed_memory()
    if need > available // 2:
        by_group = settings.group > 1 and 4 * settings.group * network.parameter_count > need // 2
        setting, value = ("group", settings.group) if by_group else ("batch_size", settings.batch_size)
        raise InputError(
            "{setting} {value}: training would need {need}, more than half of this machine's {have} of memory. Use a "
            "smaller batch, fewer batches per update or a smaller network.",
            setting=setting, value=value, need=format_bytes(need), have=format_bytes(available),
        )  # fmt: skip


def evaluation_batch(settings: RunSettings, network: Network, dataset: Dataset, device: Device) -> int:
    """How many images to evaluate at once: on a card _CARD_BATCH, or fewer to fit into its memory.

    Where the training itself does not fit, raises DeviceError for a card, with the bytes needed and free, and
    InputError for a device that computes in the machine's own memory.
    """
    memory = device.memory_info()
    if memory is None:
        check_host_memory(settings, network, len(dataset.train))
        return inference_batch(network)
    free = memory[0]
    batch = _CARD_BATCH
    splits = (dataset.train, dataset.test)
    data = sum(split.inputs.nbytes + split.targets.nbytes + 4 * len(split) for split in splits)
    training = _RESERVE + data + training_bytes(settings, network, len(dataset.train))
    # The test set and the images kept for validation are evaluated with arrays of their own.
    evaluation = activation_bytes(network) * (2 if settings.validation else 1)
    while batch > _MIN_EVALUATION_BATCH and training + evaluation * batch > free:
        batch //= 2
    need = training + evaluation * batch
    if need > free:
        raise DeviceError(
            "memory",
            f"This run needs about {format_bytes(need)} on the graphics card, and {format_bytes(free)} are free: "
            "use a smaller batch or network, or the CPU.",
        )
    return batch
