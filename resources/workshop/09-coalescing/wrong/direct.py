"""Right, but a warp stores a column: one sector for each thread."""

from numba import cuda


@cuda.jit
def transpose(a, out):
    column, row = cuda.grid(2)
    if row < a.shape[0] and column < a.shape[1]:
        # load
        value = a[row, column]
        # store
        out[column, row] = value  # fault: par
