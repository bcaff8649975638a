"""Right, but the second barrier orders nothing: behind it nothing is shared."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):  # fault: par
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
    # wait
    cuda.syncthreads()
