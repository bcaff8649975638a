"""Threads beyond the edge read and write."""

from numba import cuda, float32


@cuda.jit
def dot(x, y, out):
    column, row = cuda.grid(2)
    if row >= 0:
        total = float32(0)
        for k in range(x.shape[1]):
            # load
            left = x[row, k]  # fault: bounds
            right = y[k, column]
            # compute
            total += left * right
        # store
        out[row, column] = total
