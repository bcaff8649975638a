"""The device `cuda`: every operator is a Numba CUDA kernel, and a training step is one captured
CUDA graph.

Numba's CUDA target is imported when the device is opened or probed, not with this package.
"""

from kernels.device import Device
from kernels.device_spec import DeviceInfo, DeviceSpec, DeviceUnavailable


def _open(index: int) -> Device:
    from kernels.cuda.probe import probe_by_computing

    info = probe_by_computing(index)
    if not info.available:
        raise DeviceUnavailable(info.reason)
    from kernels.cuda.device import Cuda

    return Cuda(index)


def _probe(index: int) -> DeviceInfo:
    from kernels.cuda.probe import probe

    return probe(index)


def _count() -> int:
    from kernels.cuda.probe import count_cards

    return count_cards()


DEVICE = DeviceSpec(
    name="cuda",
    title="NVIDIA graphics card",
    description="Thousands of threads at once on a graphics card.",
    rank=20,
    open=_open,
    probe=_probe,
    count=_count,
    on_host=False,
    bench_images={"dense": (60_000, 60_000), "cnn": (60_000, 60_000)},
)
