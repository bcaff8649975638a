"""The first round may read what is not yet loaded."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def block_sums(a, sums):
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[t] = a[i] if i < a.shape[0] else float32(0)
    width = THREADS // 2
    while width > 0:
        # compute
        if t < width:
            shared[t] += shared[t + width]  # fault: race
        # wait
        cuda.syncthreads()
        width //= 2
    # store
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]
