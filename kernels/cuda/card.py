"""The card that the device `cuda` uses: one of NVIDIA's driver, or in Numba's simulator one that it
simulates.
"""

from typing import TYPE_CHECKING, Any

from kernels.cuda.toolkit import SIMULATED

if TYPE_CHECKING or not SIMULATED:
    from kernels.cuda.host import Card, Event
else:
    from kernels.cuda.simulated_host import Card, Event

Stream = Any  # of cuda.core; in the simulator of the simulated host

__all__ = ["Card", "Event", "Stream"]
