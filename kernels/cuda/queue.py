"""The queue of a card: launches in order on one stream, or captured into a graph with side branches.

Played one by one, a launch costs the host some tens of microseconds; a step of a small network has a dozen
launches of two microseconds each. So a step is captured once and replayed as one graph.

In a captured step, work that nothing needs at once (weight and bias gradients: only the update reads them)
goes to side streams and becomes parallel branches of the graph (`kernels.cuda.branches`). Played one by one,
all stays on one stream, where order is enough.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernels.cuda.branches import Branches, Span
from kernels.cuda.errors import DEVICE_ERRORS
from kernels.cuda.toolkit import SIMULATED, Kernel, cuda

# Branches of a captured step beside its trunk: enough for the gradients of a layer and the one above it.
SIDE_STREAMS = 3

# int32 tickets of a stream: one for each tile of a sliced product, and no operator uses more.
TICKETS = 4096


@dataclass(frozen=True, slots=True)
class Scratch:
    """Work space of one stream, on which launches follow each other, so that each may use all of it.

    `shares` (floats,) float32; `sums` (2 · blocks,) float64; `tickets` (TICKETS,) int32, at 0 between launches.
    """

    shares: Any
    sums: Any
    tickets: Any


class Queue:
    """Made and used by the thread that owns the card's context."""

    def __init__(self, share_floats: int, sum_blocks: int) -> None:
        """`share_floats`, `sum_blocks`: the work space that the largest launch needs."""
        self.share_floats, self.sum_blocks = share_floats, sum_blocks
        # The first is the one that all is launched on outside of a capture.
        self._streams: list[Any] = [0] if SIMULATED else _streams()
        self._scratch = [
            Scratch(
                cuda.device_array(share_floats, np.float32),
                cuda.device_array(2 * sum_blocks, np.float64),
                cuda.to_device(np.zeros(TICKETS, np.int32)),
            )
            for _ in self._streams
        ]
        self._capture: _Capture | None = None

    @property
    def stream(self) -> Any:
        """The stream that copies are to be put on, to be in order with the launches."""
        return self._streams[0]

    def launch(
        self,
        kernel: Kernel,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: Callable[[Scratch], tuple[Any, ...]],
        reads: Sequence[Any],
        writes: Sequence[Any],
        *,
        aside: bool = False,
    ) -> None:
        """Launch `kernel`; `arguments` are made from the work space of the stream that it will run on.

        `reads` and `writes` are all its arrays but the work space. `aside`: nothing of the step waits for it
        soon, so that a captured step may run it in a branch. An empty grid is no launch.
        """
        if not all(grid):
            return
        with DEVICE_ERRORS:
            lane, done = (0, None) if self._capture is None else self._capture.before(reads, writes, aside)
            self._play(kernel[grid, block, self._streams[lane]], arguments(self._scratch[lane]), lane)
            if done is not None:
                done()

    def _play(self, configured: Kernel, arguments: tuple[Any, ...], lane: int) -> None:
        """Put one launch on its lane's stream."""
        configured(*arguments)

    def capture(self, step: Callable[[], None]) -> "Replay":
        """A graph of what `step` launches, as a function that replays it. `step` is not carried out.

        All kernels must be compiled, nothing may be copied or allocated inside. The replay keeps `step` and so
        its arrays, whose addresses are in the graph.
        """
        from numba.cuda.cudadrv.driver import binding, driver

        trunk = int(self._streams[0])
        # Relaxed: Python's collector may free some unrelated array in the middle of it.
        mode = binding.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED
        with cuda.defer_cleanup():
            driver.cuStreamBeginCapture(trunk, mode)
            self._capture = _Capture(self._streams)
            try:
                step()
                self._capture.join()
            except BaseException:
                _abandon(trunk)
                raise
            finally:
                self._capture = None
            graph = driver.cuStreamEndCapture(trunk)
            try:
                executable = driver.cuGraphInstantiate(graph, 0)
            finally:
                driver.cuGraphDestroy(graph)
        return Replay(executable, self._streams[0], step)

    def synchronize(self) -> None:
        """Wait for all launches; a fault of any of them is raised here, as Numba's own exception."""
        if not SIMULATED:
            self._streams[0].synchronize()

    def close(self) -> None:
        """Free the work space; the streams wait for the thread's next queue."""
        self._scratch.clear()

    @property
    def closed(self) -> bool:
        return not self._scratch


_thread = threading.local()


def _streams() -> list[Any]:
    """This thread's streams on the current card, for one queue after another.

    Numba keeps the launch configurations of a stream, and so the stream: new ones for each run would pile up. Of
    its own for each thread, since what any thread puts on a stream under capture would become part of the graph.
    """
    kept = _thread.__dict__.setdefault("streams", {})
    card = cuda.get_current_device().id
    if card not in kept:
        kept[card] = [cuda.stream() for _ in range(1 + SIDE_STREAMS)]
    return kept[card]


class _Capture:
    """A capture under way: streams fork from the trunk and join it again by events."""

    def __init__(self, streams: list[Any]) -> None:
        self._streams = streams
        self._branches = Branches(len(streams))
        self._events: dict[int, Any] = {}

    def before(
        self, reads: Sequence[Any], writes: Sequence[Any], aside: bool
    ) -> tuple[int, Callable[[], None]]:
        """The lane for a launch, whose stream then waits for what it must; and what to call after it."""
        placed = self._branches.place(tuple(map(_span, reads)), tuple(map(_span, writes)), aside)
        stream = self._streams[placed.lane]
        if placed.lane:
            self._mark(self._streams[0]).wait(stream)
        for number in placed.waits:
            self._events[number].wait(stream)

        def done() -> None:
            if placed.lane:
                self._events[placed.number] = self._mark(stream)

        return placed.lane, done

    def join(self) -> None:
        """Let the trunk wait for all branches: a capture must end on one stream."""
        for number in self._branches.open_ends():
            self._events[number].wait(self._streams[0])

    def _mark(self, stream: Any) -> Any:
        """An event after all that is on `stream` now."""
        event = cuda.event(timing=False)
        event.record(stream)
        return event


class Replay:
    """A captured step: calling it launches the graph, and returns before the graph is done."""

    def __init__(self, executable: Any, stream: Any, step: Callable[[], None]) -> None:
        from numba.cuda.cudadrv.driver import driver

        self._step = step
        self._executable, self._handle = executable, int(stream)
        self._launch, self._destroy = driver.cuGraphLaunch, driver.cuGraphExecDestroy

    def __call__(self) -> None:
        with DEVICE_ERRORS:
            self._launch(self._executable, self._handle)

    def close(self) -> None:
        """Destroy the graph; to be called by the thread that owns the context, once, when it is not running."""
        self._destroy(self._executable)


def _abandon(handle: int) -> None:
    """End a capture that failed, so that the stream can be used again."""
    from numba.cuda.cudadrv.driver import CudaAPIError, driver

    try:
        driver.cuGraphDestroy(driver.cuStreamEndCapture(handle))
    except CudaAPIError:
        # Ending an invalid capture reports that it was invalid, which the first error already says.
        return


def _span(array: Any) -> Span:
    """The addresses that a contiguous array takes."""
    begin = array.device_ctypes_pointer.value or 0
    return begin, begin + array.size * array.dtype.itemsize
