"""The device `cuda`: every operator as a Numba CUDA kernel, the whole step as one captured graph.

Nothing here imports Numba's CUDA target until the device is opened or probed.
"""

from kernels.device import Device
from kernels.device_spec import DeviceInfo, DeviceSpec


def _open() -> Device:
    from kernels.cuda.device import Cuda

    return Cuda()


def _probe() -> DeviceInfo:
    from kernels.cuda.probe import probe

    return probe()


DEVICE = DeviceSpec(
    name="cuda",
    title="NVIDIA graphics card",
    description="Thousands of threads at once on a graphics card.",
    rank=20,
    open=_open,
    probe=_probe,
    on_host=False,
    bench_images={"dense": (60_000, 60_000), "cnn": (60_000, 60_000)},
)
