"""The devices by name: opened on request, probed by computing on them, never at import."""

from dataclasses import dataclass, field

import numpy as np

from kernels.device import Device

DEVICE_NAMES: tuple[str, ...] = ("sequential", "vectorized", "cuda")


class DeviceUnavailable(Exception):  # noqa: N818 - a fact about the machine, not a fault of the program
    """The device cannot be opened here; the text is the reason and what to do, as a sentence."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """What is known of a device on this machine. `reason` is empty when it is available."""

    name: str
    title: str
    available: bool
    reason: str = ""
    details: dict[str, str] = field(default_factory=dict)


def open_device(name: str) -> Device:
    """A new device for one owner; `auto` is the card where one answers, else `vectorized`.

    Raises DeviceUnavailable with the reason, ValueError for a name that is none of DEVICE_NAMES or `auto`.
    """
    if name == "auto":
        name = "cuda" if probe("cuda").available else "vectorized"
    if name == "sequential":
        from kernels.sequential import Sequential

        return Sequential()
    if name == "vectorized":
        from kernels.vectorized import Vectorized

        return Vectorized()
    if name == "cuda":
        info = probe("cuda")
        if not info.available:
            raise DeviceUnavailable(info.reason)
        from kernels.cuda.device import Cuda

        return Cuda()
    raise ValueError(f"{name}: no such device; choose auto, {', '.join(DEVICE_NAMES)}")


def probe(name: str) -> DeviceInfo:
    """Whether `name` computes here, found out by computing on it."""
    if name == "cuda":
        from kernels.cuda.probe import probe as probe_cuda

        return probe_cuda()
    try:
        device = open_device(name)
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        out = device.empty((2, 2))
        device.dense(x, np.ones((3, 2), np.float32), np.ones(2, np.float32), "linear", out)
        if not np.array_equal(out, [[4, 4], [13, 13]]):
            return DeviceInfo(name, _title(name), False, f"{name}: gave a wrong result for a small product.")
    except Exception as error:
        return DeviceInfo(name, _title(name), False, f"{name}: {error}")
    return DeviceInfo(name, _title(name), True)


def probe_all() -> list[DeviceInfo]:
    """Every device with what was found; may take seconds the first time, so not for the window's thread."""
    return [probe(name) for name in DEVICE_NAMES]


def _title(name: str) -> str:
    return {"sequential": "CPU, plain loops", "vectorized": "CPU, BLAS"}.get(name, name)
