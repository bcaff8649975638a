"""Add 10 to every element.

Complete the line below “compute”.
"""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = value
    # store
    out[i] = result
