"""Threads leave early, and no barrier follows."""

# args = "a: float32[n], out: float32[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = 2 * a"

from numba import cuda


@cuda.jit
def double(a, out):
    i = cuda.grid(1)
    if i >= out.shape[0]:
        return
    out[i] = a[i] + a[i]
