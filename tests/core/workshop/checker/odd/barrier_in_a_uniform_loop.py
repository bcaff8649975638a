"""The number of rounds is the same for all threads of a block, and another one in each block."""

# args = "out: int32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,24"

from numba import cuda, int32


@cuda.jit
def rounds(out):
    shared = cuda.shared.array(8, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared[t] = 0
    cuda.syncthreads()
    for _ in range(cuda.blockIdx.x + 1):
        left = shared[(t + 1) % 8]
        cuda.syncthreads()
        shared[t] = left + 1
        cuda.syncthreads()
    out[i] = shared[t]
