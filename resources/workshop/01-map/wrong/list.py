"""Builds a list, which a kernel cannot."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = [value + 10][0]  # fault: unsupported
    # store
    out[i] = result
