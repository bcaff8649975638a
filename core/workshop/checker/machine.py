"""The threads, masks and memory of an interpreted launch.

All threads of many blocks run one statement after the other, as NumPy vectors with one element a thread ("lanes");
a mask says which of them take part. That is one of the orders that a card allows: where it shows no conflict between
two barriers, no other order has one (Leung, Gupta, Agarwal, Gupta, Jhala, Lerner: Verifying GPU kernels by test
amplification, PLDI 2012; Betts, Chong, Donaldson, Qadeer, Thomson: GPUVerify, OOPSLA 2012).
"""

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from core.workshop.checker.dialect import DialectError
from core.workshop.checker.frame import LaunchError, Mask
from core.workshop.checker.numeric import Value, cast
from core.workshop.checker.trace import WARP, Conflict, Event, Fault, Memory, Totals, place
from core.workshop.checker.variables import VariableRecorder

MAX_STEPS = 50_000
MAX_ACCESSES = 20_000_000
MAX_MEMORY = 256 << 20
MAX_FAULTS = 12
_LANES = 8192

Place = tuple[int, int]
"""Line and column in the file."""


class Machine:
    """Runs the blocks of one launch, chunk by chunk, and records what they do."""

    def __init__(self, grid: tuple[int, ...], block: tuple[int, ...], sizes: dict[str, int]) -> None:
        self.grid = grid
        self.block = block
        self.sizes = sizes
        self.threads = prod(block)
        self.blocks = prod(grid)
        self.events: list[Event] = []
        self.memories: list[Memory] = []
        self.faults: list[Fault] = []
        self.conflicts: list[Conflict] = []
        self.totals = Totals()
        self.complete = True
        self.recorder: VariableRecorder | None = None
        """Keeps what the threads assign to variables; None: nothing does."""
        self._numbers: dict[Any, int] = {}
        self._seen: set[tuple[str, int]] = set()

    def add_global(self, name: str, array: np.ndarray, is_poisoned: bool) -> Memory:
        """An argument. The array, which must be contiguous, is changed in place."""
        written = np.zeros(array.size, bool) if is_poisoned else None
        flat = array.reshape(-1)
        memory = Memory(name, "global", flat, array.shape, len(self.memories), written, flat.copy())
        self.memories.append(memory)
        return memory

    def run(self, kernel: Callable[["Machine", Mask], None]) -> None:
        """Run the kernel for all blocks; a fault that ends it is in `faults`."""
        per_chunk = max(1, _LANES // self.threads)
        with np.errstate(all="ignore"):
            for first in range(0, self.blocks, per_chunk):
                self._begin(first, min(per_chunk, self.blocks - first))
                try:
                    kernel(self, self.everyone)
                except DialectError as refusal:
                    self.report(Fault(refusal.kind, refusal.line, refusal.text, sizes=self.sizes))
                    self.complete = False
                    return
                except LaunchError:
                    self.complete = False
                    return

    def _begin(self, first_block: int, blocks: int) -> None:
        """Place the threads of these blocks in the lanes."""
        self.first_block = first_block
        self.first_lane = first_block * self.threads
        self.lanes = blocks * self.threads
        self.everyone = Mask(np.ones(self.lanes, bool))
        self.lane = np.arange(self.lanes)
        self.block_of = self.lane // self.threads
        thread = self.lane % self.threads
        warps = -(-self.threads // WARP)
        self.warp_of = self.block_of * warps + thread // WARP
        self.warps = blocks * warps
        self.values: dict[str, Value] = {
            "cuda.laneid": (thread % WARP).astype(np.int32),
            "cuda.warpsize": np.int32(WARP),
        }
        number = first_block + self.block_of
        for axis, name in enumerate("xyz"):
            size = [*self.block, 1, 1][axis]
            blocks = [*self.grid, 1, 1][axis]
            own = _along(thread, size)
            other = _along(number, blocks)
            self.values |= {
                f"cuda.blockDim.{name}": np.int32(size),
                f"cuda.gridDim.{name}": np.int32(blocks),
                f"cuda.threadIdx.{name}": own,
                f"cuda.blockIdx.{name}": other,
                f"cuda.grid.{name}": other.astype(np.int64) * np.int64(size) + own,
                f"cuda.gridsize.{name}": np.int64(size * blocks),
            }
            thread = thread // size
            number = number // blocks
        self.epoch: int | np.ndarray = 0
        self.warp_epoch: int | np.ndarray = 0
        self.left = np.zeros(self.lanes, np.int64)  # the line at which a lane has returned
        self.steps = 0  # statements that were run, one of many threads counts several times
        self._local: dict[Any, Memory] = {}

    # Faults

    def place_of(self, lane: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Thread and block of a lane of the chunk."""
        number, thread = divmod(lane + self.first_lane, self.threads)
        return place(thread, self.block), place(number, self.grid)

    def report(self, fault: Fault) -> None:
        """Keep a fault, the first of its kind at its line."""
        if (fault.kind, fault.line) not in self._seen and len(self.faults) < MAX_FAULTS:
            self._seen.add((fault.kind, fault.line))
            self.faults.append(fault)

    def report_lane(self, kind: str, line: int, lane: int, text: str, **values: Any) -> None:
        """A fault of one thread; `text` goes on after its name."""
        thread, block = self.place_of(lane)
        self.report(
            Fault(kind, line, f"{named(thread, block)} {text}", thread, block, sizes=self.sizes, **values)
        )

    def turn(self, line: int, mask: Mask, *, is_loop: bool = True) -> None:
        """Begin another turn of the loop, or the call of a function, at `line`. Raises DialectError after too many
        steps."""
        self.steps += 1 + mask.count // 1024
        if self.steps <= MAX_STEPS:
            return
        text = f"The kernel has not ended after {MAX_STEPS:,} steps: its functions call each other too often."
        if is_loop:
            text = f"This loop has not ended after {MAX_STEPS:,} steps: does its condition ever become false?"
        raise DialectError(line, text)

    # Memory

    def allocate(
        self, key: object, name: str, space: str, shape: tuple[int, ...], dtype: np.dtype, line: int
    ) -> Memory:
        """The shared or local array of this place in the file."""
        if key not in self._local:
            size = prod(shape)
            copies = self.lanes // self.threads if space == "shared" else self.lanes
            if size * dtype.itemsize * copies > MAX_MEMORY:
                raise DialectError(
                    line, f"{size * dtype.itemsize:,} bytes for each thread are too many to check."
                )
            if key not in self._numbers:
                self._numbers[key] = len(self.memories)
                self.memories.append(Memory(name, space, np.zeros(0, dtype), shape, len(self.memories)))
            data = np.zeros(size * copies, dtype)
            written = np.zeros(size * copies, bool)
            self._local[key] = Memory(name, space, data, shape, self._numbers[key], written)
        return self._local[key]

    def _locate(
        self, memory: Memory, indices: Sequence[Value], mask: Mask, line: int
    ) -> tuple[np.ndarray | int, Mask]:
        """Flat elements (one number if all lanes have the same), and the lanes whose index is within bounds."""
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
        inside[mask.index[~outside]] = True
        good = Mask(inside, mask)
        return (flat[~outside] if isinstance(flat, np.ndarray) else flat), good

    def _report_bounds(
        self, memory: Memory, indices: Sequence[Value], mask: Mask, outside: np.ndarray, line: int
    ) -> None:
        lane = int(mask.index[np.argmax(outside)])
        element = tuple(int(value[lane] if value.ndim else value) for value in indices)
        shape = " x ".join(map(str, memory.shape)) + (" element" if memory.size == 1 else " elements")
        negative = any(index < 0 for index in element)
        last = ", ".join(str(side - 1) for side in memory.shape)
        hint = (
            "a negative index does not count from the end in a kernel"
            if negative
            else f"the last is {memory.name}[{last}]; let only threads with an index in range go on"
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
        """The elements, in full vectors; one scalar where all threads read the same element of a global array."""
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
            start = "it has to be computed; if it begins with 0, write “= 0” behind its type in args"
        self.report_lane(
            "uninitialized",
            line,
            lane,
            f"reads {element_name(memory.name, element)} before any thread has written to it: {start}.",
            array=memory.name,
            element=element,
        )

    def write(
        self, memory: Memory, indices: Sequence[Value], value: Value, mask: Mask, at: Place, atomic: str = ""
    ) -> None:
        """Store the value; `atomic`: change the elements by this function of cuda.atomic instead."""
        elements, mask = self._locate(memory, indices, mask, at[0])
        if not mask.count:
            return
        offset = self._offset(memory, elements, mask)
        values = value[mask.index] if value.ndim and not mask.whole else value
        values = cast(values, memory.data.dtype)
        operands: np.ndarray | None = None
        if atomic:
            self._check_written(memory, offset, mask, at[0], indices)
            if atomic in ("and_", "or_", "xor") and values.dtype.kind == "f":
                raise DialectError(at[0], f"cuda.atomic.{atomic} needs an array of whole numbers.", "type")
            offset = np.broadcast_to(offset, mask.count)
            operands = np.broadcast_to(values, mask.count)
            _change(atomic, memory.data, offset, operands)
            values = memory.data[offset]
        else:
            # Of the values for one element the last one stays.
            memory.data[offset] = values[-1] if values.ndim and not isinstance(offset, np.ndarray) else values
        if memory.written is not None:
            memory.written[offset] = True
        # Changes by these are in conflict unless their operands are equal.
        needed = operands if atomic in ("exch", "inc", "dec") else None
        self._record_access(atomic or "write", at, mask, memory, elements, values, needed)

    def _record(self, kind: str, at: Place, mask: Mask) -> None:
        """Keep a barrier or a branch."""
        nothing = np.zeros(0, np.int64)
        epochs = self._epochs_of(mask)
        self.events.append(Event(kind, *at, -1, mask.index + self.first_lane, nothing, nothing, *epochs))

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
        """Keep an access. `operation`: "read", "write" or that of an atomic change; the others as in `Event`."""
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
        epochs = self._epochs_of(mask)
        self.events.append(
            Event(kind, *at, memory.number, lanes, elements, values, *epochs, operation, operands)
        )

    def _epochs_of(self, mask: Mask) -> tuple[int | np.ndarray, int | np.ndarray]:
        """How many barriers of the block, and of the warp, came before."""
        return _epoch_of(self.epoch, self.block_of, mask), _epoch_of(self.warp_epoch, self.warp_of, mask)

    # Control

    def branch(self, condition: np.ndarray, mask: Mask, at: Place) -> Mask:
        """The lanes of the mask where the condition holds; counts the warps that divide."""
        taken = mask.of(condition)
        if 0 < taken.count < mask.count:
            of_warp = np.bincount(self.warp_of[mask.index], minlength=self.warps)
            with_it = np.bincount(self.warp_of[taken.index], minlength=self.warps)
            self.totals.divergent_branches += int(np.count_nonzero((with_it > 0) & (with_it < of_warp)))
            self._record("branch", at, taken)
        return mask if taken.count == mask.count else taken

    def barrier(self, mask: Mask, at: Place, name: str) -> None:
        """All threads of a block wait for each other. Raises LaunchError where some of them are not here."""
        self._record("barrier", at, mask)
        said = f"waits at {name} for all {self.threads} threads of its block, but"
        hint = " Put the barrier where every thread of the block reaches it."
        waits = self._meet(mask, self.everyone.array, self.block_of, at, said, hint)
        self.totals.barriers += int(waits.sum())
        self.epoch = _next_epoch(self.epoch, waits)

    def warp_barrier(self, mask: Mask, at: Place, name: str) -> None:
        """All lanes of a warp that have not returned must be here. Raises LaunchError otherwise."""
        said = f"is at {name}, which all lanes of its warp must reach, but"
        waits = self._meet(mask, self.left == 0, self.warp_of, at, said)
        self.warp_epoch = _next_epoch(self.warp_epoch, waits)

    def _meet(
        self, mask: Mask, wanted: np.ndarray, group_of: np.ndarray, at: Place, said: str, hint: str = ""
    ) -> np.ndarray:
        """Which groups of lanes, blocks or warps, are here. Raises LaunchError where one is without a wanted lane."""
        groups = int(group_of[-1]) + 1
        if mask.whole:
            return np.ones(groups, bool)
        here = np.bincount(group_of[mask.index], minlength=groups)
        partial = (here > 0) & (here < np.bincount(group_of[wanted], minlength=groups))
        if not partial.any():
            return here > 0
        group = group_of == np.argmax(partial)
        waiting = int(np.argmax(group & mask.array))
        missing = int(np.argmax(group & wanted & ~mask.array))
        (thread, block) = self.place_of(waiting)
        (other, _) = self.place_of(missing)
        gone = int(self.left[missing])
        count = int(here[group_of[waiting]])
        why = "is not here (it is in another branch, or has left the loop)"
        if gone:
            why = f"has returned at line {gone}"
        text = (
            f"{named(thread, block)} {said} only {count} {'comes' if count == 1 else 'come'}: thread {numbers(other)} "
            f"{why}.{hint}"
        )
        self.report(
            Fault(
                "barrier",
                at[0],
                text,
                thread,
                block,
                other_line=gone,
                other_thread=other,
                other_block=block,
                sizes=self.sizes,
            )
        )
        raise LaunchError

    def block_sum(self, predicate: Value, mask: Mask) -> np.ndarray:
        """How many threads of the lane's block have the predicate, int32; all threads of a block are in the mask."""
        flags = np.broadcast_to(predicate, self.lanes) & mask.array
        sums = flags.reshape(-1, self.threads).sum(1).astype(np.int32)
        return sums[self.block_of]

    def shuffle(self, name: str, value: Value, delta: Value, mask: Mask, at: Place) -> Value:
        """The value of another lane of the warp. Raises LaunchError where that lane is not here."""
        self.warp_barrier(mask, at, f"cuda.{name}")
        lane = self.values["cuda.laneid"].astype(np.int64)
        source: Any
        match name:
            case "shfl_sync":
                source = np.broadcast_to(delta, self.lanes) % WARP
            case "shfl_up_sync":
                source = np.where(lane - delta < 0, lane, lane - delta)
            case "shfl_down_sync":
                source = np.where(lane + delta >= WARP, lane, lane + delta)
            case _:
                source = lane ^ delta.astype(np.int64)
        outside = (source < 0) | (source >= WARP)
        target = self.lane - lane + np.where(outside, lane, source)
        last = np.minimum(target, self.lanes - 1)
        absent = (
            outside | (target >= self.lanes) | (self.warp_of[last] != self.warp_of) | ~mask.array[last]
        ) & mask.array
        if absent.any():
            first = int(np.argmax(absent))
            self.report_lane(
                "uninitialized",
                at[0],
                first,
                f"reads from lane {int(source[first])} of its warp in cuda.{name}, which is not there: use blocks of "
                "whole warps (32 threads), and let all lanes take part.",
            )
            raise LaunchError
        return np.broadcast_to(value, self.lanes)[last]


def _repeated(value: np.generic, count: int) -> np.ndarray:
    """An array that has the value `count` times and holds it once: `numpy.broadcast_to`, which takes longer."""
    return np.ndarray((count,), value.dtype, np.asarray(value), strides=(0,))


def _along(number: np.ndarray, side: int) -> Value:
    """The index along an axis with this many threads or blocks, int32: one number where there is one only."""
    return (number % side).astype(np.int32) if side > 1 else np.int32(0)


def _epoch_of(epoch: int | np.ndarray, group_of: np.ndarray, mask: Mask) -> int | np.ndarray:
    """The epoch of each lane's group; a number where it is that of all groups."""
    return epoch[group_of[mask.index]] if isinstance(epoch, np.ndarray) else epoch


def _next_epoch(epoch: int | np.ndarray, waits: np.ndarray) -> int | np.ndarray:
    """After a barrier of these groups; a number as long as all groups have the same."""
    return epoch + 1 if isinstance(epoch, int) and waits.all() else np.asarray(epoch + waits)


_ATOMIC: dict[str, np.ufunc] = {
    "add": np.add,
    "sub": np.subtract,
    "max": np.maximum,
    "min": np.minimum,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _change(atomic: str, data: np.ndarray, offsets: np.ndarray, values: np.ndarray) -> None:
    """What a function of cuda.atomic does, one lane after the other."""
    if atomic == "exch":
        data[offsets] = values
    elif atomic in ("inc", "dec"):
        for each, limit in zip(offsets.tolist(), values.tolist(), strict=True):
            old = int(data[each])
            if atomic == "inc":
                data[each] = 0 if old >= limit else old + 1
            else:
                data[each] = limit if old == 0 or old > limit else old - 1
    else:
        if atomic in ("max", "min") and data.dtype.kind == "f":
            kept = ~np.isnan(values)  # Numba's operation returns early for NaN
            offsets = offsets[kept]
            values = values[kept]
        _ATOMIC[atomic].at(data, offsets, values)


def numbers(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def named(thread: tuple[int, ...], block: tuple[int, ...]) -> str:
    return f"Thread {numbers(thread)} of block {numbers(block)}"


def element_name(array: str, element: tuple[int, ...]) -> str:
    return f"{array}[{', '.join(map(str, element))}]"
