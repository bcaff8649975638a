"""Launches kernels on the streams of one card and captures training steps as CUDA graphs.

A launch costs the host 10 to 20 microseconds, about as much as a small kernel takes on the card
several times over. So a step is captured once and replayed as one graph. Launches of a captured
step that do not depend on each other become parallel branches (`kernels.cuda.dependencies`).
Outside of a capture all launches are on one stream.
"""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from kernels.cuda.card import Card, Event, Stream
from kernels.cuda.dependencies import AddressRange, StreamScheduler
from kernels.cuda.errors import translate_errors
from kernels.cuda.toolkit import SIMULATED, Kernel
from kernels.device import Array

if TYPE_CHECKING:
    from kernels.cuda.host import Graph

# Streams beside the first one: a capture has up to this many branches beside its longest path.
SIDE_STREAMS = 3

# Arrival counters of a workspace: one for each tile of a split-K product; no operator uses more.
ARRIVAL_COUNTERS = 4096


class Scratch(Enum):
    """The arrays of a stream's workspace. Its launches run one after another, so each may use all
    of them.
    """

    PARTIALS = "partial sums of blocks, float32 (floats,)"
    LOSS_PARTIALS = "loss and count of correct answers by block, float64 (2 · blocks,)"
    ARRIVALS = "blocks that are done, 0 between launches, int32 (ARRIVAL_COUNTERS,)"


class Launcher:
    """Streams and workspaces of one card; created and used by the thread that owns the device."""

    def __init__(self, card: Card, partial_floats: int, loss_blocks: int) -> None:
        """`partial_floats`, `loss_blocks`: floats of partial sums and blocks of a loss in each
        workspace.
        """
        self._card = card
        self.partial_floats = partial_floats
        self.loss_blocks = loss_blocks
        # In the simulator one is enough, since it captures nothing.
        self._streams = [card.new_stream() for _ in range(1 if SIMULATED else 1 + SIDE_STREAMS)]
        # Copied on every stream; the driver may read it until the streams are waited for.
        no_arrivals = np.zeros(ARRIVAL_COUNTERS, np.int32)
        self._workspaces: list[dict[Scratch, Array]] = [
            {
                Scratch.PARTIALS: card.empty((partial_floats,), np.float32),
                Scratch.LOSS_PARTIALS: card.empty((2 * loss_blocks,), np.float64),
                Scratch.ARRIVALS: card.upload(no_arrivals, stream),
            }
            for stream in self._streams
        ]
        for stream in self._streams:
            card.synchronize(stream)
        self._scheduling: _Scheduling | None = None

    @property
    def stream(self) -> Stream:
        """The stream of all launches outside of a capture; copies on it are in order with them."""
        return self._streams[0]

    def launch(
        self,
        kernel: Kernel,
        grid: tuple[int, ...],
        block: tuple[int, ...],
        arguments: Sequence[object],
        writes: Sequence[Array],
        scratch: Sequence[Scratch] = (),
    ) -> None:
        """Launch `kernel`, with arrays of the workspace of the launch's stream, `scratch`, as its
        last arguments.

        `writes`: the arrays among the arguments that it writes; all of them count as read. A grid
        with a dimension of 0 launches nothing.
        """
        if not all(grid):
            return
        with translate_errors:
            index = (
                0 if self._scheduling is None else self._scheduling.before_launch(arguments, writes)
            )
            stream = self._streams[index]
            workspace = self._workspaces[index]
            kernel[grid, block, stream](*arguments, *(workspace[name] for name in scratch))
            if self._scheduling is not None:
                self._scheduling.after_launch(stream)

    def capture(self, step: Callable[[], None]) -> "ExecutableGraph":
        """An executable graph of the launches of `step`, which are captured and not run.

        `step` must have run before, so that its kernels are compiled and loaded, and must not copy
        or allocate. The graph holds the addresses of its arrays; the returned object keeps `step`,
        and so the arrays, alive.
        """
        graph = self._card.capture(self.stream, lambda: self._run_scheduled(step))
        return ExecutableGraph(graph, self.stream, step)

    def _run_scheduled(self, step: Callable[[], None]) -> None:
        self._scheduling = _Scheduling(self._streams)
        try:
            step()
            self._scheduling.join()
        finally:
            self._scheduling = None

    def synchronize(self) -> None:
        """Wait for all launches; raises the error of any of them."""
        self._card.synchronize(self.stream)

    def close(self) -> None:
        """Free the workspaces."""
        self._workspaces.clear()

    @property
    def closed(self) -> bool:
        return not self._workspaces


class _Scheduling:
    """Distributes the launches of one step over streams and orders them with events."""

    def __init__(self, streams: list[Stream]) -> None:
        self._streams = streams
        self._scheduler = StreamScheduler(len(streams))
        # Streams take part in a capture from when they wait for an event of the first stream.
        self._start = Event(streams[0])
        self._forked = {0}
        self._events: dict[int, Event] = {}
        self._index = 0

    def before_launch(self, arguments: Sequence[object], writes: Sequence[Array]) -> int:
        """The index of the stream for a launch; makes the stream wait for the launches that it
        depends on.
        """
        reads = [value for value in arguments if hasattr(value, "__cuda_array_interface__")]
        assigned = self._scheduler.assign(
            tuple(map(_address_range, reads)), tuple(map(_address_range, writes))
        )
        stream = self._streams[assigned.stream]
        if assigned.stream not in self._forked:
            self._start.wait(stream)
            self._forked.add(assigned.stream)
        for index in assigned.waits:
            self._events[index].wait(stream)
        self._index = assigned.index
        return assigned.stream

    def after_launch(self, stream: Stream) -> None:
        self._events[self._index] = Event(stream)

    def join(self) -> None:
        """Make the first stream wait for all others: a capture must end on the stream where it
        began.
        """
        for index in self._scheduler.unjoined():
            self._events[index].wait(self._streams[0])


class ExecutableGraph:
    """An instantiated CUDA graph: calling it launches the graph, and returns before the graph is
    done.
    """

    def __init__(self, graph: "Graph", stream: Stream, step: Callable[[], None]) -> None:
        self._step: Callable[[], None] | None = step
        self._graph = graph
        self._stream = stream

    def __call__(self) -> None:
        with translate_errors:
            self._graph.launch(self._stream)

    def close(self) -> None:
        """Destroy the graph, which must not be running, and release the arrays of its step."""
        self._step = None
        self._graph.close()


def _address_range(array: Array) -> AddressRange:
    """The addresses of a contiguous array."""
    return array.ptr, array.ptr + array.nbytes
