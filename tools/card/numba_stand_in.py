"""Replaces Numba's driver by the emulator; call `install` before a module of `kernels.cuda` is imported.

Device arrays are NumPy arrays. Outside of a capture a launch runs at once, whatever its stream. In a capture each
launch becomes a node of a graph; it depends on the last node of its stream and on those of the events that the stream
waits for. A replay runs the nodes in a random order that the dependencies allow, so a missing one changes results.
"""

import ctypes
import random
import tempfile
from collections import Counter, namedtuple
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba.cuda
import numpy as np
from numba.cuda import types
from numba.cuda.cudadrv import driver as driver_module
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.np.numpy_support import from_dtype
from numba.cuda.typing.typeof import Purpose, typeof

from tools.card.kernels import CAPABILITY, CompiledKernel

MULTIPROCESSORS = 132  # of an H100; plans of products depend on it
MEMORY = namedtuple("MEMORY", "free total")(80 << 30, 80 << 30)
ALIGNMENT = 256
LAUNCHED: Counter[str] = Counter()


class CardArray(np.ndarray):
    """An array on the emulated card. Host code may only copy it."""

    @property
    def device_ctypes_pointer(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.ctypes.data)

    def copy_to_host(self, ary: np.ndarray | None = None, stream: object = 0) -> np.ndarray:
        _not_in_capture("a copy")
        if ary is None:
            ary = np.empty(self.shape, self.dtype)
        np.copyto(ary, self.view(np.ndarray))
        return ary

    def copy_to_device(self, ary: np.ndarray, stream: object = 0) -> None:
        _not_in_capture("a copy")
        np.copyto(self.view(np.ndarray), np.asarray(ary))


def device_array(shape: object, dtype: object = np.float64) -> CardArray:
    """Filled with NaN, so that elements that are never written are noticed."""
    _not_in_capture("an allocation")
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    room = np.full(size + ALIGNMENT, 0xFF, np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    return room[first : first + size].view(dtype).reshape(shape).view(CardArray)


def to_device(host: np.ndarray, stream: object = 0) -> CardArray:
    array = device_array(host.shape, host.dtype)
    array.copy_to_device(host)
    return array


class _Node:
    """A launch in a graph. `after`: the nodes that have to run before it."""

    def __init__(self, name: str, work: object, after: set["_Node"]) -> None:
        self.name = name
        self.work = work
        self.after = after


class _Stream:
    """`ends`: the nodes of the current capture that its next launch depends on."""

    made: dict[int, "_Stream"] = {}  # noqa: RUF012

    def __init__(self) -> None:
        self.ends: set[_Node] = set()
        self.number = len(self.made) + 1
        self.made[self.number] = self

    def __int__(self) -> int:
        return self.number

    def synchronize(self) -> None:
        _not_in_capture("a wait")


class _Event:
    def __init__(self, timing: bool = True) -> None:
        self._ends: set[_Node] = set()

    def record(self, stream: _Stream) -> None:
        self._ends = set(stream.ends)

    def wait(self, stream: _Stream) -> None:
        stream.ends |= self._ends


class _Driver:
    """The driver functions that the device uses. `nodes` are those of the current capture, None outside of one."""

    def __init__(self) -> None:
        self.nodes: list[_Node] | None = None

    def cuStreamBeginCapture(self, stream: int, mode: object) -> None:  # noqa: N802
        self.nodes = []
        for each in _Stream.made.values():
            each.ends = set()

    def cuStreamEndCapture(self, stream: int) -> list[_Node]:  # noqa: N802
        nodes = self.nodes or []
        self.nodes = None
        joined = set()
        remaining = set(_Stream.made[stream].ends)
        while remaining:
            node = remaining.pop()
            joined.add(node)
            remaining |= node.after - joined
        lost = [node.name for node in nodes if node not in joined]
        assert not lost, f"branches that do not join the stream of the capture: {lost}"
        return nodes

    def cuGraphInstantiate(self, graph: list[_Node], flags: int) -> list[_Node]:  # noqa: N802
        return graph

    def cuGraphLaunch(self, graph: list[_Node], stream: int) -> None:  # noqa: N802
        done: set[_Node] = set()
        while len(done) < len(graph):
            node = random.choice([node for node in graph if node not in done and node.after <= done])
            node.work()
            done.add(node)

    def cuGraphDestroy(self, graph: list[_Node]) -> None:  # noqa: N802
        """Nothing to do: graphs are lists."""

    cuGraphExecDestroy = cuGraphDestroy  # noqa: N815

    def cuDeviceTotalMem(self, card: int) -> int:  # noqa: N802
        return MEMORY.total

    def cuDevicePrimaryCtxSetFlags(self, card: int, flags: int) -> None:  # noqa: N802
        """Nothing to do: launches are complete when they return."""

    def get_version(self) -> tuple[int, int]:
        return 12, 9


_DRIVER = _Driver()


def _not_in_capture(what: str) -> None:
    assert _DRIVER.nodes is None, f"{what} in a capture"


class _Launch:
    """A kernel with its launch configuration."""

    compiled: dict[Any, CompiledKernel] = {}  # noqa: RUF012
    folder = Path(tempfile.mkdtemp(prefix="digitlab-ptx-"))

    def __init__(self, dispatcher: CUDADispatcher, configuration: tuple[Any, ...]) -> None:
        self._dispatcher = dispatcher
        self._grid, self._block = (_numbers(part) for part in configuration[:2])
        self._stream = configuration[2] if len(configuration) > 2 else None

    def __call__(self, *arguments: object) -> None:
        typed = [_typed(argument) for argument in arguments]
        key = (self._dispatcher, tuple(kind for kind, _ in typed))
        if key not in self.compiled:
            self.compiled[key] = CompiledKernel(*key, self.folder)
        kernel = self.compiled[key]
        values = [value for _, value in typed]
        LAUNCHED[kernel.name] += 1

        def work() -> None:
            kernel.launch(self._grid, self._block, values)

        if _DRIVER.nodes is None:
            work()
        else:
            assert self._stream, f"{kernel.name} is launched on no stream in a capture"
            node = _Node(kernel.name, work, self._stream.ends)
            self._stream.ends = {node}
            _DRIVER.nodes.append(node)


def _numbers(part: object) -> tuple[int, ...]:
    return tuple(int(number) for number in (part if isinstance(part, tuple | list) else (part,)))


def _typed(argument: object) -> tuple[Any, np.ndarray]:
    """The type of an argument in Numba, and its value as an array."""
    if isinstance(argument, CardArray):
        assert argument.flags.c_contiguous
        return types.Array(from_dtype(argument.dtype), argument.ndim, "C"), argument
    assert not isinstance(argument, np.ndarray) or not argument.ndim, (
        "an array in host memory is given to a kernel"
    )
    kind = typeof(argument, Purpose.argument)
    return kind, np.array(argument, str(kind))


def install() -> None:
    """Let `numba.cuda` use an emulated card of compute capability 9.0."""
    card = SimpleNamespace(
        compute_capability=CAPABILITY, MULTIPROCESSOR_COUNT=MULTIPROCESSORS, id=0, name=b"emulated card"
    )

    def current_card() -> SimpleNamespace:
        return card

    def configured(kernel: object, configuration: object) -> _Launch:
        return _Launch(kernel, configuration)

    pending = SimpleNamespace(clear=lambda: None)
    context = SimpleNamespace(
        get_memory_info=lambda: MEMORY,
        memory_manager=SimpleNamespace(deallocations=pending),
        deallocations=pending,
    )
    replacements: dict[str, Any] = {
        "device_array": device_array,
        "to_device": to_device,
        "stream": _Stream,
        "event": _Event,
        "is_available": lambda: True,
        "select_device": lambda index: card,
        "get_current_device": current_card,
        "current_context": lambda: context,
        "defer_cleanup": nullcontext,
        "synchronize": lambda: None,
        "gpus": [card],
        "runtime": SimpleNamespace(get_version=_DRIVER.get_version),
    }
    for name, value in replacements.items():
        setattr(numba.cuda, name, value)
    driver_module.driver = _DRIVER
    CUDADispatcher.__getitem__ = configured
    numba.cuda.dispatcher.get_current_device = current_card
