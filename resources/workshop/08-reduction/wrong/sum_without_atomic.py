"""All threads add to one element of shared memory."""

from numba import cuda, float32


@cuda.jit
def block_sums(a, sums):
    shared = cuda.shared.array(1, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    if t == 0:
        shared[0] = float32(0)
    # wait
    cuda.syncthreads()
    # load, compute
    if i < a.shape[0]:
        shared[0] += a[i]  # fault: race
    # wait
    cuda.syncthreads()
    # store
    if t == 0:
        sums[cuda.blockIdx.x] = shared[0]
