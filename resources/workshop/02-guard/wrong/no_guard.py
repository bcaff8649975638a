"""Threads beyond the end read and write."""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    # load
    left = x[i]  # fault: bounds
    right = y[i]
    # compute
    result = left + right
    # store
    out[i] = result
