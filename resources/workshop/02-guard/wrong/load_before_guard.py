"""Loads before the guard."""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    left = x[i]  # fault: bounds
    if i < out.shape[0]:
        # load
        right = y[i]
        # compute
        result = left + right
        # store
        out[i] = result
