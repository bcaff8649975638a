"""What is installed for the device `cuda`, found without importing it: NVIDIA's driver, kernels
that were shipped, a compiler of kernels.
"""

import importlib.util
import os
import sys

from kernels.cuda.driver import DriverError, has_driver, start_driver
from kernels.cuda.shipped import shipped_kernels
from kernels.installation import is_frozen, start_command

_FROM_SOURCE = "To compile it, start the program from its source code, as its README says."

# The packages that compile kernels. The second continues the first, which is in maintenance.
COMPILER = "numba_cuda"
SUCCESSOR = "numba_cuda_mlir"

# The extra that installs a package.
_EXTRAS = {"numba-cuda": "cuda", "numba-cuda-mlir": "cuda-next"}


def compiler() -> str:
    """The package that compiles kernels: the successor if DIGITLAB_CUDA_COMPILER names it,
    otherwise numba-cuda.
    """
    return SUCCESSOR if os.environ.get("DIGITLAB_CUDA_COMPILER") == SUCCESSOR else COMPILER


def uses_shipped_kernels() -> bool:
    """Whether there are shipped kernels, and neither a compiler was asked for, nor the simulator,
    nor the lines of the kernels' sources.
    """
    asked = ("DIGITLAB_CUDA_COMPILER", "DIGITLAB_CUDA_LINES", "NUMBA_ENABLE_CUDASIM")
    if any(os.environ.get(name, "0") != "0" for name in asked):
        return False
    return shipped_kernels() is not None


def has_compiler() -> bool:
    """Whether the compiler can be imported."""
    return importlib.util.find_spec(compiler()) is not None


def missing_package() -> str:
    """The package without which no kernel can be launched; "" where none is missing."""
    if has_compiler() or uses_shipped_kernels():
        return ""
    return compiler().replace("_", "-")


def can_have_cards() -> bool:
    """Whether the driver is installed, or cards are simulated. Without it none of NVIDIA's
    libraries need be loaded.
    """
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") != "0" or has_driver()


def driver_finds_card() -> bool:
    """Whether NVIDIA's driver is installed and finds a card. The driver needs up to seconds for its
    start.
    """
    try:
        return start_driver() > 0
    except DriverError:
        return False


def reason_and_advice(package: str) -> tuple[str, str]:
    """(reason, advice), as in DeviceInfo, where this package is not installed."""
    missing = f"the package {package} is not installed"
    remedy = f"To install it and start, use `{start_command(_EXTRAS[package])}`."
    if package == "numba-cuda" and sys.version_info >= (3, 15):
        missing = "numba-cuda has no libraries for Python 3.15 and later"
        remedy = "Start the program with Python 3.11 to 3.14."
    advice = (
        f"This computer has an NVIDIA graphics card, but {missing}. {remedy}"
        if driver_finds_card()
        else ""
    )
    return f"cuda: {missing}. {remedy}", advice


def missing_kernel() -> str:
    """Why a kernel that was not shipped cannot be launched without a compiler."""
    remedy = _FROM_SOURCE if is_frozen() else f"Use `{start_command('cuda')}`."
    return f"This computation needs a kernel that has to be compiled first. {remedy}"
