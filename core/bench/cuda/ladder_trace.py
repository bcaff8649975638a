"""Start and end of each launch of a step on the card, by CUDA events before and after it on its stream.

An event takes the card about a microsecond, so a traced step takes longer than the same step alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.bench.cuda.ladder_kernels import hold
from kernels.cuda.device import Cuda
from kernels.cuda.errors import translate_errors
from kernels.cuda.toolkit import SIMULATED, cuda

# Dependent additions that keep a card busy for some milliseconds, while the launches of a step are queued.
_HOLD_ROUNDS = 4 if SIMULATED else 3_000_000


@dataclass(frozen=True, slots=True)
class TracedLaunch:
    """A launch or copy on the stream with this number, from 1; microseconds since the start of the first one."""

    name: str
    stream: int
    start: float
    end: float


class Trace:
    """Collects start and end of launches: events on a card, readings of the host's clock in the simulator."""

    def __init__(self) -> None:
        self._origin = _mark(0)
        self._marks: list[tuple[str, int, Any, Any]] = []

    @contextmanager
    def around(self, name: str, number: int, stream: Any) -> Iterator[None]:
        """Record as one launch what is put on `stream`, with this number, inside of the context."""
        start = _mark(stream)
        yield
        self._marks.append((name, number, start, _mark(stream)))

    def launches(self) -> list[TracedLaunch]:
        """Wait for the card; all launches in the order in which they were queued."""
        with translate_errors:
            cuda.synchronize()
            times = [
                (name, number, _seconds(self._origin, start), _seconds(self._origin, end))
                for name, number, start, end in self._marks
            ]
        first = min((start for _, _, start, _ in times), default=0.0)
        return [
            TracedLaunch(name, n, (start - first) * 1e6, (end - first) * 1e6) for name, n, start, end in times
        ]


def trace_step(device: Cuda, step: Callable[[], None], name: Callable[[], str]) -> list[TracedLaunch]:
    """Run `step` once on the streams of its captured graph. `name()` is the operator that launches next.

    The launches wait until all are queued, so that they follow each other as those of a graph do.
    """
    number = device.upload(np.zeros(1, np.float32))
    with translate_errors:
        hold[1, 1, device.stream](number, 1)
    device.synchronize()
    trace = Trace()
    with translate_errors:
        hold[1, 1, device.stream](number, _HOLD_ROUNDS)
    device.run_observed(step, lambda index, stream: trace.around(name(), index + 1, stream))
    device.synchronize()
    return trace.launches()


def seconds_on_card(device: Cuda, work: Callable[[], object]) -> float:
    """Seconds on the card between start and end of what `work` launches; waits for it.

    The card is kept busy until all is launched, so that the time of the host's launches is not included.
    """
    number = device.upload(np.zeros(1, np.float32))
    with translate_errors:
        hold[1, 1, device.stream](number, _HOLD_ROUNDS)
        start = _mark(device.stream)
        work()
        end = _mark(device.stream)
    device.synchronize()
    return _seconds(start, end)


def copy_on_card(device: Cuda, source: Any, target: Any) -> None:
    """Queue a copy of an array of the device to another one of its size."""
    with translate_errors:
        target.copy_to_device(source, stream=device.stream)


def _mark(stream: Any) -> Any:
    """A moment on `stream` (0: the default stream), for `_seconds`."""
    if SIMULATED:
        return perf_counter()
    event = cuda.event()
    event.record(stream)
    return event


def _seconds(start: Any, end: Any) -> float:
    """Seconds between two marks, both of which have been reached."""
    if SIMULATED:
        return end - start
    return float(start.elapsed_time(end)) / 1e3
