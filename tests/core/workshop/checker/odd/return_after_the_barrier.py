"""Threads leave behind the last barrier."""

# args = "a: float32[n], out: float32[(n + 7) // 8]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda, float32


@cuda.jit
def first_of_block(a, out):
    shared = cuda.shared.array(8, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    shared[t] = a[i] if i < a.shape[0] else float32(0)
    cuda.syncthreads()
    if t != 0:
        return
    total = float32(0)
    for k in range(8):
        total += shared[k]
    out[cuda.blockIdx.x] = total
