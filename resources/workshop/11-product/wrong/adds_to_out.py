"""Adds to what happened to be in `out`."""

from numba import cuda, float32


@cuda.jit
def dot(x, y, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(x.shape[1]):
            # load
            left = x[row, k]
            right = y[k, column]
            # compute
            # store
            out[row, column] += left * right  # fault: uninitialized
