"""Clocks for benches: repeat until sure, and compare by turns, so that a busy moment hits both alike."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter

Work = Callable[[], object]


def seconds_of(work: Work) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


def least(work: Work, budget: float, most: int = 200) -> float:
    """The least seconds of `work`, repeated while `budget` seconds last; run once before, to be warm."""
    work()
    found = [seconds_of(work)]
    while sum(found) < budget and len(found) < most:
        found.append(seconds_of(work))
    return min(found)


def by_turns(clocked: Sequence[Callable[[], float]], rounds: int) -> list[list[float]]:
    """Seconds of each of `clocked`, which time themselves, taken in turns `rounds` times."""
    found: list[list[float]] = [[] for _ in clocked]
    for _ in range(rounds):
        for times, work in zip(found, clocked, strict=True):
            times.append(work())
    return found


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Median of theirs / ours over the rounds: how many times as fast ours is."""
    return median(b / a for a, b in zip(ours, theirs, strict=True))
