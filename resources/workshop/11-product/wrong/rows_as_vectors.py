"""Multiplies whole rows: this is NumPy."""

from numba import cuda, float32


@cuda.jit
def dot(x, y, out):
    column, row = cuda.grid(2)
    if row < out.shape[0] and column < out.shape[1]:
        total = float32(0)
        total = x[row] * y[column]  # fault: type
        # store
        out[row, column] = total
