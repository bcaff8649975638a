"""How the device uses the driver, on the software card; run by test_software_card.py in a process
of its own.
"""

import ctypes
import gc
import threading
from contextlib import closing

import numpy as np
import pytest
from cuda.bindings import driver
from numba.cuda.dispatcher import _Kernel

from kernels.cuda import host, shipped
from kernels.cuda.card import Card, Event
from kernels.cuda.device import Cuda
from kernels.errors import DeviceError
from tests.kernels.cuda.kernel_list import compile_kernels, kernels


@pytest.fixture
def failing(monkeypatch):
    """Lets each further call of a function of the driver fail with a code."""

    def fail(function, code):
        monkeypatch.setenv("DIGITLAB_CARD_FAULTS", f"{function}={code}")

    return fail


def free_bytes():
    return Card(0).memory_info()[0]


def test_a_refused_capture_is_logged_and_noticed(failing, caplog):
    device = Cuda()
    assert device.notice == ""
    failing("cuStreamBeginCapture", "STREAM_CAPTURE_UNSUPPORTED")

    def step():
        return None

    assert device.record(step) is step
    assert "could not capture" in device.notice
    assert "STREAM_CAPTURE_UNSUPPORTED" in caplog.text
    device.close()


def test_streams_are_destroyed_by_the_next_owner(monkeypatch):
    destroyed = []
    destroy = host.driver().cuStreamDestroy_v2
    monkeypatch.setattr(
        host.driver(), "cuStreamDestroy_v2", lambda each: destroyed.append(each) or destroy(each)
    )
    device = Cuda()
    handles = {stream.handle for stream in device._launcher._streams}
    device.close()
    del device
    gc.collect()
    assert not handles & set(destroyed)
    Card(0).free_pending()
    assert handles <= set(destroyed)


def test_memory_is_freed_by_the_owner_at_defined_places_only():
    device = Cuda()
    before = device.memory_info()[0]
    for _ in range(50):
        array = device.empty((1000,))
    del array
    gc.collect()
    assert free_bytes() <= before - 50 * 4000
    assert device.memory_info()[0] == before
    array = device.empty((1000,))
    del array
    device.close()
    assert free_bytes() > before


def test_an_event_that_goes_in_another_thread_is_destroyed_by_the_owner(monkeypatch):
    destroyed = []
    destroy = host.driver().cuEventDestroy_v2
    monkeypatch.setattr(
        host.driver(), "cuEventDestroy_v2", lambda event: destroyed.append(event) or destroy(event)
    )
    card = Card(0)
    stream = card.new_stream()
    events = [Event(stream)]
    thread = threading.Thread(target=events.clear)
    thread.start()
    thread.join()
    assert not destroyed
    card.free_pending()
    assert len(destroyed) == 1


def test_the_default_stream_may_be_used_by_other_code_during_a_capture():
    card = Card(0)
    array = card.empty((4,), np.float32)
    host = np.ones(4, np.float32)

    def work():
        code, *_ = driver.cuMemcpyHtoDAsync(array.ptr, host.ctypes.data, host.nbytes, 0)
        assert code == driver.CUresult.CUDA_SUCCESS

    card.capture(card.new_stream(), work).close()


def test_all_memory_is_back_when_devices_are_closed():
    def used():
        Cuda().close()
        gc.collect()
        card = Card(0)
        card.free_pending()
        free, total = card.memory_info()
        return total - free

    gc.collect()
    assert used() == 0


@pytest.mark.parametrize("code", ["INVALID_HANDLE", "OUT_OF_MEMORY"])
@pytest.mark.parametrize("function", ["cuStreamSynchronize", "cuMemFree", "cuGraphExecDestroy"])
def test_an_error_while_closing_does_not_replace_the_first(failing, function, code):
    device = Cuda()
    device.record(lambda: None)
    failing(function, code)
    with pytest.raises(ZeroDivisionError), closing(device):
        raise ZeroDivisionError
    assert device._launcher.closed


def test_an_error_that_is_none_of_cudas_does_not_leave_close(monkeypatch):
    def fail():
        raise IndexError("pop from an empty deque")

    device = Cuda()
    monkeypatch.setattr(device.card, "free_pending", fail)
    device.close()


def test_waits_block_instead_of_keeping_a_processor_busy():
    Cuda().close()
    _, flags, active = driver.cuDevicePrimaryCtxGetState(0)
    assert active
    assert flags == int(driver.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC)


def test_a_driver_that_refuses_blocking_waits_is_used_all_the_same(failing):
    failing("cuDevicePrimaryCtxSetFlags", "PRIMARY_CONTEXT_ACTIVE")
    Cuda().close()


def test_a_device_is_opened_used_and_closed_while_another_thread_captures():
    """Work on the default stream would invalidate the capture."""

    def run():
        device = Cuda()
        array = device.upload(device.download(device.empty((10,))))
        device.fill(array, 0.0) if hasattr(device, "fill") else None
        device.close()

    def work():
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()

    card = Card(0)
    card.capture(card.new_stream(), work).close()


class NumbaLayout:
    """The layout of numba-cuda's launcher."""

    extensions = ()
    _prepare_args = _Kernel._prepare_args


def argument_of(kind, card):
    if hasattr(kind, "ndim"):
        return card.empty((3, 2, 5, 4)[: kind.ndim], str(kind.dtype))
    if hasattr(kind, "count"):
        return tuple(argument_of(each, card) for each in kind)
    numbers = {"int64": 7, "float64": 0.5, "float32": np.float32(0.25), "uint32": np.uint32(5)}
    return numbers[str(kind)]


def test_arguments_of_every_kernel_are_laid_out_as_numba_does():
    card = Card(0)
    stream = card.new_stream()
    for compilable in kernels():
        arguments = tuple(argument_of(kind, card) for kind in compilable.types)
        names, values = shipped.described(arguments)
        assert names == tuple(map(compile_kernels.type_name, compilable.types))
        expected: list[object] = []
        for kind, value in zip(compilable.types, arguments, strict=True):
            NumbaLayout()._prepare_args(kind, value, stream.of_compiler, [], expected)
        fields = [(str(k), c_type(value)) for k, value in enumerate(expected)]
        structure = type("Parameters", (ctypes.Structure,), {"_fields_": fields})
        packed = shipped.layout_of(values).pack(*values)
        assert packed == bytes(structure(*map(number, expected)))[: len(packed)]
        assert len(packed) == getattr(structure, fields[-1][0]).offset + size(expected[-1])


def c_type(value):
    """As cuda.core passes it: an integer of Python is an address."""
    return type(value) if isinstance(value, ctypes._SimpleCData) else ctypes.c_int64


def number(value):
    return value.value if isinstance(value, ctypes._SimpleCData) else value


def size(value):
    return ctypes.sizeof(c_type(value))


def test_a_sticky_error_of_a_run_keeps_the_card_closed(failing):
    """The last test: afterwards every call of this process fails."""
    device = Cuda()
    failing("cuStreamSynchronize", "ILLEGAL_ADDRESS")
    with pytest.raises(DeviceError, match="A computation on the graphics card failed"):
        device.synchronize()
    device.close()
    with pytest.raises(DeviceError):
        Cuda()
