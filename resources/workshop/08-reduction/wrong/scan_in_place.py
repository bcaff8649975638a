"""Adds the left neighbor's number while the neighbor changes it: a prefix sum needs two barriers a round."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def block_sums(a, sums):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[t] = a[i] if i < a.shape[0] else float32(0)
    # wait
    cuda.syncthreads()
    offset = 1
    while offset < THREADS:
        # compute
        if t >= offset:
            shared[t] += shared[t - offset]  # fault: race
        # wait
        cuda.syncthreads()
        offset *= 2
    # store
    if t == THREADS - 1:
        sums[cuda.blockIdx.x] = shared[t]
