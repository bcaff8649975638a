"""Reads shared[8], which does not exist."""

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
    other = THREADS - t
    # store
    out[i] = shared[other]  # fault: bounds
