"""The size of shared memory must be known when the kernel is compiled."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def reverse(a, out):
    shared = cuda.shared.array(a.shape[0], float32)  # fault: unsupported
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
