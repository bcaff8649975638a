"""Reads one element too early: thread 0 reads a[-1]."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i - 1]  # fault: bounds
    # compute
    result = value + 10
    # store
    out[i] = result
