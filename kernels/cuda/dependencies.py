"""Assigns the launches of a captured step to streams, and finds the launches that each has to wait
for.

Two launches may run concurrently unless one writes memory that the other reads or writes. The
address ranges of the arrays are all that is needed to decide that, so operators state only what
they read and write.
"""

from dataclasses import dataclass

AddressRange = tuple[int, int]  # first address, address after the last


@dataclass(frozen=True, slots=True)
class Launch:
    """`waits`: indices of the launches on other streams that it waits for.

    `clock[s]`: index of the newest launch on stream s that is complete before this one starts, or
    -1.
    """

    index: int
    stream: int
    waits: tuple[int, ...]
    reads: tuple[AddressRange, ...]
    writes: tuple[AddressRange, ...]
    clock: tuple[int, ...]

    def conflicts(self, reads: tuple[AddressRange, ...], writes: tuple[AddressRange, ...]) -> bool:
        """Whether a launch with these arrays has to run after this one."""
        pairs = [(a, b) for a in self.writes for b in (*reads, *writes)]
        pairs += [(a, b) for a in self.reads for b in writes]
        return any(a[0] < b[1] and b[0] < a[1] for a, b in pairs)


class StreamScheduler:
    """Schedules one step over `streams` streams. A launch runs after those before it on its
    stream.
    """

    def __init__(self, streams: int) -> None:
        self._tails: list[Launch | None] = [None] * streams
        # Of launches with the same arrays only the newest: it runs after the others, so waiting for
        # it is enough.
        self._launches: dict[tuple[tuple[AddressRange, ...], tuple[AddressRange, ...]], Launch] = {}
        self._count = 0

    def assign(self, reads: tuple[AddressRange, ...], writes: tuple[AddressRange, ...]) -> Launch:
        """The next launch: its stream, and the launches on other streams that conflict with it."""
        clock = [-1] * len(self._tails)
        waits = []
        # Newest first: what a launch waited for is then known to be complete, and needs no wait of
        # its own.
        for launch in sorted(self._launches.values(), key=lambda launch: -launch.index):
            if launch.index > clock[launch.stream] and launch.conflicts(reads, writes):
                waits.append(launch)
                _advance(clock, launch)
        stream = self._choose_stream(clock)
        if (tail := self._tails[stream]) is not None:
            _advance(clock, tail)
        others = tuple(launch.index for launch in waits if launch.stream != stream)
        launch = Launch(self._count, stream, others, reads, writes, tuple(clock))
        self._tails[stream] = self._launches[reads, writes] = launch
        self._count += 1
        return launch

    def unjoined(self) -> tuple[int, ...]:
        """Last launches of the streams that stream 0 has not waited for: it has to before the
        capture ends.
        """
        first = self._tails[0]
        seen = first.clock if first else (-1,) * len(self._tails)
        return tuple(
            tail.index
            for tail in self._tails[1:]
            if tail is not None and tail.index > seen[tail.stream]
        )

    def _choose_stream(self, clock: list[int]) -> int:
        """The stream whose last launch is the newest that has to be complete anyway.

        If there is none, the stream that has been idle longest: a launch then waits for as little
        as possible.
        """
        ages = [-1 if tail is None else tail.index for tail in self._tails]
        ready = [stream for stream, age in enumerate(ages) if age <= clock[stream]]
        if ready:
            return max(ready, key=lambda stream: (ages[stream], -stream))
        return min(range(len(ages)), key=lambda stream: ages[stream])


def _advance(clock: list[int], launch: Launch) -> None:
    """Record in `clock` that `launch`, and all that it waited for, is complete."""
    for stream, index in enumerate(launch.clock):
        clock[stream] = max(clock[stream], index)
    clock[launch.stream] = max(clock[launch.stream], launch.index)
