"""Takes x for the row: the grid then has too few rows."""

from numba import cuda, float32


@cuda.jit
def activate(z, out):
    row, column = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        # load
        value = z[row, column]
        # compute
        result = max(value, float32(0))
        # store
        out[row, column] = result  # fault: wrong-result
