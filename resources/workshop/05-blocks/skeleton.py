"""Multiply every element by 3, in place. 16
threads, any number of elements: write the loop.
"""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    for i in range(first, first + 1):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result
