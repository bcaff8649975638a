"""All lanes read the value of lane 3."""

# args = "a: float32[n], out: float32[n]"
# grid = "n // 32"
# block = "32"
# sizes = "n=32,96"

from numba import cuda


@cuda.jit
def from_three(a, out):
    i = cuda.grid(1)
    out[i] = a[i] - cuda.shfl_sync(0xFFFFFFFF, a[i], 3)
