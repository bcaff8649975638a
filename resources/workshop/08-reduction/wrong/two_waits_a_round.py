"""Right, but a barrier too many in each round: what is read and what is written never overlap."""

from numba import cuda, float32

THREADS = 8


@cuda.jit
def block_sums(a, sums):  # fault: par
    shared = cuda.shared.array(THREADS, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    # load
    shared[t] = a[i] if i < a.shape[0] else float32(0)
    # wait
    cuda.syncthreads()
    width = THREADS // 2
    while width > 0:
        # wait
        cuda.syncthreads()
        # compute
        if t < width:
            shared[t] += shared[t + width]
        # wait
        cuda.syncthreads()
        width //= 2
    # store
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]
