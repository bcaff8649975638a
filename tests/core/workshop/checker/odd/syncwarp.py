"""Lanes of one warp exchange through shared memory: syncwarp orders them."""

# args = "a: float32[n], out: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,64"

from numba import cuda, float32


@cuda.jit
def neighbors(a, out):
    shared = cuda.shared.array(32, float32)
    i = cuda.grid(1)
    lane = cuda.threadIdx.x
    shared[lane] = a[i]
    cuda.syncwarp()
    out[i] = shared[(lane + 1) % 32]
