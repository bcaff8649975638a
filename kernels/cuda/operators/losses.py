"""Losses: gradient, summed loss and count of correct answers in one launch; and softmax.

ROW_THREADS threads work on a row of outputs. Each of them goes over every ROW_THREADS-th output and stores its result
to shared memory; after a barrier all of them combine the results of the row in the same order, so that each has
the row's largest output, its index and the sum. For ten classes that is one output a thread.
"""

import math
from typing import Any

from numba import float32, float64, int32

from kernels.activations import CODES
from kernels.cuda.operators.activations import derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.operators.reduce import SUM_THREADS, add_to_metrics
from kernels.cuda.toolkit import SIMULATED, Kernel, cuda, device_function, divide, kernel, require_float32

ROW_THREADS = 4 if SIMULATED else 16
BLOCK_ROWS = SUM_THREADS // ROW_THREADS  # rows that a block computes at a time


@device_function
def _argmax(z: Any, row: int, rows: int, units: int, best: Any, where: Any) -> int:
    """The first index of the row's largest output. `best` float32, `where` int32: shared arrays (SUM_THREADS,).

    As on `sequential`, NaN is never larger than a number, and no number is larger than a NaN at index 0.
    """
    thread = cuda.threadIdx.x
    lane = thread % ROW_THREADS
    first = thread - lane
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
    index = where[largest]
    cuda.syncthreads()
    return index


@device_function
def _row_sum(value: Any, values: Any) -> Any:
    """The sum of `value` over the threads of a row, in all of them; `values`: shared float32 (SUM_THREADS,)."""
    thread = cuda.threadIdx.x
    values[thread] = value
    cuda.syncthreads()
    first = thread - thread % ROW_THREADS
    total = values[first]
    for i in range(first + 1, first + ROW_THREADS):
        total += values[i]
    cuda.syncthreads()
    return total


@kernel()
def _softmax(z, rows, units, out):  # noqa: ANN001, ANN202 - compiled
    """out (rows, units) = softmax of each row of z. A block computes BLOCK_ROWS rows."""
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    values = cuda.shared.array(SUM_THREADS, dtype=float32)
    lane = cuda.threadIdx.x % ROW_THREADS
    row = cuda.blockIdx.x * BLOCK_ROWS + cuda.threadIdx.x // ROW_THREADS
    index = _argmax(z, row, rows, units, best, where)
    exponentials = float32(0)
    largest = float32(0)
    if row < rows:
        largest = z[row, index]
        for o in range(lane, units, ROW_THREADS):
            exponentials += float32(math.exp(z[row, o] - largest))
    total = _row_sum(exponentials, values)
    if row < rows:
        for o in range(lane, units, ROW_THREADS):
            out[row, o] = float32(math.exp(z[row, o] - largest)) / total


@kernel()
def _softmax_cross_entropy(z, labels, rows, units, metrics, out, loss_partials, arrivals):  # noqa: ANN001, ANN202
    """out = (softmax(z) - onehot(labels)) / rows; adds loss and correct answers to `metrics`.

    Grid-stride loop over groups of BLOCK_ROWS rows, so that the number of blocks is limited.
    """
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    values = cuda.shared.array(SUM_THREADS, dtype=float32)
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    counts = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    lane = cuda.threadIdx.x % ROW_THREADS
    loss = float64(0)
    correct = float64(0)
    for group in range(cuda.blockIdx.x, (rows + BLOCK_ROWS - 1) // BLOCK_ROWS, cuda.gridDim.x):
        row = group * BLOCK_ROWS + cuda.threadIdx.x // ROW_THREADS
        index = _argmax(z, row, rows, units, best, where)
        exponentials = float32(0)
        largest = float32(0)
        label = int32(0)
        if row < rows:
            label = labels[row]
            largest = z[row, index]
            for o in range(lane, units, ROW_THREADS):
                exponentials += float32(math.exp(z[row, o] - largest))
        total = _row_sum(exponentials, values)
        if row < rows:
            for o in range(lane, units, ROW_THREADS):
                probability = float32(math.exp(z[row, o] - largest)) / total
                out[row, o] = (probability - (float32(1) if o == label else float32(0))) / float32(rows)
            if lane == 0:
                loss += float64(float32(math.log(total)) - (z[row, label] - largest))
                correct += float64(1) if index == label else float64(0)
    add_to_metrics(loss, correct, losses, counts, flag, loss_partials, arrivals, metrics)


@kernel()
def _squared_error_classes(y, labels, rows, units, code, metrics, out, loss_partials, arrivals):  # noqa: ANN001, ANN202
    """out = (y - onehot(labels)) ⊙ f'(y) / rows; adds loss and correct answers to `metrics`.

    Grid-stride loop over groups of BLOCK_ROWS rows.
    """
    best = cuda.shared.array(SUM_THREADS, dtype=float32)
    where = cuda.shared.array(SUM_THREADS, dtype=int32)
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    counts = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    lane = cuda.threadIdx.x % ROW_THREADS
    loss = float64(0)
    correct = float64(0)
    for group in range(cuda.blockIdx.x, (rows + BLOCK_ROWS - 1) // BLOCK_ROWS, cuda.gridDim.x):
        row = group * BLOCK_ROWS + cuda.threadIdx.x // ROW_THREADS
        index = _argmax(y, row, rows, units, best, where)
        if row < rows:
            label = labels[row]
            for o in range(lane, units, ROW_THREADS):
                output = y[row, o]
                error = output - (float32(1) if o == label else float32(0))
                loss += float64(float32(0.5) * error * error)
                out[row, o] = error * derivative(output, code) / float32(rows)
            if lane == 0 and index == label:
                correct += float64(1)
    add_to_metrics(loss, correct, losses, counts, flag, loss_partials, arrivals, metrics)


@kernel()
def _squared_error(y, targets, rows, units, code, metrics, out, loss_partials, arrivals):  # noqa: ANN001, ANN202
    """out = (y - targets) ⊙ f'(y) / rows; adds the loss to metrics[0]. Grid-stride loop over elements."""
    losses = cuda.shared.array(SUM_THREADS, dtype=float64)
    counts = cuda.shared.array(SUM_THREADS, dtype=float64)
    flag = cuda.shared.array(1, dtype=int32)
    loss = float64(0)
    for i in range(cuda.grid(1), rows * units, cuda.gridsize(1)):
        row, o = divide(i, units)
        output = y[row, o]
        error = output - targets[row, o]
        loss += float64(float32(0.5) * error * error)
        out[row, o] = error * derivative(output, code) / float32(rows)
    add_to_metrics(loss, float64(0), losses, counts, flag, loss_partials, arrivals, metrics)


class LossOperators(OperatorGroup):
    """Losses and softmax, see `kernels.device.Device`."""

    def softmax_cross_entropy(self, z: Any, labels: Any, metrics: Any, out: Any) -> None:
        require_float32(z, out)
        rows, units = z.shape
        blocks = -(-rows // BLOCK_ROWS)
        self._launch_loss(_softmax_cross_entropy, blocks, (z, labels, rows, units), metrics, out)

    def squared_error_classes(self, y: Any, labels: Any, activation: str, metrics: Any, out: Any) -> None:
        require_float32(y, out)
        rows, units = y.shape
        inputs = (y, labels, rows, units, CODES[activation])
        self._launch_loss(_squared_error_classes, -(-rows // BLOCK_ROWS), inputs, metrics, out)

    def squared_error(self, y: Any, targets: Any, activation: str, metrics: Any, out: Any) -> None:
        require_float32(y, targets, out)
        rows, units = y.shape
        inputs = (y, targets, rows, units, CODES[activation])
        self._launch_loss(_squared_error, -(-rows * units // SUM_THREADS), inputs, metrics, out)

    def softmax(self, z: Any, out: Any) -> None:
        require_float32(z, out)
        rows, units = z.shape
        self._launcher.launch(
            _softmax, (-(-rows // BLOCK_ROWS), 1, 1), (SUM_THREADS, 1, 1),
            lambda workspace: (z, rows, units, out), (z,), (out,),
        )  # fmt: skip

    def _launch_loss(
        self, kernel: Kernel, blocks: int, inputs: tuple[Any, ...], metrics: Any, out: Any
    ) -> None:
        """Launch `kernel` with at most as many blocks as the workspace has room for; inputs[:2] are its arrays."""
        self._launcher.launch(
            kernel,
            (min(blocks, self._launcher.loss_blocks), 1, 1),
            (SUM_THREADS, 1, 1),
            lambda workspace: (*inputs, metrics, out, workspace.loss_partials, workspace.arrivals),
            (*inputs[:2], metrics),
            (metrics, out),
        )
