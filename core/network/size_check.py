"""How much memory a network needs, and whether this machine has it."""

from core.errors import InputError
from core.files.memory import installed_memory
from core.network.network import Network
from core.text import format_bytes

# Parameters, gradient and two of an optimiser's arrays, in float32.
_BYTES_A_PARAMETER = 4 * 4


def needed(network: Network) -> int:
    """Bytes that training `network` takes for its parameters alone."""
    return network.parameter_count * _BYTES_A_PARAMETER


def check_fits(network: Network) -> None:
    """Refuse a network that cannot be held, before anything is allocated."""
    need, have = needed(network), installed_memory()
    if need > have // 2:
        raise InputError(
            "This network has {parameters:,} parameters and would need {need} of memory to train; "
            "this machine has {have}. Use fewer units.",
            parameters=network.parameter_count,
            need=format_bytes(need),
            have=format_bytes(have),
        )
