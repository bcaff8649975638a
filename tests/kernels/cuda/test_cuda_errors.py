"""What CUDA's errors become: one sentence and a kind; other errors stay what they are."""

import pytest

from kernels.cuda.errors import DEVICE_ERRORS, as_device_error
from kernels.errors import DeviceError


class CudaSupportError(ImportError):
    """As numba-cuda names it."""


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (RuntimeError("Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"), "memory", "smaller network"),
        (RuntimeError("CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the provided PTX"), "driver", "too old"),
        (
            RuntimeError("[719] Call to cuStreamSynchronize results in CUDA_ERROR_LAUNCH_FAILED"),
            "kernel",
            "CPU",
        ),
        (RuntimeError("CUDA_ERROR_LAUNCH_TIMEOUT"), "kernel", "took too long"),
        (RuntimeError("CUDA_ERROR_ECC_UNCORRECTABLE"), "lost", "stopped answering"),
        (CudaSupportError("Error at driver init"), "driver", "No NVIDIA graphics card"),
    ],
)
def test_an_error_of_the_machine_is_a_sentence(error, kind, words):
    with pytest.raises(DeviceError, match=words) as caught, DEVICE_ERRORS:
        raise error
    assert caught.value.kind == kind
    assert caught.value.__cause__ is error
    assert str(caught.value).endswith(".")


def test_an_error_of_the_program_stays_what_it_is():
    with pytest.raises(ZeroDivisionError), DEVICE_ERRORS:
        raise ZeroDivisionError
    assert as_device_error(ValueError("CUDA_ERROR_INVALID_VALUE")) is None


def test_a_fault_is_not_wrapped_again():
    fault = DeviceError("memory", "Full.")
    with pytest.raises(DeviceError) as caught, DEVICE_ERRORS:
        raise fault
    assert caught.value is fault
