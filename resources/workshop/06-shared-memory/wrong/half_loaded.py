"""Half of the shared memory is never written."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    if t < THREADS // 2:
        shared[t] = a[i]
    # wait
    cuda.syncthreads()
    # compute
    other = THREADS - 1 - t
    # store
    out[i] = shared[other]  # fault: uninitialized
