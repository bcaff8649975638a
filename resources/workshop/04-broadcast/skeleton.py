"""out[row, column] = a[row] + b[column].

This kernel has a fault: find and repair it.
"""

from numba import cuda


@cuda.jit
def add_each(a, b, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        # load
        left = a[column]
        right = b[row]
        # compute
        result = left + right
        # store
        out[row, column] = result
