"""NVIDIA's driver as the device `cuda` uses it: cards, memory, copies, streams and graphs.

Its functions are in `kernels.cuda.driver`. `kernels.cuda.shipped` calls them as well, to load and
launch kernels; a compiler launches those that it compiles. Both take the arrays of this module as
they are. In the simulator, which has no driver, `kernels.cuda.simulated_host` takes its place;
`kernels.cuda.card` chooses between the two.

A thread calls `Card(index)` before it uses the card: that makes the card's primary context current
to the thread.
"""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from ctypes import byref, c_int, c_size_t, c_uint64, c_void_p, create_string_buffer
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from kernels.cuda.driver import DriverError, driver, start_driver, value_of
from kernels.cuda.toolkit import cuda

# Bytes of an allocation at least: the driver refuses an empty one.
_LEAST_BYTES = 1

# Values of NVIDIA's header cuda.h, which names them as here.
_CTX_SCHED_BLOCKING_SYNC = 4
_EVENT_BLOCKING_SYNC = 1
_EVENT_DISABLE_TIMING = 2
_STREAM_NON_BLOCKING = 1
_STREAM_CAPTURE_MODE_RELAXED = 2
_MULTIPROCESSOR_COUNT = 16
_MAX_THREADS_PER_MULTIPROCESSOR = 39
_COMPUTE_CAPABILITY_MAJOR = 75
_COMPUTE_CAPABILITY_MINOR = 76
_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81

_log = logging.getLogger(__name__)


# -- cards -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardProperties:
    """`memory`: bytes. `capability`: the compute capability, such as (8, 6)."""

    name: str
    memory: int
    capability: tuple[int, int]


def cards() -> list[CardProperties]:
    """All cards, in the order of their numbers. Creates no context on them."""
    return [_properties(_device(index)) for index in range(start_driver())]


def _device(index: int) -> int:
    """The driver's handle of a card."""
    return int(value_of(c_int, "cuDeviceGet", index))


def _attributes(device: int, *attributes: int) -> tuple[int, ...]:
    return tuple(
        value_of(c_int, "cuDeviceGetAttribute", attribute, device) for attribute in attributes
    )


def _properties(device: int) -> CardProperties:
    name = create_string_buffer(256)
    driver().cuDeviceGetName(name, len(name), device)
    major, minor = _attributes(device, _COMPUTE_CAPABILITY_MAJOR, _COMPUTE_CAPABILITY_MINOR)
    memory = value_of(c_size_t, "cuDeviceTotalMem_v2", device)
    return CardProperties(name.value.decode(), memory, (major, minor))


_pending_frees: dict[int, deque[tuple[Callable[[int], None], int]]] = {}
"""Functions of the driver, each with what it is to free, by the number of the card.

The driver frees memory, streams and events in the context of the card, and cuMemFree waits for all
its work, so that is left to the thread that owns a device; the garbage collector may find them in
any thread.
"""


class _Owner:
    """Of one thing of the driver. When this object is gone, the thing waits for
    `Card.free_pending`.
    """

    def __init__(self, free: Callable[[int], None], handle: int, card: int) -> None:
        self._free = free
        self.handle = handle
        self._pending = _pending_frees[card]

    def __del__(self) -> None:
        self._pending.append((self._free, self.handle))


# -- arrays ----------------------------------------------------------------------------------------


class DeviceArray:
    """An array in the memory of a card, contiguous in C order; made by `Card.empty`."""

    def __init__(
        self, memory: _Owner, address: int, shape: tuple[int, ...], dtype: np.dtype
    ) -> None:
        """`memory`: the allocation in which the array lies, from `address` on."""
        self._memory = memory
        self.ptr = address
        self.shape = tuple(map(int, shape))
        self.dtype = dtype
        self.ndim = len(shape)
        self.size = prod(self.shape)
        self.nbytes = self.size * dtype.itemsize

    @cached_property
    def kernel_type(self) -> str:
        return f"{self.dtype.name}[{self.ndim}]"

    @cached_property
    def kernel_fields(self) -> tuple[int, ...]:
        """See `kernels.cuda.shipped.described`: two owners of the memory, which kernels do not
        use, elements, bytes of an element, address, shape, strides.
        """
        itemsize = self.dtype.itemsize
        strides = [itemsize * prod(self.shape[axis + 1 :]) for axis in range(self.ndim)]
        return 0, 0, self.size, itemsize, self.ptr, *self.shape, *strides

    @cached_property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.ptr, False),
            "strides": None,
            "stream": None,
            "version": 3,
        }

    @cached_property
    def of_compiler(self) -> Any:
        """The array of numba-cuda, which its kernels take at the least cost."""
        return cuda.from_cuda_array_interface(self.__cuda_array_interface__, sync=False)

    def reshape(self, *shape: Any, dtype: DTypeLike | None = None) -> "DeviceArray":
        """The same memory in another shape, given as numbers or as one tuple; `dtype`: as other
        numbers.
        """
        lengths = shape[0] if isinstance(shape[0], tuple) else shape
        return DeviceArray(self._memory, self.ptr, lengths, np.dtype(dtype or self.dtype))

    def __getitem__(self, rows: slice) -> "DeviceArray":
        """Some rows that follow each other, on the same memory."""
        begin, end, step = rows.indices(self.shape[0])
        if step != 1:
            raise ValueError("cuda: an array on the card is cut into rows that follow each other")
        shape = (max(end - begin, 0), *self.shape[1:])
        row = prod(shape[1:]) * self.dtype.itemsize
        return DeviceArray(self._memory, self.ptr + begin * row, shape, self.dtype)

    def __len__(self) -> int:
        return self.shape[0]


# -- streams and events ----------------------------------------------------------------------------


class Stream:
    """A stream that neither waits for the default stream nor lets it wait, which other code may
    use; made by `Card.new_stream`.
    """

    def __init__(self, card: int, capability: tuple[int, ...]) -> None:
        """`card`: its number; `capability`: its compute capability."""
        self.card = card
        self.capability = capability
        self.handle = value_of(c_void_p, "cuStreamCreate", _STREAM_NON_BLOCKING)
        self._owner = _Owner(driver().cuStreamDestroy_v2, self.handle, card)

    @cached_property
    def of_compiler(self) -> Any:
        """The stream as the compiler's kernels take it."""
        return cuda.external_stream(self.handle)


class Event:
    """Complete when all work is done that was on the stream when the event was made."""

    def __init__(self, stream: Stream) -> None:
        handle = value_of(c_void_p, "cuEventCreate", _EVENT_BLOCKING_SYNC | _EVENT_DISABLE_TIMING)
        self._owner = _Owner(driver().cuEventDestroy_v2, handle, stream.card)
        driver().cuEventRecord(handle, stream.handle)

    def wait(self, stream: Stream) -> None:
        """Let the work that is put on `stream` from now on wait for this event."""
        driver().cuStreamWaitEvent(stream.handle, self._owner.handle, 0)

    def synchronize(self) -> None:
        """Wait on the host until the event is complete."""
        driver().cuEventSynchronize(self._owner.handle)


# -- a card ----------------------------------------------------------------------------------------


class Card:
    """A card whose context is current to the thread that made this object, which only that thread
    uses.
    """

    def __init__(self, index: int) -> None:
        self.index = index
        start_driver()
        device = _device(index)
        _use_blocking_waits(device)
        driver().cuCtxSetCurrent(value_of(c_void_p, "cuDevicePrimaryCtxRetain", device))
        self._pending = _pending_frees.setdefault(index, deque())
        properties = _properties(device)
        self.name = properties.name
        self._capability = properties.capability
        # Their number, and of each the shared memory in bytes and the threads.
        self.multiprocessors = _attributes(
            device,
            _MULTIPROCESSOR_COUNT,
            _MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
            _MAX_THREADS_PER_MULTIPROCESSOR,
        )

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """A new array; what it holds is not defined."""
        kind = np.dtype(dtype)
        needed = max(prod(shape) * kind.itemsize, _LEAST_BYTES)
        address = self._allocate(needed)
        memory = _Owner(driver().cuMemFree_v2, address, self.index)
        return DeviceArray(memory, address, shape, kind)

    def _allocate(self, needed: int) -> int:
        """The address of `needed` bytes. Memory pools are not used: not all cards and drivers have
        them, and what they keep is missing to other programs."""
        try:
            return int(value_of(c_uint64, "cuMemAlloc_v2", needed))
        except DriverError as error:
            if "OUT_OF_MEMORY" not in str(error) or not self._pending:
                raise
        # Arrays that are gone may have left enough.
        self.free_pending()
        return int(value_of(c_uint64, "cuMemAlloc_v2", needed))

    def free_pending(self) -> None:
        """Free the memory of arrays that are gone, and streams and events that are gone."""
        while True:
            try:
                free, handle = self._pending.popleft()
            # Another owner of a device on this card may have taken the last one.
            except IndexError:
                return
            free(handle)

    def memory_info(self) -> tuple[int, int]:
        """(free, total) bytes."""
        total = c_size_t()
        free = value_of(c_size_t, "cuMemGetInfo_v2", byref(total))
        return free, total.value

    def new_stream(self) -> Stream:
        return Stream(self.index, self._capability)

    def synchronize(self, stream: Stream) -> None:
        """Wait for all work on `stream`; raises the error of any of it."""
        driver().cuStreamSynchronize(stream.handle)

    def upload(self, host: np.ndarray, stream: Stream) -> DeviceArray:
        """A new array with the values of `host`; see `copy_to_card`."""
        array = self.empty(host.shape, host.dtype)
        self.copy_to_card(array, host, stream)
        return array

    def copy_to_card(self, array: DeviceArray, host: np.ndarray, stream: Stream) -> None:
        """Queue a copy of contiguous `host`, which must stay as it is until `stream` is waited
        for.
        """
        _require_same_bytes(array, host)
        if array.nbytes:
            driver().cuMemcpyHtoDAsync_v2(array.ptr, host.ctypes.data, array.nbytes, stream.handle)

    def copy_to_host(self, array: DeviceArray, host: np.ndarray, stream: Stream) -> None:
        """Queue a copy into contiguous `host`; it is there when `stream` has been waited for."""
        _require_same_bytes(array, host)
        if array.nbytes:
            driver().cuMemcpyDtoHAsync_v2(host.ctypes.data, array.ptr, array.nbytes, stream.handle)

    def capture(self, stream: Stream, work: Callable[[], None]) -> "Graph":
        """A graph of what `work` puts on `stream`, and on streams that wait for its events; nothing
        of it is run.
        """
        # Relaxed: other threads may allocate memory during the capture.
        driver().cuStreamBeginCapture_v2(stream.handle, _STREAM_CAPTURE_MODE_RELAXED)
        graph = c_void_p()
        try:
            work()
        except BaseException:
            # End the capture, so that the stream can be used again; that reports again that it was
            # invalid.
            with suppress(DriverError):
                driver().cuStreamEndCapture(stream.handle, byref(graph))
                driver().cuGraphDestroy(graph)
            raise
        driver().cuStreamEndCapture(stream.handle, byref(graph))
        try:
            return Graph(value_of(c_void_p, "cuGraphInstantiateWithFlags", graph, 0))
        finally:
            driver().cuGraphDestroy(graph)


class Graph:
    """An executable graph of a card."""

    def __init__(self, executable: int) -> None:
        self._executable = executable

    def launch(self, stream: Stream) -> None:
        driver().cuGraphLaunch(self._executable, stream.handle)

    def close(self) -> None:
        """Destroy the graph, which must not be running."""
        driver().cuGraphExecDestroy(self._executable)


def _require_same_bytes(array: DeviceArray, host: np.ndarray) -> None:
    if not host.flags.c_contiguous or host.nbytes != array.nbytes:
        raise ValueError(
            "cuda: an array of the host is copied as a whole, and is contiguous in C order"
        )


def _use_blocking_waits(device: int) -> None:
    """Let waits for a card block the thread; by default they keep a processor busy.

    To be called before the context of the card is created. A wait then takes 20 to 50 microseconds
    longer.
    """
    try:
        driver().cuDevicePrimaryCtxSetFlags_v2(device, _CTX_SCHED_BLOCKING_SYNC)
    except DriverError as error:
        # Drivers may refuse it while the context exists; the waits are then as they were.
        _log.debug("Waits keep a processor busy: %s", error)
