"""How much memory a network needs, and whether this machine has it."""

import os

from core.errors import InputError
from core.network.network import Network
from core.text import format_bytes

# Parameters, gradient and two of an optimiser's arrays, in float32.
_BYTES_A_PARAMETER = 4 * 4


def needed(network: Network) -> int:
    """Bytes that training `network` takes for its parameters alone."""
    return network.parameter_count * _BYTES_A_PARAMETER


def installed() -> int:
    """Bytes of memory in this machine; 16 GiB where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 16 << 30


def check_fits(network: Network) -> None:
    """Refuse a network that cannot be held, before anything is allocated."""
    need, have = needed(network), installed()
    if need > have // 2:
        raise InputError(
            "This network has {parameters:,} parameters and would need {need} of memory to train; "
            "this machine has {have}. Use fewer units.",
            parameters=network.parameter_count,
            need=format_bytes(need),
            have=format_bytes(have),
        )
