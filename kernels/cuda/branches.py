"""Branches of a captured step: which lane each launch goes to, and which earlier ones it has to wait for.

Lane 0 is the trunk; the other lanes are branches for work that nothing needs at once. Whether two launches may
run side by side follows from the addresses that they read and write, so an operator states nothing but those.
"""

from dataclasses import dataclass, field

Span = tuple[int, int]  # addresses from, to


@dataclass(frozen=True, slots=True)
class Placement:
    """`number` of the launch, its `lane`, and the numbers of the launches in other lanes that it waits for."""

    number: int
    lane: int
    waits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Pending:
    number: int
    lane: int
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]


@dataclass(slots=True)
class Branches:
    """For one step. A launch on a side lane always starts after all that is on the trunk when it is placed."""

    lanes: int
    _pending: list[_Pending] = field(default_factory=list)
    _count: int = 0
    _aside: int = 0

    def place(self, reads: tuple[Span, ...], writes: tuple[Span, ...], aside: bool) -> Placement:
        """Where the next launch goes. `aside`: it may go to a side lane; they take turns."""
        lane = 0
        if aside and self.lanes > 1:
            lane = 1 + self._aside % (self.lanes - 1)
            self._aside += 1
        before = [p for p in self._pending if _conflict(p, reads, writes)]
        placed = Placement(self._count, lane, tuple(p.number for p in before if p.lane != lane))
        self._count += 1
        if lane == 0:
            # What the trunk has waited for, all that comes later is after anyway.
            self._pending = [p for p in self._pending if p not in before]
        else:
            self._pending.append(_Pending(placed.number, lane, reads, writes))
        return placed

    def open_ends(self) -> tuple[int, ...]:
        """The launches on side lanes that the trunk has not waited for; the step ends after them."""
        return tuple(p.number for p in self._pending)


def _conflict(earlier: _Pending, reads: tuple[Span, ...], writes: tuple[Span, ...]) -> bool:
    """Whether what reads and writes these has to come after the earlier launch."""
    return (
        _overlap(earlier.writes, reads) or _overlap(earlier.writes, writes) or _overlap(earlier.reads, writes)
    )


def _overlap(one: tuple[Span, ...], other: tuple[Span, ...]) -> bool:
    return any(a[0] < b[1] and b[0] < a[1] for a in one for b in other)
