"""Stores nothing where the result is 0."""

from numba import cuda, float32


@cuda.jit
def activate(z, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        # load
        value = z[row, column]
        # compute
        result = max(value, float32(0))
        # store
        if value > 0:
            out[row, column] = result  # fault: wrong-result
