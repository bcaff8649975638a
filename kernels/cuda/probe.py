"""Probing asks each card to compute, once, and keeps what was found or the reason why there is nothing."""

import importlib.util
from functools import cache
from typing import Any

from kernels.device_spec import DeviceInfo

INSTALL = "uv run --extra cuda main.py"

_TITLE = "NVIDIA graphics card"

# Maxwell: the oldest that CUDA 12 compiles for.
_LEAST_CAPABILITY = (5, 0)


@cache
def probe() -> DeviceInfo:
    """What the machine has for `cuda`. The first call starts CUDA, compiles a tiny kernel and checks its result.

    `details`: driver, toolkit, and each card with its memory and compute capability. Whatever goes wrong is a
    reason and never an exception. Not for the window's thread: it can take seconds.
    """
    if importlib.util.find_spec("numba_cuda") is None:
        return _unavailable(
            f"cuda: the package numba-cuda is not installed. Install and start with: {INSTALL}"
        )
    try:
        return _probe()
    except Exception as error:
        from kernels.cuda.errors import as_device_error

        fault = as_device_error(error)
        if fault is not None:
            return _unavailable(f"cuda: {fault}")
        lines = str(error).strip().splitlines()
        return _unavailable(f"cuda: {type(error).__name__}: {lines[0] if lines else 'no further message'}")


def _probe() -> DeviceInfo:
    from kernels.cuda.toolkit import SIMULATED, cuda

    if SIMULATED:
        wrong = _wrong_result()
        details = {"simulator": "kernels run as Python threads, very slowly"}
        return DeviceInfo("cuda", "CUDA simulator", not wrong, wrong, details)
    if not cuda.is_available():
        return _unavailable(_why_no_driver(str(cuda.cuda_error() or "")))
    from numba.cuda.cudadrv.driver import driver

    supported, toolkit = driver.get_version(), cuda.runtime.get_version()
    details = {"driver": f"for CUDA {_dotted(supported)}", "toolkit": f"CUDA {_dotted(toolkit)}"}
    if supported[0] < toolkit[0]:
        reason = (
            f"cuda: the NVIDIA driver serves CUDA up to {_dotted(supported)}, but version {_dotted(toolkit)} is "
            "installed here. Update the driver."
        )
        return DeviceInfo("cuda", _TITLE, False, reason, details)
    cards = list(cuda.gpus)
    if not cards:
        return DeviceInfo("cuda", _TITLE, False, "cuda: the driver is there, but no card is.", details)
    for number, card in enumerate(cards):
        details[f"card {number}"] = _describe(card)
    title = _name(cards[0])
    if cards[0].compute_capability < _LEAST_CAPABILITY:
        reason = f"cuda: {title} is too old; compute capability {_dotted(_LEAST_CAPABILITY)} is needed."
        return DeviceInfo("cuda", title, False, reason, details)
    wrong = _wrong_result()
    return DeviceInfo("cuda", title, not wrong, wrong, details)


def _wrong_result() -> str:
    """Run a tiny kernel and compare: empty if it computes rightly, otherwise the reason."""
    import numpy as np

    from kernels.cuda.probe_kernel import twice_and_one
    from kernels.cuda.toolkit import cuda

    numbers = np.arange(8, dtype=np.float32)
    array = cuda.to_device(numbers)
    twice_and_one[1, 8](array)
    if np.array_equal(array.copy_to_host(), 2 * numbers + 1):
        return ""
    return "cuda: the card gave a wrong result for a tiny kernel; it or its driver is broken."


def _describe(card: Any) -> str:
    """`NVIDIA H100, 85.0 GB, compute capability 9.0`."""
    from kernels.cuda.toolkit import cuda

    with card:
        total = cuda.current_context().get_memory_info().total
    return f"{_name(card)}, {total / 1e9:.1f} GB, compute capability {_dotted(card.compute_capability)}"


def _name(card: Any) -> str:
    name = card.name
    return name.decode() if isinstance(name, bytes) else str(name)


def _why_no_driver(error: str) -> str:
    if "cannot be found" in error:
        return "cuda: no NVIDIA driver was found. Install the driver of your card, or train on the CPU."
    if "NO_DEVICE" in error:
        return "cuda: the NVIDIA driver is there, but it finds no card."
    if "DRIVER_MISMATCH" in error:
        return "cuda: parts of the NVIDIA driver are of different versions. Restart the computer."
    lines = error.strip().splitlines()
    return f"cuda: the NVIDIA driver does not start{': ' + lines[0] if lines else ''}."


def _dotted(version: tuple[int, int]) -> str:
    return f"{version[0]}.{version[1]}"


def _unavailable(reason: str) -> DeviceInfo:
    return DeviceInfo("cuda", _TITLE, False, reason)
