"""ReLU of each element of a matrix.

Write the guard and the arithmetic.
"""

from numba import cuda, float32


@cuda.jit
def activate(z, out):
    column, row = cuda.grid(2)
    if row < out.shape[0]:
        # load
        value = z[row, column]
        # compute
        result = value
        # store
        out[row, column] = result
