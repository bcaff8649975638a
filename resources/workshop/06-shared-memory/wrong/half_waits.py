"""Only half of the threads reach the barrier."""

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
    if t < THREADS // 2:
        cuda.syncthreads()  # fault: barrier
    # compute
    other = THREADS - 1 - t
    # store
    out[i] = shared[other]
