"""Unsigned bytes: the difference wraps around."""

# args = "a: uint8[n], b: uint8[n], out: uint8[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"

from numba import cuda


@cuda.jit
def subtract(a, b, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a[i] - b[i]
