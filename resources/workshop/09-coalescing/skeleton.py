"""Transpose a matrix.

It is right, but each warp stores to 32 sectors:
make it 4.
"""

from numba import cuda


@cuda.jit
def transpose(a, out):
    column, row = cuda.grid(2)
    if row < a.shape[0] and column < a.shape[1]:
        # load
        value = a[row, column]
        # store
        out[column, row] = value
