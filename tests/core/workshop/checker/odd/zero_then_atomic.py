"""One thread sets the result of its block to 0, all wait, then all add."""

# args = "a: float32[n], out: float32[(n + 7) // 8]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda


@cuda.jit
def block_sums(a, out):
    i = cuda.grid(1)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = 0
    cuda.syncthreads()
    if i < a.size:
        cuda.atomic.add(out, cuda.blockIdx.x, a[i])
