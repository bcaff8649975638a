"""Finds races in the record of a launch, and counts what its accesses cost on a card."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple

import numpy as np

from core.workshop.checker.dialect import MAX_CHARACTERS
from core.workshop.checker.lanes import MAX_FAULTS, element_name, named, numbers
from core.workshop.checker.machine import Machine
from core.workshop.checker.trace import (
    WARP,
    Conflict,
    Count,
    Dims,
    Event,
    Fault,
    PerLane,
    Totals,
    Trace,
    index_of,
    place,
)

SECTOR = 32
BANKS = 32
WORD = 4  # bytes of a bank
MAX_TRACE = 150_000
_MOST_LINES = 3
_WORST = ("sectors_per_request", "bank_conflict_ways", "atomic_turns")
"""Totals that are not sums."""
_READ = 0
_WRITE = 1
_ATOMIC = 2
_COMMUTING = {"sub": "add", "dec": "inc"}
"""Atomic operations that commute with another one; `inc` and `dec` where their limits are equal."""


def find_races(machine: Machine) -> None:
    """Report races within blocks and between blocks, and the same-value writes among them."""
    groups: dict[int, list[Event]] = defaultdict(list)
    for event in machine.events:
        # Local memory is of one thread: nobody can race for it.
        if event.array >= 0 and machine.memories[event.array].space != "local":
            groups[event.array].append(event)
    for events in groups.values():
        # Reads alone are in no conflict.
        if any(event.kind != "read" for event in events):
            _Races(machine, events).find()


class _Races:
    """The accesses to one array, as columns."""

    def __init__(self, machine: Machine, events: Sequence[Event]) -> None:
        self._machine = machine
        self._events = events
        self._memory = machine.memories[events[0].array]
        counts = [len(event.lanes) for event in events]
        self._event = np.repeat(np.arange(len(events)), counts)
        self._line = np.array([event.line for event in events])[self._event]
        self._lane = np.concatenate([event.lanes for event in events])
        self._element = np.concatenate([event.elements for event in events])
        # Which value an atomic operation returns is tried in several orders; the element itself is
        # changed as a whole.
        self._code = _codes(events, counts, are_ordered=self._memory.number in machine.ordered)
        if self._memory.number in machine.ordered:
            self._excuse_reads()
        self._epoch = _column([event.epoch for event in events], counts)
        self._warp_epoch = _column([event.warp_epoch for event in events], counts)
        self._grid_epoch = np.array([event.grid_epoch for event in events])[self._event]

    def _excuse_reads(self) -> None:
        """Let a read that begins a loop of `cas` count as one: where the value is out of date, the
        thread tries again.

        So does the CUDA C++ Programming Guide (Atomic Functions). The next access of the thread to
        the element is then a `cas` that compares with the value that was read, and its last `cas`
        has exchanged the element.
        """
        exchanges = np.array([event.operation == "cas" for event in self._events])[self._event]
        if not exchanges.any() or not (self._code == _READ).any():
            return
        given = np.concatenate(
            [
                np.asarray(event.operands if event.operation == "cas" else event.values)
                for event in self._events
            ]
        )
        order = np.lexsort((np.arange(len(self._lane)), self._lane, self._element))
        here = order[:-1]
        after = order[1:]
        are_together = (self._lane[here] == self._lane[after]) & (
            self._element[here] == self._element[after]
        )
        belongs = (
            are_together
            & (self._code[here] == _READ)
            & exchanges[after]
            & (given[here] == given[after])
        )
        rows = here[belongs]
        owners = zip(self._lane[rows].tolist(), self._element[rows].tolist(), strict=True)
        array = self._memory.number
        is_done = [(array, *owner) not in self._machine.unfinished for owner in owners]
        self._code[rows[is_done]] = _ATOMIC

    def find(self) -> None:
        block = self._lane // self._machine.threads
        size = max(self._memory.size, 1)
        # One number for block, epoch and element: no barrier is between accesses with the same.
        inside = ((block * (int(self._epoch.max()) + 1)) + self._epoch) * size + self._element
        if self._warp_epoch.any():
            # cuda.syncwarp orders the lanes of a warp, not the warps.
            warp = (self._lane % self._machine.threads) // WARP
            self._report("race", inside, warp)
            inside = (inside * WARP + warp) * (int(self._warp_epoch.max()) + 1) + self._warp_epoch
        self._report("race", inside, self._lane)
        if self._memory.space == "global" and self._machine.blocks > 1:
            self._report("block-race", self._grid_epoch * size + self._element, block)

    def _report(self, kind: str, key: np.ndarray, owner: np.ndarray) -> None:
        """Report conflicts: accesses with the same key by different owners that are not all reads,
        and not all atomic changes that commute."""
        # Stable: accesses with the same key stay in the order in which they were made.
        order = np.argsort(key, kind="stable")
        ordered = key[order]
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        owners = owner[order]
        codes = self._code[order]
        several = np.minimum.reduceat(owners, starts) != np.maximum.reduceat(owners, starts)
        lowest_code = np.minimum.reduceat(codes, starts)
        highest_code = np.maximum.reduceat(codes, starts)
        only_writes = (lowest_code == _WRITE) & (highest_code == _WRITE)
        bad = np.flatnonzero(several & (only_writes | (lowest_code != highest_code)))
        if not bad.size:
            return
        ends = np.append(starts[1:], len(order))
        same = np.zeros(len(starts), bool)
        if only_writes[bad].any():
            # Whole numbers that are equal where the bits are.
            values = [np.ascontiguousarray(event.values) for event in self._events]
            bits = np.concatenate(
                [each.view(f"u{each.itemsize}").astype(np.uint64) for each in values]
            )[order]
            same = only_writes & (
                np.minimum.reduceat(bits, starts) == np.maximum.reduceat(bits, starts)
            )
        # One group of each combination of lines: the earliest.
        lines = self._line[order]
        lowest = np.minimum.reduceat(lines, starts)
        highest = np.maximum.reduceat(lines, starts)
        bad = bad[np.argsort(order[starts[bad]], kind="stable")]
        # A file has fewer lines than characters, so that each pair of lines has its own number.
        kinds = (lowest[bad] * MAX_CHARACTERS + highest[bad]) * 2 + same[bad]
        for group in bad[np.unique(kinds, return_index=True)[1]]:
            self._report_group(
                "same-value" if same[group] else kind,
                order[starts[group] : ends[group]],
                owner,
                kind,
            )

    def _report_group(self, kind: str, rows: np.ndarray, owner: np.ndarray, scope: str) -> None:
        """A fault for the first two accesses of the group that are in conflict."""
        # Two owners of each kind at each line are enough.
        seen: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        pair: tuple[int, int] | None = None
        lines: set[int] = set()
        columns = owner[rows].tolist(), self._code[rows].tolist(), self._line[rows].tolist()
        for row, who, code, line in zip(rows.tolist(), *columns, strict=True):
            same = seen[code, line]
            if len(same) > 1 or any(other == who for other, _ in same):
                continue
            for (before, _), others in seen.items():
                commute = code == before and code != _WRITE
                for other, earlier in others:
                    if other != who and not commute:
                        pair = pair or (earlier, row)
                        lines |= {int(self._line[earlier]), line}
            same.append((who, row))
        if pair is not None:
            self._report_pair(kind, *pair, scope, lines)

    def _report_pair(self, kind: str, first: int, second: int, scope: str, lines: set[int]) -> None:
        """`lines`: of all accesses that are in a conflict at this element."""
        machine = self._machine
        memory = self._memory
        thread, block = self._place(second)
        other, other_block = self._place(first)
        element = index_of(self._element[second], memory.shape)
        events = [self._events[self._event[row]] for row in (second, first)]
        if len(machine.conflicts) < MAX_FAULTS:
            steps = [
                step
                for step, each in enumerate(machine.events)
                if each is events[0] or each is events[1]
            ]
            lanes = int(self._lane[first]), int(self._lane[second])
            element_number = int(self._element[second])
            machine.conflicts.append(
                Conflict(kind, memory.number, element_number, lanes, (steps[0], steps[-1]))
            )
        line = events[0].line
        other_line = events[1].line
        does = _VERBS[events[0].kind]
        did = _VERBS[events[1].kind]
        using = _operation_text(events[0])
        used = _operation_text(events[1])
        what = element_name(memory.name, element)
        where = (
            f"at line {line}" if line == other_line else f"at line {line}, and at line {other_line}"
        )
        hint = _hint(events[0], events[1], scope)
        if kind == "same-value":
            value = events[0].values[np.flatnonzero(events[0].elements == self._element[second])[0]]
            text = (
                f"{named(thread, block)} and {_second(other, other_block, block)} write the same "
                f"value, {value}, to {what} {where}. The result does not depend on their order; "
                "one of them would do."
            )
        elif line == other_line and does == did:
            both = f"{named(thread, block)} and {_second(other, other_block, block)}"
            text = f"{both} both {does.removesuffix('s')} {what}{using} {where}. {hint}"
        else:
            before = f"{_second(other, other_block, block)} {did} it{used} at line {other_line}"
            text = f"{named(thread, block)} {does} {what}{using} at line {line}, {before}. {hint}"
        text += _further_lines(lines - {line, other_line})
        machine.report(
            Fault(
                kind,
                line,
                text,
                thread,
                block,
                memory.name,
                element,
                other_line,
                other,
                other_block,
                sizes=machine.sizes,
                lines=tuple(sorted(lines)),
            )
        )

    def _place(self, row: int) -> tuple[Dims, Dims]:
        lane = int(self._lane[row])
        block, thread = divmod(lane, self._machine.threads)
        return place(thread, self._machine.block), place(block, self._machine.grid)


def _codes(events: Sequence[Event], counts: Sequence[int], are_ordered: bool) -> np.ndarray:
    """0 for a read, 1 for a write; from 2 on, atomic changes that commute have the same number.
    int32 (accesses,).

    `are_ordered`: the launch is run in several orders of its atomic changes, which are then all in
    no conflict.
    """
    kinds = {"read": _READ, "write": _WRITE, "atomic": _ATOMIC}
    codes = np.repeat(np.array([kinds[event.kind] for event in events], np.int32), counts)
    if are_ordered:
        return codes
    groups: dict[str, list[int]] = defaultdict(list)
    for index, event in enumerate(events):
        if event.kind == "atomic":
            groups[_COMMUTING.get(event.operation, event.operation)].append(index)
    ends = np.cumsum(counts)
    number = _ATOMIC
    for indices in groups.values():
        rows = np.concatenate(
            [np.arange(ends[index] - counts[index], ends[index]) for index in indices]
        )
        codes[rows] = number
        operands = [
            each for each in (events[index].operands for index in indices) if each is not None
        ]
        if operands:
            different, own = np.unique(np.concatenate(operands), return_inverse=True)
            codes[rows] += own.astype(np.int32)
            number += len(different)
        else:
            number += 1
    return codes


_VERBS = {"read": "reads", "write": "writes", "atomic": "changes"}


def _hint(event: Event, other: Event, scope: str) -> str:
    """What to do about a conflict of two accesses."""
    if event.kind == other.kind == "atomic":
        if event.operation == other.operation == "exch":
            return "The last one decides the value, and which is the last is not determined."
        if event.operation == other.operation == "cas":
            return "They write different values, and which is the first is not determined."
        if event.operation == other.operation:
            return "Their limits are different, so the value depends on the order of the threads."
        way = (
            "separate them by two launches"
            if scope == "block-race"
            else "put cuda.syncthreads() between them"
        )
        return f"The value depends on their order: use one operation only, or {way}."
    if scope == "block-race":
        return "No barrier orders blocks: let one block alone use the element, or use cuda.atomic."
    if event.line != other.line:
        return (
            "Their order is not determined: put cuda.syncthreads() between them, or use "
            "cuda.atomic."
        )
    if event.kind != other.kind:
        return (
            "Their order is not determined: let each thread use elements of its own, use "
            "cuda.atomic, or put cuda.syncthreads() between the reads and the writes, those of "
            "the next turn of a loop as well."
        )
    return (
        "Their order is not determined: let each thread write an element of its own, or use "
        "cuda.atomic."
    )


def _further_lines(lines: set[int]) -> str:
    """A sentence about further lines that race for the element."""
    if not lines:
        return ""
    shown = [str(line) for line in sorted(lines)[:_MOST_LINES]]
    if len(lines) > _MOST_LINES:
        further = len(lines) - _MOST_LINES
        return (
            f" So do lines {', '.join(shown)} and {further} more line{'s' if further > 1 else ''}."
        )
    if len(lines) == 1:
        return f" So does line {shown[0]}."
    return f" So do lines {', '.join(shown[:-1])} and {shown[-1]}."


def _operation_text(event: Event) -> str:
    return f" with cuda.atomic.{event.operation}" if event.operation else ""


def _second(thread: Dims, block: Dims, first: Dims) -> str:
    return f"thread {numbers(thread)}" + ("" if block == first else f" of block {numbers(block)}")


def _column(values: Sequence[PerLane], counts: Sequence[int]) -> np.ndarray:
    if all(isinstance(value, int) for value in values):
        return np.repeat(np.array(values, np.int64), counts)
    return np.concatenate(
        [np.broadcast_to(value, count) for value, count in zip(values, counts, strict=True)]
    )


def count(machine: Machine) -> list[Count]:
    """The counts of each place, and the sums in `machine.totals`."""
    groups: dict[tuple[int, str, int, int], list[Event]] = defaultdict(list)
    for event in machine.events:
        if event.array >= 0:
            groups[event.array, event.kind, event.line, event.column].append(event)
    found = [_count(machine, events) for events in groups.values()]
    totals = machine.totals
    for each in found:
        if each.access == "atomic":
            totals.atomics += each.lanes
        elif each.space != "local":
            name = f"{each.space}_{each.access}s"
            setattr(totals, name, getattr(totals, name) + each.lanes)
        if each.space == "global":
            totals.global_bytes += each.bytes
    totals.sectors_per_request = max((each.sectors_per_request for each in found), default=0.0)
    totals.bank_conflict_ways = max((each.bank_conflict_ways for each in found), default=0)
    totals.atomic_turns = max((each.atomic_turns for each in found), default=0)
    return sorted(found, key=lambda each: (each.line, each.array, each.access))


def _count(machine: Machine, events: Sequence[Event]) -> Count:
    memory = machine.memories[events[0].array]
    lanes = np.concatenate([event.lanes for event in events])
    elements = np.concatenate([event.elements for event in events])
    number = np.repeat(np.arange(len(events)), [len(event.lanes) for event in events])
    warps_of_block = -(-machine.threads // WARP)
    block, thread = np.divmod(lanes, machine.threads)
    # One number for each warp at each event: what a card serves as one request.
    request = (number * machine.blocks + block) * warps_of_block + thread // WARP
    size = memory.data.dtype.itemsize
    requests = len(np.unique(request))
    sectors = 0.0
    ways = 0
    least = 0.0
    turns = 0
    if events[0].kind == "atomic":
        turns = int(
            np.unique(request * max(memory.size, 1) + elements, return_counts=True)[1].max()
        )
    if memory.space == "global":
        sectors = round(sectors_of(request, elements, size) / requests, 2)
        # Each element once: threads that ask for the same one get it together.
        owner = np.unique(request * memory.size + elements) // memory.size
        held = np.unique(owner, return_counts=True)[1] * size
        least = round(float(np.ceil(held / SECTOR).sum()) / requests, 2)
    elif memory.space == "shared":
        ways = bank_conflict_ways(request, thread % WARP, elements, size)
    return Count(
        events[0].line,
        events[0].kind,
        memory.space,
        memory.name,
        requests,
        len(lanes),
        len(lanes) * size,
        sectors,
        ways,
        least,
        turns,
    )


def sectors_of(request: np.ndarray, elements: np.ndarray, size: int) -> int:
    """How many different 32-byte sectors the requests ask for, each request counted for itself.

    `elements`: indices in an array whose first byte begins a sector; `size`: bytes of an element.
    """
    sector = elements * size // SECTOR
    return len(np.unique(request * (int(sector.max()) + 1) + sector)) if len(elements) else 0


def bank_conflict_ways(
    request: np.ndarray, lane: np.ndarray, elements: np.ndarray, size: int
) -> int:
    """The most different 4-byte words of one bank that one request asks for, in a phase.

    Shared memory has 32 banks, and consecutive words are in consecutive banks. All lanes that ask
    for the same word get it at once. Elements of 8 bytes are served to half a warp at a time, those
    of 16 bytes to a quarter.
    """
    if not len(elements):
        return 0
    words = max(size // WORD, 1)
    phase = request * words + lane * words // WARP
    first = elements * size // WORD
    word = np.concatenate([first + each for each in range(words)])
    # An element of 8 bytes lies in two banks.
    phase = np.tile(phase, words)
    different = np.unique(phase * (int(word.max()) + 1) + word)
    phase, word = np.divmod(different, int(word.max()) + 1)
    _, ways = np.unique(phase * BANKS + word % BANKS, return_counts=True)
    return int(ways.max())


def note_writers(machine: Machine, array: int, writers: np.ndarray, launch: int) -> None:
    """Note who wrote each element of a global array last: lane, line and launch, int64 (3,
    elements).
    """
    for event in machine.events:
        if event.array == array and event.kind in ("write", "atomic"):
            # Of several writers of one element NumPy keeps the last, as the launch does.
            writers[0, event.elements] = event.lanes
            writers[1, event.elements] = event.line
            writers[2, event.elements] = launch


def summed(totals: Sequence[Totals]) -> Totals:
    """The totals of several launches: sums, and of what is worst or a mean the largest."""
    columns = zip(*map(astuple, totals), strict=True)
    named_columns = zip(Totals.__slots__, columns, strict=True)
    return Totals(
        **{name: max(each) if name in _WORST else sum(each) for name, each in named_columns}
    )


def make_trace(machine: Machine, kernel: str, source: str) -> Trace:
    """The launch for showing: its first events, with at most MAX_TRACE accesses."""
    accesses = np.cumsum([len(event.lanes) for event in machine.events])
    # Whole events: half of one would show threads that do nothing.
    kept = int(np.searchsorted(accesses, MAX_TRACE, "right"))
    conflicts = tuple(each for each in machine.conflicts if each.events[1] < kept)
    recorder = machine.recorder
    return Trace(
        kernel,
        source,
        machine.sizes,
        machine.grid,
        machine.block,
        arrays=tuple(machine.memories),
        events=tuple(machine.events[:kept]),
        complete=kept == len(machine.events),
        conflicts=conflicts,
        variables=recorder.variables() if recorder else (),
        all_variables=recorder.complete if recorder else True,
    )
