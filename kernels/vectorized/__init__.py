"""The device `vectorized`: matrix products by NumPy's BLAS, everything else in loops compiled by
Numba.
"""

from kernels.device import Device
from kernels.device_spec import DeviceSpec


def _open() -> Device:
    from kernels.vectorized.device import Vectorized

    return Vectorized()


DEVICE = DeviceSpec(
    name="vectorized",
    title="processor",
    description="Whole matrices at once, by the processor's own library for products.",
    rank=10,
    open=_open,
    bench_images={"dense": (12_000, 60_000), "cnn": (1_000, 12_000)},
)
