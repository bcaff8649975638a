"""Add two arrays of any length.

This kernel has a fault: find and repair it.
"""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    # load
    left = x[i]
    right = y[i]
    # compute
    result = left + right
    # store
    out[i] = result
