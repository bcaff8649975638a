"""What is installed for the device `cuda`, found without importing it: the package numba-cuda and NVIDIA's driver."""

import ctypes
import importlib.util
import sys

INSTALL_COMMAND = "uv run --extra cuda main.py"

_DRIVER_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def has_package() -> bool:
    """Whether numba-cuda can be imported."""
    return importlib.util.find_spec("numba_cuda") is not None


def driver_finds_card() -> bool:
    """Whether NVIDIA's driver is installed and finds a card. The driver needs up to seconds for its start."""
    try:
        driver = ctypes.CDLL(_DRIVER_LIBRARY)
        count = ctypes.c_int()
        return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False


def missing_package() -> tuple[str, str]:
    """(reason, command that installs the package and starts the program; "" in the frozen program)."""
    card = "An NVIDIA graphics card is present, but " if driver_finds_card() else ""
    if getattr(sys, "frozen", False):
        without = "this download has no CUDA libraries" if card else "This download has no CUDA libraries"
        return f"cuda: {card}{without}. The download with “cuda” in its name has them.", ""
    missing = "the package numba-cuda is not installed"
    return f"cuda: {card}{missing}. Install and start with: {INSTALL_COMMAND}", INSTALL_COMMAND
