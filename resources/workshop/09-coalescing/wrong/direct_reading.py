"""Takes x for the row: a warp loads a column, and the grid has too few rows."""

from numba import cuda


@cuda.jit
def transpose(a, out):
    row, column = cuda.grid(2)
    if row < a.shape[0] and column < a.shape[1]:
        # load
        value = a[row, column]
        # store
        out[column, row] = value  # fault: wrong-result
