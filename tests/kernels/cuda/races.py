"""Finds data races of kernels in Numba's simulator.

The simulator runs each thread up to its next barrier, so a missing barrier seldom changes a result.
Here every access is recorded with its block, its thread and the number of barriers that the thread
has passed. Two accesses to the same element, one of which writes, must be by the same thread or
have a barrier between them; by two blocks they are allowed in the workspace only, which arrival
counters protect. `FOUND` collects races, indices out of bounds (the simulator accepts negative
ones) and barriers that not all threads of a block pass.
"""

import sys
import threading
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

import numpy as np
from numba.cuda.simulator.cudadrv.devicearray import FakeWithinKernelCUDAArray
from numba.cuda.simulator.kernel import BlockManager, BlockThread, FakeCUDAKernel
from numba.cuda.simulator.kernelapi import FakeCUDAShared

from kernels.cuda.launcher import Launcher

FOUND: set[str] = set()

Access = tuple[tuple[int, ...], int, int]  # block, barriers passed, thread


@dataclass(slots=True)
class _Element:
    """The last writer of an element, and its readers since."""

    writer: Access | None = None
    readers: set[Access] = field(default_factory=set)


class _Watch:
    def __init__(self) -> None:
        self.launchers: WeakSet[Launcher] = WeakSet()
        self._kernel = ""
        self._elements: dict[Any, _Element] = {}
        self._work_space: list[tuple[int, int]] = []
        self._lock = threading.Lock()

    def begin(self, kernel: str) -> None:
        self._kernel = kernel
        self._elements.clear()
        arrays = [
            a
            for launcher in self.launchers
            for workspace in launcher._workspaces
            for a in workspace.values()
        ]
        self._work_space = [(_address(a), _address(a) + a.nbytes) for a in arrays]

    def touch(self, now: Access, element: Any, writes: bool) -> None:
        """`element`: its address, or for shared memory its array, block and index."""
        with self._lock:
            seen = self._elements.get(element)
            if seen is None:
                seen = self._elements[element] = _Element()
            if seen.writer is not None:
                self._compare(seen.writer, now, element)
            if writes:
                for reader in seen.readers:
                    self._compare(reader, now, element)
                seen.writer, seen.readers = now, set()
            else:
                seen.readers.add(now)

    def _compare(self, before: Access, now: Access, element: Any) -> None:
        if before[0] == now[0]:
            if before[1] == now[1] and before[2] != now[2]:
                self.tell(f"threads {before[2]} and {now[2]} meet without a barrier")
        elif not any(begin <= element < end for begin, end in self._work_space):
            self.tell(f"blocks {before[0]} and {now[0]} meet in one element")

    def tell(self, what: str) -> None:
        FOUND.add(f"{self._kernel}: {what}")

    def in_bounds(self, index: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
        places = tuple(map(int, index)) if isinstance(index, tuple) else (int(index),)
        for place, size in zip(places, shape, strict=True):
            if not 0 <= place < size:
                self.tell(f"{places} is outside of {shape}")
        return places


_WATCH = _Watch()


class _Shared:
    """A shared array that reports its accesses."""

    def __init__(self, size: int, dtype: str) -> None:
        self._array = np.empty(size, dtype)
        self.shape = self._array.shape

    def __getitem__(self, index: int) -> Any:
        self._touch(index, False)
        return self._array[index]

    def __setitem__(self, index: int, value: Any) -> None:
        self._touch(index, True)
        self._array[index] = value

    def _touch(self, index: int, writes: bool) -> None:
        (place,) = _WATCH.in_bounds(index, self.shape)
        now = threading.current_thread().__dict__["access"]
        # The simulator gives all blocks the same array, although each has its own shared memory.
        _WATCH.touch(now, (id(self), now[0], place), writes)


def _touch_global(argument: Any, index: Any, writes: bool) -> None:
    now = threading.current_thread().__dict__.get("access")
    if now is None:
        return
    known = argument.__dict__
    if "layout" not in known:
        array = argument._item._ary
        known["layout"] = _address(array), array.shape, array.strides
    address, shape, strides = known["layout"]
    for place, step in zip(_WATCH.in_bounds(index, shape), strides, strict=True):
        address += place * step
    _WATCH.touch(now, address, writes)


def _address(array: Any) -> int:
    return array.__array_interface__["data"][0]


_lock = threading.Lock()


def _shared_array(self: Any, shape: int, dtype: Any, alignment: Any = None) -> _Shared:
    """As in the simulator, but with a lock: there two threads can get an array each."""
    caller = sys._getframe(1)
    with _lock:
        place = caller.f_code, caller.f_lineno
        if place not in self._allocations:
            self._allocations[place] = _Shared(shape, str(dtype))
        return self._allocations[place]


def watch() -> None:
    """Check all kernels of this process from now on."""
    begin, launch, start = Launcher.__init__, FakeCUDAKernel.__call__, BlockThread.__init__
    block, barrier = BlockManager.run, BlockThread.syncthreads
    read, write = FakeWithinKernelCUDAArray.__getitem__, FakeWithinKernelCUDAArray.__setitem__

    def begun(self: Any, *arguments: Any) -> None:
        begin(self, *arguments)
        _WATCH.launchers.add(self)

    def launched(self: Any, *arguments: Any) -> Any:
        if not isinstance(threading.current_thread(), BlockThread):
            _WATCH.begin(self.fn.__name__)
        return launch(self, *arguments)

    def started(self: Any, function: Any, manager: Any, *rest: Any) -> None:
        start(self, function, manager, *rest)
        self.access = tuple(self.blockIdx), 0, self.thread_id
        manager.__dict__.setdefault("all_threads", []).append(self)

    def run(self: Any, *arguments: Any) -> None:
        block(self, *arguments)
        if len({thread.access[1] for thread in self.all_threads}) > 1:
            _WATCH.tell("not all threads pass the same barriers")

    def passed(self: Any) -> None:
        barrier(self)
        its_block, barriers, number = self.access
        self.access = its_block, barriers + 1, number

    def got(self: Any, index: Any) -> Any:
        _touch_global(self, index, False)
        return read(self, index)

    def put(self: Any, index: Any, value: Any) -> None:
        _touch_global(self, index, True)
        write(self, index, value)

    FakeCUDAShared.array = _shared_array
    Launcher.__init__, FakeCUDAKernel.__call__, BlockThread.__init__ = begun, launched, started
    BlockManager.run, BlockThread.syncthreads = run, passed
    FakeWithinKernelCUDAArray.__getitem__, FakeWithinKernelCUDAArray.__setitem__ = got, put
