"""What a device's package declares about itself, and what is known of the device on this
machine.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kernels.device import Device


class DeviceUnavailable(Exception):  # noqa: N818 - a fact about the machine, not a fault of the program
    """The device cannot be opened on this machine. The text is one sentence with the reason and a
    remedy.
    """


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """The result of probing a device. `reason` says why it is not available; it is empty if it
    is.
    """

    name: str
    title: str
    available: bool
    reason: str = ""
    details: dict[str, str] = field(default_factory=dict)
    hardware: str = ""
    """The hardware in one line for a list of devices; empty for the processor."""
    advice: str = ""
    """What would make a device available whose hardware is present; empty if there is nothing to
    do.
    """


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """The declaration of a device: the constant `DEVICE` in the `__init__` of its package in
    `kernels`.

    The package must import neither Numba nor a driver before `open` or `probe` is called.
    """

    name: str
    """The name of the package, which is also the value of `--device`."""
    title: str
    """The name that the window shows until a probe gives a better one."""
    description: str
    """One sentence for a tooltip."""
    rank: int
    """Devices are listed by ascending rank; `auto` takes the available device with the highest
    rank.
    """
    open: Callable[..., "Device"]
    """Returns a new device for one owner. Takes the index of the device if `count` is given, else
    nothing.
    """
    probe: Callable[..., DeviceInfo] | None = None
    """Finds out whether this machine has the device; None if every machine has it (see
    `registry.probe`). Takes the index of the device if `count` is given, else nothing."""
    count: Callable[[], int] | None = None
    """The number of devices of this kind, at least 1, where there may be several; may take seconds.
    The first is called `name`, the others `name:1`, `name:2` and so on."""
    on_host: bool = True
    """Whether arrays live in the program's own memory, so that no copies to and from the device are
    needed.
    """
    is_reference: bool = False
    """Whether the device is for reading and checking; benchmarks that train for long leave it
    out.
    """
    bench_images: Mapping[str, tuple[int, int]] = field(
        default_factory=lambda: {"dense": (2_000, 12_000), "cnn": (100, 1_000)}
    )
    """Images of one timed epoch in `bench devices`, by network: (with --quick, without)."""
