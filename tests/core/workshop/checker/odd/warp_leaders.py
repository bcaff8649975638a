"""The first thread of each warp writes for its warp."""

# args = "a: float32[n], out: float32[n // 32]"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,128"

from numba import cuda


@cuda.jit
def leaders(a, out):
    i = cuda.grid(1)
    if cuda.threadIdx.x % cuda.warpsize == 0:
        out[i // cuda.warpsize] = a[i]
