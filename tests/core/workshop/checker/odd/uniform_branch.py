"""A barrier in a branch that all threads of the block take, or none."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=8,24"
# expect = "out = a"

from numba import cuda, float32


@cuda.jit
def maybe_reverse_twice(a, out):
    shared = cuda.shared.array(8, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    value = a[i]
    if cuda.blockIdx.x % 2 == 0:
        shared[7 - t] = value
        cuda.syncthreads()
        value = shared[7 - t]
    out[i] = value
