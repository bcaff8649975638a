"""Compares rows with columns."""

from numba import cuda, float32


@cuda.jit
def activate(z, out):
    column, row = cuda.grid(2)
    if row < out.shape[1] and column < out.shape[0]:
        # load
        value = z[row, column]  # fault: bounds
        # compute
        result = max(value, float32(0))
        # store
        out[row, column] = result
