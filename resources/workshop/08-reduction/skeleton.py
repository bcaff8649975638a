"""The sum of each block's 8 elements.

This kernel has a fault: find and repair it.
"""

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
