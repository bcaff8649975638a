"""All threads store to element 0."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = value + 10
    # store
    out[0] = result  # fault: race
