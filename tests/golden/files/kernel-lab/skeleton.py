"""Reverse each stretch of 8 elements.

This kernel has a fault: find and repair it.
"""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[t] = a[i]
    # compute
    other = THREADS - 1 - t
    # store
    out[i] = shared[other]
