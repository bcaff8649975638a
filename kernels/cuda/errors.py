"""What CUDA's errors mean for a person: one sentence each, and whether to go on elsewhere."""

import re
from types import TracebackType

from kernels.errors import DeviceError, Kind

_CODE = re.compile(r"CUDA_ERROR_[A-Z_0-9]+")

_MEMORY = "The graphics card has not enough memory for this: choose a smaller network or batch, or the CPU."
_DRIVER = (
    "The graphics driver is too old for these kernels: install a newer NVIDIA driver, or choose the CPU."
)
_LOST = (
    "The graphics card stopped answering: choose the CPU to go on; if it happens again, restart the computer."
)
_KERNEL = "A computation on the graphics card failed and what it held is lost: choose the CPU to go on."
_TIMEOUT = (
    "The system stopped a computation on the graphics card that took too long for a card with a screen: "
    "choose a smaller batch, or the CPU."
)
_TOOLKIT = "The CUDA libraries do not fit together: run `uv sync --extra cuda` again, or choose the CPU."
_ABSENT = "No NVIDIA graphics card answers: install its driver, or choose the CPU."

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
    "DEVICE_UNAVAILABLE": ("lost", _LOST),
    "INVALID_CONTEXT": ("lost", _LOST),
    "CONTEXT_IS_DESTROYED": ("lost", _LOST),
    "INVALID_DEVICE": ("lost", _LOST),
    "NVLINK_UNCORRECTABLE": ("lost", _LOST),
    "UNKNOWN": ("lost", _LOST),
}

# Exceptions of numba-cuda and cuda-core that carry no code, by the names of their classes.
_CLASSES: dict[str, tuple[Kind, str]] = {
    "CudaSupportError": ("driver", _ABSENT),
    "NvvmError": ("toolkit", _TOOLKIT),
    "NvvmSupportError": ("toolkit", _TOOLKIT),
    "NvrtcSupportError": ("toolkit", _TOOLKIT),
    "LinkerError": ("driver", _DRIVER),
    "nvJitLinkError": ("driver", _DRIVER),
}


def code_of(error: BaseException) -> str:
    """CUDA's name of the error without its prefix, `OUT_OF_MEMORY`; empty where it is none of CUDA's.

    numba-cuda and cuda-core raise classes of their own; both put the name into the text.
    """
    found = _CODE.search(str(error))
    return found.group().removeprefix("CUDA_ERROR_") if found else ""


def as_device_error(error: BaseException) -> DeviceError | None:
    """The fault that `error` means, or None where it is no error of the machine."""
    if isinstance(error, DeviceError):
        return error
    known = _SENTENCES.get(code_of(error)) or _CLASSES.get(type(error).__name__)
    if known is None:
        return None
    kind, sentence = known
    return DeviceError(kind, sentence)


class DeviceErrorGuard:
    """`with DEVICE_ERRORS:` raises CUDA's errors inside as DeviceError. It keeps no state: one serves all."""

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, DeviceError) and (fault := as_device_error(error)):
            raise fault from error


DEVICE_ERRORS = DeviceErrorGuard()
