"""Reads nothing: right only for the input 0, 1, 2, ..."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = i + 10
    # store
    out[i] = result  # fault: wrong-result
