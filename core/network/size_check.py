"""Whether this machine has the memory that a network needs."""

from core.errors import InputError
from core.files.memory import installed_memory
from core.network.network import Network
from core.text import format_bytes

# Parameters, gradient and two arrays of an optimiser's state, in float32.
_BYTES_PER_PARAMETER = 4 * 4


def check_fits(network: Network) -> None:
    """Raise InputError for a network whose parameters take more than half of this machine's memory to train."""
    need, available = network.parameter_count * _BYTES_PER_PARAMETER, installed_memory()
    if need > available // 2:
        raise InputError(
            "This network has {parameters:,} parameters and would need {need} of memory to train; "
            "this machine has {have}. Use fewer units.",
            parameters=network.parameter_count, need=format_bytes(need), have=format_bytes(available),
        )  # fmt: skip
