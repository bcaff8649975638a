"""The threads of an interpreted launch: where they are, what holds them up, and how they wait for
each other.

All threads of many blocks run one statement after the other, as NumPy vectors with one element a
thread ("lanes"); a mask says which of them take part.
"""

from math import prod
from typing import Any

import numpy as np

from core.workshop.checker.dialect import DialectError
from core.workshop.checker.mask import LaunchError, Mask
from core.workshop.checker.numeric import Value
from core.workshop.checker.trace import WARP, Dims, Event, Fault, PerLane, Sizes, Totals, place

MAX_STEPS = 50_000
MAX_FAULTS = 12
ALL_LANES = 0xFFFFFFFF
"""The mask of a whole warp."""

Place = tuple[int, int]
"""Line and column in the file."""


class Lanes:
    """The threads of some blocks of a launch at a time, and the faults and events of all of
    them.
    """

    def __init__(self, grid: Dims, block: Dims, sizes: Sizes) -> None:
        self.grid = grid
        self.block = block
        self.sizes = sizes
        self.threads = prod(block)
        self.blocks = prod(grid)
        self.events: list[Event] = []
        self.faults: list[Fault] = []
        self.totals = Totals()
        self._seen: set[tuple[str, int]] = set()

    def begin(self, first_block: int, blocks: int) -> None:
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
        self.grid_epoch = 0
        self.epoch: PerLane = 0
        self.warp_epoch: PerLane = 0
        self.left = np.zeros(self.lanes, np.int64)  # the line at which a lane has returned
        self.steps = 0  # statements that were run, one of many threads counts several times

    def place_of(self, lane: int) -> tuple[Dims, Dims]:
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
            Fault(
                kind,
                line,
                f"{named(thread, block)} {text}",
                thread,
                block,
                sizes=self.sizes,
                **values,
            )
        )

    def turn(self, line: int, mask: Mask, *, is_loop: bool = True) -> None:
        """Begin another turn of the loop, or the call of a function, at `line`. Raises DialectError
        after too many steps."""
        # A statement of many lanes takes longer, so that it counts for several.
        self.steps += 1 + mask.count // 1024
        if self.steps <= MAX_STEPS:
            return
        text = (
            f"The kernel has not ended after {MAX_STEPS:,} steps: its functions call each other "
            "too often."
        )
        if is_loop:
            text = (
                f"This loop has not ended after {MAX_STEPS:,} steps: does its condition ever "
                "become false?"
            )
        raise DialectError(line, text)

    def _record(self, kind: str, at: Place, mask: Mask) -> None:
        """Keep a barrier or a branch."""
        nothing = np.zeros(0, np.int64)
        epochs = self.epochs_of(mask)
        lanes = mask.index + self.first_lane
        self.events.append(
            Event(kind, *at, -1, lanes, nothing, nothing, *epochs, grid_epoch=self.grid_epoch)
        )

    def epochs_of(self, mask: Mask) -> tuple[PerLane, PerLane]:
        """How many barriers of the block, and of the warp, came before."""
        return _epoch_of(self.epoch, self.block_of, mask), _epoch_of(
            self.warp_epoch, self.warp_of, mask
        )

    def branch(self, condition: np.ndarray, mask: Mask, at: Place) -> Mask:
        """The lanes of the mask where the condition holds; counts the warps that divide."""
        taken = mask.of(condition)
        if 0 < taken.count < mask.count:
            of_warp = self._by_warp(mask.index)
            with_it = self._by_warp(taken.index)
            self.totals.divergent_branches += int(
                np.count_nonzero((with_it > 0) & (with_it < of_warp))
            )
            self._record("branch", at, taken)
        return mask if taken.count == mask.count else taken

    def barrier(self, mask: Mask, at: Place, name: str) -> None:
        """All threads of a block wait for each other. Raises LaunchError where some of them are not
        here.
        """
        self._record("barrier", at, mask)
        said = f"waits at {name} for all {self.threads} threads of its block, but"
        hint = " Put the barrier where every thread of the block reaches it."
        waits = self._meet(mask, self.everyone.array, self.block_of, at, said, hint)
        self.totals.barriers += int(waits.sum())
        self.epoch = _next_epoch(self.epoch, waits)

    def grid_barrier(self, mask: Mask, at: Place, name: str) -> None:
        """All threads of the grid wait for each other. Raises LaunchError where some of them are
        not here.
        """
        self._record("barrier", at, mask)
        whole_grid = np.zeros(self.lanes, np.int64)
        said = f"waits at {name} for all {self.lanes} threads of the grid, but"
        hint = " Let every thread of every block reach it."
        self._meet(mask, self.everyone.array, whole_grid, at, said, hint)
        self.totals.barriers += self.blocks
        self.grid_epoch += 1
        self.epoch = self.epoch + 1

    def _by_warp(self, lanes: np.ndarray) -> np.ndarray:
        """How many of these lanes each warp has."""
        return np.bincount(self.warp_of[lanes], minlength=self.warps)

    def warp_barrier(self, mask: Mask, at: Place, name: str, members: Value) -> None:
        """The lanes of a warp that are in the 32 bits of `members` wait for each other, which
        orders what they read and write. Raises LaunchError where one of them is not here."""
        wanted = self._meet_in_warp(mask, at, name, members)
        alive = self._by_warp(self.left == 0)
        here = self._by_warp(wanted & mask.array)
        # What only some lanes of a warp wait for is taken as no order: it hides no race.
        self.warp_epoch = _next_epoch(self.warp_epoch, (here > 0) & (here == alive))

    def _meet_in_warp(self, mask: Mask, at: Place, name: str, members: Value) -> np.ndarray:
        """Which lanes had to come here together, bool (lanes,): those that `members` names and that
        have not returned. Raises LaunchError where one of them is not here, or where a lane names
        others than its warp does."""
        bits = np.broadcast_to(members, self.lanes).astype(np.uint32)
        of_warp = np.zeros(self.warps, np.uint32)
        of_warp[self.warp_of[mask.index]] = bits[mask.index]
        wanted = (of_warp[self.warp_of] >> self._lane_in_warp) & np.uint32(1) > 0
        strange = mask.array & ((bits != of_warp[self.warp_of]) | ~wanted)
        if strange.any():
            lane = int(np.argmax(strange))
            text = (
                f"gives {name} the mask {bits[lane]:#010x}: all lanes that are here together must "
                "give the same one, "
                "and be in it."
            )
            self.report_lane("barrier", at[0], lane, text)
            raise LaunchError
        wanted &= (self.left == 0) | (of_warp[self.warp_of] != ALL_LANES)
        whose = "warp" if (bits[mask.index] == ALL_LANES).all() else "mask"
        said = f"is at {name}, which all lanes of its {whose} must reach, but"
        self._meet(mask, wanted, self.warp_of, at, said)
        return wanted

    @property
    def _lane_in_warp(self) -> np.ndarray:
        return self.values["cuda.laneid"].astype(np.uint32)

    def active_mask(self, mask: Mask) -> np.ndarray:
        """The lanes of the own warp that are here, as bits, uint32 (lanes,)."""
        return self._bits_of(mask.array)[self.warp_of]

    def _bits_of(self, flags: np.ndarray) -> np.ndarray:
        """The lanes of each warp that have a flag, as bits, uint32 (warps,)."""
        values = np.where(flags, np.exp2(self._lane_in_warp), 0.0)
        return np.bincount(self.warp_of, values, self.warps).astype(np.uint32)

    def vote(
        self, mask: Mask, at: Place, name: str, members: Value, predicate: Value
    ) -> np.ndarray:
        """What `cuda.all_sync` and the like tell each lane: bool, or int32 with the bits of the
        lanes that agree. It orders no accesses to memory (CUDA C++ Programming Guide, Warp Vote
        Functions)."""
        self._meet_in_warp(mask, at, f"cuda.{name}", members)
        flags = np.broadcast_to(predicate, self.lanes) & mask.array
        here = self._by_warp(mask.index)
        agree = self._by_warp(flags)
        found: np.ndarray
        match name:
            case "all_sync":
                found = agree == here
            case "any_sync":
                found = agree > 0
            case "eq_sync":
                found = (agree == here) | (agree == 0)
            case _:
                found = self._bits_of(flags).view(np.int32)
        return found[self.warp_of]

    def _meet(
        self,
        mask: Mask,
        wanted: np.ndarray,
        group_of: np.ndarray,
        at: Place,
        said: str,
        hint: str = "",
    ) -> np.ndarray:
        """Which groups of lanes, blocks or warps, are here. Raises LaunchError where one is without
        a wanted lane.
        """
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
            f"{named(thread, block)} {said} only {count} {'comes' if count == 1 else 'come'}: "
            f"thread {numbers(other)} {why}.{hint}"
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

    def block_sum(self, mask: Mask, at: Place, name: str, predicate: Value) -> np.ndarray:
        """A barrier of the block, and how many of its threads have the predicate, int32."""
        Lanes.barrier(self, mask, at, name)
        flags = np.broadcast_to(predicate, self.lanes) & mask.array
        sums = flags.reshape(-1, self.threads).sum(1).astype(np.int32)
        return sums[self.block_of]

    def shuffle(
        self, mask: Mask, at: Place, name: str, members: Value, value: Value, delta: Value
    ) -> Value:
        """The value of another lane of the warp. Raises LaunchError where that lane is not here.
        It orders no accesses to memory (CUDA C++ Programming Guide, Warp Shuffle Functions)."""
        self._meet_in_warp(mask, at, f"cuda.{name}", members)
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
            outside
            | (target >= self.lanes)
            | (self.warp_of[last] != self.warp_of)
            | ~mask.array[last]
        ) & mask.array
        if absent.any():
            first = int(np.argmax(absent))
            self.report_lane(
                "uninitialized",
                at[0],
                first,
                f"reads from lane {int(source[first])} of its warp in cuda.{name}, which is not "
                "there: use blocks of "
                "whole warps (32 threads), and let all lanes take part.",
            )
            raise LaunchError
        return np.broadcast_to(value, self.lanes)[last]


def _along(number: np.ndarray, side: int) -> Value:
    """The index along an axis with this many threads or blocks, int32: one number where there is
    one only.
    """
    return (number % side).astype(np.int32) if side > 1 else np.int32(0)


def _epoch_of(epoch: PerLane, group_of: np.ndarray, mask: Mask) -> PerLane:
    """The epoch of each lane's group; a number where it is that of all groups."""
    return epoch[group_of[mask.index]] if isinstance(epoch, np.ndarray) else epoch


def _next_epoch(epoch: PerLane, waits: np.ndarray) -> PerLane:
    """After a barrier of these groups; a number as long as all groups have the same."""
    return epoch + 1 if isinstance(epoch, int) and waits.all() else np.asarray(epoch + waits)


def numbers(index: Dims) -> str:
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def named(thread: Dims, block: Dims) -> str:
    return f"Thread {numbers(thread)} of block {numbers(block)}"


def element_name(array: str, element: Dims) -> str:
    return f"{array}[{', '.join(map(str, element))}]"
