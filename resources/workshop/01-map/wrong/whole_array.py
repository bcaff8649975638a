"""Adds to the array, and not to an element: this is NumPy."""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = a + 10  # fault: type
    # store
    out[i] = result
