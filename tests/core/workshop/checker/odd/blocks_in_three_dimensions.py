"""Blocks and grid with three dimensions."""

# args = "a: float32[d, h, w], out: float32[d, h, w]"
# grid = "(w + 3) // 4, (h + 1) // 2, (d + 1) // 2"
# block = "4, 2, 2"
# sizes = "d=1,3 h=2,5 w=4,7"
# expect = "out = a + 1"

from numba import cuda


@cuda.jit
def add_one(a, out):
    x, y, z = cuda.grid(3)
    if z < a.shape[0] and y < a.shape[1] and x < a.shape[2]:
        out[z, y, x] = a[z, y, x] + 1
