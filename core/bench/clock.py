"""Timing for benchmarks: repeated timing of one function, and alternating timing of several."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median, quantiles
from time import perf_counter

Work = Callable[[], object]
Timed = Callable[[], float]  # measures itself and returns seconds


def seconds_of(work: Work) -> float:
    """Seconds of one call of `work`."""
    start = perf_counter()
    work()
    return perf_counter() - start


def repeat(timed: Timed, budget: float, maximum: int = 200) -> list[float]:
    """Results of `timed`, called at least once, until they add up to `budget` seconds or `maximum` calls."""
    times = [timed()]
    while sum(times) < budget and len(times) < maximum:
        times.append(timed())
    return times


def alternate(programs: Mapping[str, Timed], rounds: int) -> dict[str, list[float]]:
    """Results of each function, called by turns for `rounds` rounds: a busy moment affects all of them alike."""
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, timed in programs.items():
            times[name].append(timed())
    return times


def spread(times: Sequence[float]) -> float | None:
    """Half the distance of the quartiles in percent of the median; None for fewer than three times."""
    if len(times) < 3:
        return None
    low, middle, high = quantiles(times, n=4, method="inclusive")
    return 50 * (high - low) / middle


def speed_ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Median over the rounds of theirs / ours: how many times as fast `ours` is."""
    return median(b / a for a, b in zip(ours, theirs, strict=True))


# The column that `spread` fills, for the tables of benchmarks.
SPREAD_COLUMN = ("spread", "spread, %")
