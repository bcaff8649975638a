"""Sums over many threads and blocks in an order that depends on nothing but the sizes.

No float is ever added atomically: a seed repeats a run on the same card to the bit. Within a block, sums go
down a tree in shared memory; between blocks, each leaves its sum in the work space, and the block that takes
the last ticket adds them up in the order of the blocks.
"""

from typing import Any

from numba import float32, float64, int32

from kernels.cuda.queue import TICKETS, Queue
from kernels.cuda.toolkit import SIMULATED, cuda, inlined, is_float32, kernel

# Threads of a block that adds up: a power of two, for the tree.
SUM_THREADS = 8 if SIMULATED else 128

# Columns of a block of the bias gradient, of which neighbouring threads read neighbours; rows it reads at a time.
_COLUMNS, _LANES = (8, 4) if SIMULATED else (32, 8)
_COLUMN_THREADS = _COLUMNS * _LANES


@inlined
def is_last_block(tickets: Any, ticket: int, blocks: int, flag: Any) -> bool:
    """Whether this is the last of `blocks` blocks to get here; what the others stored before is then visible.

    `flag` is a shared int32 array of one element. To be called by all threads of the block, which are numbered
    along x. Sets the ticket back to 0.
    """
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        flag[0] = 1 if cuda.atomic.add(tickets, ticket, 1) == blocks - 1 else 0
        if flag[0] == 1:
            tickets[ticket] = 0
    cuda.syncthreads()
    cuda.threadfence()
    return flag[0] == 1


@inlined
def add_up(values: Any, width: int) -> None:
    """values[0] = sum of the shared array values[:width], a power of two, by all threads of the block."""
    thread = cuda.threadIdx.x
    cuda.syncthreads()
    half = width // 2
    while half > 0:
        if thread < half:
            values[thread] += values[thread + half]
        cuda.syncthreads()
        half //= 2


@inlined
def add_to_tally(
    loss: Any, right: Any, losses: Any, rights: Any, flag: Any, sums: Any, tickets: Any, metrics: Any
) -> None:
    """tally[0] += every thread's `loss`, tally[1] += every thread's `right`, of all blocks of the grid.

    `losses`, `rights`: shared float64 arrays of SUM_THREADS; `flag`: shared int32 of one; `sums`: float64, two a
    block; all blocks have SUM_THREADS threads. The last block stores to `tally`, so the grid must be one launch.
    """
    thread = cuda.threadIdx.x
    blocks = cuda.gridDim.x
    losses[thread] = loss
    rights[thread] = right
    add_up(losses, SUM_THREADS)
    add_up(rights, SUM_THREADS)
    if blocks > 1:
        if thread == 0:
            sums[2 * cuda.blockIdx.x] = losses[0]
            sums[2 * cuda.blockIdx.x + 1] = rights[0]
        if not is_last_block(tickets, 0, blocks, flag):
            return
        total = float64(0)
        count = float64(0)
        for block in range(thread, blocks, SUM_THREADS):
            total += sums[2 * block]
            count += sums[2 * block + 1]
        losses[thread] = total
        rights[thread] = count
        add_up(losses, SUM_THREADS)
        add_up(rights, SUM_THREADS)
    if thread == 0:
        metrics[0] += losses[0]
        metrics[1] += rights[0]


@kernel()
def _column_sums(grad_z, rows, columns, out, shares, tickets):  # noqa: ANN001, ANN202 - compiled
    """A block sums its slice of the rows (blockIdx.y) of _COLUMNS columns (blockIdx.x).

    Thread t takes column t % _COLUMNS and every _LANES-th row from t // _COLUMNS.
    """
    sums = cuda.shared.array(_COLUMN_THREADS, dtype=float32)
    flag = cuda.shared.array(1, dtype=int32)
    thread = cuda.threadIdx.x
    column = cuda.blockIdx.x * _COLUMNS + thread % _COLUMNS
    lane = thread // _COLUMNS
    slices = cuda.gridDim.y
    per_slice = (rows + slices - 1) // slices
    first = cuda.blockIdx.y * per_slice
    last = min(first + per_slice, rows)
    total = float32(0)
    if column < columns:
        for row in range(first + lane, last, _LANES):
            total += grad_z[row, column]
    sums[thread] = total
    cuda.syncthreads()
    total = float32(0)
    if lane == 0:
        for i in range(_LANES):
            total += sums[i * _COLUMNS + thread]
    if slices > 1:
        if lane == 0 and column < columns:
            shares[cuda.blockIdx.y * columns + column] = total
        if not is_last_block(tickets, cuda.blockIdx.x, slices, flag):
            return
        total = float32(0)
        if lane == 0 and column < columns:
            for i in range(slices):
                total += shares[i * columns + column]
    if lane == 0 and column < columns:
        out[column] = total


# Rows that one block sums before it pays to cut them into slices; and the most slices.
_ROWS_PER_SLICE = 256
_MOST_SLICES = 64


class SumOperators:
    """Of the device contract; `_queue` is the device's."""

    _queue: Queue

    def bias_gradient(self, grad_z: Any, out: Any) -> None:
        is_float32(grad_z, out)
        columns = out.shape[0]
        rows = grad_z.size // columns
        flat = grad_z.reshape(rows, columns) if grad_z.ndim > 2 else grad_z
        slices = max(1, min(rows // _ROWS_PER_SLICE, _MOST_SLICES, self._queue.share_floats // columns))
        if columns > TICKETS * _COLUMNS:
            slices = 1
        self._queue.launch(
            _column_sums,
            (-(-columns // _COLUMNS), slices, 1),
            (_COLUMN_THREADS, 1, 1),
            lambda scratch: (flat, rows, columns, out, scratch.shares, scratch.tickets),
            (grad_z,),
            (out,),
            aside=True,
        )
