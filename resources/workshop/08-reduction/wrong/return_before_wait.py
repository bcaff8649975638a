"""Threads beyond the end leave, and miss the barriers."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def block_sums(a, sums):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if i >= a.shape[0]:
        return
    # load
    shared[t] = a[i]
    # wait, the first time
    cuda.syncthreads()  # fault: barrier
    width = THREADS // 2
    while width > 0:
        # compute
        if t < width:
            shared[t] += shared[t + width]
        # wait
        cuda.syncthreads()
        width //= 2
    # store
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]
