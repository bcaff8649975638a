"""How the device uses the driver, on the PTX emulator; run by test_cuda_stand_in.py in its own process."""

# ruff: noqa: E402 - the emulator is installed before anything asks for a card
import logging
import threading
from contextlib import closing

import pytest

from tools.card.numba_stand_in import install

install()

from numba.cuda.cudadrv import driver as driver_module
from numba.cuda.cudadrv.driver import CudaAPIError

from kernels.cuda import errors, toolkit
from kernels.cuda.device import Cuda
from kernels.cuda.toolkit import config, cuda
from kernels.errors import DeviceError


@pytest.fixture(autouse=True)
def healthy(monkeypatch):
    monkeypatch.setattr(errors, "_sticky_error", None)


def fail(code):
    def call(*arguments):
        raise CudaAPIError(1, f"Call to a function results in CUDA_ERROR_{code}")

    return call


def failing_stream(monkeypatch, device, code):
    monkeypatch.setattr(device.stream, "synchronize", fail(code), raising=False)


def test_a_refused_capture_is_logged_and_noticed(monkeypatch, caplog):
    device = Cuda()
    assert device.notice == ""
    monkeypatch.setattr(driver_module.driver, "cuStreamBeginCapture", fail("STREAM_CAPTURE_UNSUPPORTED"))

    def step():
        return None

    assert device.record(step) is step
    assert "could not capture" in device.notice
    assert "STREAM_CAPTURE_UNSUPPORTED" in caplog.text
    device.close()


def test_streams_are_reused_from_run_to_run_and_never_shared():
    first, second = Cuda(), Cuda()
    streams = set(first._launcher._streams)
    assert not streams & set(second._launcher._streams)
    first.close()
    used = []

    def run():
        device = Cuda()
        used.append(set(device._launcher._streams))
        device.close()

    for _ in range(3):
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    assert used == [streams] * 3
    second.close()


def test_memory_is_freed_by_the_owner_at_defined_places_only(monkeypatch):
    freed = []
    monkeypatch.setattr(cuda.current_context().deallocations, "clear", lambda: freed.append(1))
    assert config.CUDA_DEALLOCS_COUNT > 1_000_000
    assert config.CUDA_DEALLOCS_RATIO == 1
    device = Cuda()
    assert freed
    freed.clear()
    device.memory_info()
    assert freed
    freed.clear()
    device.close()
    assert freed


def test_numba_frees_nothing_by_itself(monkeypatch):
    """Its list of pending deallocations is full after 10 arrays by default, and is then emptied in any thread."""
    # Numba sets it when the driver starts.
    monkeypatch.setattr(driver_module, "_logger", logging.getLogger("numba"), raising=False)
    pending = driver_module._PendingDeallocs(capacity=1 << 30)
    freed = []
    for k in range(1000):
        pending.add_item(freed.append, k, 1000)
    assert freed == []
    pending.clear()
    assert len(freed) == 1000


@pytest.mark.parametrize("code", ["LAUNCH_FAILED", "INVALID_HANDLE", "OUT_OF_MEMORY"])
def test_an_error_while_closing_does_not_replace_the_first(monkeypatch, code):
    device = Cuda()
    failing_stream(monkeypatch, device, code)
    monkeypatch.setattr(cuda.current_context().deallocations, "clear", fail("INVALID_CONTEXT"))
    with pytest.raises(ZeroDivisionError), closing(device):
        raise ZeroDivisionError
    assert device._launcher.closed


def test_an_error_that_is_none_of_cudas_does_not_leave_close(monkeypatch):
    def fail():
        raise IndexError("pop from an empty deque")

    device = Cuda()
    monkeypatch.setattr(cuda.current_context().deallocations, "clear", fail)
    device.close()


def test_a_sticky_error_of_a_run_keeps_the_card_closed(monkeypatch):
    device = Cuda()
    failing_stream(monkeypatch, device, "ILLEGAL_ADDRESS")
    with pytest.raises(DeviceError, match="A computation on the graphics card failed"):
        device.synchronize()
    device.close()
    with pytest.raises(DeviceError):
        Cuda()


def test_waits_block_instead_of_keeping_a_processor_busy(monkeypatch):
    flags = []
    monkeypatch.setattr(
        driver_module.driver, "cuDevicePrimaryCtxSetFlags", lambda *given: flags.append(given)
    )
    Cuda().close()
    assert flags == [(0, int(driver_module.binding.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC))]


def test_a_driver_that_refuses_blocking_waits_is_used_all_the_same(monkeypatch):
    monkeypatch.setattr(driver_module.driver, "cuDevicePrimaryCtxSetFlags", fail("PRIMARY_CONTEXT_ACTIVE"))
    Cuda().close()


def test_devices_use_no_default_stream(monkeypatch):
    """Work on the default stream invalidates a capture that another thread has under way."""
    used = []
    monkeypatch.setattr(toolkit.cuda, "to_device", lambda host, stream=0: used.append(stream))
    device = Cuda()
    assert len(used) == 4
    assert all(used)
    device.close()
