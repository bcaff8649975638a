"""Errors of CUDA become a sentence and a kind; errors of the program stay as they are."""

import pytest

from kernels.cuda import errors
from kernels.cuda.errors import as_device_error, translate_errors
from kernels.errors import DeviceError


class CudaSupportError(ImportError):
    """Named as in numba-cuda."""


class DynamicLibNotFoundError(RuntimeError):
    """Named as in cuda-pathfinder."""


@pytest.fixture(autouse=True)
def healthy(monkeypatch):
    """No sticky error, before and after."""
    monkeypatch.setattr(errors, "_sticky_error", None)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (
            RuntimeError("Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"),
            "memory",
            "smaller network",
        ),
        (RuntimeError("CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the provided PTX"), "driver", "too old"),
        (
            RuntimeError("[719] Call to cuStreamSynchronize results in CUDA_ERROR_LAUNCH_FAILED"),
            "kernel",
            "CPU",
        ),
        (RuntimeError("CUDA_ERROR_LAUNCH_TIMEOUT"), "kernel", "took too long"),
        (RuntimeError("CUDA_ERROR_ECC_UNCORRECTABLE"), "lost", "stopped answering"),
        (RuntimeError("CUDA_ERROR_DEVICE_UNAVAILABLE"), "lost", "Another program"),
        (
            DynamicLibNotFoundError('Failure finding "libnvvm.so": none'),
            "toolkit",
            "libnvvm is missing",
        ),
        (RuntimeError("Missing libdevice file."), "toolkit", "libdevice is missing"),
        (CudaSupportError("Error at driver init"), "driver", "No NVIDIA graphics card"),
    ],
)
def test_an_operating_system_error_gives_a_sentence(error, kind, words):
    with pytest.raises(DeviceError, match=words) as caught, translate_errors:
        raise error
    assert caught.value.kind == kind
    assert caught.value.__cause__ is error
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "code",
    ["OPERATING_SYSTEM", "SYSTEM_NOT_READY", "DEVICE_NOT_LICENSED", "MPS_CONNECTION_FAILED", "INVALID_IMAGE",
     "EXTERNAL_DEVICE", "INVALID_HANDLE", "INVALID_VALUE", "STREAM_CAPTURE_INVALIDATED", "SOME_FUTURE_CODE"],
)  # fmt: skip
def test_an_unknown_error_code_is_a_device_error(code):
    with pytest.raises(DeviceError, match=f"{code}: choose the CPU to continue"), translate_errors:
        raise RuntimeError(f"Call to cuLaunchKernel results in CUDA_ERROR_{code}")


def test_a_program_error_is_not_converted():
    with pytest.raises(ZeroDivisionError), translate_errors:
        raise ZeroDivisionError
    assert as_device_error(ValueError("invalid value")) is None


def test_a_device_error_is_not_wrapped_again():
    error = DeviceError("memory", "Full.")
    with pytest.raises(DeviceError) as caught, translate_errors:
        raise error
    assert caught.value is error


def test_only_errors_that_spoil_the_context_are_sticky():
    as_device_error(RuntimeError("CUDA_ERROR_OUT_OF_MEMORY"))
    as_device_error(RuntimeError("CUDA_ERROR_DEVICE_UNAVAILABLE"))
    assert errors.sticky_error() is None
    first = as_device_error(RuntimeError("CUDA_ERROR_ILLEGAL_ADDRESS"))
    as_device_error(RuntimeError("CUDA_ERROR_LAUNCH_FAILED"))
    assert str(errors.sticky_error()) == str(first)
    assert errors.sticky_error() is not first  # which holds the frames of the fault
