"""Reverse each stretch of 8 elements: a block shares what its threads loaded.

Each thread stores its element to shared memory and reads that of another thread. Between the two,
all threads of the block wait for each other: a thread may be ahead by any amount.
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
    # wait
    cuda.syncthreads()
    # compute
    other = THREADS - 1 - t
    # store
    out[i] = shared[other]
