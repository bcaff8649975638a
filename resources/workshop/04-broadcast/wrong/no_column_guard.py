"""Guards the rows only."""

from numba import cuda


@cuda.jit
def add_each(a, b, out):
    column, row = cuda.grid(2)
    if row < out.shape[0]:
        # load
        left = a[row]
        right = b[column]  # fault: bounds
        # compute
        result = left + right
        # store
        out[row, column] = result
