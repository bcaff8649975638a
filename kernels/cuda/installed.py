"""What is installed for the device `cuda`, found without importing it: a compiler of kernels and
NVIDIA's driver.
"""

import ctypes
import importlib.util
import os
import sys

from kernels.installation import is_frozen, start_command

_FROM_SOURCE = "To compute on the card, start the program from its source code, as its README says."

_DRIVER_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


# The packages that compile kernels. The second continues the first, which is in maintenance.
COMPILER = "numba_cuda"
SUCCESSOR = "numba_cuda_mlir"


def compiler() -> str:
    """The package that compiles kernels: the successor if DIGITLAB_CUDA_COMPILER names it,
    otherwise numba-cuda.
    """
    return SUCCESSOR if os.environ.get("DIGITLAB_CUDA_COMPILER") == SUCCESSOR else COMPILER


def has_package() -> bool:
    """Whether the compiler can be imported."""
    return importlib.util.find_spec(compiler()) is not None


def _driver() -> ctypes.CDLL | None:
    """The library of NVIDIA's driver; None where it is not installed."""
    try:
        return ctypes.CDLL(_DRIVER_LIBRARY)
    except OSError:
        return None


def can_have_cards() -> bool:
    """Whether the driver is installed, or cards are simulated. Without it none of NVIDIA's
    libraries need be loaded.
    """
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") != "0" or _driver() is not None


def driver_finds_card() -> bool:
    """Whether NVIDIA's driver is installed and finds a card. The driver needs up to seconds for its
    start.
    """
    driver = _driver()
    if driver is None:
        return False
    count = ctypes.c_int()
    try:
        return (
            driver.cuInit(0) == 0
            and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
            and count.value > 0
        )
    except AttributeError:
        return False


def missing_package() -> tuple[str, str]:
    """(reason, advice), as in DeviceInfo, where the compiler is not installed."""
    extra = "cuda" if compiler() == COMPILER else "cuda-next"
    missing = f"the package {compiler().replace('_', '-')} is not installed"
    remedy = f"To install it and start, use `{start_command(extra)}`."
    if extra == "cuda" and sys.version_info >= (3, 15):
        missing = "numba-cuda has no libraries for Python 3.15 and later"
        remedy = "Start the program with Python 3.11 to 3.14."
    if is_frozen():
        missing = "this download has no CUDA libraries"
        remedy = _FROM_SOURCE
    advice = (
        f"This computer has an NVIDIA graphics card, but {missing}. {remedy}"
        if driver_finds_card()
        else ""
    )
    return f"cuda: {missing}. {remedy}", advice


def newer_toolkit_advice() -> str:
    """What to do where the CUDA toolkit is older than the card."""
    if is_frozen():
        return _FROM_SOURCE
    return f"For a newer CUDA use `{start_command('cuda13')}`."
