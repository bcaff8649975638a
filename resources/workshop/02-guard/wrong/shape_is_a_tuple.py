"""Compares a number with the whole shape."""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.shape:  # fault: type
        # load
        left = x[i]
        right = y[i]
        # compute
        result = left + right
        # store
        out[i] = result
