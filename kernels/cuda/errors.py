"""Translates errors of the CUDA driver, numba-cuda and cuda-core into `kernels.errors.DeviceError`."""

import re
from types import TracebackType

from kernels.errors import DeviceError, Kind
from kernels.uv import install_command

_CODE = re.compile(r"CUDA_ERROR_[A-Z_0-9]+")

_MEMORY = "The graphics card has not enough memory for this: choose a smaller network or batch, or the CPU."
_DRIVER = (
    "The graphics driver is too old for these kernels: install a newer NVIDIA driver, or choose the CPU."
)
_LOST = "The graphics card stopped answering: choose the CPU to continue; if it happens again, restart the computer."
_KERNEL = "A computation on the graphics card failed and its arrays are lost: choose the CPU to continue."
_TIMEOUT = (
    "The system stopped a computation on the graphics card that took too long for a card with a screen: "
    "choose a smaller batch, or the CPU."
)
_TOOLKIT = (
    f"The CUDA libraries do not fit together: run `{install_command('cuda')}` again, or choose the CPU."
)
_ABSENT = "No NVIDIA graphics card answers: install its driver, or choose the CPU."
_BUSY = "Another program has the graphics card for itself: close that program, or choose the CPU."
_OTHER = "The graphics card reported the error {code}: choose the CPU to continue."

_SENTENCES: dict[str, tuple[Kind, str]] = {
    "OUT_OF_MEMORY": ("memory", _MEMORY),
    "INVALID_PTX": ("driver", _DRIVER),
    "UNSUPPORTED_PTX_VERSION": ("driver", _DRIVER),
    "NO_BINARY_FOR_GPU": ("driver", _DRIVER),
    "SYSTEM_DRIVER_MISMATCH": ("driver", _DRIVER),
    "COMPAT_NOT_SUPPORTED_ON_DEVICE": ("driver", _DRIVER),
    "NO_DEVICE": ("driver", _ABSENT),
    "NOT_INITIALIZED": ("driver", _ABSENT),
    "JIT_COMPILER_NOT_FOUND": ("toolkit", _TOOLKIT),
    "LAUNCH_TIMEOUT": ("kernel", _TIMEOUT),
    "LAUNCH_FAILED": ("kernel", _KERNEL),
    "LAUNCH_OUT_OF_RESOURCES": ("kernel", _KERNEL),
    "ILLEGAL_ADDRESS": ("kernel", _KERNEL),
    "ILLEGAL_INSTRUCTION": ("kernel", _KERNEL),
    "MISALIGNED_ADDRESS": ("kernel", _KERNEL),
    "INVALID_ADDRESS_SPACE": ("kernel", _KERNEL),
    "INVALID_PC": ("kernel", _KERNEL),
    "ASSERT": ("kernel", _KERNEL),
    "HARDWARE_STACK_ERROR": ("lost", _LOST),
    "ECC_UNCORRECTABLE": ("lost", _LOST),
    "DEVICE_UNAVAILABLE": ("lost", _BUSY),
    "INVALID_CONTEXT": ("lost", _LOST),
    "CONTEXT_IS_DESTROYED": ("lost", _LOST),
    "INVALID_DEVICE": ("lost", _LOST),
    "NVLINK_UNCORRECTABLE": ("lost", _LOST),
    "UNKNOWN": ("lost", _LOST),
}

# Sticky errors: every later call in this process fails as well (CUDA Driver API, descriptions of CUresult).
_STICKY = {
    "LAUNCH_TIMEOUT", "LAUNCH_FAILED", "ILLEGAL_ADDRESS", "ILLEGAL_INSTRUCTION", "MISALIGNED_ADDRESS",
    "INVALID_ADDRESS_SPACE", "INVALID_PC", "ASSERT", "HARDWARE_STACK_ERROR", "ECC_UNCORRECTABLE",
    "CONTEXT_IS_DESTROYED", "NVLINK_UNCORRECTABLE", "CONTAINED", "EXTERNAL_DEVICE", "DEINITIALIZED",
    "MPS_CLIENT_TERMINATED", "TENSOR_MEMORY_LEAK", "UNKNOWN",
}  # fmt: skip

# Exceptions of numba-cuda and cuda-core that carry no error code, by the names of their classes.
_CLASSES: dict[str, tuple[Kind, str]] = {
    "CudaSupportError": ("driver", _ABSENT),
    "NvvmError": ("toolkit", _TOOLKIT),
    "NvvmSupportError": ("toolkit", _TOOLKIT),
    "NvrtcSupportError": ("toolkit", _TOOLKIT),
    "LinkerError": ("driver", _DRIVER),
    "nvJitLinkError": ("driver", _DRIVER),
}

_sticky_error: DeviceError | None = None


def sticky_error() -> DeviceError | None:
    """The first sticky error of this process, after which no card can be used until the program is restarted."""
    # A new exception each time: one that is raised keeps alive the frames that it passed, with their arrays.
    return None if _sticky_error is None else DeviceError(_sticky_error.kind, str(_sticky_error))


def code_of(error: BaseException) -> str:
    """CUDA's name of the error without its prefix (`OUT_OF_MEMORY`), or "" if it is not an error of CUDA.

    numba-cuda and cuda-core raise classes of their own; both put the name into the text.
    """
    match = _CODE.search(str(error))
    return match.group().removeprefix("CUDA_ERROR_") if match else ""


def as_device_error(error: BaseException) -> DeviceError | None:
    """The DeviceError for `error`, or None if it is not an error of CUDA. Remembers the first sticky error."""
    global _sticky_error
    if isinstance(error, DeviceError):
        return error
    code = code_of(error)
    known = _SENTENCES.get(code) or _CLASSES.get(type(error).__name__)
    if known is None and code:
        known = "lost", _OTHER.format(code=code)
    if known is None:
        return None
    device_error = DeviceError(*known)
    if code in _STICKY and _sticky_error is None:
        _sticky_error = DeviceError(*known)
    return device_error


class _ErrorTranslator:
    """A context manager that raises errors of CUDA as DeviceError. It has no state, so one object is enough."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if (
            error is not None
            and not isinstance(error, DeviceError)
            and (device_error := as_device_error(error))
        ):
            raise device_error from error


translate_errors = _ErrorTranslator()
