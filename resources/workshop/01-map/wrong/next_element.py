"""Stores one element too far."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = value + 10
    # store
    out[i + 1] = result  # fault: bounds
