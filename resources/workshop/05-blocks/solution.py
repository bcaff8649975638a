"""Multiply every element by 3, in place, with 16 threads for any number of elements.

Each thread begins at its own number and goes on by the number of all threads, `cuda.gridsize(1)`: a grid-
stride loop. Every element is visited once, and neighboring threads are at neighboring elements all the
time.
"""

from numba import cuda


@cuda.jit
def triple(x):
    first = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(first, x.shape[0], step):
        # load
        value = x[i]
        # compute
        result = value * 3
        # store
        x[i] = result
