"""What the checker of kernels finds: a verdict with faults and counts, and the recorded accesses of
one launch.

Threads are numbered over the whole grid: lane = block * threads per block + thread, where block and
thread are counted with x fastest. 32 consecutive threads of a block are a warp.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from core.text import Sentence

Dims = tuple[int, ...]
"""Numbers along x, y and z, or along the dimensions of an array: its sides, or a place in it."""
PerLane = int | np.ndarray
"""A number of each lane; one number where it is that of all."""
Sizes = Mapping[str, int]
"""The sizes of a shape, by name."""
WARP = 32
MAX_SHARED_BYTES = 48 << 10
"""Of a block, static and dynamic together: more needs an option of the launch that Numba does not
set.
"""
KINDS = (
    "race",
    "block-race",
    "barrier",
    "bounds",
    "uninitialized",
    "wrong-result",
    "type",
    "syntax",
    "unsupported",
    "same-value",
    "par",
)
"""The kinds of faults. `par`: a count is worse than the exercise asks for."""
WARNINGS = ("same-value", "par")
"""Kinds that do not make a verdict fail."""
UNDECIDED = ("syntax", "unsupported")
"""Kinds that end the check."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `line`: of the file, from 1; 0 where no line is to blame.

    `thread`, `block`: as the kernel sees them, with as many numbers as the block and the grid have
    dimensions; empty where no thread is to blame. `element`: the index in `array`. `other_*`: the
    second thread of a race, or a thread that misses a barrier. `expected`, `found`: of a wrong
    result, as texts. `sizes`: the shape that showed it. `lines`: all lines of a race for this
    element.
    """

    kind: str
    line: int
    text: str
    thread: Dims = ()
    block: Dims = ()
    array: str = ""
    element: Dims = ()
    other_line: int = 0
    other_thread: Dims = ()
    other_block: Dims = ()
    expected: str = ""
    found: str = ""
    sizes: Sizes = field(default_factory=dict)
    lines: tuple[int, ...] = ()

    @property
    def is_warning(self) -> bool:
        return self.kind in WARNINGS


@dataclass(frozen=True, slots=True)
class Count:
    """The accesses of one place in the file to one array, in one launch.

    `access`: "read", "write" or "atomic"; `space`: "global", "shared" or "local". `requests`: how
    often a warp executed it; `lanes`: how many threads did; `bytes`: that they asked for.
    `sectors_per_request`: mean number of different 32-byte sectors of a request (global memory),
    else 0; `least_sectors`: that would hold its elements side by side (4 for 32 float32).
    `bank_conflict_ways`: of the worst request (shared memory; 1 is ideal), else 0. `atomic_turns`:
    the most lanes of a request that change one element, one after the other; 0 for other accesses.
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
    atomic_turns: int = 0


@dataclass(eq=False, slots=True)
class Memory:
    """An array. `space`: "global", "shared" (one for each block) or "local" (one for each thread).

    `data`: flat; of shared and local memory the copies of all blocks or threads that run. `number`:
    of the array in the launch. `written`: bool, or None where reading needs no write. `start`: what
    a global array held before the launch, flat; None for shared and local memory.
    """

    name: str
    space: str
    data: np.ndarray
    shape: Dims
    number: int
    written: np.ndarray | None = None
    start: np.ndarray | None = None

    @property
    def size(self) -> int:
        """Elements of one copy of the array."""
        return prod(self.shape)


@dataclass(frozen=True, slots=True)
class Event:
    """What the threads did together at one place of the file.

    `kind`: "read", "write", "atomic"; "barrier"; or "branch" (`lanes`: those whose condition is
    true). `array`: its number, or -1. `lanes`: int64. `elements`: int64, flat index in the array
    for each lane; for shared memory within the block's copy, for local within the thread's.
    `values`: read, or in memory after the write. `epoch`, `warp_epoch`: how many barriers of its
    block or warp came before, for all lanes or each. `operation`: of an atomic change, such as
    "add"; `operands`: what each lane gave to it, None where the order does not depend on that.
    `grid_epoch`: how many barriers of the whole grid came before.
    """

    kind: str
    line: int
    column: int
    array: int
    lanes: np.ndarray
    elements: np.ndarray
    values: np.ndarray
    epoch: PerLane
    warp_epoch: PerLane
    operation: str = ""
    operands: np.ndarray | None = None
    grid_epoch: int = 0


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two accesses to one element that nothing orders.

    `kind`: "race", "block-race" or "same-value"; `array`: its number; `element`: flat index.
    `lanes`: the two threads; `events`: the indices of what they do, in the order of the trace,
    which are equal where both do it at one step.
    """

    kind: str
    array: int
    element: int
    lanes: tuple[int, int]
    events: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Variable:
    """The values that threads gave to a variable, a row for each thread and assignment, in order.

    `function`: of the file, empty for the kernel. `name`: empty in rows that say that the function
    was called. `at`: int64, the first event of `Trace.events` at which the value is there; `lanes`:
    int64; `values`: in the variable's type. A variable that changes its type is several of these.
    """

    name: str
    function: str
    at: np.ndarray
    lanes: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, slots=True)
class Trace:
    """One launch from its first to its last event. Replaying the writes of `events[:k]` gives the
    memory at step k.
    """

    kernel: str
    source: str
    sizes: Sizes
    grid: Dims
    block: Dims
    arrays: tuple[Memory, ...]
    events: tuple[Event, ...]
    complete: bool = True
    """False where the launch had more accesses than a trace keeps; the first events are kept."""
    conflicts: tuple[Conflict, ...] = ()
    variables: tuple[Variable, ...] = ()
    all_variables: bool = True
    """False where the threads assigned more values than are kept; the first ones are kept."""
    other_order: "Trace | None" = None
    """The launch, really run in another order of its threads: the first conflict is the other way
    round.
    """

    @property
    def threads(self) -> int:
        """Threads of a block."""
        return prod(self.block)


def place(number: int, sizes: Dims) -> Dims:
    """The index (x, y, z) of the thread or block with this number, x fastest, in as many dimensions
    as `sizes` has.
    """
    found: list[int] = []
    for size in sizes:
        number, index = divmod(int(number), max(size, 1))
        found.append(index)
    return tuple(found)


def index_of(number: int, shape: Dims) -> Dims:
    """The index of the element with this number in an array of this shape."""
    return tuple(int(each) for each in np.unravel_index(number, shape))


@dataclass(slots=True)
class Totals:
    """Sums over one launch. Accesses count elements by thread; bytes are those that threads asked
    for.
    """

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
    atomic_turns: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check. `counts`, `totals`: of `counted`, the shape with the most accesses.

    `sizes`: the shapes on which the kernel ran. `remarks`: sentences about what was not considered.
    `types`: a sentence that says how the types were checked. `seed`: of the random inputs. `trace`:
    of one launch, if it was asked for. `card`: the name of the card on which the kernel ran too,
    with `seconds` for each shape. `orders`: in how many orders of its atomic operations it ran,
    where it uses their values. `occupancy`: a sentence on each kernel of `counted`.
    """

    kernel: str
    sizes: tuple[Sizes, ...]
    faults: tuple[Fault, ...] = ()
    counts: tuple[Count, ...] = ()
    totals: Totals = field(default_factory=Totals)
    counted: Sizes = field(default_factory=dict)
    types: str = ""
    seed: int = 0
    trace: Trace | None = None
    card: str = ""
    seconds: tuple[float, ...] = ()
    remarks: tuple[str, ...] = ()
    orders: int = 1
    occupancy: tuple[Sentence, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether there is no fault but warnings."""
        return all(fault.is_warning for fault in self.faults)

    @property
    def summary(self) -> str:
        """The verdict in a sentence: “No fault on these 9 shapes.”"""
        shapes = "this shape" if len(self.sizes) == 1 else f"these {len(self.sizes)} shapes"
        faults = [fault for fault in self.faults if not fault.is_warning]
        warnings = len(self.faults) - len(faults)
        said = _counted(len(faults), "fault") if faults else "No fault"
        if warnings:
            said += f", {_counted(warnings, 'warning')}"
        if any(fault.kind in UNDECIDED for fault in faults):  # shapes were left out
            return f"{said}; the check was not completed."
        comma = "," if warnings else ""
        orders = f", in {self.orders} orders of the atomic operations" if self.orders > 1 else ""
        return f"{said}{comma} on {shapes}{orders}."

    def as_dict(self) -> dict[str, Any]:
        """What `--json` prints."""
        values = asdict(replace(self, trace=None))
        del values["trace"]
        for fault, written in zip(self.faults, values["faults"], strict=True):
            written["warning"] = fault.is_warning
        occupancy = [str(sentence) for sentence in self.occupancy]
        return values | {"occupancy": occupancy, "summary": self.summary}

    def __str__(self) -> str:
        """All for a terminal: faults, counts, summary."""
        lines = [_fault_text(fault) for fault in self.faults]
        if self.counts:
            lines.append(f"What the accesses cost{shape_text(self.counted)}:")
            lines += [_count_text(count) for count in self.counts]
        lines += map(str, self.occupancy)
        lines += [self.summary, *self.remarks]
        if self.types:
            lines.append(self.types)
        if self.seconds:
            timed = zip(self.seconds, self.sizes, strict=False)
            times = ", ".join(
                f"{seconds * 1e6:.4g} µs{shape_text(sizes)}" for seconds, sizes in timed
            )
            lines.append(f"On the card ({self.card}): {times}")
        elif self.card:
            lines.append(self.card)
        return "\n".join([*lines, f"Seed {self.seed}."])


def _fault_text(fault: Fault) -> str:
    where = f"line {fault.line}: " if fault.line else ""
    return f"{where}{fault.kind}: {fault.text}{shape_text(fault.sizes)}"


def _count_text(count: Count) -> str:
    cost = _memory_cost(count)
    if count.atomic_turns > 1:
        cost += f", {count.atomic_turns} changes of one element one after the other"
    return f"line {count.line}: {count.access} of {count.array} ({count.space}): {cost}"


def _memory_cost(count: Count) -> str:
    if count.space == "global":
        return f"{_counted(count.sectors_per_request, 'sector')} per request"
    if count.space == "local":
        return "local memory"
    if count.bank_conflict_ways > 1:
        return f"{count.bank_conflict_ways}-way bank conflict"
    return "no bank conflict"


def _counted(count: float, noun: str) -> str:
    """“1 fault”, “2 faults”."""
    return f"{count:g} {noun}" if count == 1 else f"{count:g} {noun}s"


def shape_text(sizes: Sizes) -> str:
    """` (n=7, m=3)`, or empty."""
    return f" ({', '.join(f'{name}={value}' for name, value in sizes.items())})" if sizes else ""
