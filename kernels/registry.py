"""The list of devices. A device is a package in `kernels` whose `__init__` declares `DEVICE`, a
DeviceSpec.

Devices are opened on request and probed by computing on them, never at import.
"""

import pkgutil
from functools import cache
from importlib import import_module
from operator import attrgetter

import numpy as np

import kernels
from kernels.device import Device
from kernels.device_spec import DeviceInfo, DeviceSpec, DeviceUnavailable

__all__ = ["DeviceInfo", "DeviceSpec", "DeviceUnavailable"]


@cache
def device_specs() -> tuple[DeviceSpec, ...]:
    """The declarations of all devices, by ascending rank."""
    packages = [module.name for module in pkgutil.iter_modules(kernels.__path__) if module.ispkg]
    modules = [import_module(f"{kernels.__name__}.{package}") for package in packages]
    specs = [module.DEVICE for module in modules if hasattr(module, "DEVICE")]
    return tuple(sorted(specs, key=attrgetter("rank")))


def device_names() -> tuple[str, ...]:
    """The names of all devices, by ascending rank."""
    return tuple(spec.name for spec in device_specs())


def device_spec(name: str) -> DeviceSpec:
    """The declaration of the device `name`. Raises ValueError for an unknown name."""
    return _spec_and_index(name)[0]


def is_device_name(name: str) -> bool:
    """Whether `name` is `auto` or the name of a device, which this machine need not have."""
    try:
        return name == "auto" or bool(device_spec(name))
    except ValueError:
        return False


def is_cpu_device(name: str) -> bool:
    """Whether every machine has the device. Raises ValueError for an unknown name."""
    return device_spec(name).probe is None


def _spec_and_index(name: str) -> tuple[DeviceSpec, int]:
    """For `cuda:1` the declaration of `cuda` and 1. Raises ValueError for an unknown name."""
    kind, colon, index = name.partition(":")
    for spec in device_specs():
        if spec.name == kind and (
            not colon
            # The first card has one name, "cuda": "cuda:0" is not known.
            or (spec.count is not None and index.isascii() and index.isdecimal() and index != "0")
        ):
            return spec, int(index or 0)
    raise ValueError(f"{name}: no such device; choose auto, {', '.join(device_names())}")


def default_cpu_device() -> str:
    """The name of the device with the highest rank among those that every machine has."""
    return next(spec.name for spec in reversed(device_specs()) if spec.probe is None)


def open_cpu_device(threads: int | None = None) -> Device:
    """A new device on this machine's processors, for what is computed beside training. `threads`:
    None for all.
    """
    device = open_device(default_cpu_device())
    if threads is not None:
        device.limit_threads(threads)
    return device


def open_device(name: str) -> Device:
    """A new device for one owner; `auto` is the available device with the highest rank.

    Raises DeviceUnavailable with the reason, ValueError for an unknown name.

    >>> device, y = open_device("sequential"), np.empty(3)
    >>> device.activate(np.array([-2.0, 0.0, 2.0]), "relu", y)
    >>> y.tolist()
    [0.0, 0.0, 2.0]
    """
    if name == "auto":
        name = _best_device()
    spec, index = _spec_and_index(name)
    if spec.probe is not None:
        info = probe(name)
        if not info.available:
            raise DeviceUnavailable(info.reason)
    return spec.open() if spec.count is None else spec.open(index)


def _best_device() -> str:
    """The name of the available device with the highest rank."""
    for spec in reversed(device_specs()):
        if spec.probe is None:
            return spec.name
        for name in _names(spec):
            if probe(name).available:
                return name
    raise DeviceUnavailable("There is no device.")


def _names(spec: DeviceSpec) -> list[str]:
    count = 1 if spec.count is None else spec.count()
    return [f"{spec.name}:{index}" if index else spec.name for index in range(count)]


def probe(name: str) -> DeviceInfo:
    """Whether the device `name` computes correctly on this machine. Raises ValueError for an
    unknown name.
    """
    spec, index = _spec_and_index(name)
    if spec.probe is not None:
        return spec.probe() if spec.count is None else spec.probe(index)
    try:
        device = spec.open()
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        out = device.empty((2, 2))
        with np.errstate(all="ignore"):  # Apple's products raise false warnings
            device.dense(
                device.upload(x),
                device.upload(np.ones((3, 2), np.float32)),
                device.upload(np.ones(2, np.float32)),
                "linear",
                out,
            )
        if not np.array_equal(device.download(out), [[4, 4], [13, 13]]):
            return DeviceInfo(
                name, spec.title, False, f"{name}: gave a wrong result for a small product."
            )
        details = device.details()
        device.close()
    except Exception as error:
        return DeviceInfo(name, spec.title, False, f"{name}: {error}")
    return DeviceInfo(name, spec.title, True, details=details)


def all_device_names() -> list[str]:
    """The names of all devices, each of several cards among them. May take seconds: not for the
    window's thread.
    """
    return [name for spec in device_specs() for name in _names(spec)]


def probe_all() -> list[DeviceInfo]:
    """The result of probing each device. May take seconds the first time: not for the window's
    thread.
    """
    return [probe(name) for name in all_device_names()]
