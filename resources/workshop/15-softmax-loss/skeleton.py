"""The gradient of softmax with cross-entropy.

This kernel has two faults: find and repair them.
"""

import math

from numba import cuda, float32, float64


@cuda.jit
def softmax_cross_entropy(z, labels, metrics, out):
    row = cuda.grid(1)
    if row < z.shape[0]:
        # load
        label = labels[row]
        # compute: the largest of the row, and where it is
        best = 0
        for j in range(1, z.shape[1]):
            if z[row, j] > z[row, best]:
                best = j
        largest = z[row, best]
        total = float32(0)
        for j in range(z.shape[1]):
            total += float32(math.exp(z[row, j] - largest))
        loss = math.log(total) - (z[row, label] - largest)
        # store
        for j in range(z.shape[1]):
            probability = float32(math.exp(z[row, j] - largest)) / total
            target = float32(1) if j == label else float32(0)
            out[row, j] = probability - target
        metrics[0] += loss
        if best == label:
            cuda.atomic.add(metrics, 1, float64(1))
