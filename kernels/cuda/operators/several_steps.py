"""Several steps of a network with one hidden layer in one launch, which keeps the weights of that
layer in shared memory.

A block has UNITS hidden units: their weights and biases stay in its shared memory from the first
step to the last, and each batch of images lies there as bytes. A step has two barriers of the grid.
Before the first, each block stores what its units add to the outputs. Between them a block adds
these parts for its rows of the batch, in the order of the blocks, and computes loss and errors.
After the second, each block updates its own weights. No gradient is stored, and the order of all
sums is fixed, so that a run repeats to the bit.

In shared memory: `words`, (images, _WORDS): four pixels each, behind them a pixel of 255, whose
weights are the biases; `w`, (4 · _WORDS, UNITS): the weights of the pixels; `y` and `d`, (images,
UNITS): the outputs of the units and their errors.
"""

import logging
import math
from collections.abc import Callable

import numpy as np

from kernels.activations import ACTIVATIONS, CODES
from kernels.cuda.launcher import Scratch
from kernels.cuda.operators.activations import activate, derivative
from kernels.cuda.operators.base import OperatorGroup
from kernels.cuda.operators.batches import SCALE
from kernels.cuda.toolkit import (
    ALIGNMENT,
    SIMULATED,
    cuda,
    device_function,
    divide,
    float32,
    int32,
    is_last_block,
    kernel,
    load4,
    thread_fence,
    uint8,
    uint32,
)
from kernels.device import Array
from kernels.errors import DeviceError

UNITS = 4
THREADS = 256
MOST_INPUTS = 784
# A thread updates the weights of four pixels, or has one column of a sum over the outputs.
_WORDS = MOST_INPUTS // 4 + 1
MOST_OUTPUTS = 11
MOST_IMAGES = 100
_FOUR = 4 * UNITS  # weights of four pixels
_WEIGHTS = _WORDS * _FOUR
_UNITS = MOST_IMAGES * UNITS


@device_function
def _wait_for_all(arrivals: Array, number: int) -> None:
    """The barrier of the grid with this number, from 1: go on when all blocks have come to it."""
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        thread_fence()
        cuda.atomic.add(arrivals, 0, 1)
        while cuda.atomic.add(arrivals, 0, 0) < number * cuda.gridDim.x:
            pass
        thread_fence()
    cuda.syncthreads()


@device_function
def _load_images(images, order, start, words, batch):  # noqa: ANN001, ANN202 - compiled
    """A thread loads a word of each image."""
    word = cuda.threadIdx.x
    if word < images.shape[1]:
        for row in range(batch):
            words[row * _WORDS + word] = images[order[start + row], word]
    elif word < _WORDS:
        for row in range(batch):
            words[row * _WORDS + word] = 255 if word == images.shape[1] else 0
    cuda.syncthreads()


@device_function
def _compute_units(words, w, y, w2, parts, code):  # noqa: ANN001, ANN202 - compiled
    """y = f(x · w). A thread sums over every second word of an image, for all units. Then
    parts[block] (batch, outputs) = what the block's units add to the outputs.
    """
    _, batch, outputs = parts.shape
    total = cuda.local.array(UNITS, dtype=float32)
    half, row = divide(cuda.threadIdx.x, batch)
    for unit in range(UNITS):
        total[unit] = float32(0)
    for word in range(half, _WORDS if half < 2 else 0, 2):
        pixels = uint32(words[row * _WORDS + word])
        for byte in range(4):
            x = float32(uint8(pixels >> uint32(8 * byte)))
            weights = load4(w, word * _FOUR + byte * UNITS)
            for unit in range(UNITS):
                total[unit] += x * weights[unit]
    if half == 1:
        for unit in range(UNITS):
            y[row * UNITS + unit] = total[unit]
    cuda.syncthreads()
    if half == 0:
        for unit in range(UNITS):
            i = row * UNITS + unit
            y[i] = activate((total[unit] + y[i]) * SCALE, code)
    cuda.syncthreads()
    for i in range(cuda.threadIdx.x, batch * outputs, THREADS):
        row, output = divide(i, outputs)
        result = float32(0)
        for unit in range(UNITS):
            result += y[row * UNITS + unit] * w2[unit, output]
        parts[cuda.blockIdx.x, row, output] = result


@device_function
def _compute_loss(labels, order, start, b2, sums, parts, errors):  # noqa: ANN001, ANN202 - compiled
    """Errors of the block's rows of the batch, behind them the loss and whether the answer is
    right.
    """
    blocks, batch, outputs = parts.shape
    thread = cuda.threadIdx.x
    first, output = divide(thread, outputs)
    groups = THREADS // outputs
    for row in range(cuda.blockIdx.x, batch, blocks):
        total = float32(0)
        for block in range(first, blocks, groups):
            total += parts[block, row, output]
        sums[thread] = total
        cuda.syncthreads()
        if first == 0:
            total = b2[output]
            for group in range(groups):
                total += sums[group * outputs + output]
            # Nobody else reads the sums of this output.
            sums[output] = total
        cuda.syncthreads()
        if first == 0:
            best = 0
            total = float32(0)
            for i in range(1, outputs):
                if sums[i] > sums[best]:
                    best = i
            for i in range(outputs):
                total += float32(math.exp(sums[i] - sums[best]))
            loss = float32(math.log(total)) - (sums[output] - sums[best])
            error = float32(math.exp(-loss))
            if output == labels[order[start + row]]:
                error -= float32(1)
                errors[row, outputs] = loss
                errors[row, outputs + 1] = float32(best == output)
            errors[row, output] = error / float32(batch)
        cuda.syncthreads()


@device_function
def _update(shared, w2, b2, errors, history, step, code, rate):  # noqa: ANN001, ANN202 - compiled
    """Update the block's parameters by the errors of its units, d. Block 0 updates the biases of
    the outputs as well, and adds up the losses and right answers of the batch.
    """
    words, w, y, d = shared
    batch, columns = errors.shape
    outputs = w2.shape[1]
    for i in range(cuda.threadIdx.x, batch * UNITS, THREADS):
        row, unit = divide(i, UNITS)
        error = float32(0)
        for output in range(outputs):
            error += errors[row, output] * w2[unit, output]
        d[i] = error * derivative(y[i], code)
    cuda.syncthreads()
    word = cuda.threadIdx.x
    unit, output = divide(word - _WORDS, outputs)
    column = word - _WORDS - UNITS * outputs
    total = cuda.local.array(_FOUR, dtype=float32)
    for i in range(_FOUR):
        total[i] = float32(0)
    if word < _WORDS:
        for row in range(batch):
            pixels = uint32(words[row * _WORDS + word])
            of_units = load4(d, row * UNITS)
            for i in range(_FOUR):
                x = float32(uint8(pixels >> uint32(i // UNITS * 8)))
                total[i] += x * of_units[i % UNITS]
        for i in range(_FOUR):
            w[word * _FOUR + i] -= rate * (total[i] * SCALE)
    elif unit < UNITS:
        for row in range(batch):
            total[0] += y[row * UNITS + unit] * errors[row, output]
        w2[unit, output] -= rate * total[0]
    elif cuda.blockIdx.x == 0 and column < columns:
        for row in range(batch):
            total[0] += errors[row, column]
        if column < outputs:
            b2[column] -= rate * total[0]
        else:
            history[step % history.shape[0], column - outputs] = total[0]
    cuda.syncthreads()


# A launch has room for the images beside the arrays below.
@kernel(THREADS, 1, together=4 * _WORDS * MOST_IMAGES)
def _several_steps(arrays, parts, errors, code, steps, arrivals):  # noqa: ANN001, ANN202 - compiled
    """`steps` steps from position counters[0] of the order on."""
    images, labels, order, rate, all_w1, all_b1, all_w2, b2, counters, history = arrays
    words = cuda.shared.array(0, dtype=int32)
    w = cuda.shared.array(_WEIGHTS, dtype=float32, alignment=ALIGNMENT)
    y = cuda.shared.array(_UNITS, dtype=float32)
    d = cuda.shared.array(_UNITS, dtype=float32, alignment=ALIGNMENT)
    sums = cuda.shared.array(THREADS, dtype=float32)
    own = slice(cuda.blockIdx.x * UNITS, (cuda.blockIdx.x + 1) * UNITS)
    w1 = all_w1[:, own]
    b1 = all_b1[own]
    w2 = all_w2[own]
    batch = errors.shape[0]
    for i in range(cuda.threadIdx.x, _WEIGHTS, THREADS):
        pixel, unit = divide(i, UNITS)
        w[i] = w1[pixel, unit] if pixel < w1.shape[0] else b1[unit]
    for step in range(steps):
        start = counters[0] + step * batch
        _load_images(images, order, start, words, batch)
        _compute_units(words, w, y, w2, parts, code)
        _wait_for_all(arrivals, 2 * step + 1)
        _compute_loss(labels, order, start, b2, sums, parts, errors)
        _wait_for_all(arrivals, 2 * step + 2)
        _update((words, w, y, d), w2, b2, errors, history, counters[1] + step, code, rate[0])
    for i in range(cuda.threadIdx.x, (w1.shape[0] + 1) * UNITS, THREADS):
        pixel, unit = divide(i, UNITS)
        if pixel < w1.shape[0]:
            w1[pixel, unit] = w[i]
        else:
            b1[unit] = w[i]
    # Nobody reads the counters any more.
    if is_last_block(arrivals, 1, cuda.gridDim.x, words) and cuda.threadIdx.x == 0:
        arrivals[0] = 0
        counters[0] += steps * batch
        counters[1] += steps


class SeveralStepsOperators(OperatorGroup):
    """Several steps in one launch, see `kernels.device.Device`."""

    def hidden_layer_steps(
        self, batch: int, activation: str, *arrays: Array
    ) -> Callable[[int], None] | None:
        images = arrays[0]
        inputs, hidden = arrays[4].shape
        outputs = arrays[7].size
        if (
            SIMULATED
            or images.dtype != np.uint8
            or inputs % 4
            or inputs > MOST_INPUTS
            or hidden % UNITS
            or outputs > MOST_OUTPUTS
            or batch > MOST_IMAGES
            or ACTIVATIONS[activation].needs_z
        ):
            return None
        blocks = hidden // UNITS
        words = images.reshape(len(images), inputs // 4, dtype=np.int32)
        given = (
            (words, *arrays[1:]),
            self.card.empty((blocks, batch, outputs), np.float32),
            self.card.empty((batch, outputs + 2), np.float32),
            CODES[activation],
        )

        def launch(steps: int) -> None:
            self._launcher.launch(
                _several_steps,
                (blocks, 1, 1),
                (THREADS, 1, 1),
                (*given, steps),
                (),
                (Scratch.ARRIVALS,),
            )

        try:
            launch(0)
        except DeviceError as error:
            logging.getLogger(__name__).info("Not several steps in one launch: %s", error)
            return None
        return launch
