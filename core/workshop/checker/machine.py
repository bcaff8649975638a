"""The memory of an interpreted launch, and how its blocks are run.

The order in which the statements of the threads run here is one that a card allows: where it shows
no conflict between two barriers, no other order has one (Leung, Gupta, Agarwal, Gupta, Jhala,
Lerner: Verifying GPU kernels by test amplification, PLDI 2012; Betts, Chong, Donaldson, Qadeer,
Thomson: GPUVerify, OOPSLA 2012).
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from core.workshop.checker.dialect import DialectError
from core.workshop.checker.lanes import Lanes, Place, element_name
from core.workshop.checker.mask import LaunchError, Mask
from core.workshop.checker.numeric import Value, cast
from core.workshop.checker.trace import Conflict, Dims, Event, Fault, Memory, Sizes
from core.workshop.checker.variables import VariableRecorder

MAX_ACCESSES = 20_000_000
MAX_MEMORY = 256 << 20
_LANES = 8192
_MOST_TOGETHER = 65_536  # threads of a grid that wait for each other


class Machine(Lanes):
    """Runs the blocks of one launch, chunk by chunk, and records what they do."""

    def __init__(
        self,
        grid: Dims,
        block: Dims,
        sizes: Sizes,
        shared_bytes: int = 0,
    ) -> None:
        super().__init__(grid, block, sizes)
        self.shared_bytes = shared_bytes
        """Of dynamic shared memory, which the launch gives to each block."""
        self.static_bytes = 0
        """Of the other shared arrays of a block."""
        self.memories: list[Memory] = []
        self.conflicts: list[Conflict] = []
        self.complete = True
        self.has_grid_barrier = False
        """Whether all blocks run together, because they wait for each other."""
        self.recorder: VariableRecorder | None = None
        """Keeps what the threads assign to variables; None: nothing does."""
        self.order = 0
        """Of the lanes where values of atomic operations are used: 0 rising, -1 falling, else by
        this seed.
        """
        self.ordered: set[int] = set()
        """Numbers of the arrays whose atomic operations return values that the kernel uses."""
        self.unfinished: set[tuple[int, int, int]] = set()
        """Array, lane and element of the last `cas` of a lane whose value is used, where it did not
        exchange.
        """
        self._numbers: dict[Any, int] = {}
        self._local: dict[Any, Memory] = {}

    def add_global(self, name: str, array: np.ndarray, written: np.ndarray | None) -> Memory:
        """An argument. The array, which must be contiguous, is changed in place; `written`: as in
        `Memory`.
        """
        flat = array.reshape(-1)
        # A copy for the trace, which shows what was there before the launch.
        memory = Memory(name, "global", flat, array.shape, len(self.memories), written, flat.copy())
        self.memories.append(memory)
        return memory

    def number_of(self, parameter: str) -> int:
        """The number of the array that the kernel has by this name."""
        return next(
            memory.number
            for memory in self.memories
            if memory.space == "global" and parameter in memory.name.split(", ")
        )

    def run(self, kernel: Callable[["Machine", Mask], None]) -> None:
        """Run the kernel for all blocks; a fault that ends it is in `faults`."""
        # Several blocks at a time: each operation of NumPy costs the same for few lanes.
        per_chunk = max(1, _LANES // self.threads)
        if self.has_grid_barrier:
            # Blocks that wait for each other have to run together.
            per_chunk = self.blocks
            if self.blocks * self.threads > _MOST_TOGETHER:
                text = (
                    f"A barrier of the grid is checked with up to {_MOST_TOGETHER:,} threads: use "
                    "smaller sizes."
                )
                self.report(Fault("unsupported", 0, text, sizes=self.sizes))
                self.complete = False
                return
        with np.errstate(all="ignore"):
            for first in range(0, self.blocks, per_chunk):
                self.begin(first, min(per_chunk, self.blocks - first))
                try:
                    kernel(self, self.everyone)
                except DialectError as refusal:
                    self.report(Fault(refusal.kind, refusal.line, refusal.text, sizes=self.sizes))
                    self.complete = False
                    return
                except LaunchError:
                    self.complete = False
                    return

    def begin(self, first_block: int, blocks: int) -> None:
        super().begin(first_block, blocks)
        self._local = {}

    def allocate(
        self, key: object, name: str, space: str, shape: Dims, dtype: np.dtype, line: int
    ) -> Memory:
        """The shared or local array of this place in the file."""
        if key not in self._local:
            size = prod(shape)
            copies = self.lanes // self.threads if space == "shared" else self.lanes
            if size * dtype.itemsize * copies > MAX_MEMORY:
                raise DialectError(
                    line, f"{size * dtype.itemsize:,} bytes for each thread are too many to check."
                )
            # The array has one number in all chunks; its data are those of the present one.
            if key not in self._numbers:
                self._numbers[key] = len(self.memories)
                self.memories.append(
                    Memory(name, space, np.zeros(0, dtype), shape, len(self.memories))
                )
            data = np.zeros(size * copies, dtype)
            written = np.zeros(size * copies, bool)
            self._local[key] = Memory(name, space, data, shape, self._numbers[key], written)
        return self._local[key]

    def _locate(
        self, memory: Memory, indices: Sequence[Value], mask: Mask, line: int
    ) -> tuple[np.ndarray | int, Mask]:
        """Flat elements (one number if all lanes have the same), and the lanes whose index is
        within bounds.
        """
        flat: Any = 0
        outside: Any = None
        for value, side in zip(indices, memory.shape, strict=True):
            if value.dtype.kind == "f":
                text = f"The index of {memory.name} is a floating-point number: divide with //."
                raise DialectError(line, text, "type")
            if value.ndim:
                active = value if mask.whole else value[mask.index]
                active = active.astype(np.int64, copy=False)
                # A negative number is a large one without sign.
                beyond = active.view(np.uint64) >= np.uint64(side)
                if beyond.any():
                    outside = beyond if outside is None else outside | beyond
                flat = flat * side + active
            else:
                number = int(value)
                if not 0 <= number < side:
                    outside = np.ones(mask.count, bool)
                flat = flat * side + number
        if outside is None or not mask.count:
            return flat, mask
        self._report_bounds(memory, indices, mask, outside, line)
        inside = np.zeros(self.lanes, bool)
        # The other lanes go on: the kernel is looked at to its end.
        inside[mask.index[~outside]] = True
        good = Mask(inside, mask)
        return (flat[~outside] if isinstance(flat, np.ndarray) else flat), good

    def _report_bounds(
        self, memory: Memory, indices: Sequence[Value], mask: Mask, outside: np.ndarray, line: int
    ) -> None:
        lane = int(mask.index[np.argmax(outside)])
        element = tuple(int(value[lane] if value.ndim else value) for value in indices)
        shape = " x ".join(map(str, memory.shape)) + (
            " element" if memory.size == 1 else " elements"
        )
        last = ", ".join(str(side - 1) for side in memory.shape)
        if memory.space == "shared" and not memory.size:
            hint = (
                "its size is that of the dynamic shared memory, which the launch gives (“shared”, "
                "in bytes)"
            )
        elif any(index < 0 for index in element):
            hint = (
                "Numba counts a negative index from the end of the array, CUDA C reads in front "
                "of it; let only threads with an index in range go on"
            )
        else:
            hint = (
                f"the last is {memory.name}[{last}]; let only threads with an index in range go on"
            )
        self.report_lane(
            "bounds",
            line,
            lane,
            f"uses {element_name(memory.name, element)}, but {memory.name} has {shape}: {hint}.",
            array=memory.name,
            element=element,
        )

    def _offset(self, memory: Memory, elements: Any, mask: Mask) -> Any:
        if memory.space == "global":
            return elements
        owner = self.block_of if memory.space == "shared" else self.lane
        return (owner if mask.whole else owner[mask.index]) * memory.size + elements

    def read(self, memory: Memory, indices: Sequence[Value], mask: Mask, at: Place) -> Value:
        """The elements, in full vectors; one scalar where all threads read the same element of a
        global array.
        """
        elements, mask = self._locate(memory, indices, mask, at[0])
        if not mask.count:
            return memory.data.dtype.type(0)
        offset = self._offset(memory, elements, mask)
        self._check_written(memory, offset, mask, at[0], indices)
        values = memory.data[offset]
        self._record_access("read", at, mask, memory, elements, values)
        if mask.whole or not isinstance(offset, np.ndarray):
            return values
        full = np.zeros(self.lanes, values.dtype)
        full[mask.index] = values
        return full

    def _check_written(
        self, memory: Memory, offset: Any, mask: Mask, line: int, indices: Sequence[Value]
    ) -> None:
        if memory.written is None:
            return
        missing = ~memory.written[offset]
        if not missing.any():
            return
        lane = int(mask.index[np.argmax(missing)] if np.ndim(missing) else mask.index[0])
        element = tuple(int(value[lane] if value.ndim else value) for value in indices)
        start = f"{memory.space} memory holds anything at the start, so write to it first"
        if memory.space == "global":
            start = (
                "it has to be computed; if it begins with 0, write “= 0” behind its type in args"
            )
        self.report_lane(
            "uninitialized",
            line,
            lane,
            f"reads {element_name(memory.name, element)} before any thread has written to it: "
            f"{start}.",
            array=memory.name,
            element=element,
        )

    def write(
        self, memory: Memory, indices: Sequence[Value], value: Value, mask: Mask, at: Place
    ) -> None:
        """Store the value."""
        elements, mask = self._locate(memory, indices, mask, at[0])
        if not mask.count:
            return
        offset = self._offset(memory, elements, mask)
        values = cast(_of_lanes(value, mask), memory.data.dtype)
        # Of the values for one element the last one stays.
        memory.data[offset] = (
            values[-1] if values.ndim and not isinstance(offset, np.ndarray) else values
        )
        if memory.written is not None:
            memory.written[offset] = True
        self._record_access("write", at, mask, memory, elements, values)

    def change(
        self,
        atomic: str,
        memory: Memory,
        indices: Sequence[Value],
        operands: Sequence[Value],
        mask: Mask,
        at: Place,
        is_used: bool,
    ) -> Value:
        """Change the elements by this function of cuda.atomic; returns what they held before each
        lane's change.

        `is_used`: whether the kernel uses that. The lanes then change them in `order`, and the
        array is noted, as its values depend on the order.
        """
        kind = memory.data.dtype
        if kind.itemsize < 4:
            text = (
                f"cuda.atomic.{atomic} has no form for {kind.name}: use an array of int32, uint32, "
                "int64 or uint64."
            )
            raise DialectError(at[0], text, "type")
        elements, mask = self._locate(memory, indices, mask, at[0])
        if not mask.count:
            return kind.type(0)
        offset = np.broadcast_to(self._offset(memory, elements, mask), mask.count)
        self._check_written(memory, offset, mask, at[0], indices)
        if atomic in ("and_", "or_", "xor", "cas") and kind.kind == "f":
            raise DialectError(
                at[0], f"cuda.atomic.{atomic} needs an array of whole numbers.", "type"
            )
        given = [
            np.broadcast_to(cast(_of_lanes(each, mask), kind), mask.count) for each in operands
        ]
        before = np.zeros(self.lanes, kind)
        if is_used:
            self.ordered.add(memory.number)
            before[mask.index] = _change_in_order(
                atomic, memory.data, offset, given, self._rows_in_order(mask.count)
            )
        else:
            _change(atomic, memory.data, offset, given)
        if atomic == "cas" and is_used:
            lanes = (mask.index + self.first_lane).tolist()
            touched = np.broadcast_to(elements, mask.count).tolist()
            exchanged = (before[mask.index] == given[0]).tolist()
            for lane, element, is_done in zip(lanes, touched, exchanged, strict=True):
                note = self.unfinished.discard if is_done else self.unfinished.add
                note((memory.number, lane, element))
        if memory.written is not None:
            memory.written[offset] = True
        # Changes by these are in conflict unless their operands are equal: of `cas` what it writes.
        # Where values are used, what it compares with tells whether a read belongs to it
        # (analysis.py).
        needed = given[0] if atomic in ("exch", "inc", "dec") else None
        if atomic == "cas":
            needed = given[0] if is_used else given[1]
        self._record_access(atomic, at, mask, memory, elements, memory.data[offset], needed)
        return before

    def _rows_in_order(self, count: int) -> np.ndarray:
        """The order in which so many lanes change elements."""
        rows = np.arange(count)
        if self.order < 0:
            return rows[::-1]
        return np.random.default_rng(self.order).permutation(count) if self.order else rows

    def _record_access(
        self,
        operation: str,
        at: Place,
        mask: Mask,
        memory: Memory,
        elements: Any,
        values: Any,
        operands: np.ndarray | None = None,
    ) -> None:
        """Keep an access. `operation`: "read", "write" or that of an atomic change; the others as
        in `Event`.
        """
        self.totals.accesses += mask.count
        if self.totals.accesses > MAX_ACCESSES:
            text = f"The launch makes more than {MAX_ACCESSES:,} accesses: use smaller sizes."
            raise DialectError(at[0], text)
        if not isinstance(elements, np.ndarray):
            elements = _repeated(np.int64(elements), mask.count)
        if not values.ndim:
            values = _repeated(values, mask.count)
        kind = operation
        if operation in ("read", "write"):
            operation = ""
        else:
            kind = "atomic"
        lanes = mask.index + self.first_lane
        epochs = self.epochs_of(mask)
        self.events.append(
            Event(
                kind,
                *at,
                memory.number,
                lanes,
                elements,
                values,
                *epochs,
                operation,
                operands,
                self.grid_epoch,
            )
        )


def _repeated(value: np.generic, count: int) -> np.ndarray:
    """An array that has the value `count` times and holds it once: `numpy.broadcast_to`, which
    takes longer.
    """
    return np.ndarray((count,), value.dtype, np.asarray(value), strides=(0,))


_ATOMIC: dict[str, np.ufunc] = {
    "add": np.add,
    "sub": np.subtract,
    "max": np.maximum,
    "min": np.minimum,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _of_lanes(value: Value, mask: Mask) -> Value:
    """The values of the lanes in the mask; one value where it is that of all."""
    return value[mask.index] if value.ndim and not mask.whole else value


def _change(
    atomic: str, data: np.ndarray, offsets: np.ndarray, operands: Sequence[np.ndarray]
) -> None:
    """What a function of cuda.atomic does, one lane after the other."""
    values = operands[0]
    if atomic == "exch":
        data[offsets] = values
    elif atomic in _ATOMIC:
        if atomic in ("max", "min") and data.dtype.kind == "f":
            kept = ~np.isnan(values)  # Numba's operation returns early for NaN
            offsets = offsets[kept]
            values = values[kept]
        # `at`, because several lanes may change one element.
        _ATOMIC[atomic].at(data, offsets, values)
    else:
        _change_in_order(atomic, data, offsets, operands, np.arange(len(offsets)))


def _change_in_order(
    atomic: str,
    data: np.ndarray,
    offsets: np.ndarray,
    operands: Sequence[np.ndarray],
    rows: np.ndarray,
) -> np.ndarray:
    """Change elements, the lane of the first row first; returns what each lane found."""
    before = np.zeros(len(offsets), data.dtype)
    for row in rows:
        old = data[offsets[row]]
        before[row] = old
        data[offsets[row]] = _after(atomic, old, [values[row] for values in operands])
    return before


def _after(atomic: str, old: Value, operands: Sequence[Value]) -> Value:
    """What an element holds after an atomic operation."""
    value = operands[0]
    match atomic:
        case "exch":
            return value
        case "cas":
            return operands[1] if old == value else old
        case "inc":
            return old.dtype.type(0) if old >= value else old + old.dtype.type(1)
        case "dec":
            return value if old == 0 or old > value else old - old.dtype.type(1)
        case "max" | "min" if np.isnan(value):
            return old
    return _ATOMIC[atomic](old, value)
