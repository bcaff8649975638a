"""Matrix product: out[row, column] = the sum of
x[row, k] · y[k, column] over k.

Write it.
"""

from numba import cuda, float32


@cuda.jit
def dot(x, y, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        # load
        # compute
        # store
        out[row, column] = total
