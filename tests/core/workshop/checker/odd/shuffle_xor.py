"""Every lane gets the sum of its warp."""

# args = "a: float32[n], out: float32[n]"
# grid = "n // 64"
# block = "64"
# sizes = "n=64,128"

from numba import cuda


@cuda.jit
def everywhere(a, out):
    i = cuda.grid(1)
    value = a[i]
    for bit in range(5):
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, 1 << bit)
    out[i] = value
