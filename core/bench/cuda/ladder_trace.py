"""When each launch of a step began and ended, by the card's own clock: events before and after it on its stream.

An event takes the card about a microsecond, so a traced step is longer than the same step alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from core.bench.cuda.ladder_kernels import hold
from kernels.cuda.device import _SUM_BLOCKS, Cuda
from kernels.cuda.errors import DEVICE_ERRORS
from kernels.cuda.operators.dense import Products, share_floats
from kernels.cuda.queue import Queue, _Capture
from kernels.cuda.toolkit import SIMULATED, Kernel, cuda

# Dependent additions that keep a card busy for some milliseconds, while a step's launches are queued.
_HOLD_ROUNDS = 4 if SIMULATED else 3_000_000


@dataclass(frozen=True, slots=True)
class Span:
    """A launch or copy on the stream with this number, from 1; microseconds since the first of them began."""

    name: str
    stream: int
    start: float
    end: float


class Trace:
    """What one step did. Marks are events on a card, readings of the host's clock in the simulator."""

    def __init__(self) -> None:
        self._origin = mark(0)
        self._marks: list[tuple[str, int, Any, Any]] = []

    @contextmanager
    def around(self, name: str, number: int, stream: Any) -> Iterator[None]:
        """Note what is put on `stream`, which has this number, inside."""
        begun = mark(stream)
        yield
        self._marks.append((name, number, begun, mark(stream)))

    def spans(self) -> list[Span]:
        """Wait for the card; all that was noted, from the first beginning on."""
        with DEVICE_ERRORS:
            cuda.synchronize()
            found = [
                (name, number, _seconds(self._origin, a), _seconds(self._origin, b))
                for name, number, a, b in self._marks
            ]
        first = min((start for _, _, start, _ in found), default=0.0)
        return [Span(name, n, (a - first) * 1e6, (b - first) * 1e6) for name, n, a, b in found]


def mark(stream: Any) -> Any:
    """A moment on `stream` (0: the default one), to be compared with another by `seconds_between`."""
    if SIMULATED:
        return perf_counter()
    event = cuda.event()
    event.record(stream)
    return event


def _seconds(one: Any, other: Any) -> float:
    """From one mark to the other, both past."""
    if SIMULATED:
        return other - one
    return float(one.elapsed_time(other)) / 1e3


def seconds_on_card(device: Cuda, work: Callable[[], object]) -> float:
    """Seconds of the card between the beginning and the end of what `work` queues; waits for it."""
    stream = device._queue.stream
    with DEVICE_ERRORS:
        begun = mark(stream)
        work()
        ended = mark(stream)
    device.synchronize()
    return _seconds(begun, ended)


def copy_on_card(device: Cuda, source: Any, target: Any) -> None:
    """Queue a copy of one of the device's arrays into another of its size."""
    with DEVICE_ERRORS:
        target.copy_to_device(source, stream=device._queue.stream)


class TracedCuda(Cuda):
    """A card whose next step can be traced: it is played launch by launch on the streams of its captured form."""

    def __init__(self) -> None:
        super().__init__()
        queue = TracedQueue(share_floats(self._products._multiprocessors), _SUM_BLOCKS)
        self._queue.close()
        self._queue = queue
        self._products = Products(queue, self._products._multiprocessors)

    def name_next(self, name: str) -> None:
        """The operator whose launches come next."""
        self._traced.label = name

    def trace(self, step: Callable[[], None]) -> list[Span]:
        """Play the step once; its launches wait until all are queued, as those of a captured step do."""
        self.synchronize()
        with DEVICE_ERRORS:
            return self._traced.trace(step)

    @property
    def _traced(self) -> "TracedQueue":
        assert isinstance(self._queue, TracedQueue)
        return self._queue


class TracedQueue(Queue):
    def __init__(self, share_floats: int, sum_blocks: int) -> None:
        super().__init__(share_floats, sum_blocks)
        self.label = ""
        self._trace: Trace | None = None
        self._number = cuda.to_device(np.zeros(1, np.float32))
        hold[1, 1, self.stream](self._number, 1)

    def trace(self, step: Callable[[], None]) -> list[Span]:
        trace = self._trace = Trace()
        if not SIMULATED:
            # Lanes and waits as in a capture, but played: a stream waits for the same events either way.
            self._capture = _Capture(self._streams)
        try:
            hold[1, 1, self.stream](self._number, _HOLD_ROUNDS)
            step()
            if self._capture is not None:
                self._capture.join()
        finally:
            self._capture = self._trace = None
        self.synchronize()
        return trace.spans()

    def _play(self, configured: Kernel, arguments: tuple[Any, ...], lane: int) -> None:
        if self._trace is None:
            super()._play(configured, arguments, lane)
            return
        with self._trace.around(self.label, lane + 1, self._streams[lane]):
            super()._play(configured, arguments, lane)
