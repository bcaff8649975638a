"""Add two arrays of any length: threads beyond the end do nothing.

Blocks have 8 threads, so 9 elements need 2 blocks, which are 16 threads. The `if` keeps threads 9 to 15
from reading and writing memory that belongs to somebody else.
"""

from numba import cuda


@cuda.jit
def add(x, y, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        # load
        left = x[i]
        right = y[i]
        # compute
        result = left + right
        # store
        out[i] = result
