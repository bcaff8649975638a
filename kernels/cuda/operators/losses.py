"""The losses on the card: gradient, summed loss and right answers in one launch.

A row of outputs is shared by LANES threads: each goes over every LANES-th output, leaves what it found in
shared memory, and after a barrier all LANES threads go over the LANES findings in the same order, so that all
know the row's largest output, its place and its sum. For ten classes that is one output a thread.
"""

import math
from typing import Any

from numba import float32, float64, int32

from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.indices import divide
from kernels.cuda.operators.reduce import SUM_THREADS, add_to_tally
from kernels.cuda.queue import Queue
from kernels.cuda.toolkit import SIMULATED, cuda, inlined, is_float32, kernel

LANES = 4 if SIMULATED else 16
ROWS = SUM_THREADS // LANES  # rows a block has in hand at a time


@inlined
def _place_of_largest(z: Any, row: int, rows: int, units: int, best: Any, where: Any) -> int:
    """The first place of the row's largest output; `best` float32, `where` int32: shared, SUM_THREADS each.

    As `sequential` has it: a NaN is never larger, and nothing is larger than a NaN in the first place.
    """
    thread = cuda.threadIdx.x
    lane = thread % LANES
    first = thread - lane
    if row < rows and lane < units:
        best[thread] = z[row, lane]
        where[thread] = lane
        for o in range(lane + LANES, units, LANES):
            # The row's first output is lane 0's: a NaN with which another lane begins is passed over.
            if z[row, o] > best[thread] or (lane > 0 and best[thread] != best[thread]):
                best[thread] = z[row, o]
                where[thread] = o
    cuda.syncthreads()
    found = first
    for i in range(first + 1, first + min(LANES, units)):
        if best[i] > best[found] or (best[i] == best[found] and where[i] < where[found]):
            found = i
    place = where[found]
    cuda.syncthreads()
    return place


@inlined
def _row_total(own: Any, parts: Any) -> Any:
    """The sum of `own` over the LANES threads of a row, the same for all; `parts`: shared, SUM_THREADS."""
    thread = cuda.threadIdx.x
    parts[thread] = own
    cuda.syncthreads()
    first = thread - thread % LANES
    total = parts[first]
    for i in range(first + 1, first + LANES):
        total += parts[i]
    cuda.syncthreads()
    return total


@kernel()
def _softmax(z, rows, units, out):  # noqa: ANN001, ANN202 - compiled
    """Row group blockIdx.x of ROWS rows; thread: row thread // LANES of it."""
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    parts = cuda.shared.array(SUM_THREADS, dtype=float32)
    lane = cuda.threadIdx.x % LANES
    row = cuda.blockIdx.x * ROWS + cuda.threadIdx.x // LANES
    place = _place_of_largest(z, row, rows, units, best, where)
    own = float32(0)
    top = float32(0)
    if row < rows:
        top = z[row, place]
        for o in range(lane, units, LANES):
            own += float32(math.exp(z[row, o] - top))
    total = _row_total(own, parts)
    if row < rows:
        for o in range(lane, units, LANES):
            out[row, o] = float32(math.exp(z[row, o] - top)) / total


@kernel()
def _softmax_cross_entropy(z, labels, rows, units, metrics, out, sums, tickets):  # noqa: ANN001, ANN202
    """Blocks go over the row groups in turn, so that the grid need not grow with the rows."""
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    parts = cuda.shared.array(SUM_THREADS, dtype=float32)
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    rights = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    lane = cuda.threadIdx.x % LANES
    loss = float64(0)
    right = float64(0)
    for group in range(cuda.blockIdx.x, (rows + ROWS - 1) // ROWS, cuda.gridDim.x):
        row = group * ROWS + cuda.threadIdx.x // LANES
        place = _place_of_largest(z, row, rows, units, best, where)
        own = float32(0)
        top = float32(0)
        label = int32(0)
        if row < rows:
            label = labels[row]
            top = z[row, place]
            for o in range(lane, units, LANES):
                own += float32(math.exp(z[row, o] - top))
        total = _row_total(own, parts)
        if row < rows:
            for o in range(lane, units, LANES):
                share = float32(math.exp(z[row, o] - top)) / total
                out[row, o] = (share - (float32(1) if o == label else float32(0))) / float32(rows)
            if lane == 0:
                loss += float64(float32(math.log(total)) - (z[row, label] - top))
                right += float64(1) if place == label else float64(0)
    add_to_tally(loss, right, losses, rights, flag, sums, tickets, metrics)


@kernel()
def _squared_error_classes(y, labels, rows, units, code, metrics, out, sums, tickets):  # noqa: ANN001, ANN202
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    rights = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    lane = cuda.threadIdx.x % LANES
    loss = float64(0)
    right = float64(0)
    for group in range(cuda.blockIdx.x, (rows + ROWS - 1) // ROWS, cuda.gridDim.x):
        row = group * ROWS + cuda.threadIdx.x // LANES
        place = _place_of_largest(y, row, rows, units, best, where)
        if row < rows:
            label = labels[row]
            for o in range(lane, units, LANES):
                answer = y[row, o]
                error = answer - (float32(1) if o == label else float32(0))
                loss += float64(float32(0.5) * error * error)
                out[row, o] = error * derivative(answer, code) / float32(rows)
            if lane == 0 and place == label:
                right += float64(1)
    add_to_tally(loss, right, losses, rights, flag, sums, tickets, metrics)


@kernel()
def _squared_error(y, targets, rows, units, code, metrics, out, sums, tickets):  # noqa: ANN001, ANN202
    """Element by element, in turn: a thread's elements are gridDim.x · SUM_THREADS apart."""
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    rights = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    loss = float64(0)
    for i in range(cuda.grid(1), rows * units, cuda.gridsize(1)):
        row, o = divide(i, units)
        answer = y[row, o]
        error = answer - targets[row, o]
        loss += float64(float32(0.5) * error * error)
        out[row, o] = error * derivative(answer, code) / float32(rows)
    add_to_tally(loss, float64(0), losses, rights, flag, sums, tickets, metrics)


class LossOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def softmax_cross_entropy(self, z: Any, labels: Any, metrics: Any, out: Any) -> None:
        is_float32(z, out)
        rows, units = z.shape
        self._queue.launch(
            _softmax_cross_entropy,
            self._row_grid(rows),
            (SUM_THREADS, 1, 1),
            lambda scratch: (z, labels, rows, units, metrics, out, scratch.sums, scratch.tickets),
            (z, labels, metrics),
            (metrics, out),
        )

    def squared_error_classes(self, y: Any, labels: Any, activation: str, metrics: Any, out: Any) -> None:
        is_float32(y, out)
        rows, units = y.shape
        code = CODES[activation]
        self._queue.launch(
            _squared_error_classes,
            self._row_grid(rows),
            (SUM_THREADS, 1, 1),
            lambda scratch: (y, labels, rows, units, code, metrics, out, scratch.sums, scratch.tickets),
            (y, labels, metrics),
            (metrics, out),
        )

    def squared_error(self, y: Any, targets: Any, activation: str, metrics: Any, out: Any) -> None:
        is_float32(y, targets, out)
        rows, units = y.shape
        code = CODES[activation]
        blocks = min(-(-rows * units // SUM_THREADS), self._queue.sum_blocks)
        self._queue.launch(
            _squared_error,
            (blocks, 1, 1),
            (SUM_THREADS, 1, 1),
            lambda scratch: (y, targets, rows, units, code, metrics, out, scratch.sums, scratch.tickets),
            (y, targets, metrics),
            (metrics, out),
        )

    def softmax(self, z: Any, out: Any) -> None:
        is_float32(z, out)
        rows, units = z.shape
        self._queue.launch(
            _softmax, (-(-rows // ROWS), 1, 1), (SUM_THREADS, 1, 1),
            lambda scratch: (z, rows, units, out), (z,), (out,),
        )  # fmt: skip

    def _row_grid(self, rows: int) -> tuple[int, int, int]:
        return min(-(-rows // ROWS), self._queue.sum_blocks), 1, 1
