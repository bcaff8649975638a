"""Add 10 to every element: thread i computes element i.

`cuda.grid(1)` is the thread's number in the whole grid: number of its block · threads in a block + its
number in the block. With as many threads as elements each element has one thread, and no two threads meet.
"""

from numba import cuda


@cuda.jit
def add_ten(a, out):
    i = cuda.grid(1)
    # load
    value = a[i]
    # compute
    result = value + 10
    # store
    out[i] = result
