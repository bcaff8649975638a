"""NVIDIA's driver as the device `cuda` uses it: cards, memory, copies, streams and graphs.

It uses cuda.core and cuda.bindings, NVIDIA's own packages for Python, which depend on no compiler.
Beside it only the launch of shipped kernels (`kernels.cuda.shipped`) calls the driver; a compiler
launches those that it compiles. Both take the arrays and streams of this module as they are.
In the simulator, which has no driver, `kernels.cuda.simulated_host` takes its place;
`kernels.cuda.card` chooses between the two.

A thread calls `Card(index)` before it uses the card: that makes the card's primary context current
to the thread.
"""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from typing import Any, cast

import numpy as np
from cuda.bindings import driver
from cuda.core import Buffer, Device, Stream, StreamOptions
from cuda.core.utils import StridedMemoryView
from numpy.typing import DTypeLike

from kernels.cuda.toolkit import types

# Bytes of an allocation at least: the driver refuses an empty one.
_LEAST_BYTES = 1

_log = logging.getLogger(__name__)


class DriverError(RuntimeError):
    """A function of the driver failed; the text has CUDA's name of the error."""


def _call(function: Callable[..., Any], *arguments: object) -> Any:
    """What a function of the driver API returns beside its error code, which becomes a
    DriverError.
    """
    code, *results = function(*arguments)
    if code != driver.CUresult.CUDA_SUCCESS:
        raise DriverError(f"Call to {function.__name__} results in {code.name}")
    return results[0] if len(results) == 1 else results


# -- the driver and its cards ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardProperties:
    """`memory`: bytes. `capability`: the compute capability, such as (8, 6)."""

    name: str
    memory: int
    capability: tuple[int, int]


def start_driver() -> None:
    """To be called first. Raises DriverError where no driver is installed, or where it does not
    start.
    """
    try:
        _call(driver.cuInit, 0)
    except DriverError:
        raise
    except RuntimeError as error:
        # The class depends on the version of cuda.bindings.
        raise DriverError("The library of the driver cannot be found.") from error


def driver_version() -> tuple[int, int]:
    """The newest CUDA that the driver supports."""
    return _version(_call(driver.cuDriverGetVersion))


def cards() -> list[CardProperties]:
    """All cards, in the order of their numbers. Creates no context on them."""
    return [_properties(Device(index)) for index in range(_call(driver.cuDeviceGetCount))]


def _properties(device: Device) -> CardProperties:
    major, minor = device.compute_capability
    return CardProperties(
        device.name, _call(driver.cuDeviceTotalMem, device.device_id), (major, minor)
    )


def _version(number: int) -> tuple[int, int]:
    """CUDA's number of a version, 12090, in two parts."""
    return number // 1000, number % 1000 // 10


# -- arrays ----------------------------------------------------------------------------------------


class _Memory:
    """An allocation. When the last array on it is gone, its address waits for
    `Card.free_pending`.
    """

    __slots__ = ("_pending", "address")

    def __init__(self, address: int, pending: "PendingFrees") -> None:
        self.address = address
        self._pending = pending

    def __del__(self) -> None:
        self._pending.append((driver.cuMemFree, self.address))


# Memory and events that wait to be freed: (function of the driver, its argument).
PendingFrees = deque[tuple[Callable[..., Any], Any]]

# By the number of their card. The driver frees them in the context of the card, and cuMemFree waits
# for all its work, so that is left to the thread that owns a device; the garbage collector may find
# them in any thread.
_pending_frees: dict[int, PendingFrees] = {}


class DeviceArray(StridedMemoryView):
    """An array in the memory of a card, contiguous in C order; made by `Card.empty`.

    The dispatcher of numba-cuda takes a StridedMemoryView, that of numba-cuda-mlir the CUDA array
    interface. Either would find the type of an array at every launch, so it is kept here.
    """

    @cached_property
    def ndim(self) -> int:
        return len(self.shape)

    @cached_property
    def nbytes(self) -> int:
        return int(self.size) * int(self.dtype.itemsize)

    @cached_property
    def kernel_type(self) -> str:
        return f"{self.dtype.name}[{self.ndim}]"

    @cached_property
    def kernel_fields(self) -> tuple[int, ...]:
        """See `kernels.cuda.shipped.launch_kernel`: two owners of the memory, which kernels do not
        use, elements, bytes of an element, address, shape, strides.
        """
        itemsize = int(self.dtype.itemsize)
        strides = [itemsize * prod(self.shape[axis + 1 :]) for axis in range(self.ndim)]
        return 0, 0, int(self.size), itemsize, self.ptr, *self.shape, *strides

    @cached_property
    def _numba_type_(self) -> Any:
        return _array_type(self.dtype, self.ndim)

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

    def reshape(self, *shape: Any, dtype: DTypeLike | None = None) -> "DeviceArray":
        """The same memory in another shape, given as numbers or as one tuple; `dtype`: as other
        numbers.
        """
        lengths = shape[0] if isinstance(shape[0], tuple) else shape
        return _array_on(self.exporting_obj, lengths, np.dtype(dtype or self.dtype))

    def __getitem__(self, rows: slice) -> "DeviceArray":
        """Some rows that follow each other, on the same memory."""
        begin, end, step = rows.indices(self.shape[0])
        if step != 1:
            raise ValueError("cuda: an array on the card is cut into rows that follow each other")
        shape = (max(end - begin, 0), *self.shape[1:])
        row = prod(shape[1:]) * self.dtype.itemsize
        memory = Buffer.from_handle(
            self.ptr + begin * row, shape[0] * row, owner=self.exporting_obj
        )
        return _array_on(memory, shape, self.dtype)

    def __len__(self) -> int:
        return int(self.shape[0])


def _array_on(memory: Buffer, shape: tuple[int, ...], dtype: np.dtype) -> DeviceArray:
    return cast("DeviceArray", DeviceArray.from_buffer(memory, tuple(map(int, shape)), dtype=dtype))


@cache
def _array_type(dtype: np.dtype, dimensions: int) -> Any:
    """The compiler's type of an array; each compiler has its own types."""
    number = getattr(types, "boolean" if dtype.kind == "b" else dtype.name)
    return types.Array(number, dimensions, "C")


_WITHOUT_TIME = int(driver.CUevent_flags.CU_EVENT_DISABLE_TIMING)

# A wait blocks the thread, as those for streams do.
_BLOCKING = int(driver.CUevent_flags.CU_EVENT_BLOCKING_SYNC)


class Event:
    """Complete when all work is done that was on the stream when the event was made.

    Events of cuda.core tell no code where the driver refuses one, so these are made with
    cuda.bindings.
    """

    __slots__ = ("_handle", "_pending")

    def __init__(self, stream: Stream) -> None:
        self._pending = _pending_frees[stream.device.device_id]
        self._handle = _call(driver.cuEventCreate, _BLOCKING | _WITHOUT_TIME)
        _call(driver.cuEventRecord, self._handle, stream.handle)

    def __del__(self) -> None:
        # The constructor may have failed before.
        if hasattr(self, "_handle"):
            self._pending.append((driver.cuEventDestroy, self._handle))

    def wait(self, stream: Stream) -> None:
        """Let the work that is put on `stream` from now on wait for this event."""
        _call(driver.cuStreamWaitEvent, stream.handle, self._handle, 0)

    def synchronize(self) -> None:
        """Wait on the host until the event is complete."""
        _call(driver.cuEventSynchronize, self._handle)


# -- a card ----------------------------------------------------------------------------------------


class Card:
    """A card whose context is current to the thread that made this object, which only that thread
    uses.
    """

    def __init__(self, index: int) -> None:
        self.index = index
        _use_blocking_waits(index)
        self._device = Device(index)
        self._device.set_current()
        self._pending = _pending_frees.setdefault(index, deque())
        self.name: str = self._device.name
        properties = self._device.properties
        # Their number, and of each the shared memory in bytes and the threads.
        self.multiprocessors: tuple[int, int, int] = (
            properties.multiprocessor_count,
            properties.max_shared_memory_per_multiprocessor,
            properties.max_threads_per_multiprocessor,
        )

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> DeviceArray:
        """A new array; what it holds is not defined."""
        kind = np.dtype(dtype)
        needed = max(prod(shape) * kind.itemsize, _LEAST_BYTES)
        memory = _Memory(self._allocate(needed), self._pending)
        return _array_on(Buffer.from_handle(memory.address, needed, owner=memory), shape, kind)

    def _allocate(self, needed: int) -> int:
        """The address of `needed` bytes. Memory pools are not used: not all cards and drivers have
        them, and what they keep is missing to other programs."""
        try:
            return int(_call(driver.cuMemAlloc, needed))
        except DriverError as error:
            if "OUT_OF_MEMORY" not in str(error) or not self._pending:
                raise
        # Arrays that are gone may have left enough.
        self.free_pending()
        return int(_call(driver.cuMemAlloc, needed))

    def free_pending(self) -> None:
        """Free the memory of arrays that are gone, and events that are gone."""
        while True:
            try:
                free, handle = self._pending.popleft()
            # Another owner of a device on this card may have taken the last one.
            except IndexError:
                return
            _call(free, handle)

    def memory_info(self) -> tuple[int, int]:
        """(free, total) bytes."""
        free, total = _call(driver.cuMemGetInfo)
        return int(free), int(total)

    def new_stream(self) -> Stream:
        """A stream that neither waits for the default stream nor lets it wait, which other code may
        use.
        """
        return self._device.create_stream(options=StreamOptions(nonblocking=True))

    def synchronize(self, stream: Stream) -> None:
        """Wait for all work on `stream`; raises the error of any of it."""
        stream.sync()

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
            _call(
                driver.cuMemcpyHtoDAsync, array.ptr, host.ctypes.data, array.nbytes, stream.handle
            )

    def copy_to_host(self, array: DeviceArray, host: np.ndarray, stream: Stream) -> None:
        """Queue a copy into contiguous `host`; it is there when `stream` has been waited for."""
        _require_same_bytes(array, host)
        if array.nbytes:
            _call(
                driver.cuMemcpyDtoHAsync, host.ctypes.data, array.ptr, array.nbytes, stream.handle
            )

    def capture(self, stream: Stream, work: Callable[[], None]) -> "Graph":
        """A graph of what `work` puts on `stream`, and on streams that wait for its events; nothing
        of it is run.
        """
        # Relaxed: other threads may allocate memory during the capture.
        mode = driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        _call(driver.cuStreamBeginCapture, stream.handle, mode)
        try:
            work()
        except BaseException:
            # End the capture, so that the stream can be used again; that reports again that it was
            # invalid.
            with suppress(DriverError):
                _call(driver.cuGraphDestroy, _call(driver.cuStreamEndCapture, stream.handle))
            raise
        graph = _call(driver.cuStreamEndCapture, stream.handle)
        try:
            return Graph(_call(driver.cuGraphInstantiate, graph, 0))
        finally:
            _call(driver.cuGraphDestroy, graph)


class Graph:
    """An executable graph of a card."""

    def __init__(self, executable: object) -> None:
        self._executable = executable

    def launch(self, stream: Stream) -> None:
        _call(driver.cuGraphLaunch, self._executable, stream.handle)

    def close(self) -> None:
        """Destroy the graph, which must not be running."""
        _call(driver.cuGraphExecDestroy, self._executable)


def _require_same_bytes(array: DeviceArray, host: np.ndarray) -> None:
    if not host.flags.c_contiguous or host.nbytes != array.nbytes:
        raise ValueError(
            "cuda: an array of the host is copied as a whole, and is contiguous in C order"
        )


def _use_blocking_waits(index: int) -> None:
    """Let waits for card `index` block the thread; by default they keep a processor busy.

    To be called before the context of the card is created. A wait then takes 20 to 50 microseconds
    longer.
    """
    flags = int(driver.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC)
    try:
        _call(driver.cuDevicePrimaryCtxSetFlags, index, flags)
    except DriverError as error:
        # Drivers may refuse it while the context exists; the waits are then as they were.
        _log.debug("Waits keep a processor busy: %s", error)
