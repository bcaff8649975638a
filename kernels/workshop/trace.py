"""What the checker of kernels finds: faults, counts, and the recorded accesses of one launch.

Threads are numbered over the whole grid: lane = block * threads per block + thread, where block and thread are
counted with x fastest. 32 consecutive threads of a block are a warp.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

WARP = 32
KINDS = (
    "race", "block-race", "barrier", "bounds", "uninitialized", "wrong-result", "type", "unsupported", "same-value",
    "par",
)  # fmt: skip
"""The kinds of faults. `par`: a count is worse than the exercise asks for."""
WARNINGS = ("same-value", "par")
"""Kinds that do not make a verdict fail."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `line`: of the file, from 1; 0 where no line is to blame.

    `thread`, `block`: as the kernel sees them, with as many numbers as the block and the grid have dimensions; empty
    where no thread is to blame. `element`: the index in `array`. `other_*`: the second thread of a race, or a thread
    that misses a barrier. `expected`, `found`: of a wrong result, as texts. `sizes`: the shape that showed it.
    """

    kind: str
    line: int
    text: str
    thread: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    array: str = ""
    element: tuple[int, ...] = ()
    other_line: int = 0
    other_thread: tuple[int, ...] = ()
    other_block: tuple[int, ...] = ()
    expected: str = ""
    found: str = ""
    sizes: dict[str, int] = field(default_factory=dict)

    @property
    def is_warning(self) -> bool:
        return self.kind in WARNINGS


@dataclass(frozen=True, slots=True)
class Count:
    """The accesses of one place in the file to one array, in one launch.

    `access`: "read", "write" or "atomic"; `space`: "global", "shared" or "local". `requests`: how often a warp
    executed it; `lanes`: how many threads did; `bytes`: that they asked for. `sectors_per_request`: mean number of
    different 32-byte sectors of a request (global memory), else 0; `least_sectors`: that would hold its elements side
    by side (4 for 32 float32). `bank_conflict_ways`: of the worst request (shared memory; 1 is ideal), else 0.
    """

    line: int
    access: str
    space: str
    array: str
    requests: int
    lanes: int
    bytes: int
    sectors_per_request: float = 0.0
    bank_conflict_ways: int = 0
    least_sectors: float = 0.0


@dataclass(frozen=True, slots=True)
class ArrayInfo:
    """An array of the launch. `space`: "global", "shared" (one for each block) or "local" (one for each thread).

    `start`: what a global array held before the launch, flat; None for shared and local memory.
    """

    name: str
    space: str
    dtype: str
    shape: tuple[int, ...]
    start: np.ndarray | None = None

    @property
    def size(self) -> int:
        """Elements of one copy of the array."""
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Event:
    """What the threads did together at one place of the file.

    `kind`: "read", "write", "atomic"; "barrier"; or "branch" (`lanes`: those whose condition is true).
    `array`: index into `Trace.arrays`, or -1. `lanes`: int64. `elements`: int64, flat index in the array for each
    lane; for shared memory within the block's copy, for local within the thread's. `values`: read, or in memory after
    the write.
    """

    kind: str
    line: int
    array: int
    lanes: np.ndarray
    elements: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, slots=True)
class Trace:
    """One launch from its first to its last event. Replaying the writes of `events[:k]` gives the memory at step k."""

    kernel: str
    source: str
    sizes: dict[str, int]
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arrays: tuple[ArrayInfo, ...]
    events: tuple[Event, ...]
    complete: bool = True
    """False where the launch had more accesses than a trace keeps; the first events are kept."""

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return int(np.prod(self.block))


def place(number: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The index (x, y, z) of the thread or block with this number, x fastest, in as many dimensions as `sizes` has."""
    found: list[int] = []
    for size in sizes:
        number, index = divmod(int(number), max(size, 1))
        found.append(index)
    return tuple(found)


@dataclass(slots=True)
class Totals:
    """Sums over one launch. Accesses count elements by thread; bytes are those that threads asked for."""

    accesses: int = 0
    global_reads: int = 0
    global_writes: int = 0
    shared_reads: int = 0
    shared_writes: int = 0
    atomics: int = 0
    global_bytes: int = 0
    barriers: int = 0
    divergent_branches: int = 0
    operations: int = 0
    sectors_per_request: float = 0.0
    bank_conflict_ways: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}
