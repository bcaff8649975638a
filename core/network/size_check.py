"""Whether this machine has the memory that a network needs."""

from math import prod

from core.errors import InputError
from core.files.memory import installed_memory
from core.network.network import Network
from core.text import format_bytes

# Parameters, gradient and two arrays of an optimiser's state, in float32.
_BYTES_PER_PARAMETER = 4 * 4

# The outputs of images that are evaluated at once take at most this part of the memory.
_EVALUATION_PART = 8


def activation_bytes(network: Network) -> int:
    """Bytes of the input and of all layers' outputs for one image."""
    return 4 * sum(prod(shape) for shape in network.shapes)


def batch_that_fits(network: Network, most: int) -> int:
    """How many images to evaluate at once: `most`, or fewer where their outputs would take too much memory."""
    return max(1, min(most, installed_memory() // _EVALUATION_PART // activation_bytes(network)))


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
