"""Sums over threads and blocks in a fixed order: of a loss, and over all axes but the last.

Floats are never added atomically, so a run with the same seed on the same card repeats to the bit.
Within a block, sums are a tree reduction in shared memory. Between blocks, each block stores its
sum in the workspace, and the last block to arrive adds them in the order of the blocks. (NVIDIA's
sample threadFenceReduction.)
"""

from functools import cache

import numpy as np

from kernels.activations.activation import Scalar
from kernels.cuda.launcher import ARRIVAL_COUNTERS, Scratch
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.toolkit import (
    SIMULATED,
    DeviceFunction,
    Kernel,
    cuda,
    device_function,
    divide,
    float32,
    float64,
    int32,
    is_last_block,
    kernel,
    require_float32,
)
from kernels.device import Array

# Threads of a block of a loss: a power of two, for the tree reduction.
SUM_THREADS = 8 if SIMULATED else 128
TWO_SUMS = 2 * SUM_THREADS

# The block of a sum over rows: columns, whose consecutive threads read consecutive floats, and rows
# read at a time.
_COLUMNS, _ROWS = (8, 4) if SIMULATED else (32, 8)
_COLUMN_THREADS = _COLUMNS * _ROWS

_MIN_ROWS_PER_SLICE = 256
_MAX_SLICES = 64


@device_function
def _add_up(sums: Array) -> None:
    """sums[0] and sums[SUM_THREADS] = sums of the halves of the shared array (2 · SUM_THREADS,).

    All threads of the block call it.
    """
    thread = cuda.threadIdx.x
    cuda.syncthreads()
    half = SUM_THREADS // 2
    while half > 0:
        if thread < 2 * half:
            place = thread if thread < half else SUM_THREADS + thread - half
            sums[place] += sums[place + half]
        cuda.syncthreads()
        half //= 2


@device_function
def add_to_metrics(
    loss: Scalar,
    correct: Scalar,
    loss_partials: Array,
    arrivals: Array,
    metrics: Array,
    sums: Array,
    flag: Array,
) -> None:
    """metrics[0] += sum of `loss` over all threads of the grid, metrics[1] += sum of `correct`.

    `loss_partials` float64 (2 · blocks,). Blocks have SUM_THREADS threads. Only one block writes to
    `metrics`. Shared: `sums` float64 (TWO_SUMS,), `flag` int32 (1,).
    """
    thread = cuda.threadIdx.x
    blocks = cuda.gridDim.x
    sums[thread] = loss
    sums[SUM_THREADS + thread] = correct
    _add_up(sums)
    if blocks > 1:
        if thread < 2:
            loss_partials[2 * cuda.blockIdx.x + thread] = sums[SUM_THREADS * thread]
        if not is_last_block(arrivals, 0, blocks, flag):
            return
        total = float64(0)
        count = float64(0)
        for block in range(thread, blocks, SUM_THREADS):
            total += loss_partials[2 * block]
            count += loss_partials[2 * block + 1]
        sums[thread] = total
        sums[SUM_THREADS + thread] = count
        _add_up(sums)
    if thread < 2:
        metrics[thread] += sums[SUM_THREADS * thread]


@cache
def column_sums_of(element: DeviceFunction, descends: bool = False) -> Kernel:
    """The kernel of sums over rows of `element(a, x, mean, variance, row, column)`, a device
    function.

    `descends`: `out` are biases, which a step of SGD by the sums changes; `mean` is the rate.
    """

    @kernel()
    def column_sums(a, x, mean, variance, factor, out, partials, arrivals):  # noqa: ANN001, ANN202
        """out (columns,) = factor · sum of `element` over the rows of a (rows, columns); x has the
        same shape.

        Grid (column groups, slices of rows), block _COLUMN_THREADS. Thread t sums column t %
        _COLUMNS of its group over every _ROWS-th row of its slice, from row t // _COLUMNS.
        """
        sums = cuda.shared.array(_COLUMN_THREADS, dtype=float32)
        flag = cuda.shared.array(1, dtype=int32)
        rows, columns = a.shape
        thread = cuda.threadIdx.x
        column = cuda.blockIdx.x * _COLUMNS + thread % _COLUMNS
        first_row = thread // _COLUMNS
        slices = cuda.gridDim.y
        per_slice, _ = divide(rows + slices - 1, slices)
        first = cuda.blockIdx.y * per_slice
        last = min(first + per_slice, rows)
        total = float32(0)
        if column < columns:
            for row in range(first + first_row, last, _ROWS):
                total += element(a, x, mean, variance, row, column)
        sums[thread] = total
        cuda.syncthreads()
        total = float32(0)
        if first_row == 0:
            for i in range(_ROWS):
                total += sums[i * _COLUMNS + thread]
        if slices > 1:
            if first_row == 0 and column < columns:
                partials[cuda.blockIdx.y * columns + column] = total
            if not is_last_block(arrivals, cuda.blockIdx.x, slices, flag):
                return
            total = float32(0)
            if first_row == 0 and column < columns:
                for i in range(slices):
                    total += partials[i * columns + column]
        if first_row == 0 and column < columns:
            out[column] = out[column] - mean[0] * total if descends else factor * total

    return column_sums


@device_function
def itself(a: Array, x: Array, mean: Array, variance: Array, row: int, column: int) -> Scalar:
    """The element of a plain sum."""
    return a[row, column]


class SumOperators(OperatorGroup):
    """The bias gradient, see `kernels.device.Device`, and other sums over all axes but the last."""

    def bias_gradient(self, grad_z: Array, out: Array) -> None:
        self._launch_column_sums(itself, grad_z, out)

    def _launch_column_sums(
        self,
        element: DeviceFunction,
        a: Array,
        out: Array,
        others: tuple[Array, Array, Array] | None = None,
        factor: float = 1.0,
        rate: Array = None,
    ) -> None:
        """out (c,) = factor · sum of `element` over all axes of a (n, ..., c) but the last; with
        `rate`, out -= rate · the sum.

        `others`: x, in the shape of a, mean (c,) and variance (c,), for an element that reads them.
        """
        columns = out.shape[0]
        rows = a.size // columns
        x, mean, variance = others or (a, out if rate is None else rate, out)
        require_float32(a, x, mean, variance, out)
        matrix, x = (array.reshape(rows, columns) if array.ndim > 2 else array for array in (a, x))
        room = self._launcher.partial_floats // columns
        slices = max(1, min(rows // _MIN_ROWS_PER_SLICE, _MAX_SLICES, room))
        # Each group of columns needs a counter.
        if columns > ARRIVAL_COUNTERS * _COLUMNS:
            slices = 1
        arguments = (matrix, x, mean, variance, np.float32(factor), out)
        scratch = (Scratch.PARTIALS, Scratch.ARRIVALS)
        grid = (-(-columns // _COLUMNS), slices, 1)
        self._launcher.launch(
            column_sums_of(element, rate is not None),
            grid,
            (_COLUMN_THREADS, 1, 1),
            arguments,
            (out,),
            scratch,
        )
