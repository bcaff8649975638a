"""Losses: gradient, summed loss and count of correct answers in one launch; and softmax.

ROW_THREADS threads work on a row of outputs. Each of them goes over every ROW_THREADS-th output and
stores its result to shared memory; after a barrier all of them combine the results of the row in
the same order, so that each has the row's largest output, its index and the sum. For ten classes
that is one output a thread.
"""

import math
from functools import cache

from kernels.activations import CODES, LINEAR
from kernels.activations.activation import Scalar
from kernels.cuda.launcher import Scratch
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.operators.reduce import SUM_THREADS, TWO_SUMS, add_to_metrics
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
    kernel,
    load,
    require_float32,
)
from kernels.device import Array

ROW_THREADS = 4 if SIMULATED else 16
BLOCK_ROWS = SUM_THREADS // ROW_THREADS  # rows that a block computes at a time

# `_output_layer`: inputs that a group of threads sums at least, and those that are loaded at once.
_LEAST_INPUTS = 2 if SIMULATED else 64
_AT_ONCE = 2 if SIMULATED else 16


@device_function
def _argmax(z: Array, row: int, best: Array, where: Array) -> int:
    """The first index of the row's largest output. `best` float32 and `where` int32: shared arrays
    of an element a thread.

    As on `sequential`, NaN is never larger than a number, and no number is larger than a NaN at
    index 0.
    """
    rows, units = z.shape
    thread = cuda.threadIdx.x
    lane = thread % ROW_THREADS
    first = thread - lane
    # Threads without a row go on, too: all of a block have to reach the barriers.
    if row < rows and lane < units:
        best[thread] = z[row, lane]
        where[thread] = lane
        for o in range(lane + ROW_THREADS, units, ROW_THREADS):
            # Lane 0 has the row's first output; in other lanes a NaN at the start is replaced.
            if z[row, o] > best[thread] or (lane > 0 and best[thread] != best[thread]):
                best[thread] = z[row, o]
                where[thread] = o
    cuda.syncthreads()
    largest = first
    for i in range(first + 1, first + min(ROW_THREADS, units)):
        if best[i] > best[largest] or (best[i] == best[largest] and where[i] < where[largest]):
            largest = i
    # Read before the next barrier: other threads overwrite it after that.
    index = where[largest]
    cuda.syncthreads()
    return index


@device_function
def _row_sum(value: Scalar, values: Array) -> Scalar:
    """The sum of `value` over the threads of a row, in all of them; `values` is shared."""
    thread = cuda.threadIdx.x
    values[thread] = value
    cuda.syncthreads()
    first = thread - thread % ROW_THREADS
    total = values[first]
    for i in range(first + 1, first + ROW_THREADS):
        total += values[i]
    cuda.syncthreads()
    return total


@device_function
def _largest_and_total(z: Array, row: int, best: Array, where: Array) -> tuple[int, Scalar, Scalar]:
    """Index of the row's largest output, that output, and Σ exp(z - largest), by all threads of the
    block; see `_argmax`.
    """
    rows, units = z.shape
    index = _argmax(z, row, best, where)
    exponentials = float32(0)
    largest = float32(0)
    if row < rows:
        largest = z[row, index]
        for o in range(cuda.threadIdx.x % ROW_THREADS, units, ROW_THREADS):
            exponentials += float32(math.exp(z[row, o] - largest))
    return index, largest, _row_sum(exponentials, best)


@kernel()
def _softmax(z, out):  # noqa: ANN001, ANN202 - compiled
    """out (n, o) = softmax of each row of z. A block computes BLOCK_ROWS rows."""
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    rows, units = z.shape
    lane = cuda.threadIdx.x % ROW_THREADS
    row = cuda.blockIdx.x * BLOCK_ROWS + cuda.threadIdx.x // ROW_THREADS
    _, largest, total = _largest_and_total(z, row, best, where)
    if row < rows:
        for o in range(lane, units, ROW_THREADS):
            out[row, o] = float32(math.exp(z[row, o] - largest)) / total


# The losses of classes: device functions of one row, which write its gradient to `out` and return
# the thread's part of the loss and, in the row's first thread, whether the answer is correct.
# Shared arrays are arguments, as numba-cuda-mlir has them in kernels only.


@device_function
def cross_entropy(
    z: Array, labels: Array, row: int, code: int, out: Array, best: Array, where: Array
) -> tuple[Scalar, Scalar]:
    """out = (softmax(z) - onehot(labels)) / rows."""
    rows, units = z.shape
    lane = cuda.threadIdx.x % ROW_THREADS
    index, largest, total = _largest_and_total(z, row, best, where)
    loss = float64(0)
    correct = float64(0)
    if row < rows:
        label = labels[row]
        for o in range(lane, units, ROW_THREADS):
            probability = float32(math.exp(z[row, o] - largest)) / total
            error = probability - (float32(1) if o == label else float32(0))
            out[row, o] = error / float32(rows)
        if lane == 0:
            loss = float64(float32(math.log(total)) - (z[row, label] - largest))
            correct = float64(1) if index == label else float64(0)
    return loss, correct


@device_function
def squared_error(
    y: Array, labels: Array, row: int, code: int, out: Array, best: Array, where: Array
) -> tuple[Scalar, Scalar]:
    """out = (y - onehot(labels)) ⊙ f'(y) / rows."""
    rows, units = y.shape
    lane = cuda.threadIdx.x % ROW_THREADS
    index = _argmax(y, row, best, where)
    loss = float64(0)
    correct = float64(0)
    if row < rows:
        label = labels[row]
        for o in range(lane, units, ROW_THREADS):
            output = y[row, o]
            error = output - (float32(1) if o == label else float32(0))
            loss += float64(float32(0.5) * error * error)
            out[row, o] = error * derivative(output, code) / float32(rows)
        if lane == 0 and index == label:
            correct = float64(1)
    return loss, correct


@cache
def class_loss(of_row: DeviceFunction) -> Kernel:
    """The kernel of one of the losses above."""

    @kernel()
    def loss_of_classes(z, labels, code, metrics, out, loss_partials, arrivals):  # noqa: ANN001, ANN202
        """Grid-stride loop over groups of BLOCK_ROWS rows, so that the number of blocks is
        limited.
        """
        best = cuda.shared.array(SUM_THREADS, dtype=float32)
        where = cuda.shared.array(SUM_THREADS, dtype=int32)
        sums = cuda.shared.array(TWO_SUMS, dtype=float64)
        flag = cuda.shared.array(1, dtype=int32)
        groups = (z.shape[0] + BLOCK_ROWS - 1) // BLOCK_ROWS
        loss = float64(0)
        correct = float64(0)
        for group in range(cuda.blockIdx.x, groups, cuda.gridDim.x):
            row = group * BLOCK_ROWS + cuda.threadIdx.x // ROW_THREADS
            row_loss, is_correct = of_row(z, labels, row, code, out, best, where)
            loss += row_loss
            correct += is_correct
        add_to_metrics(loss, correct, loss_partials, arrivals, metrics, sums, flag)

    return loss_of_classes


@kernel(SUM_THREADS, 3)
def _output_layer(x, w, b, labels, code, per_group, metrics, z, grad_z, out, partials, arrivals):  # noqa: ANN001, ANN202
    """z = x · w + b; grad_z and `metrics` as `cross_entropy`; out = (grad_z · wᵀ) ⊙ f'(x).

    A block computes one row at a time, of at most ROW_THREADS outputs. For z, each of its groups of
    ROW_THREADS threads sums over `per_group` inputs; the first group adds the sums in their order.
    """
    parts = cuda.shared.array(SUM_THREADS, dtype=float32)
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    sums = cuda.shared.array(TWO_SUMS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    x_loaded = cuda.local.array(_AT_ONCE, dtype=float32)
    w_loaded = cuda.local.array(_AT_ONCE, dtype=float32)
    rows, inputs = x.shape
    units = w.shape[1]
    thread = cuda.threadIdx.x
    group, lane = divide(thread, ROW_THREADS)
    loss = float64(0)
    correct = float64(0)
    for row in range(cuda.blockIdx.x, rows, cuda.gridDim.x):
        end = int32(min((group + 1) * per_group, inputs))
        total = float32(0)
        for i in range(group * per_group, end, _AT_ONCE):
            # All loads before the first addition, so that their latency is paid once.
            for e in range(_AT_ONCE):
                at = int32(min(int32(i + e), int32(inputs - 1)))
                x_loaded[e] = load(x, int32(row * inputs + at)) if i + e < end else float32(0)
                w_loaded[e] = load(w, int32(at * units + min(lane, int32(units - 1))))
            for e in range(_AT_ONCE):
                total += x_loaded[e] * w_loaded[e]
        parts[thread] = total
        cuda.syncthreads()
        if thread < units:
            total = float32(0)
            for part in range(BLOCK_ROWS):
                total += parts[part * ROW_THREADS + thread]
            z[row, thread] = total + b[thread]
        # The other groups have no row.
        own_row = row if group == 0 else rows
        row_loss, is_correct = cross_entropy(z, labels, own_row, code, grad_z, best, where)
        loss += row_loss
        correct += is_correct
        cuda.syncthreads()
        for i in range(thread, inputs, SUM_THREADS):
            total = float32(0)
            for o in range(units):
                total += grad_z[row, o] * load(w, int32(i * units + o))
            out[row, i] = total * derivative(x[row, i], code)
    add_to_metrics(loss, correct, partials, arrivals, metrics, sums, flag)


@kernel()
def _squared_error(y, targets, code, metrics, out, loss_partials, arrivals):  # noqa: ANN001, ANN202
    """out = (y - targets) ⊙ f'(y) / rows; adds the loss to metrics[0]. Grid-stride loop over
    elements.
    """
    sums = cuda.shared.array(TWO_SUMS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    rows, units = y.shape
    loss = float64(0)
    for i in range(cuda.grid(1), rows * units, cuda.gridsize(1)):
        row, o = divide(i, units)
        output = y[row, o]
        error = output - targets[row, o]
        loss += float64(float32(0.5) * error * error)
        out[row, o] = error * derivative(output, code) / float32(rows)
    add_to_metrics(loss, float64(0), loss_partials, arrivals, metrics, sums, flag)


class LossOperators(OperatorGroup):
    """Losses and softmax, see `kernels.device.Device`."""

    joined_outputs = ROW_THREADS

    def softmax_cross_entropy(self, z: Array, labels: Array, metrics: Array, out: Array) -> None:
        self._launch_class_loss(cross_entropy, z, labels, LINEAR, metrics, out)

    def output_layer(
        self,
        x: Array,
        w: Array,
        b: Array,
        activation: str,
        labels: Array,
        metrics: Array,
        results: tuple[Array, Array, Array],
    ) -> None:
        rows, inputs = x.shape
        per_group = max(_LEAST_INPUTS, -(-inputs // BLOCK_ROWS))
        arguments = (x, w, b, labels, CODES[activation], per_group, metrics, *results)
        require_float32(x, w, b, labels, *results)
        grid = (min(rows, self._launcher.loss_blocks), 1, 1)
        scratch = (Scratch.LOSS_PARTIALS, Scratch.ARRIVALS)
        writes = (metrics, *results)
        self._launcher.launch(_output_layer, grid, (SUM_THREADS, 1, 1), arguments, writes, scratch)

    def squared_error_classes(
        self, y: Array, labels: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        self._launch_class_loss(squared_error, y, labels, CODES[activation], metrics, out)

    def _launch_class_loss(self, of_row: DeviceFunction, y: Array, *others: object) -> None:
        self._launch_loss(class_loss(of_row), y.shape[0], BLOCK_ROWS, y, *others)

    def squared_error(
        self, y: Array, targets: Array, activation: str, metrics: Array, out: Array
    ) -> None:
        self._launch_loss(
            _squared_error, y.size, SUM_THREADS, y, targets, CODES[activation], metrics, out
        )

    def softmax(self, z: Array, out: Array) -> None:
        require_float32(z, out)
        grid = (-(-z.shape[0] // BLOCK_ROWS), 1, 1)
        self._launcher.launch(_softmax, grid, (SUM_THREADS, 1, 1), (z, out), (out,))

    def _launch_loss(self, kernel: Kernel, count: int, of_block: int, *arguments: object) -> None:
        """Launch `kernel` with blocks for `count` rows or elements, `of_block` each, if the
        workspace has room.

        The last two arguments are metrics and out.
        """
        *inputs, metrics, out = arguments
        require_float32(*inputs, out)
        grid = (min(-(-count // of_block), self._launcher.loss_blocks), 1, 1)
        scratch = (Scratch.LOSS_PARTIALS, Scratch.ARRIVALS)
        self._launcher.launch(kernel, grid, (SUM_THREADS, 1, 1), arguments, (metrics, out), scratch)
