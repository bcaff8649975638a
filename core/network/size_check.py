"""Whether this machine has the memory that a network needs."""

from math import prod

from core.errors import InputError
from core.files.memory import installed_memory
from core.network.network import Network
from core.text import format_bytes

# Parameters, gradient and two arrays of an optimizer's state, in float32.
_BYTES_PER_PARAMETER = 4 * 4

# How many examples to compute at once where nothing is trained: enough for BLAS, but so few that the outputs of all
# layers stay in cache, and take at most a part of the machine's memory.
_MAX_BATCH, _MIN_BATCH = 500, 16
_CACHED_BYTES, _MEMORY_PART = 8 << 20, 8


def activation_bytes(network: Network) -> int:
    """Bytes of the input and of all layers' outputs for one image."""
    return 4 * sum(prod(shape) for shape in network.shapes)


def inference_batch(network: Network) -> int:
    """How many examples to compute at once on a CPU where nothing is trained."""
    size = activation_bytes(network)
    batch = min(_MAX_BATCH, max(_MIN_BATCH, _CACHED_BYTES // size))
    return max(1, min(batch, installed_memory() // _MEMORY_PART // size))


def check_fits(network: Network) -> None:
    """Raise InputError for a network whose parameters, or outputs for one image, take more than half of the memory."""
    need, available = network.parameter_count * _BYTES_PER_PARAMETER, installed_memory()
    if need > available // 2:
        raise InputError(
            "This network has {parameters:,} parameters and would need {need} of memory to train; "
            "this machine has {have}. Use fewer units.",
            parameters=network.parameter_count, need=format_bytes(need), have=format_bytes(available),
        )  # fmt: skip
    need = activation_bytes(network)
    if need > available // 2:
        raise InputError(
            "This network would need {need} of memory for the outputs of its layers for one image; this machine has "
            "{have}. Use fewer units.", need=format_bytes(need), have=format_bytes(available),
        )  # fmt: skip
