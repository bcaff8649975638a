"""Errors of the software card's driver, as NVIDIA's manual of the driver API names them.

Run by test_software_card.py in a process of its own.
"""

import ctypes
import struct
import threading

import numpy as np
import pytest
from cuda.bindings import driver
from cuda.bindings.driver import CUstreamCaptureMode, CUstreamCaptureStatus

from kernels.cuda.card import Card
from kernels.cuda.toolkit import double_and_add_one

GLOBAL = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL
THREAD = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
RELAXED = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED


def code(call):
    """The name of the error that a call returned, without its prefix; "" for none."""
    name = call[0].name
    return "" if name == "CUDA_SUCCESS" else name.removeprefix("CUDA_ERROR_")


def good(call):
    """The result of a call that must succeed."""
    assert code(call) == ""
    return call[1] if len(call) > 1 else None


@pytest.fixture(autouse=True)
def context():
    Card(0)
    yield
    assert code(driver.cuCtxSynchronize()) == ""


@pytest.fixture
def memory():
    address = good(driver.cuMemAlloc(64))
    yield address
    driver.cuMemFree(address)


@pytest.fixture
def streams():
    made = [good(driver.cuStreamCreate(0)) for _ in range(2)]
    yield made
    for stream in made:
        driver.cuStreamEndCapture(stream)
        driver.cuStreamDestroy(stream)


@pytest.fixture
def event():
    made = good(driver.cuEventCreate(0))
    yield made
    driver.cuEventDestroy(made)


def used_bytes():
    free, total = driver.cuMemGetInfo()[1:]
    return total - free


def test_copies_beyond_an_end_are_refused(memory):
    host = np.zeros(65, np.uint8)
    assert code(driver.cuMemcpyHtoD(memory, host.ctypes.data, 64)) == ""
    assert code(driver.cuMemcpyHtoD(memory, host.ctypes.data, 65)) == "INVALID_VALUE"
    assert code(driver.cuMemcpyDtoH(host.ctypes.data, int(memory) + 1, 64)) == "INVALID_VALUE"
    assert code(driver.cuMemsetD8(memory, 0, 65)) == "INVALID_VALUE"
    assert code(driver.cuMemcpyDtoD(memory, int(memory) + 32, 33)) == "INVALID_VALUE"


def test_freed_memory_cannot_be_used_or_freed_again():
    host = np.zeros(64, np.uint8)
    address = good(driver.cuMemAlloc(64))
    good(driver.cuMemFree(address))
    assert code(driver.cuMemcpyDtoH(host.ctypes.data, address, 64)) == "INVALID_VALUE"
    assert code(driver.cuMemFree(address)) == "INVALID_VALUE"
    assert int(good(driver.cuMemAlloc(64))) != int(address)


def test_memory_is_counted():
    before = used_bytes()
    addresses = [good(driver.cuMemAlloc(1 << 20)) for _ in range(5)]
    assert used_bytes() == before + (5 << 20)
    for address in addresses:
        good(driver.cuMemFree(address))
    assert used_bytes() == before


def test_too_large_and_empty_allocations_are_refused(monkeypatch):
    assert code(driver.cuMemAlloc(0)) == "INVALID_VALUE"
    monkeypatch.setenv("DIGITLAB_CARD_MEMORY", str(1 << 20))
    assert code(driver.cuMemAlloc(2 << 20)) == "OUT_OF_MEMORY"


def test_a_thread_without_context_may_not_use_the_card(memory):
    found = []

    def run():
        found.append(code(driver.cuMemAlloc(64)))
        found.append(code(driver.cuStreamCreate(0)))
        found.append(code(driver.cuMemsetD8(memory, 0, 64)))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found == ["INVALID_CONTEXT"] * 3


def test_handles_that_are_none_are_refused(streams, event):
    first, second = streams
    assert code(driver.cuStreamSynchronize(12345)) == "INVALID_HANDLE"
    assert code(driver.cuEventRecord(12345, first)) == "INVALID_HANDLE"
    gone = good(driver.cuStreamCreate(0))
    good(driver.cuStreamDestroy(gone))
    assert code(driver.cuStreamSynchronize(gone)) == "INVALID_HANDLE"
    assert code(driver.cuEventRecord(event, second)) == ""


def test_launches_that_are_too_large_are_refused():
    card = Card(0)
    array, stream = card.empty((8,), np.float32), card.new_stream()
    for grid, block in (((1,), (1025,)), ((1,), (32, 64)), ((1, 70_000), (1,))):
        with pytest.raises(Exception, match="INVALID_VALUE"):
            double_and_add_one[grid, block, stream](array)


PUT = b"""
.version 8.0
.target sm_75
.address_size 64
.visible .entry put(
    .param .u32 put_0,
    .param .u64 put_1
)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<3>;
    ld.param.u32 %r1, [put_0];
    ld.param.u64 %rd1, [put_1];
    cvta.to.global.u64 %rd2, %rd1;
    st.global.u32 [%rd2], %r1;
    ret;
}
\0"""


@pytest.fixture
def put():
    """A kernel that stores a number at an address; its arguments have 4 and 8 bytes."""
    library = good(driver.cuLibraryLoadData(PUT, [], [], 0, [], [], 0))
    return good(driver.cuKernelGetFunction(good(driver.cuLibraryGetKernel(library, b"put"))))


def launch_with_buffer(function, buffer, size):
    """`size`: the bytes that the caller says the buffer of all arguments has."""
    pointer = ctypes.cast(buffer, ctypes.c_void_p)
    length = ctypes.c_size_t(size)
    begin, told, end = ctypes.c_void_p(1), ctypes.c_void_p(2), None
    extra = (ctypes.c_void_p * 5)(begin, pointer, told, ctypes.addressof(length), end)
    return code(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, 0, 0, ctypes.addressof(extra)))


def test_arguments_of_the_wrong_size_are_refused(put, memory):
    buffer = ctypes.create_string_buffer(struct.pack("IxxxxQQ", 7, int(memory), 0))
    assert launch_with_buffer(put, buffer, 16) == ""
    assert code(driver.cuCtxSynchronize()) == ""
    found = np.zeros(1, np.uint32)
    assert code(driver.cuMemcpyDtoH(found.ctypes.data, memory, 4)) == ""
    assert found[0] == 7
    assert launch_with_buffer(put, buffer, 12) == "INVALID_VALUE"
    assert launch_with_buffer(put, buffer, 24) == "INVALID_VALUE"
    assert code(driver.cuLaunchKernel(put, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)) == "INVALID_VALUE"


def test_a_kernel_tells_the_sizes_of_its_arguments(put):
    assert [driver.cuFuncGetParamInfo(put, index)[1:] for index in range(2)] == [(0, 4), (8, 8)]
    assert code(driver.cuFuncGetParamInfo(put, 2)) == "INVALID_VALUE"


def test_events_without_times_have_no_times(event):
    untimed = good(driver.cuEventCreate(2))
    assert code(driver.cuEventElapsedTime(event, untimed)) == "INVALID_HANDLE"
    good(driver.cuEventDestroy(untimed))


def test_a_capture_on_the_default_stream_is_refused():
    assert code(driver.cuStreamBeginCapture(0, RELAXED)) == "STREAM_CAPTURE_UNSUPPORTED"


@pytest.mark.parametrize("mode", [GLOBAL, THREAD])
def test_an_allocation_makes_a_strict_capture_invalid(streams, mode):
    good(driver.cuStreamBeginCapture(streams[0], mode))
    assert code(driver.cuMemAlloc(64)) == "STREAM_CAPTURE_UNSUPPORTED"
    assert code(driver.cuStreamEndCapture(streams[0])) == "STREAM_CAPTURE_INVALIDATED"


def test_an_allocation_in_a_relaxed_capture_is_allowed(streams):
    good(driver.cuStreamBeginCapture(streams[0], RELAXED))
    good(driver.cuMemFree(good(driver.cuMemAlloc(64))))
    good(driver.cuGraphDestroy(good(driver.cuStreamEndCapture(streams[0]))))


def test_a_wait_in_a_capture_makes_it_invalid(streams):
    for wait in (lambda: driver.cuStreamSynchronize(streams[0]), driver.cuCtxSynchronize):
        good(driver.cuStreamBeginCapture(streams[0], RELAXED))
        assert code(wait()) == "STREAM_CAPTURE_UNSUPPORTED"
        status = good(driver.cuStreamIsCapturing(streams[0]))
        assert status == CUstreamCaptureStatus.CU_STREAM_CAPTURE_STATUS_INVALIDATED
        assert code(driver.cuStreamEndCapture(streams[0])) == "STREAM_CAPTURE_INVALIDATED"


def test_the_default_stream_makes_a_capture_invalid(streams, memory):
    good(driver.cuStreamBeginCapture(streams[0], RELAXED))
    assert code(driver.cuMemsetD8(memory, 0, 64)) == "STREAM_CAPTURE_IMPLICIT"
    assert code(driver.cuStreamEndCapture(streams[0])) == "STREAM_CAPTURE_INVALIDATED"


def test_a_side_stream_that_is_never_joined_is_found(streams, event, memory):
    first, second = streams
    good(driver.cuStreamBeginCapture(first, RELAXED))
    good(driver.cuEventRecord(event, first))
    good(driver.cuStreamWaitEvent(second, event, 0))
    good(driver.cuMemsetD8Async(memory, 0, 64, second))
    assert code(driver.cuStreamEndCapture(second)) == "STREAM_CAPTURE_UNMATCHED"
    assert code(driver.cuStreamEndCapture(first)) == "STREAM_CAPTURE_UNJOINED"


def test_an_event_from_outside_of_a_capture_is_refused_in_it(streams, event):
    first, second = streams
    good(driver.cuEventRecord(event, second))
    good(driver.cuStreamBeginCapture(first, RELAXED))
    assert code(driver.cuStreamWaitEvent(first, event, 0)) == "STREAM_CAPTURE_ISOLATION"
    assert code(driver.cuStreamEndCapture(first)) == "STREAM_CAPTURE_INVALIDATED"


def test_two_captures_are_not_merged(streams, event):
    first, second = streams
    good(driver.cuStreamBeginCapture(first, RELAXED))
    good(driver.cuStreamBeginCapture(second, RELAXED))
    good(driver.cuEventRecord(event, first))
    assert code(driver.cuStreamWaitEvent(second, event, 0)) == "STREAM_CAPTURE_MERGE"
    for stream in streams:
        assert code(driver.cuStreamEndCapture(stream)) == "STREAM_CAPTURE_INVALIDATED"


def test_an_event_of_a_capture_cannot_be_waited_for_by_the_host(streams, event):
    good(driver.cuStreamBeginCapture(streams[0], RELAXED))
    good(driver.cuEventRecord(event, streams[0]))
    assert code(driver.cuEventQuery(event)) == "CAPTURED_EVENT"
    assert code(driver.cuEventSynchronize(event)) == "CAPTURED_EVENT"
    good(driver.cuGraphDestroy(good(driver.cuStreamEndCapture(streams[0]))))


def test_a_capture_ends_in_its_own_thread(streams):
    found = []

    def end():
        driver.cuCtxSetCurrent(current)
        found.append(code(driver.cuStreamEndCapture(streams[0])))

    current = good(driver.cuCtxGetCurrent())
    good(driver.cuStreamBeginCapture(streams[0], GLOBAL))
    thread = threading.Thread(target=end)
    thread.start()
    thread.join()
    assert found == ["STREAM_CAPTURE_WRONG_THREAD"]


def test_captures_begin_once_and_end_once(streams):
    assert code(driver.cuStreamEndCapture(streams[0])) == "ILLEGAL_STATE"
    good(driver.cuStreamBeginCapture(streams[0], RELAXED))
    assert code(driver.cuStreamBeginCapture(streams[0], RELAXED)) == "ILLEGAL_STATE"


def test_a_replay_computes_what_was_captured(streams, memory, event):
    first, second = streams
    host = np.zeros(64, np.uint8)
    good(driver.cuStreamBeginCapture(first, RELAXED))
    good(driver.cuMemsetD8Async(memory, 1, 64, first))
    good(driver.cuEventRecord(event, first))
    good(driver.cuStreamWaitEvent(second, event, 0))
    good(driver.cuMemsetD8Async(int(memory) + 32, 2, 32, second))
    good(driver.cuEventRecord(event, second))
    good(driver.cuStreamWaitEvent(first, event, 0))
    graph = good(driver.cuStreamEndCapture(first))
    executable = good(driver.cuGraphInstantiate(graph, 0))
    good(driver.cuGraphDestroy(graph))
    for _ in range(10):
        good(driver.cuMemsetD8Async(memory, 0, 64, first))
        good(driver.cuGraphLaunch(executable, first))
        good(driver.cuStreamSynchronize(first))
        good(driver.cuMemcpyDtoH(host.ctypes.data, memory, 64))
        assert host.tolist() == [1] * 32 + [2] * 32
    good(driver.cuGraphExecDestroy(executable))


def test_streams_that_nothing_orders_run_in_any_order(memory, monkeypatch):
    """One byte is set by two streams: over thirty times each of the two is the last.

    Nothing is done before the host waits, so that both are queued then.
    """
    monkeypatch.setenv("DIGITLAB_CARD_LAZY", "1")
    one, other = (good(driver.cuStreamCreate(1)) for _ in range(2))
    host, last = np.zeros(64, np.uint8), set()
    for _ in range(30):
        good(driver.cuMemsetD8Async(memory, 1, 64, one))
        good(driver.cuMemsetD8Async(memory, 2, 64, other))
        good(driver.cuCtxSynchronize())
        good(driver.cuMemcpyDtoH(host.ctypes.data, memory, 64))
        last.add(int(host[0]))
    assert last == {1, 2}
    for stream in (one, other):
        good(driver.cuStreamDestroy(stream))


def test_an_unknown_attribute_and_device_are_refused():
    assert code(driver.cuDeviceGet(7)) == "INVALID_DEVICE"
    assert (
        driver.cuGetErrorName(driver.CUresult.CUDA_ERROR_ILLEGAL_ADDRESS)[1]
        == b"CUDA_ERROR_ILLEGAL_ADDRESS"
    )
