"""What there is to see at one event of a recorded launch: which threads do it, to which elements, and what that costs.

Everything is shown for one block and one of its warps; the memory is that after the event.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.text import Sentence
from kernels.workshop.analysis import BANKS, SECTOR, WORD, bank_conflict_ways, sectors_of
from kernels.workshop.trace import WARP, Event, Trace

AWAY, HERE, WAITS, MISSING = range(4)
"""What a thread does at an event: something else, the event, wait at the barrier, not come to the barrier."""


@dataclass(frozen=True, slots=True)
class Heat:
    """Which lanes of a warp ask for which sector or bank. `hits`: bool (32, columns); `columns`: their numbers.

    `cost`: different sectors, or ways of the bank conflict.
    """

    kind: str
    columns: np.ndarray
    hits: np.ndarray
    cost: int


class Replay:
    """Steps through a trace forwards and backwards: any event costs the same."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.blocks = int(np.prod(trace.grid, dtype=np.int64))
        self.warps = -(-trace.threads // WARP)  # of a block
        self._steps: dict[int, np.ndarray] = {}
        self._writes: dict[tuple[int, int], tuple[np.ndarray, ...]] = {}

    def steps(self, block: int) -> np.ndarray:
        """The events, as indices in `trace.events`, in which threads of the block take part."""
        if block not in self._steps:
            self._steps[block] = np.flatnonzero([self._of(event, block).any() for event in self.trace.events])
        return self._steps[block]

    def _of(self, event: Event, block: int) -> np.ndarray:
        first = block * self.trace.threads
        return (event.lanes >= first) & (event.lanes < first + self.trace.threads)

    @cached_property
    def used(self) -> list[int]:
        """The arrays that any event accesses, those of a block or thread first."""
        found = {event.array for event in self.trace.events if event.array >= 0}
        return sorted(found, key=lambda array: (self.trace.arrays[array].space == "global", array))

    def threads(self, index: int, block: int) -> np.ndarray:
        """What each thread of the block does: AWAY, HERE, WAITS or MISSING, int8 (threads,)."""
        event = self.trace.events[index]
        is_barrier = event.kind == "barrier"
        found = np.full(self.trace.threads, MISSING if is_barrier else AWAY, np.int8)
        found[event.lanes[self._of(event, block)] % self.trace.threads] = WAITS if is_barrier else HERE
        return found

    def accesses(self, index: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        """Threads of the block, and the element that each reads or writes, int64; empty without an array."""
        event = self.trace.events[index]
        if event.array < 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        here = self._of(event, block)
        return event.lanes[here] % self.trace.threads, event.elements[here]

    def memory(self, index: int, array: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        """The array's values after the event, flat, and which of them were written in the launch.

        Of shared memory the copy of the block, of local memory that of its first thread.
        """
        info = self.trace.arrays[array]
        key = array, block if info.space != "global" else 0
        if key not in self._writes:
            self._writes[key] = self._find_writes(array, block)
        number, elements, values = self._writes[key]
        count = int(np.searchsorted(number, index, "right"))
        start = np.zeros(info.size, info.data.dtype) if info.start is None else info.start
        memory, written = start.copy(), np.zeros(info.size, bool)
        memory[elements[:count]] = values[:count]  # the last one of an element stays
        written[elements[:count]] = True
        return memory, written

    def _find_writes(self, array: int, block: int) -> tuple[np.ndarray, ...]:
        """Event, element and value of all writes, in order."""
        info, threads = self.trace.arrays[array], self.trace.threads
        found: list[tuple[np.ndarray, ...]] = []
        for index, event in enumerate(self.trace.events):
            if event.array != array or event.kind not in ("write", "atomic"):
                continue
            here = self._of(event, block) if info.space == "shared" else event.lanes == block * threads
            if info.space == "global":
                here = np.ones(len(event.lanes), bool)
            found.append((np.full(int(here.sum()), index), event.elements[here], event.values[here]))
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, info.data.dtype)
        return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))

    def heat(self, index: int, block: int, warp: int) -> Heat | None:
        """What the warp asks for; None where it accesses neither global nor shared memory."""
        lanes, elements = self._request(index, block, warp)
        event = self.trace.events[index]
        if not len(lanes) or self.trace.arrays[event.array].space == "local":
            return None
        info = self.trace.arrays[event.array]
        size, one = info.data.itemsize, np.zeros(len(lanes), np.int64)
        if info.space == "global":
            columns, column = np.unique(elements * size // SECTOR, return_inverse=True)
            cost = sectors_of(one, elements, size)
        else:
            columns, column = np.arange(BANKS), elements * size // WORD % BANKS
            cost = bank_conflict_ways(one, lanes, elements, size)
        hits = np.zeros((WARP, len(columns)), bool)
        hits[lanes, column] = True
        return Heat("sectors" if info.space == "global" else "banks", columns, hits, cost)

    def _request(self, index: int, block: int, warp: int) -> tuple[np.ndarray, np.ndarray]:
        """Lanes of the warp, 0 to 31, and their elements."""
        threads, elements = self.accesses(index, block)
        chosen = threads // WARP == warp
        return threads[chosen] % WARP, elements[chosen]

    def notice(self, index: int, block: int, warp: int) -> Sentence:
        """What a beginner should notice."""
        event, threads = self.trace.events[index], self.threads(index, block)
        lanes = threads[warp * WARP : (warp + 1) * WARP]
        here, all_here = int((lanes == HERE).sum()), int((threads != MISSING).sum())
        values = {"n": str(here), "all": str(len(threads)), "here": str(all_here)}
        if event.kind == "barrier":
            return Sentence(_ALL_WAIT if all_here == len(threads) else _SOME_WAIT, values)
        if event.kind == "branch":
            return Sentence(
                _SPLIT if 0 < here < len(lanes) else _TOGETHER, {**values, "all": str(len(lanes))}
            )
        if not here:
            return Sentence("No thread of this warp is at this line now.")
        return self._notice_access(index, block, warp, values)

    def _notice_access(self, index: int, block: int, warp: int, values: dict[str, str]) -> Sentence:
        event = self.trace.events[index]
        lanes, elements = self._request(index, block, warp)
        info, different = self.trace.arrays[event.array], len(np.unique(elements))
        heat = self.heat(index, block, warp)
        values |= {
            "array": info.name,
            "what": {"read": "reads", "write": "writes"}.get(event.kind, "changes"),
        }
        if event.kind == "atomic" and different < len(lanes):
            most = int(np.unique(elements, return_counts=True)[1].max())
            return Sentence(_QUEUE, {**values, "most": str(most)})
        if heat is None:
            return Sentence(_LOCAL, values)
        if len(lanes) == 1:
            return Sentence(_ALONE, values)
        values["cost"] = str(heat.cost)
        if heat.kind == "banks":
            same = different == 1 and len(lanes) > 1
            return Sentence(_CONFLICT if heat.cost > 1 else _SAME_WORD if same else _NO_CONFLICT, values)
        if different == 1 and len(lanes) > 1:
            return Sentence(_ONE, values)
        ideal = -(-different * info.data.itemsize // SECTOR)
        if heat.cost <= ideal:
            return Sentence(_NEIGHBORS if heat.cost > 1 else _ONE_SECTOR, values)
        distance = np.unique(np.diff(elements))
        if len(distance) == 1 and len(info.shape) > 1 and abs(distance[0]) == info.shape[-1]:
            return Sentence(_COLUMN, values)
        values |= {"ideal": str(ideal), "distance": str(abs(int(distance[0])))}
        if len(distance) == 1 and abs(distance[0]) > 1:
            return Sentence(_APART, values)
        return Sentence(_MORE if heat.cost <= ideal + 1 + len(lanes) // 16 else _SCATTERED, values)


_ALL_WAIT = "All {all} threads of the block have come to the barrier: what one wrote before it, all can read after it."
_SOME_WAIT = (
    "{here} of {all} threads wait at the barrier; the others never come. On a card the block may hang here."
)
_SPLIT = (
    "{n} of the {all} threads of this warp take this branch: the warp runs both sides one after the other."
)
_TOGETHER = "All threads of this warp go the same way: the branch costs nothing."
_QUEUE = "Up to {most} threads of this warp change the same element of {array}: one after the other."
_LOCAL = "Each thread has its own copy of {array}: no other thread can see it."
_ALONE = "Only one thread of this warp uses {array} at this step."
_NO_CONFLICT = "No two of the {n} {what} of this warp need different words of one bank: they take one turn."
_SAME_WORD = "All {n} threads of this warp use the same word of {array}: one turn serves them all."
_CONFLICT = (
    "Up to {cost} of the {n} {what} of this warp need different words of one bank: {cost} turns, not one."
)
_ONE = "All {n} threads of this warp use the same element of {array}: one sector serves them all."
_ONE_SECTOR = (
    "The {n} {what} of this warp lie in one sector of 32 bytes: neighboring threads use neighboring elements."
)
_NEIGHBORS = (
    "The {n} {what} of this warp need {cost} sectors, the least possible: neighbors use neighboring elements."
)
_COLUMN = "The {n} {what} of this warp need {cost} sectors: neighboring threads use a column of {array}."
_APART = "The {n} {what} of this warp need {cost} sectors: neighboring threads are {distance} elements apart."
_MORE = "The {n} {what} of this warp need {cost} sectors; {ideal} would do if they began at a sector's edge."
_SCATTERED = (
    "The {n} {what} of this warp need {cost} sectors where {ideal} would do: their elements lie far apart."
)
