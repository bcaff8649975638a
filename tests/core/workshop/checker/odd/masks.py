"""Arrays of bool, read and written."""

# args = "a: float32[n], mask: bool[n], out: bool[n]"
# grid = "(n + 7) // 8"
# block = "8"
# sizes = "n=1,8,9,30"
# expect = "out = (a > 0) & mask"

from numba import cuda


@cuda.jit
def both(a, mask, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[i] = mask[i] and a[i] > 0
