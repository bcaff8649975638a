"""Leaves out the last term."""

from numba import cuda, float32


@cuda.jit
def dot(x, y, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        for k in range(x.shape[1] - 1):
            # load
            left = x[row, k]
            right = y[k, column]
            # compute
            total += left * right
        # store
        out[row, column] = total  # fault: wrong-result
