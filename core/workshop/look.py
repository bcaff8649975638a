"""What there is to see at one event of a recorded launch: which threads do it, to which elements,
and what that costs.

Everything is shown for one block and one of its threads, with the warp of that thread; the memory
is that after the event.
"""

import ast
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core.text import Sentence
from core.workshop.checker.analysis import BANKS, SECTOR, WORD, bank_conflict_ways, sectors_of
from core.workshop.checker.dialect import functions_of
from core.workshop.checker.lanes import element_name, numbers
from core.workshop.checker.trace import (
    WARP,
    Conflict,
    Event,
    PerLane,
    Trace,
    Variable,
    index_of,
    place,
)

AWAY, HERE, WAITS, MISSING = range(4)
"""What a thread does at an event: something else, the event, wait at the barrier, not come to the
barrier.
"""


@dataclass(frozen=True, slots=True)
class Heat:
    """Which lanes of a warp ask for which sector or bank. `hits`: bool (32, columns); `columns`:
    their numbers.

    `cost`: different sectors, or ways of the bank conflict.
    """

    kind: str
    columns: np.ndarray
    hits: np.ndarray
    cost: int


@dataclass(frozen=True, slots=True)
class Value:
    """A variable of a thread. `function`: of the file, empty for the kernel; `is_new`: changed by
    the latest step.
    """

    name: str
    function: str
    type: str
    value: bool | int | float
    is_new: bool


def _at(values: PerLane, place: int) -> int:
    """The value of an access; one number is that of all."""
    return values if isinstance(values, int) else int(values[place])


class Replay:
    """Steps through a trace forwards and backwards: any event costs the same."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.blocks = int(np.prod(trace.grid, dtype=np.int64))
        self.warps = -(-trace.threads // WARP)  # of a block
        self._steps: dict[int, np.ndarray] = {}
        self._writes: dict[tuple[int, int], tuple[np.ndarray, ...]] = {}
        self._rows: dict[int, list[tuple[Variable, np.ndarray]]] = {}
        self.races = Races(trace)

    def steps(self, block: int) -> np.ndarray:
        """The events, as indices in `trace.events`, in which threads of the block take part."""
        if block not in self._steps:
            self._steps[block] = np.flatnonzero(
                [self._of(event, block).any() for event in self.trace.events]
            )
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
        found[event.lanes[self._of(event, block)] % self.trace.threads] = (
            WAITS if is_barrier else HERE
        )
        return found

    def accesses(self, index: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        """Threads of the block, and the element that each reads or writes, int64; empty without an
        array.
        """
        event = self.trace.events[index]
        if event.array < 0:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        here = self._of(event, block)
        return event.lanes[here] % self.trace.threads, event.elements[here]

    def memory(
        self, index: int, array: int, block: int, thread: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """The array's values after the event, flat, and which of them were written in the launch.

        Of shared memory the copy of the block, of local memory that of the thread.
        """
        info = self.trace.arrays[array]
        owner = {"global": 0, "shared": block, "local": block * self.trace.threads + thread}[
            info.space
        ]
        if (array, owner) not in self._writes:
            self._writes[array, owner] = self._find_writes(array, owner)
        number, elements, values = self._writes[array, owner]
        # Right: what the event itself writes is there after it.
        count = int(np.searchsorted(number, index, "right"))
        start = np.zeros(info.size, info.data.dtype) if info.start is None else info.start
        # A copy: the start is that of all events.
        memory = start.copy()
        written = np.zeros(info.size, bool)
        memory[elements[:count]] = values[:count]  # the last one of an element stays
        written[elements[:count]] = True
        return memory, written

    def _find_writes(self, array: int, owner: int) -> tuple[np.ndarray, ...]:
        """Event, element and value of all writes, in order; `owner`: the block of shared memory,
        the lane of local.
        """
        info = self.trace.arrays[array]
        found: list[tuple[np.ndarray, ...]] = []
        for index, event in enumerate(self.trace.events):
            if event.array != array or event.kind not in ("write", "atomic"):
                continue
            here = self._of(event, owner) if info.space == "shared" else event.lanes == owner
            if info.space == "global":
                here = np.ones(len(event.lanes), bool)
            found.append(
                (np.full(int(here.sum()), index), event.elements[here], event.values[here])
            )
        if not found:
            return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, info.data.dtype)
        return tuple(np.concatenate(columns) for columns in zip(*found, strict=True))

    # -- variables ---------------------------------------------------------------------------------

    @cached_property
    def functions(self) -> dict[str, tuple[int, int]]:
        """First and last line of each function of the file."""
        try:
            functions = functions_of(ast.parse(self.trace.source))
        except (SyntaxError, ValueError, RecursionError):
            return {}
        return {
            name: (node.lineno, node.end_lineno or node.lineno) for name, node in functions.items()
        }

    def variables(self, index: int, block: int, thread: int) -> list[Value]:
        """What the thread's variables hold at the event; those of another function only at its
        lines.
        """
        line = self.trace.events[index].line
        steps = self.steps(block)
        position = int(np.searchsorted(steps, index))
        before = int(steps[position - 1]) if position else -1
        found: dict[tuple[str, str], tuple[int, Value]] = {}
        called: dict[str, int] = {}
        for variable, rows in self._rows_of(block * self.trace.threads + thread):
            first, last = self.functions.get(variable.function, (0, 0))
            if variable.function and not first <= line <= last:
                continue
            count = int(np.searchsorted(variable.at[rows], index, "right"))
            if not count:
                continue
            at = int(variable.at[rows[count - 1]])
            now = variable.values[rows[count - 1]]
            if not variable.name:
                called[variable.function] = at
                continue
            key = variable.function, variable.name
            if key in found and found[key][0] > at:
                continue
            older = int(np.searchsorted(variable.at[rows], before, "right"))
            is_new = at > before and (not older or variable.values[rows[older - 1]] != now)
            kind = str(variable.values.dtype)
            found[key] = at, Value(variable.name, variable.function, kind, now.item(), bool(is_new))
        return [value for at, value in found.values() if at >= called.get(value.function, 0)]

    def _rows_of(self, lane: int) -> list[tuple[Variable, np.ndarray]]:
        """The rows of the thread in each variable that it has."""
        if lane not in self._rows:
            pairs = [(each, np.flatnonzero(each.lanes == lane)) for each in self.trace.variables]
            self._rows[lane] = [(each, rows) for each, rows in pairs if rows.size]
        return self._rows[lane]

    def heat(self, index: int, block: int, warp: int) -> Heat | None:
        """What the warp asks for; None where it accesses neither global nor shared memory."""
        lanes, elements = self._request(index, block, warp)
        event = self.trace.events[index]
        if not len(lanes) or self.trace.arrays[event.array].space == "local":
            return None
        info = self.trace.arrays[event.array]
        size = info.data.itemsize
        one = np.zeros(len(lanes), np.int64)
        if info.space == "global":
            columns, column = np.unique(elements * size // SECTOR, return_inverse=True)
            cost = sectors_of(one, elements, size)
        else:
            columns = np.arange(BANKS)
            column = elements * size // WORD % BANKS
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
        event = self.trace.events[index]
        threads = self.threads(index, block)
        lanes = threads[warp * WARP : (warp + 1) * WARP]
        here = int((lanes == HERE).sum())
        all_here = int((threads != MISSING).sum())
        values: dict[str, object] = {"count": here, "all": len(threads)}
        if event.kind == "barrier":
            values["count"] = all_here
            return Sentence(_ALL_WAIT if all_here == len(threads) else _SOME_WAIT, values)
        if event.kind == "branch":
            return Sentence(
                _SPLIT if 0 < here < len(lanes) else _TOGETHER, {**values, "all": len(lanes)}
            )
        if not here:
            return Sentence("No thread of this warp is at this line now.")
        return self._notice_access(index, block, warp, values)

    def _notice_access(
        self, index: int, block: int, warp: int, values: dict[str, object]
    ) -> Sentence:
        event = self.trace.events[index]
        lanes, elements = self._request(index, block, warp)
        info = self.trace.arrays[event.array]
        different = len(np.unique(elements))
        heat = self.heat(index, block, warp)
        values |= {
            "array": info.name,
            "what": _DOES[event.kind],
        }
        if event.kind == "atomic" and different < len(lanes):
            most = int(np.unique(elements, return_counts=True)[1].max())
            return Sentence(_QUEUE, {**values, "count": most})
        if heat is None:
            return Sentence(_LOCAL, values)
        if len(lanes) == 1:
            return Sentence(_ALONE, values)
        values["cost"] = heat.cost
        if heat.kind == "banks":
            if heat.cost > 1:
                return Sentence(_CONFLICT, values)
            return Sentence(_SAME_WORD if different == 1 else _NO_CONFLICT, values)
        if different == 1:
            return Sentence(_ONE, values)
        ideal = -(-different * info.data.itemsize // SECTOR)
        if heat.cost <= ideal:
            return Sentence(_NEIGHBORS if heat.cost > 1 else _ONE_SECTOR, values)
        distance = np.unique(np.diff(elements))
        if len(distance) == 1 and len(info.shape) > 1 and abs(distance[0]) == info.shape[-1]:
            return Sentence(_COLUMN, values)
        values |= {"ideal": ideal, "distance": abs(int(distance[0]))}
        if len(distance) == 1 and abs(distance[0]) > 1:
            return Sentence(_APART, values)
        return Sentence(_MORE if heat.cost <= ideal + 1 + len(lanes) // 16 else _SCATTERED, values)


class Races:
    """The races of a trace: which accesses they are between, and what to say about them."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._pairs: dict[Conflict, list[Conflict]] = {}

    def pairs_at(self, index: int) -> list[Conflict]:
        """The conflicts that the event is a part of, for each element at which its threads race in
        the same way.
        """
        return [pair for each in self._conflicts_at(index) for pair in self.pairs_of(each)]

    def _conflicts_at(self, index: int) -> list[Conflict]:
        """The recorded conflicts that the event is a part of."""
        return [each for each in self._trace.conflicts if index in each.events]

    def pairs_of(self, conflict: Conflict) -> list[Conflict]:
        """The conflict, which the check names for one element, and its like at the other elements
        of both events.
        """
        if conflict not in self._pairs:
            self._pairs[conflict] = self._find_pairs(conflict)
        return self._pairs[conflict]

    def _find_pairs(self, conflict: Conflict) -> list[Conflict]:
        first, second = (self._trace.events[step] for step in conflict.events)
        # Of each element, the places of the first event's accesses.
        users: dict[int, list[int]] = {}
        for at, element in enumerate(first.elements.tolist()):
            users.setdefault(element, []).append(at)
        # Each block has its own copy.
        is_shared = self._trace.arrays[conflict.array].space == "shared"
        found = {
            (conflict.element, is_shared and conflict.lanes[0] // self._trace.threads): conflict
        }
        for at, element in enumerate(second.elements.tolist()):
            key = element, is_shared and int(second.lanes[at]) // self._trace.threads
            if key in found:
                continue
            for earlier in users.get(element, ()):
                if self._is_unordered(conflict, first, earlier, second, at):
                    lanes = int(first.lanes[earlier]), int(second.lanes[at])
                    found[key] = replace(conflict, element=element, lanes=lanes)
                    break
        return [*found.values()]

    def _is_unordered(
        self, conflict: Conflict, first: Event, one: int, second: Event, two: int
    ) -> bool:
        """Whether nothing orders these accesses of two threads; `one`, `two`: their places in the
        events.
        """
        lane = int(first.lanes[one])
        other = int(second.lanes[two])
        is_same_block = lane // self._trace.threads == other // self._trace.threads
        if conflict.kind == "same-value" and first.values[one] != second.values[two]:
            return False
        if not is_same_block:
            return self._trace.arrays[conflict.array].space == "global"
        if lane == other or _at(first.epoch, one) != _at(second.epoch, two):
            return False
        is_same_warp = lane % self._trace.threads // WARP == other % self._trace.threads // WARP
        return not is_same_warp or _at(first.warp_epoch, one) == _at(second.warp_epoch, two)

    def sentence(self, index: int) -> Sentence | None:
        """What is in conflict at the event, in words; None for nothing."""
        for conflict in self._conflicts_at(index):
            here = int(index == conflict.events[1])
            one, two = (self._thread_name(conflict, number) for number in (here, 1 - here))
            events = [self._trace.events[each] for each in conflict.events]
            info = self._trace.arrays[conflict.array]
            element = index_of(conflict.element, info.shape)
            values = {
                "one": one,
                "two": two,
                "what": element_name(info.name, element),
                "does": _DOES[events[here].kind],
                "did": _DOES[events[1 - here].kind],
                "line": str(events[1 - here].line),
            }
            if conflict.kind == "same-value":
                return Sentence(_SAME_VALUE, values)
            if conflict.events[0] == conflict.events[1]:
                return Sentence(_BOTH, values)
            return Sentence(_RACE, values)
        return None

    def _thread_name(self, conflict: Conflict, number: int) -> Sentence:
        blocks = [lane // self._trace.threads for lane in conflict.lanes]
        thread = place(conflict.lanes[number] % self._trace.threads, self._trace.block)
        if blocks[0] == blocks[1]:
            return Sentence("thread {thread}", {"thread": numbers(thread)})
        block = numbers(place(blocks[number], self._trace.grid))
        return Sentence(
            "thread {thread} of block {block}", {"thread": numbers(thread), "block": block}
        )

    def other_result(self) -> Sentence | None:
        """What comes out where the first conflict is the other way round; None where that was not
        run.
        """
        other = self._trace.other_order
        if other is None or not other.conflicts:
            return None
        races = Races(other)
        conflict = other.conflicts[0]
        info = other.arrays[conflict.array]
        element = index_of(conflict.element, info.shape)
        first, second = (other.events[each] for each in conflict.events)
        values = {
            "one": races._thread_name(conflict, 0),
            "two": races._thread_name(conflict, 1),
            "does": _DOES[first.kind],
            "did": _DOES[second.kind],
            "what": element_name(info.name, element),
        }
        block = conflict.lanes[0] // other.threads
        is_there = Replay(other).memory(conflict.events[0], conflict.array, block)[1][
            conflict.element
        ]
        template = _TURNED
        if first.kind == "read" and info.space == "shared" and not is_there:
            template = _TURNED_EMPTY
        changed = self._first_change(other)
        if changed is None:
            return Sentence(f"{template} {_SAME_RESULT}", values)
        name, here, there = changed
        return Sentence(
            f"{template} {_OTHER_RESULT}", {**values, "result": name, "value": here, "other": there}
        )

    def _first_change(self, other: Trace) -> tuple[str, str, str] | None:
        """The first element of an argument that ends differently in the other order: its name, and
        both values.
        """
        for one, two in zip(self._trace.arrays, other.arrays, strict=False):
            if one.space != "global" or one.data.shape != two.data.shape:
                continue
            # Only NaN differs from itself; two of them are no change.
            both_missing = (one.data != one.data) & (two.data != two.data)
            changed = np.flatnonzero((one.data != two.data) & ~both_missing)
            if changed.size:
                index = index_of(changed[0], one.shape)
                values = (_value_text(each.data[changed[0]]) for each in (one, two))
                here, there = values
                return element_name(one.name, index), here, there
        return None


def _value_text(value: np.generic) -> str:
    return f"{value:.5g}" if value.dtype.kind == "f" else str(value)


_DOES = {"read": Sentence("reads"), "write": Sentence("writes"), "atomic": Sentence("changes")}
_RACE = "Race: {one} {does} {what} while {two} {did} it at line {line}: nothing orders them."
_BOTH = "Race: {one} {does} {what} while {two} {did} it, too: nothing orders them."
_SAME_VALUE = (
    "Two threads, {one} and {two}, write the same value to {what}: their order changes nothing."
)
_TURNED = "The other order, really run: {one} {does} {what} before {two} {did} it."
_TURNED_EMPTY = (
    "The other order, really run: {one} {does} {what} before {two} {did} it. Nobody has written "
    "there yet, so a card finds anything; here it is 0."
)
_OTHER_RESULT = "At the end {result} is {other}, where the first order gave {value}."
_SAME_RESULT = "With these numbers both orders give the same result; with others they may not."
_ALL_WAIT = (
    "All {count} threads of the block have come to the barrier: what one wrote before it, all can "
    "read after it."
)
_SOME_WAIT = (
    "{count} of {all} threads wait at the barrier; the others never come. On a card the block may "
    "hang here."
)
_SPLIT = (
    "{count} of the {all} threads of this warp take this branch: the warp runs both sides one "
    "after the other."
)
_TOGETHER = "All threads of this warp go the same way: the branch costs nothing."
_QUEUE = (
    "Up to {count} threads of this warp change the same element of {array}: one after the other."
)
_LOCAL = "Each thread has its own copy of {array}: no other thread can see it."
_ALONE = "Only one thread of this warp uses {array} at this step."
_NO_CONFLICT = (
    "No two of the {count} {what} of this warp need different words of one bank: they take one "
    "turn."
)
_SAME_WORD = (
    "All {count} threads of this warp use the same word of {array}: one turn serves them all."
)
_CONFLICT = (
    "Up to {cost} of the {count} {what} of this warp need different words of one bank: {cost} "
    "turns, not one."
)
_ONE = (
    "All {count} threads of this warp use the same element of {array}: one sector serves them all."
)
_ONE_SECTOR = (
    "The {count} {what} of this warp lie in one sector of 32 bytes: neighboring threads use "
    "neighboring elements."
)
_NEIGHBORS = (
    "The {count} {what} of this warp need {cost} sectors, the least possible: neighbors use "
    "neighboring elements."
)
_COLUMN = (
    "The {count} {what} of this warp need {cost} sectors: neighboring threads use a column of "
    "{array}."
)
_APART = (
    "The {count} {what} of this warp need {cost} sectors: neighboring threads are {distance} "
    "elements apart."
)
_MORE = (
    "The {count} {what} of this warp need {cost} sectors; {ideal} would do if they began at a "
    "sector's edge."
)
_SCATTERED = (
    "The {count} {what} of this warp need {cost} sectors where {ideal} would do: their elements "
    "lie far apart."
)
