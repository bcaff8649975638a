"""Counts from the end as Python does: a card does not."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[t] = a[i]
    # wait
    cuda.syncthreads()
    # compute
    other = -1 - t
    # store
    out[i] = shared[other]  # fault: bounds
