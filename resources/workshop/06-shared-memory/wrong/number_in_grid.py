"""Uses the number in the grid for the block's own memory."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[i] = a[i]  # fault: bounds
    # wait
    cuda.syncthreads()
    # compute
    other = THREADS - 1 - t
    # store
    out[i] = shared[other]
