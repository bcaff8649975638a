"""The card that the device `cuda` uses: one of NVIDIA's driver, or in Numba's simulator one that it
simulates.
"""

from typing import TYPE_CHECKING

from kernels.cuda.toolkit import SIMULATED

if TYPE_CHECKING or not SIMULATED:
    from kernels.cuda.host import Card, Event, Stream
else:
    from kernels.cuda.simulated_host import Card, Event, Stream

__all__ = ["Card", "Event", "Stream"]
