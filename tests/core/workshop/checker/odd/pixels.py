"""Bytes become numbers from 0 to 1."""

# args = "a: uint8[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = a / 255"

from numba import cuda, float32


@cuda.jit
def scale(a, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = float32(a[i]) / float32(255)
