"""Translates errors of the CUDA driver and the compilers into `kernels.errors.DeviceError`."""

import re
from importlib.metadata import distributions
from types import TracebackType

from kernels.errors import DeviceError, Kind
from kernels.installation import install_command

_CODE = re.compile(r"CUDA_ERROR_[A-Z_0-9]+")

_MEMORY = (
    "The graphics card has not enough memory for this: choose a smaller network or batch, or the "
    "CPU."
)
_DRIVER = (
    "The graphics driver is too old for these kernels: install a newer NVIDIA driver, or choose "
    "the CPU."
)
_LOST = (
    "The graphics card stopped answering: choose the CPU to continue; if it happens again, restart "
    "the computer."
)
_KERNEL = (
    "A computation on the graphics card failed and its arrays are lost: choose the CPU to continue."
)
_TIMEOUT = (
    "The system stopped a computation on the graphics card that took too long for a card with a "
    "screen: choose a smaller batch, or the CPU."
)
_TOOLKIT = (
    f"The CUDA libraries do not fit together: run `{install_command('cuda')}` again, or choose the "
    "CPU."
)
_ABSENT = "No NVIDIA graphics card answers: install its driver, or choose the CPU."
_BUSY = "Another program has the graphics card for itself: close that program, or choose the CPU."
_OTHER = "The graphics card reported the error {code}: choose the CPU to continue."

# By CUDA's name of the error without its prefix, or by the class of an exception that carries no
# such name.
_GROUPS: tuple[tuple[Kind, str, str], ...] = (
    ("memory", _MEMORY, "OUT_OF_MEMORY"),
    (
        "driver",
        _DRIVER,
        "INVALID_PTX UNSUPPORTED_PTX_VERSION NO_BINARY_FOR_GPU SYSTEM_DRIVER_MISMATCH",
    ),
    ("driver", _DRIVER, "COMPAT_NOT_SUPPORTED_ON_DEVICE LinkerError nvJitLinkError"),
    ("driver", _ABSENT, "NO_DEVICE NOT_INITIALIZED CudaSupportError"),
    ("toolkit", _TOOLKIT, "JIT_COMPILER_NOT_FOUND NvvmError NvvmSupportError NvrtcSupportError"),
    ("kernel", _TIMEOUT, "LAUNCH_TIMEOUT"),
    (
        "kernel",
        _KERNEL,
        "LAUNCH_FAILED LAUNCH_OUT_OF_RESOURCES ILLEGAL_ADDRESS ILLEGAL_INSTRUCTION",
    ),
    ("kernel", _KERNEL, "MISALIGNED_ADDRESS INVALID_ADDRESS_SPACE INVALID_PC ASSERT"),
    ("lost", _LOST, "HARDWARE_STACK_ERROR ECC_UNCORRECTABLE NVLINK_UNCORRECTABLE UNKNOWN"),
    ("lost", _LOST, "INVALID_CONTEXT CONTEXT_IS_DESTROYED INVALID_DEVICE"),
    ("lost", _BUSY, "DEVICE_UNAVAILABLE"),
)
_KNOWN: dict[str, tuple[Kind, str]] = {
    name: (kind, sentence) for kind, sentence, names in _GROUPS for name in names.split()
}

# Sticky errors: every later call in this process fails as well (CUDA Driver API, descriptions of
# CUresult).
_STICKY = {
    "LAUNCH_TIMEOUT",
    "LAUNCH_FAILED",
    "ILLEGAL_ADDRESS",
    "ILLEGAL_INSTRUCTION",
    "MISALIGNED_ADDRESS",
    "INVALID_ADDRESS_SPACE",
    "INVALID_PC",
    "ASSERT",
    "HARDWARE_STACK_ERROR",
    "ECC_UNCORRECTABLE",
    "CONTEXT_IS_DESTROYED",
    "NVLINK_UNCORRECTABLE",
    "CONTAINED",
    "EXTERNAL_DEVICE",
    "DEINITIALIZED",
    "MPS_CLIENT_TERMINATED",
    "TENSOR_MEMORY_LEAK",
    "UNKNOWN",
}

_sticky_error: DeviceError | None = None


def sticky_error() -> DeviceError | None:
    """The first sticky error of this process, after which no card can be used until the program is
    restarted.
    """
    # A new exception each time: one that is raised keeps alive the frames that it passed, with
    # their arrays.
    return None if _sticky_error is None else DeviceError(_sticky_error.kind, str(_sticky_error))


def code_of(error: BaseException) -> str:
    """CUDA's name of the error without its prefix (`OUT_OF_MEMORY`), or "" if it is not an error of
    CUDA.

    The compilers and `kernels.cuda.driver` raise classes of their own; all put the name into the
    text.
    """
    match = _CODE.search(str(error))
    return match.group().removeprefix("CUDA_ERROR_") if match else ""


def as_device_error(error: BaseException) -> DeviceError | None:
    """The DeviceError for `error`, or None if it is not an error of CUDA. Remembers the first
    sticky error.
    """
    global _sticky_error
    if isinstance(error, DeviceError):
        return error
    if missing := _missing_library(error):
        return DeviceError("toolkit", missing)
    code = code_of(error)
    known = _KNOWN.get(code) or _KNOWN.get(type(error).__name__)
    if known is None and code:
        known = "lost", _OTHER.format(code=code)
    if known is None:
        return None
    device_error = DeviceError(*known)
    if code in _STICKY and _sticky_error is None:
        _sticky_error = DeviceError(*known)
    return device_error


def _missing_library(error: BaseException) -> str:
    """A sentence that names the missing library of CUDA and what brings it; "" for another error.

    The library comes with the extra of the installed bindings' version of CUDA, or with an
    installed toolkit.
    """
    text = str(error)
    if "Missing libdevice" in text:
        library = "libdevice"
    elif type(error).__name__ == "DynamicLibNotFoundError":
        found = re.search(r'"([^"]+)"', text)
        library = f"lib{found[1].removeprefix('lib').split('.')[0]}" if found else "library"
    else:
        return ""
    is_newer = any(
        package.version.startswith("13.") for package in distributions(name="cuda-bindings")
    )
    command = install_command("cuda13" if is_newer else "cuda")
    return (
        f"CUDA's {library} is missing: run `{command}`, or set CUDA_HOME to the folder of an "
        "installed CUDA toolkit, "
        "or choose the CPU."
    )


class _ErrorTranslator:
    """A context manager that raises errors of CUDA as DeviceError. It has no state, so one object
    is enough.
    """

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, DeviceError):
            return
        if device_error := as_device_error(error):
            raise device_error from error


translate_errors = _ErrorTranslator()
