"""The sum of each block's elements: in each round half of the threads add the other half's numbers.

8 numbers become 4, then 2, then 1: three rounds instead of seven additions one after the other. After each
round all threads wait, also those that had nothing to add. Threads beyond the end load 0, so that the sum
is right and every element of shared memory is written.
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
