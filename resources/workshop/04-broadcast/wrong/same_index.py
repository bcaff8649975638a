"""Reads b by the row."""

from numba import cuda


@cuda.jit
def add_each(a, b, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        # load
        left = a[row]
        right = b[row]  # fault: bounds
        # compute
        result = left + right
        # store
        out[row, column] = result
