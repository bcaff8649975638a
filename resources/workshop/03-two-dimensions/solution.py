"""ReLU of a matrix: the thread at (row, column) computes the element at (row, column).

`cuda.grid(2)` gives x first. x counts columns: threads with neighboring x then have neighboring elements of
a row. Both directions need a guard.
"""

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
        out[row, column] = result
