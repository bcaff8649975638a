"""The device `sequential`: every operator as plain loops on one thread. It is the reference for the
others.
"""

from kernels.device import Device
from kernels.device_spec import DeviceSpec


def _open() -> Device:
    from kernels.sequential.device import Sequential

    return Sequential()


DEVICE = DeviceSpec(
    name="sequential",
    title="plain loops",
    description="Plain loops, compiled, on one core: the readable way, and the slowest.",
    rank=0,
    open=_open,
    is_reference=True,
    bench_images={"dense": (2_000, 12_000), "cnn": (100, 1_000)},
)
